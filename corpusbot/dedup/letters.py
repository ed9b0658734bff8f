"""The letters of a text, folded: one look-up a character where that is all it takes, Unicode's rules where not.

Of nearly every character of a newspaper it can be said once for all what it is folded to, or that it stands between
words. Only a text with others is folded as a whole, and looked up again.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dom.accents import thinned

Codes = NDArray[np.uint32]
Table = NDArray[np.uint32]

GAP, LETTER, WORD = range(3)
SPACE = 32
MARK = 1 << 16  # added to what is part of a word, but to its checksum is a space: vowel signs of Indian scripts
ACCENT = 1 << 17  # added to what to the checksum is part of a word that has begun
_PLANE = 0x10000
# Thai to Burmese, Khmer, kana, Chinese characters: what is written without spaces.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x323AF),
)  # fmt: skip
_STYLES = range(0xFE00, 0xFE10)  # variation selectors: how an emoji looks, no part of a word
# Alphabets, marks of punctuation, Korean syllables, forms of letters, emoji.
_LOOKED_UP = (range(0x3000), range(0xAC00, 0xD7A4), range(0xFB00, 0xFFFF), range(0x1F000, 0x1FB00))
_ACCENTS = range(0x0300, 0x0370)
_JAMO = range(0x1100, 0x1200)  # which become syllables with their neighbours


class Tables(NamedTuple):
    """What characters are folded to: SPACE for those between words, 0 for those of which it depends."""

    raw: Table
    folded: Table  # for texts that are folded already: a letter is itself
    marked: Table  # the same, with MARK and ACCENT


class Letters(NamedTuple):
    """A text folded: the codes of its characters, and whether all of them are in the tables."""

    codes: Codes
    are_plain: bool


def letters_of(text: str) -> Letters:
    """The text in one spelling: without case, and with SPACE for all that stands between words if it is plain."""
    tables = look_ups()
    found = tables.raw.take(codes_of(text), mode="clip")
    if found.all():
        return Letters(found, True)
    codes = codes_of(folded(text))
    found = tables.folded.take(codes, mode="clip")
    return Letters(found, True) if found.all() else Letters(codes, False)


def folded(text: str) -> str:
    """The text as a whole without case and in one spelling.

    >>> folded("Año ²")
    'año 2'
    """
    return unicodedata.normalize("NFKC", thinned(text.casefold()))


def codes_of(text: str) -> Codes:
    """The numbers of its characters; the one letter that is common and folded to two is spelt out."""
    return np.frombuffer(text.replace("ß", "ss").encode("utf-32-le", "surrogatepass"), np.uint32)


def roles_of(codes: Codes) -> NDArray[np.uint8]:
    """Whether each character stands between words, in one, or is one."""
    roles = _role_of()[np.minimum(codes, _PLANE - 1)]
    for place in np.flatnonzero(codes >= _PLANE):
        roles[place] = _role(int(codes[place]))
    return roles


@lru_cache(maxsize=1)
def look_ups() -> Tables:
    """What each character is folded to, where it is the same in every text."""
    size = _LOOKED_UP[-1].stop + 1
    tables = Tables(*np.zeros((3, size), np.uint32))
    seconds = {*map(chr, _JAMO), *_seconds()}
    for code in (code for codes in _LOOKED_UP for code in codes):
        letter = chr(code)
        tables.folded[code] = tables.marked[code] = _plain(letter)
        if _role(code) == LETTER and not letter.isalnum():
            tables.marked[code] = code | (ACCENT if code in _ACCENTS else MARK)
        spelt = unicodedata.normalize("NFKC", letter.casefold())
        if spelt and spelt[0] not in seconds:
            plain = {_plain(one) for one in spelt}
            tables.raw[code] = plain.pop() if len(spelt) == 1 or plain == {SPACE} else 0
    return tables


def _plain(letter: str) -> int:
    """A letter as it is, a space for what is none, 0 where opinions differ."""
    role, is_letter = _role(ord(letter)), letter.isalnum()
    if role == GAP and not is_letter:
        return SPACE
    return ord(letter) if role == LETTER and is_letter and ord(letter) < _PLANE else 0


def _seconds() -> set[str]:
    """The characters that may become one with the character before them."""
    parts = (unicodedata.decomposition(chr(code)).split() for code in range(_PLANE))
    return {chr(int(found[1], 16)) for found in parts if len(found) == 2 and found[0][0] != "<"}


@lru_cache(maxsize=1)
def _role_of() -> NDArray[np.uint8]:
    """The roles of the characters of the basic plane."""
    letters = "".join(map(chr, range(_PLANE)))
    roles = np.fromiter((letter.isalnum() for letter in letters), np.uint8, _PLANE)
    roles[[code for code in np.flatnonzero(roles == GAP).tolist() if _role(code)]] = LETTER
    for first, last in _UNSPACED:
        roles[first : last + 1] *= WORD
    return np.minimum(roles, WORD)


def _role(code: int) -> int:
    letter = chr(code)
    is_mark = unicodedata.category(letter)[0] == "M" and code not in _STYLES
    if not letter.isalnum() and not is_mark:
        return GAP
    return WORD if any(first <= code <= last for first, last in _UNSPACED) else LETTER
