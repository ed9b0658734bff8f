"""Titles: from the page's first heading or its TITLE, and without the newspaper's name at their end."""

from __future__ import annotations

import re

from corpusbot.dom.text import folded, outermost, text_of
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

# What stands between a headline and the newspaper's name.
_PARTING = re.compile(r"\s+[|·•»~›]\s+|\s+[-–—]{1,2}\s+|\s+::\s+|\s*\|\s*")
# The most words of a newspaper's name and section together.
MOST_WORDS = 6
LONGEST = 1_000
_WORD = re.compile(r"[^\W_]+")


def without_site_name(title: str, *names: str | None) -> str:
    """The title without ` | El País` or ` - International - The Guardian` at its end.

    >>> without_site_name("Un título - con guion | El Diario", "El Diario")
    'Un título - con guion'
    """
    if len(title) > LONGEST:
        return title
    wanted = {_bare(name) for name in names if name} - {""}
    partings = list(_PARTING.finditer(title))
    for parting in partings:
        ending = title[parting.end() :]
        if title[: parting.start()].strip() and any(_ends_in(ending, name) for name in wanted):
            # What stands between a headline and the name is a section's name if it is short.
            cut = parting if len(ending.split()) <= MOST_WORDS else partings[-1]
            return title[: cut.start()].strip()
    return title


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


def _ends_in(ending: str, name: str) -> bool:
    """Whether what follows a parting is the name, or ends in it."""
    bare = _bare(ending)
    return bare == name or bare in (name + "com", "www" + name) or (len(name) > 3 and bare.endswith(name))
