"""Metadata from attributes in the text itself: microdata's `itemprop`, and TIME tags."""

from __future__ import annotations

from lxml import etree
from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from corpusbot.dom.text import folded, outermost, text_of
from corpusbot.metadata.dates import moment
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.jsonld import truth

_MARKED = etree.XPath("//*[contains(concat(' ', normalize-space(@itemprop), ' '), concat(' ', $name, ' '))]")
_TIMES = etree.XPath("//time[@datetime]")
_PUBLICATION = ("publish", "pubdate", "posted", "fecha", "date")
MOST = 50


def title(facts: Facts) -> Found | None:
    """The headline."""
    return _first(facts, "headline")


def section(facts: Facts) -> Found | None:
    """The section."""
    return _first(facts, "articleSection")


def authors(facts: Facts) -> Found | None:
    """The authors, each by name."""
    listed = [_author(element) for element in _marked(facts, "author")]
    chosen = tuple(dict.fromkeys(name for name in listed if name and not name.startswith("http")))
    return Found(chosen, "itemprop:author") if chosen else None


def published(facts: Facts) -> Found | None:
    """The date of publication."""
    return _moment(facts, "datePublished")


def modified(facts: Facts) -> Found | None:
    """The date of the last change."""
    return _moment(facts, "dateModified")


def time_published(facts: Facts) -> Found | None:
    """The moment of the TIME that says it is the publication's, or else of the page's first."""
    times = _TIMES(facts.tree)[:MOST]
    marked = [time for time in times if _says_publication(time)]
    for time in [*marked[:1], *times[:1]]:
        read = moment(time.get("datetime"), facts.zone, facts.month_first)
        if read:
            return Found(read, "time")
    return None


def paywalled(facts: Facts) -> Found | None:
    """Whether it says that reading is not free."""
    for element in _marked(facts, "isAccessibleForFree"):
        free = truth(_value(element))
        if free is not None:
            return Found(not free, "itemprop:isAccessibleForFree")
    return None


def _says_publication(time: HtmlElement) -> bool:
    says = f"{time.get('class') or ''} {time.get('itemprop') or ''} {time.get('id') or ''}".lower()
    return time.get("pubdate") is not None or any(word in says for word in _PUBLICATION)


def _marked(facts: Facts, name: str) -> list[Element]:
    return outermost(_MARKED(facts.tree, name=name)[:MOST])


def _first(facts: Facts, name: str) -> Found | None:
    texts = (_value(element) for element in _marked(facts, name))
    text = next(filter(None, texts), None)
    return Found(text, f"itemprop:{name}") if text else None


def _author(element: Element) -> str:
    """The name inside an author, or the author itself."""
    inner = next((item for item in element.iter() if item is not element and item.get("itemprop") == "name"), None)
    return _value(element if inner is None else inner)


def _value(element: Element) -> str:
    """What an element with `itemprop` says."""
    if element.tag in ("meta", "data"):
        return folded(element.get("content") or element.get("value") or "")
    if element.tag == "link":
        return element.get("href") or ""
    return folded(element.get("content") or text_of(element))


def _moment(facts: Facts, name: str) -> Found | None:
    for element in _marked(facts, name):
        read = moment(element.get("datetime") or _value(element), facts.zone, facts.month_first)
        if read:
            return Found(read, f"itemprop:{name}")
    return None
