"""Titles: from the page's first heading or its TITLE, and without the newspaper's name at their end."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corpusbot.dom.text import folded, outermost, text_of
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

# What stands between a headline and the newspaper's name.
_PARTING = re.compile(r"\s+[|·•»~›]\s+|\s+[-–—]{1,2}\s+|\s+::\s+|\s*\|\s*")
_BARS = "|·•»"
# The most words of a section's name.
MOST_WORDS = 3
LONGEST = 1_000
_WORD = re.compile(r"[^\W_]+")


def without_site_name(title: str, *names: str | None) -> str:
    """The title without ` | El País` or ` | International | The Guardian` at its end.

    >>> without_site_name("Un título - con guion | El Diario", "El Diario")
    'Un título - con guion'
    """
    partings = list(_PARTING.finditer(title)) if len(title) <= LONGEST else []
    if not partings or not _is_one_of(title[partings[-1].end() :], names):
        return title
    cut = partings.pop()
    # A section's name stands before the newspaper's, behind the same mark.
    while partings and partings[-1][0].strip() == cut[0].strip() in _BARS:
        if len(title[partings[-1].end() : cut.start()].split()) > MOST_WORDS:
            break
        cut = partings.pop()
    return title[: cut.start()].strip() or title


def heading_title(facts: Facts) -> Found | None:
    """The page's main heading, if it has just one."""
    headings: set[str] = set()
    for heading in outermost(facts.tree.iter("h1")):
        headings.add(folded(text_of(heading)))
        headings.discard("")
        if len(headings) > 1:
            return None
    return Found(headings.pop(), "h1") if headings else None


def title_title(facts: Facts) -> Found | None:
    """The TITLE; a name after `|` is a site's, whichever it is."""
    element = next(facts.tree.iter("title"), None)
    text = folded(element.text_content()) if element is not None else ""
    if not text:
        return None
    name = (facts.meta("og:site_name", "application-name") or ("", None))[1]
    title = without_site_name(text, name, facts.site_name)
    if title == text and " | " in text:
        title = max(text.split(" | "), key=len)
    return Found(title.strip(), "title")


def _bare(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _is_one_of(ending: str, names: Iterable[str | None]) -> bool:
    """Whether what follows a parting is a name, if as an address."""
    bare = _bare(ending)
    return bool(bare) and any(bare in (name, name + "com", "www" + name) for name in map(_bare, filter(None, names)))
