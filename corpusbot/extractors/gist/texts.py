"""The form of texts: what can be told of runs without knowing their language, for all runs of a page at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
FORM = (
    "characters", "words", "lower_words", "capital_words", "long_words", "short_words", "capitals", "digits",
    "commas", "stops", "quotes", "marks", "ends_stop", "ends_colon", "starts_lower", "starts_mark", "lines",
)  # fmt: skip
_PLACE = {name: place for place, name in enumerate(FORM)}
# What a character is, for the counts above.
_KINDS = ("other", "space", "line", "lower", "upper", "digit", "comma", "stop", "wide_stop", "colon", "quote", "mark")
_OTHER, _SPACE, _LINE, _LOWER, _UPPER, _DIGIT, _COMMA, _STOP, _WIDE_STOP, _COLON, _QUOTE, _MARK = range(len(_KINDS))
_MEMBERS = {
    _SPACE: " ", _LINE: "\n", _COMMA: ",;،、，", _STOP: ".!?…۔؟", _WIDE_STOP: "。！？।", _COLON: ":：",
    _QUOTE: "\"“”„«»「」’)]", _MARK: "|©›/•→>@#_=*+{}[(<~^\\",
}  # fmt: skip
_COUNTED = {
    "capitals": _UPPER, "digits": _DIGIT, "commas": _COMMA, "quotes": _QUOTE, "marks": _MARK, "lines": _LINE,
}  # fmt: skip
_PLANE = 0x10000  # characters beyond count as other
MOST = 4_000  # characters of a run that are looked at; a longer one is text whatever follows
LONG_WORD, SHORT_WORD = 8, 3


@lru_cache(maxsize=1)
def _kind_of() -> NDArray[np.uint8]:
    """The kind of each character of the basic plane."""
    kinds = np.zeros(_PLANE, np.uint8)
    for kind, is_one in ((_DIGIT, str.isdigit), (_UPPER, str.isupper), (_LOWER, str.islower)):
        kinds[_those(is_one)] = kind
    for kind, members in _MEMBERS.items():
        kinds[[ord(member) for member in members]] = kind
    return kinds


def _those(is_one: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Of which characters of the basic plane something is true."""
    return np.fromiter(map(is_one, map(chr, range(_PLANE))), np.bool_, _PLANE)


@lru_cache(maxsize=2)
def _known(is_one: Callable[[str], bool]) -> NDArray[np.bool_]:
    """The same, and of the mark between texts, which is to stay."""
    found = _those(is_one)
    found[0] = True
    return found


def forms_of(texts: Sequence[str], wanted: Collection[str] = FORM) -> Floats:
    """The values of FORM for each text, none of which is empty; those that nobody wants are left at zero."""
    texts = [text[:MOST] for text in texts]
    codes = np.frombuffer((" ".join(texts) + " ").encode("utf-32-le", "replace"), np.uint32)
    kinds = _kind_of().take(codes, mode="clip")  # the last of the plane is other, as are those beyond
    lengths = np.array([len(text) for text in texts])
    ends = np.cumsum(lengths + 1) - 1  # where the space after each text is
    starts = ends - lengths
    kinds[ends] = _SPACE
    owner = np.repeat(np.arange(len(texts)), lengths + 1)
    last, before = kinds[ends - 1], kinds[np.maximum(ends - 2, starts)]
    is_stop = (last == _STOP) | (last == _WIDE_STOP)
    found = np.zeros((len(FORM), len(texts)), np.float32)
    found[_PLACE["characters"]] = lengths
    found[_PLACE["ends_stop"]] = is_stop | ((last == _QUOTE) & ((before == _STOP) | (before == _WIDE_STOP)))
    found[_PLACE["ends_colon"]] = last == _COLON
    found[_PLACE["starts_lower"]] = kinds[starts] == _LOWER
    found[_PLACE["starts_mark"]] = kinds[starts] >= _COMMA
    chosen = _words(kinds, owner, wanted) | {
        name: owner[kinds == kind] for name, kind in _COUNTED.items() if name in wanted
    }
    if "stops" in wanted:
        chosen["stops"] = owner[_stops(kinds)]
    for name, owners in chosen.items():
        found[_PLACE[name]] = np.bincount(owners, minlength=len(texts))
    return found.T


def _words(kinds: NDArray[np.uint8], owner: NDArray[np.int64], wanted: Collection[str]) -> dict[str, NDArray[np.int64]]:
    """Whose words are all words, those in lower case, with a capital, long ones, short ones."""
    is_space = (kinds == _SPACE) | (kinds == _LINE)
    begins = ~is_space
    begins[1:] &= is_space[:-1]
    first = np.flatnonzero(begins)
    kind, of = kinds[first], owner[first]
    found = {"words": of, "lower_words": of[kind == _LOWER]}
    if "capital_words" in wanted:
        found["capital_words"] = of[kind == _UPPER]
    if "long_words" in wanted or "short_words" in wanted:
        length = np.flatnonzero(is_space & ~np.concatenate(([True], is_space[:-1]))) - first
        found |= {"long_words": of[length >= LONG_WORD], "short_words": of[length <= SHORT_WORD]}
    return found


def _stops(kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The ends of sentences: stops with a space or a quotation mark behind them."""
    following = np.append(kinds[1:], _SPACE)
    ends = (kinds == _STOP) & ((following == _SPACE) | (following == _LINE) | (following == _QUOTE))
    return np.asarray(ends | (kinds == _WIDE_STOP))


_NO_LETTER = re.compile(r"[\W_]+")
_BETWEEN = "\0"  # what no text holds
SHORT_TEXT = 60


def words_of(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """What is looked up of each run's words: all of a short one, of a long one how it begins."""
    codes = _codes(texts, SHORT_TEXT)
    spaced = _told(np.where(_among(codes, _is_letter), codes, np.uint32(ord(" "))))
    return [_looked_up(words.split(), len(text) > SHORT_TEXT) for words, text in zip(spaced, texts, strict=True)]


def _looked_up(words: list[str], is_long: bool) -> tuple[str, ...]:
    if not words:
        return ()
    first, two = "^" + words[0], "^" + " ".join(words[:2])
    return (first, two) if is_long else ("=" + " ".join(words), first, two, *words)


def plain(text: str) -> str:
    """Letters and digits alone, so that two spellings of a text are one."""
    return _NO_LETTER.sub("", text.lower())


def plain_beginnings(texts: Sequence[str], most: int) -> list[str]:
    """The same of how each text begins."""
    codes = _codes(texts, most)
    return _told(codes[_among(codes, str.isalnum)])


def _codes(texts: Sequence[str], most: int) -> NDArray[np.uint32]:
    """How each text begins, in lower case: the numbers of the characters, with a mark between texts."""
    joined = _BETWEEN.join([text[:most] for text in texts]).lower()
    return np.frombuffer(joined.encode("utf-32-le", "replace"), np.uint32)


def _told(codes: NDArray[np.uint32]) -> list[str]:
    return codes.tobytes().decode("utf-32-le").split(_BETWEEN)


def _among(codes: NDArray[np.uint32], is_one: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Of which characters something is true, or which are the mark."""
    found = _known(is_one).take(codes, mode="clip")
    beyond = codes >= _PLANE
    if beyond.any():
        found[beyond] = [is_one(chr(code)) for code in codes[beyond].tolist()]
    return found


def _is_letter(character: str) -> bool:
    return character.isalnum() and not character.isdecimal()
