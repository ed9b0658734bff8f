"""What a region's tag and attributes call it: words to be looked up in what the model has learnt about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from string import ascii_letters

from lxml.etree import _Element as Element

READ = frozenset(
    ("class", "id", "itemprop", "role", "data-testid", "data-component", "data-type", "data-module", "aria-label")
)
_SAID_UNSEEN = frozenset(("hidden", "style", "aria-hidden"))
MOST_WORDS = 24
MOST_CHARACTERS = 1_000  # of a value; a data: image is as long as it likes
# What no attribute holds: between the values of an element, and between elements.
_NEXT, _MARK = "\1", "\0"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS = bytes(code if chr(code) in f"{ascii_letters}{_MARK}" else ord(" ") for code in range(256))
_UNSEEN = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)


# A tag, the values of its attributes that are read, and what says that it is not to be seen.
Named = tuple[str, str, tuple[str, ...]]


def name_of(element: Element, tag: str) -> Named:
    """What an element is called."""
    items = element.items()
    if not items:
        return tag, "", ()
    values = [value[:MOST_CHARACTERS] for name, value in items if name in READ]
    is_seen = len(items) == len(values) or _SAID_UNSEEN.isdisjoint([name for name, _ in items])
    return tag, _NEXT.join(values), () if is_seen else _unseen(items)


def _unseen(items: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Whether an element is said not to be seen."""
    found: dict[str, None] = {}
    for name, value in items:
        if name == "hidden" or (name == "style" and _UNSEEN.search(value, 0, MOST_CHARACTERS)):
            found["!hidden"] = None
        elif name == "aria-hidden" and value == "true":
            found["!aria-hidden"] = None
    return tuple(sorted(found))


def words_in(named: Sequence[Named]) -> list[tuple[str, ...]]:
    """The words of each tag and its attributes, each once: those of all in one go, with a mark between."""
    if not named:
        return []
    values = _MARK.join([values for _, values, _ in named])
    letters = values.encode("utf-8", "replace").translate(_LETTERS).decode("ascii").split(_MARK)
    found = [text.split() if text.islower() else _parted(text) for text in letters]
    return [
        (f"<{tag}", *_telling(words if len(words) <= MOST_WORDS else _first(own)), *unseen)
        for (tag, own, unseen), words in zip(named, found, strict=True)
    ]


def _telling(words: Iterable[str]) -> Iterable[str]:
    """Each word once, but for single letters and what is too long for a word."""
    return dict.fromkeys([word for word in words if 1 < len(word) < 20])


def _parted(name: str) -> list[str]:
    """The words of a name that has capitals to part it at."""
    return [word.lower() for word in _WORD.findall(name)]


def _first(values: str) -> Iterable[str]:
    """The words of some values, without those of each that are too many."""
    return chain.from_iterable(_parted(value)[:MOST_WORDS] for value in values.split(_NEXT))
