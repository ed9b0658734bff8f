"""Cleanup: a fetched page becomes one tree, rid of what is never content."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.html import HtmlElement

from corpusbot.dom.encoding import decoded, in_utf8
from corpusbot.dom.jsonld import objects_in
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
# The parser keeps a table of ids, which id() looks into; to look at all elements takes a third of the parser's time.
_CONSENT = etree.XPath(f"id('{' '.join(sorted(CONSENT_WINDOWS))}')")
_WITH_ID = etree.XPath("descendant::*[@id]")
_GONE = "corpusbot-gone"


def clean_page(page: Page, site: SiteConfig) -> CleanPage | Drop:
    """The page parsed once, its JSON-LD read, and without what is never content or the site takes out."""
    rules = site.rules_for(page.place, page.fetched_at.date())
    if not page.body or page.body.isspace():
        return Drop("empty_page", "no bytes")
    other = other_kind(page.body)
    if other:
        return Drop("not_html", other)
    markup, encoding = decoded(page.body, page.header("Content-Type"))
    text = spelt(markup, rules.ignore) if rules.ignore else in_utf8(page.body, markup, encoding)
    tree = parsed(text, scripts=_reads_scripts(rules))
    if tree is None:
        return Drop("empty_page", "nothing but comments")
    scripts = [(script, (script.get("type") or "").lower()) for script in tree.iter("script")]
    jsonld = objects_in([script.text or "" for script, kind in scripts if "ld+json" in kind])
    gone = [] if _reads_scripts(rules) else [script for script, kind in scripts if "json" not in kind]
    _strip(tree, gone, rules)
    return CleanPage(page, tree, encoding, jsonld)


def _strip(tree: HtmlElement, gone: Iterable[HtmlElement], rules: Rules) -> None:
    """Takes out what is never content and some scripts, then what the site names; the text after each stays."""
    _take_out(tree, gone, *NEVER_CONTENT)
    if _CONSENT(tree):  # perhaps there are more of the same id, of which the table has the first
        _take_out(tree, [element for element in _WITH_ID(tree) if element.get("id") in CONSENT_WINDOWS])
    for selector in rules.remove:
        _take_out(tree, [found for found in selector_of(selector)(tree) if isinstance(found, HtmlElement)])


def _take_out(tree: HtmlElement, elements: Iterable[HtmlElement], *tags: str) -> None:
    """Removes some elements and those of some tags, and keeps the text after each; all at once, in linear time."""
    for element in elements:
        if element is not tree:
            element.tag = _GONE
    etree.strip_elements(tree, _GONE, *tags, with_tail=False)


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
