"""What the publisher reserves: text and data mining, training, archiving; and the licence that the page names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

RESERVATIONS = ("noai", "noimageai", "noarchive", "noindex")
_TDM = ("tdm-reservation", "tdm-policy")
_LICENCE = etree.XPath(
    "//link[contains(concat(' ', normalize-space(@rel), ' '), ' license ')]/@href", smart_strings=False
)


def rights(facts: Facts) -> Found | None:
    """Every reservation, with where it stands: `meta robots: noai`, `header tdm-reservation: 1`, `license: …`."""
    reserved = tuple(dict.fromkeys([*_from_headers(facts), *_from_metas(facts), *_licences(facts)]))
    return Found(reserved, "rights") if reserved else None


def _from_headers(facts: Facts) -> Iterator[str]:
    for spelt, value in facts.headers:
        name = spelt.lower()
        if name in _TDM:
            yield f"header {name}: {value.strip()}"
        elif name == "x-robots-tag":
            yield from (f"header {name}: {word}" for word in _reserved(value))


def _from_metas(facts: Facts) -> Iterator[str]:
    for name in _TDM:
        yield from (f"meta {name}: {value}" for value in facts.metas.get(name, ()))
    for name in ("robots", "googlebot"):
        for value in facts.metas.get(name, ()):
            yield from (f"meta {name}: {word}" for word in _reserved(value))


def _licences(facts: Facts) -> Iterator[str]:
    yield from (f"license: {link.strip()}" for link in _LICENCE(facts.tree) if link.strip())


def _reserved(value: str) -> list[str]:
    """The reservations in a list of directives; `none` is noindex and more."""
    words = set(re.split(r"[\s,:;]+", value.lower()))
    return [word for word in RESERVATIONS if word in words or (word == "noindex" and "none" in words)]
