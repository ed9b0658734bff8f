"""The name of the site that published a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpusbot.dom.text import folded
from corpusbot.metadata.article_object import types_of
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.jsonld import names_in, plain_text
from corpusbot.metadata.title import ending_name

LONGEST = 100
_WEB_SITES = frozenset(("WebSite", "Newspaper", "Periodical", "PublicationIssue"))
_TAGS = (
    "application-name", "dc.publisher", "publisher", "sitename", "site_name", "og:site", "apple-mobile-web-app-title",
)  # fmt: skip
# Not how a newspaper is called: an address, a handle, one word in small letters as in a host.
_ADDRESS = re.compile(r"(?:https?://|www\.|@)\S*|[a-z0-9-]+(?:\.[a-z0-9-]+)*", re.ASCII)


def publisher(facts: Facts) -> Found | None:
    """The site's name: that of OpenGraph, of the JSON-LD's site or publisher, of META tags, at the title's end."""
    found = [item for item in _named(facts) if 1 < len(item.value) <= LONGEST]
    return next((item for item in found if not _ADDRESS.fullmatch(item.value)), found[0] if found else None)


def _named(facts: Facts) -> Iterator[Found]:
    """The names that a page gives, the surest first; `publisher` is often a company of another name."""
    if "og:site_name" in facts.metas:
        yield Found(_first_part(facts.metas["og:site_name"][0]), "meta:og:site_name")
    for item in facts.objects:
        if _WEB_SITES.intersection(types_of(item)):
            yield from (Found(_plain(name), "jsonld:WebSite") for name in names_in(item.get("name"))[:1])
    part_of = facts.article.get("isPartOf")
    if isinstance(part_of, dict) and _WEB_SITES.intersection(types_of(part_of)):
        yield from (Found(_plain(name), "jsonld:isPartOf") for name in names_in(part_of.get("name"))[:1])
    yield from (Found(_plain(name), "jsonld:publisher") for name in names_in(facts.article.get("publisher"))[:1])
    for name in _TAGS:
        if name in facts.metas:
            yield Found(_first_part(facts.metas[name][0]), f"meta:{name}")
    ending = ending_name(facts)
    if ending:
        yield Found(ending, "title")


def _plain(text: str) -> str:
    return folded(plain_text(text[: LONGEST * 10])).removeprefix("https://").removeprefix("http://").lstrip("@")


def _first_part(text: str) -> str:
    """The name before a motto: `Autoracing | F1 | Indy`."""
    return _plain(text).split(" | ")[0].strip()
