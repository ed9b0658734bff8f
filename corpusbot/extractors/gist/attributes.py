"""What a region's tag and attributes call it: words to be looked up in what the model has learnt about them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from lxml.etree import _Element as Element

READ = frozenset(
    ("class", "id", "itemprop", "role", "data-testid", "data-component", "data-type", "data-module", "aria-label")
)
_TOLD = READ | {"hidden", "style", "aria-hidden"}
MOST_WORDS = 24
MOST_CHARACTERS = 1_000  # of a value; a data: image is as long as it likes
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_UNSEEN = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)


def attributes_of(element: Element) -> tuple[tuple[str, str], ...]:
    """The attributes of an element that say something."""
    return tuple([(name, value[:MOST_CHARACTERS]) for name, value in element.items() if name in _TOLD])


def words_in(tag: str, attributes: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The words of a tag and its attributes, each once; those of an `id` apart."""
    words = {f"<{tag}": None}
    for name, value in attributes:
        if name in READ:
            for number, word in enumerate(chain.from_iterable(map(_words, value.split()))):
                if number == MOST_WORDS:
                    break
                if word:
                    words[word] = None
        elif name == "hidden" or (name == "style" and _UNSEEN.search(value)):
            words["!hidden"] = None
        elif name == "aria-hidden" and value == "true":
            words["!aria-hidden"] = None
    return tuple(words)


@lru_cache(maxsize=20_000)
def _words(name: str) -> tuple[str, ...]:
    """The words of one class or other name, most of which many pages share; nothing for those that tell nothing."""
    return tuple([word.lower() if 1 < len(word) < 20 else "" for word in _WORD.findall(name)])
