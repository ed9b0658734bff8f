"""Metadata without rules: for each field, the places where pages commonly have it, the surest first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from corpusbot.metadata import breadcrumbs, jsonld, microdata, opengraph, shown, signed
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Findings, Found, findings_of, is_absent
from corpusbot.metadata.language import checked, coded, html_language, text_language
from corpusbot.metadata.links import link_canonical, own_address
from corpusbot.metadata.publisher import publisher
from corpusbot.metadata.rights import rights
from corpusbot.metadata.title import heading_title, mended, title_title
from corpusbot.metadata.written import date_by_htmldate

Finder = Callable[[Facts], Found | None]

FINDERS: Final[Mapping[str, tuple[Finder, ...]]] = {
    "title": (jsonld.title, opengraph.title, microdata.title, heading_title, title_title),
    "authors": (
        jsonld.persons,
        signed.authors,
        signed.authors_by_words,
        microdata.authors,
        opengraph.persons,
        jsonld.authors,
        opengraph.authors,
    ),
    "published": (
        jsonld.published,
        opengraph.published,
        microdata.published,
        microdata.time_published,
        shown.published,
        shown.published_near_headline,
        shown.in_address,
        date_by_htmldate,
    ),
    "modified": (jsonld.modified, opengraph.modified, microdata.modified, shown.modified),
    "section": (
        jsonld.section,
        opengraph.section,
        microdata.section,
        breadcrumbs.section_by_jsonld,
        breadcrumbs.section_by_links,
    ),
    "language": (html_language, jsonld.language, opengraph.language, text_language),
    "canonical_url": (link_canonical, opengraph.canonical_url, jsonld.canonical_url),
    "publisher": (publisher,),
    "tags": (jsonld.tags, opengraph.tags),
    "paywalled": (jsonld.paywalled, opengraph.paywalled, microdata.paywalled),
    "rights": (rights,),
}


def _address(found: Found | None, facts: Facts) -> Found | None:
    return own_address(found, facts.url)


def _language(found: Found | None, facts: Facts) -> Found | None:
    return coded(found)


# What is done with each find before it counts; None if it does not.
READINGS: Final[Mapping[str, Callable[[Found | None, Facts], Found | None]]] = {
    "title": mended,
    "language": _language,
    "canonical_url": _address,
}


def metadata_of(facts: Facts, known: Collection[str] = ()) -> Findings:
    """What a page says about itself; fields already known are not looked for."""
    found = {name: first_found(name, facts) for name in FINDERS if name not in known}
    if "language" in found:
        found["language"] = checked(found["language"], facts)
    return findings_of(found)


def first_found(field: str, facts: Facts) -> Found | None:
    """What the first of a field's finders that finds anything finds."""
    reading = READINGS.get(field)
    for finder in FINDERS[field]:
        found = finder(facts)
        if found is not None and reading is not None:
            found = reading(found, facts)
        if found is not None and not is_absent(found.value):
            return found
    return None
