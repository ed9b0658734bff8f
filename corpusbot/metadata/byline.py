"""Authors from the line that names them: `Por Ana Ruiz y Luis Gil`, `By Ann Lee`, `Von …`, `Par …`, `Di …`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml import etree
from lxml.html import HtmlElement

from corpusbot.dom.text import folded, text_of
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

LONGEST = 150
LONGEST_CANDIDATE = 600
MOST_WORDS = 6
MOST_CANDIDATES = 20

_LINKS = etree.XPath("//a[contains(concat(' ', normalize-space(@rel), ' '), ' author ')]")
_LINES = etree.XPath(
    "//*[contains(@class, 'byline') or contains(@class, 'author') or contains(@class, 'autor')"
    " or contains(@class, 'firma') or contains(@class, 'signature') or contains(@id, 'byline')]"
    "[not(self::html or self::body or self::article or self::main or self::section)]"
)
_BY = re.compile(
    r"^(?:written by|escrito por|text:|texto:|by|por|von|par|di|de|a cura di)\b[:\s]+(?=\S)", re.IGNORECASE
)
_AND = re.compile(
    r"\s*[,;/|•·]\s*(?:(?:and|y|e|und|et)\s+)?|\s+(?:and|y|und|et|e|&)\s+(?=[A-ZÀ-ÞŁŚŻ])"
)
_NAME = re.compile(r"[^\W\d_][\w'’.-]*(?: (?:[^\W\d_][\w'’.-]*))*")
_SMALL = frozenset(
    (
        "de", "del", "la", "las", "los", "da", "das", "do", "dos", "di", "van", "von", "der", "den", "du", "y", "i",
        "e", "el", "al", "bin", "ibn", "ten", "ter", "zu",
    )
)  # fmt: skip


def authors(facts: Facts) -> Found | None:
    """The names that links to authors or a byline give."""
    links = filter(_is_short, _LINKS(facts.tree)[:MOST_CANDIDATES])
    linked = [name for link in links for name in names(text_of(link))]
    if linked:
        return Found(tuple(dict.fromkeys(linked)), "rel:author")
    for line in filter(_is_short, _LINES(facts.tree)[:MOST_CANDIDATES]):
        chosen = names_in_lines(text_of(line).split("\n"))
        if chosen:
            return Found(chosen, "byline")
    return None


def _is_short(element: HtmlElement) -> bool:
    """Whether an element holds no more than a byline and what may stand beside it."""
    length = 0
    for text in element.itertext():
        length += len(text.strip())
        if length > LONGEST_CANDIDATE:
            return False
    return True


def names_in_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The names in the first line that has any."""
    return next(filter(None, (tuple(names(line)) for line in lines)), ())


def names(line: str) -> list[str]:
    """The names in a byline; none if it reads like anything else.

    >>> names("Por Ana Ruiz y Luis de la Torre, Madrid")
    ['Ana Ruiz', 'Luis de la Torre']
    """
    text = folded(line)
    if not text or len(text) > LONGEST:
        return []
    parts = _AND.split(_BY.sub("", text))
    return [part for part in parts if is_name(part)]


def is_name(text: str) -> bool:
    """Whether a text is written like a person's name: two words or more, in capitals but for particles."""
    words = text.split()
    if not 2 <= len(words) <= MOST_WORDS or not _NAME.fullmatch(text):
        return False
    return words[0][0].isupper() and words[-1][0].isupper() and all(w[0].isupper() or w in _SMALL for w in words)
