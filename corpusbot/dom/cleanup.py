"""Cleanup: a fetched page becomes one tree, rid of what is never content."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.html import HtmlElement

from corpusbot.dom.encoding import decoded
from corpusbot.dom.jsonld import JsonObject, objects_in
from corpusbot.dom.kind import other_kind
from corpusbot.dom.parse import parsed
from corpusbot.dom.spelling import spelt
from corpusbot.model import CleanPage, Drop, Page
from corpusbot.sites import SiteConfig
from corpusbot.sites.rules import Rules

# Elements of which nothing is read: code, drawings, players, frames, what stands in for scripts.
NEVER_CONTENT = (
    "style",
    "noscript",
    "template",
    "svg",
    "iframe",
    "object",
    "embed",
    "applet",
    "canvas",
    "audio",
    "video",
    "map",
    "noframes",
)
# The windows of the common consent managers, which cover the page and belong to none.
CONSENT_WINDOWS = frozenset(
    (
        "didomi-host",
        "onetrust-consent-sdk",
        "onetrust-banner-sdk",
        "CybotCookiebotDialog",
        "usercentrics-root",
        "qc-cmp2-container",
        "sp_message_container",
        "iubenda-cs-banner",
        "cookie-law-info-bar",
    )
)
_SCRIPT = re.compile(r"(?<![a-z])script(?![a-z])", re.IGNORECASE)
_WITH_ID = etree.XPath("//*[@id]")


def clean_page(page: Page, site: SiteConfig) -> CleanPage | Drop:
    """The page parsed once, its JSON-LD read, and without what is never content or the site takes out."""
    rules = site.rules_for(page.place, page.fetched_at.date())
    if not page.body.strip():
        return Drop("empty_page", "no bytes")
    other = other_kind(page.body)
    if other:
        return Drop("not_html", other)
    markup, encoding = decoded(page.body, page.header("Content-Type"))
    tree = parsed(spelt(markup, rules.ignore))
    if tree is None:
        return Drop("empty_page", "nothing but comments")
    jsonld = _jsonld(tree)
    _strip(tree, rules)
    return CleanPage(page, tree, encoding, jsonld)


def _jsonld(tree: HtmlElement) -> tuple[JsonObject, ...]:
    """The objects in the page's JSON-LD scripts."""
    scripts = (script for script in tree.iter("script") if "ld+json" in (script.get("type") or "").lower())
    return objects_in([script.text or "" for script in scripts])


def _strip(tree: HtmlElement, rules: Rules) -> None:
    """Takes out what is never content, then what the site names; the text after each stays."""
    etree.strip_elements(tree, *NEVER_CONTENT, with_tail=False)
    if not _reads_scripts(rules):
        for script in list(tree.iter("script")):
            if "json" not in (script.get("type") or "").lower():
                _take_out(script)
    for element in _WITH_ID(tree):
        if element.get("id") in CONSENT_WINDOWS:
            _take_out(element)
    for selector in rules.remove:
        for element in selector_of(selector)(tree):
            if isinstance(element, HtmlElement):
                _take_out(element)


def _take_out(element: HtmlElement) -> None:
    """Removes an element and keeps the text after it."""
    if element.getparent() is not None:
        element.drop_tree()


@lru_cache(maxsize=1_000)
def selector_of(query: str) -> etree.XPath:
    """A CSS selector, or an XPath if it begins like one, made ready to be used often."""
    if query.startswith(("/", "./", "(")):
        return etree.XPath(query, smart_strings=False)
    return CSSSelector(query, translator="html")


@lru_cache(maxsize=1_000)
def _reads_scripts(rules: Rules) -> bool:
    """Whether some rule of the site looks into scripts, which must then stay."""
    sources = [source for rule in rules.fields for source in rule.sources]
    sources += [rule.source for rule in rules.translate]
    # As a word of its own: not every "description" looks into scripts.
    return any(source.kind != "jsonld" and _SCRIPT.search(source.query) for source in sources)
