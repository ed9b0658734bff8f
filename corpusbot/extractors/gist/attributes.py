"""What a region's tag and attributes call it: words to be looked up in what the model has learnt about them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import _Element as Element

READ = frozenset(
    ("class", "id", "itemprop", "role", "data-testid", "data-component", "data-type", "data-module", "aria-label")
)
MOST_WORDS = 24
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_UNSEEN = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)


def attributes_of(element: Element) -> tuple[tuple[str, str], ...]:
    """The attributes of an element."""
    return tuple(element.items())


def words_in(tag: str, attributes: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The words of a tag and its attributes, each once; those of an `id` apart."""
    words = {f"<{tag}": None}
    for name, value in attributes:
        if name in READ:
            for word in _WORD.findall(value)[:MOST_WORDS]:
                if 1 < len(word) < 20:
                    words[word.lower()] = None
        elif name == "hidden" or (name == "style" and _UNSEEN.search(value)):
            words["!hidden"] = None
        elif name == "aria-hidden" and value == "true":
            words["!aria-hidden"] = None
    return tuple(words)
