"""Metadata without rules: for each field, the places where pages commonly have it, the surest first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from corpusbot.metadata import byline, jsonld, microdata, opengraph
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.metadata.language import coded, html_language
from corpusbot.metadata.links import absolute, link_canonical
from corpusbot.metadata.rights import rights
from corpusbot.metadata.title import heading_title, title_title
from corpusbot.metadata.written import date_by_htmldate

Finder = Callable[[Facts], Found | None]


def _language(finder: Finder) -> Finder:
    """A finder of languages whose finds are put in one form."""
    return lambda facts: coded(finder(facts))


def _address(finder: Finder) -> Finder:
    """A finder of addresses whose finds are made absolute."""
    return lambda facts: absolute(finder(facts), facts.url)


FINDERS: Final[Mapping[str, tuple[Finder, ...]]] = {
    "title": (jsonld.title, opengraph.title, microdata.title, heading_title, title_title),
    "authors": (jsonld.authors, opengraph.authors, microdata.authors, byline.authors),
    "published": (
        jsonld.published,
        opengraph.published,
        microdata.published,
        microdata.time_published,
        date_by_htmldate,
    ),
    "modified": (jsonld.modified, opengraph.modified, microdata.modified),
    "section": (jsonld.section, opengraph.section, microdata.section),
    "language": (html_language, _language(jsonld.language), _language(opengraph.language)),
    "canonical_url": (_address(link_canonical), _address(opengraph.canonical_url), _address(jsonld.canonical_url)),
    "tags": (jsonld.tags, opengraph.tags),
    "paywalled": (jsonld.paywalled, opengraph.paywalled, microdata.paywalled),
    "rights": (rights,),
}


def metadata_of(facts: Facts, known: Collection[str] = ()) -> Findings:
    """What a page says about itself; fields already known are not looked for."""
    wanted = [name for name in FINDERS if name not in known]
    return findings_of({name: first_found(FINDERS[name], facts) for name in wanted})


def first_found(finders: tuple[Finder, ...], facts: Facts) -> Found | None:
    """What the first that finds anything finds."""
    return next(filter(None, (finder(facts) for finder in finders)), None)
