"""Metadata from attributes in the text itself: microdata's `itemprop`, and TIME tags."""

from __future__ import annotations

from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from corpusbot.dom.text import folded, outermost, text_of
from corpusbot.metadata.byline import people
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.jsonld import truth
from corpusbot.metadata.surroundings import stands_apart

_PUBLICATION = ("publish", "pubdate", "publicad", "posted", "created")
_CHANGE = ("modif", "updat", "actualiz", "aktualis", "aggiorn", "atualiz", "edited", "maj")
# What has authors of its own inside an article, and is not the article.
_OTHER_THINGS = ("Comment", "ImageObject", "Review", "Rating", "VideoObject", "AudioObject", "Photograph")
MOST = 50


def title(facts: Facts) -> Found | None:
    """The headline."""
    return _first(facts, "headline")


def section(facts: Facts) -> Found | None:
    """The section."""
    return _first(facts, "articleSection")


def authors(facts: Facts) -> Found | None:
    """The authors of the first thing on the page that has any, each by name."""
    around = facts.landmarks.around
    marked = [item for item in _marked(facts, "author") if not _is_of_other_thing(item)]
    marked = [item for item in marked if not stands_apart(item, around)]
    if not marked:
        return None
    thing = _thing(marked[0])
    near = [item for item in marked if (_near(item, marked[0]) if thing is None else _thing(item) is thing)]
    chosen = tuple(dict.fromkeys(name for item in near for name in people(_author(item)) if name[:4] != "http"))
    return Found(chosen, "itemprop:author") if chosen else None


def published(facts: Facts) -> Found | None:
    """The date of publication."""
    return _moment(facts, "datePublished")


def modified(facts: Facts) -> Found | None:
    """The date of the last change."""
    return _moment(facts, "dateModified")


def time_published(facts: Facts) -> Found | None:
    """The moment of the TIME that says it is the publication's, or else of the page's first."""
    times = [item for item in facts.landmarks.dates if item.tag == "time" and item.get("datetime")][:MOST]
    # A date in a link is that of the article which it leads to.
    times = [time for time in times if next(time.iterancestors("a"), None) is None]
    times = [time for time in times if not stands_apart(time, facts.landmarks.around)]
    marked = [time for time in times if _says(time, _PUBLICATION) or time.get("pubdate") is not None]
    published = [time for time in times if time in marked or not _says(time, _CHANGE)]
    found = (facts.dated(time.get("datetime"), "time") for time in [*marked[:1], *published[:1], *times[:1]])
    return next(filter(None, found), None)


def paywalled(facts: Facts) -> Found | None:
    """Whether it says that reading is not free."""
    for element in _marked(facts, "isAccessibleForFree"):
        free = truth(_value(element))
        if free is not None:
            return Found(not free, "itemprop:isAccessibleForFree")
    return None


def _says(time: HtmlElement, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in what a TIME says of itself."""
    says = f"{time.get('class') or ''} {time.get('itemprop') or ''} {time.get('id') or ''}".lower()
    return any(word in says for word in words)


def _marked(facts: Facts, name: str) -> list[HtmlElement]:
    return [item for item in outermost(facts.marked(name)[:MOST]) if isinstance(item, HtmlElement)]


def _thing(element: Element) -> Element | None:
    """The thing that an element is a property of."""
    return next((above for above in element.iterancestors() if above.get("itemscope") is not None), None)


def _is_of_other_thing(element: Element) -> bool:
    """Whether an author is that of a comment, a picture or the like."""
    things = (above for above in element.iterancestors() if above.get("itemscope") is not None)
    kinds = (above.get("itemtype") or "" for above in things)
    return any(kind.rsplit("/", 1)[-1].endswith(_OTHER_THINGS) for kind in kinds)


def _near(one: Element, other: Element) -> bool:
    """Whether two elements stand side by side, at most one step deeper."""
    above = {*list(one.iterancestors())[:2]}
    return any(parent in above for parent in list(other.iterancestors())[:2])


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
        found = facts.dated(element.get("datetime") or _value(element), f"itemprop:{name}")
        if found:
            return found
    return None
