"""The extractor that reads the article out of the page's JSON-LD, where many newspapers put all of its text."""

from __future__ import annotations

from corpusbot.dom.jsonld import clean_text
from corpusbot.extractors.sources import View, lines_of
from corpusbot.metadata import jsonld
from corpusbot.metadata.facts import Facts, facts_of
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig

_BODIES = ("articleBody", "reviewBody", "text")


def extract(clean: CleanPage, site: SiteConfig) -> Findings | None:
    """What the article's object says; None if the page has none."""
    facts = facts_of(clean, site)
    if not facts.article:
        return None
    return findings_of(
        {
            "title": jsonld.title(facts),
            "authors": jsonld.authors(facts),
            "published": jsonld.published(facts),
            "modified": jsonld.modified(facts),
            "section": jsonld.section(facts),
            "tags": jsonld.tags(facts),
            "paywalled": jsonld.paywalled(facts),
            "body": _body(facts),
        }
    )


def _body(facts: Facts) -> Found | None:
    """The text; it may be HTML, or have its line ends as its only paragraphs."""
    for key in _BODIES:
        value = facts.article.get(key)
        if isinstance(value, str):
            found = lines_of(clean_text(value), View(facts))
            if found:
                return Found(found, f"jsonld:{key}")
    return None
