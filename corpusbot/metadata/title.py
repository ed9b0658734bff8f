"""Titles: from the page's first heading or its TITLE, and without the newspaper's name at their end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from corpusbot.dom.text import folded, outermost, text_of
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

# What stands between a headline and the newspaper's name.
_PARTING = re.compile(r"\s+[|·•»~›:«]\s+|\s+[-–—]{1,2}\s+|\s+::\s+|\s*[|｜ㅣ]\s*|\s*：\s*")
_BARS = "|·•»"
# The most words of a section's name.
MOST_WORDS = 3
MOST_HEADINGS = 50
LONGEST = 1_000
LEAST_HEADING = 3
# The least of a title that may be cut off in one place and whole in another.
LEAST_BEGINNING = 20
_WORD = re.compile(r"[^\W_]+")
_TITLES = ("og:title", "twitter:title")
_CUT_OFF = re.compile(r"\s*(?:…|\.\.\.|\[…\])$")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


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
    for heading in outermost(islice(facts.tree.iter("h1"), MOST_HEADINGS)):
        headings.add(folded(text_of(heading)))
        headings.discard("")
        if len(headings) > 1:
            return None
    return Found(headings.pop(), "h1") if headings else None


def title_title(facts: Facts) -> Found | None:
    """The TITLE; a name after `|` is a site's, whichever it is."""
    text = _title_text(facts)
    if not text:
        return None
    title = without_site_name(text, *facts.own_names, *_host_names(facts.host))
    if title == text and " | " in text:
        title = max(text.split(" | "), key=len)
    return Found(title.strip(), "title")


def ending_name(facts: Facts) -> str | None:
    """What follows the last mark in the TITLE, if its beginning is the page's heading or the host is named like it."""
    text = _title_text(facts)[:LONGEST]
    partings = list(_PARTING.finditer(text))
    if not partings:
        return None
    ending = text[partings[-1].end() :]
    heading = heading_title(facts)
    titles = [heading.value if heading else "", *(facts.metas[name][0] for name in _TITLES if name in facts.metas)]
    is_headed = any(title and _bare(text[: partings[-1].start()]).startswith(_bare(title)) for title in titles)
    return ending if is_headed or _is_one_of(ending, _host_names(facts.host)) else None


def mended(found: Found | None, facts: Facts) -> Found | None:
    """A title whole where it was cut off, and without what follows the page's own heading in it."""
    if found is None:
        return None
    heading = heading_title(facts)
    whole = _whole(found.value, [other.value for other in (heading, title_title(facts)) if other])
    if found.origin.startswith("jsonld"):  # no place for a name: what stands there is the headline
        return Found(whole, found.origin)
    return Found(_headed(whole, heading.value if heading else "", _host_names(facts.host)), found.origin)


def _whole(title: str, others: Iterable[str]) -> str:
    """The title, or the longer one that it is the beginning of, if it ends in the middle."""
    beginning = _CUT_OFF.sub("", title)
    ends_early = beginning != title or _has_open_quote(title)
    if not ends_early or len(beginning) < LEAST_BEGINNING:
        return title
    return next((other for other in others if len(other) > len(beginning) and other.startswith(beginning)), title)


def _has_open_quote(title: str) -> bool:
    """Whether a quotation opens and does not end, as where the mark ended an attribute as well."""
    return title.count("«") > title.count("»") or title.count("“") > title.count("”") > 0


def _headed(title: str, heading: str, names: tuple[str, ...]) -> str:
    """The title without the name at its end, if that is the host's or what remains is the page's heading."""
    title = without_site_name(title, *names)
    for parting in _PARTING.finditer(title[:LONGEST]):
        kept, ending = title[: parting.start()], _bare(title[parting.end() :])
        is_long = len(kept.split()) >= LEAST_HEADING or any(_bare(name) in ending for name in names[-1:])
        if is_long and _bare(kept) == _bare(heading):
            return kept
    return title


def _title_text(facts: Facts) -> str:
    element = next(facts.tree.iter("title"), None)
    return folded(element.text_content()) if element is not None else ""


def _host_names(host: str) -> tuple[str, ...]:
    """What a host calls itself: news.example.co.uk is example.co.uk and example."""
    labels = host.removeprefix("www.").split(".")
    while len(labels) > 2 and len(labels[-2]) > 3:
        labels = labels[1:]
    return tuple(filter(None, (host, ".".join(labels), labels[0])))


def _bare(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _is_one_of(ending: str, names: Iterable[str | None]) -> bool:
    """Whether what follows a parting is a name, if as an address, or with ue for ü."""
    bare = _bare(ending)
    spelt = bare.translate(_UMLAUTS)
    wanted = {_bare(name) for name in names if name}
    return bool(bare) and any(bare in (n, n + "com", "www" + n) or spelt == n for n in wanted)
