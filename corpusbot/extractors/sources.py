"""Evaluates the sources of a site's rules: from a mark in the page to the text that it marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import jmespath
from jmespath.exceptions import JMESPathError
from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from corpusbot.dom.cleanup import selector_of
from corpusbot.dom.jsonld import values_in
from corpusbot.dom.parse import fragment
from corpusbot.dom.text import SILENT, blocks, folded, outermost
from corpusbot.extractors.stylesheet import transformed
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.jsonld import names_in
from corpusbot.model import Block
from corpusbot.sites import Source

# A pattern or JMESPath is asked of no more than this.
MOST_CHARACTERS = 5_000_000
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]\w+|#\d+|#[xX][0-9a-fA-F]+);")
# Where an element that holds no text has what it says.
_SAYS = {"meta": "content", "link": "href", "data": "value"}


@dataclass(frozen=True, slots=True)
class Match:
    """Something a source found: its text in blocks, and the element it is in, if it is in one."""

    blocks: tuple[Block, ...]
    element: Element | None = None
    name: str | None = None

    @property
    def text(self) -> str:
        """The text, a line for each block."""
        return "\n".join(block.text for block in self.blocks)


@dataclass(frozen=True, slots=True)
class View:
    """A page as sources see it: its facts, and the tags that are let through."""

    facts: Facts
    keep: frozenset[str] = frozenset()


def matches(source: Source, view: View) -> list[Match]:
    """All that a source finds, in page order; a mark with nothing in it is found too, and is empty."""
    found = _FINDERS[source.kind](source, view)
    if source.match or source.json:
        found = [match for each in found for match in _refined(each, source, view)]
    return found


def lines_of(text: str, view: View) -> tuple[Block, ...]:
    """A text as blocks: its lines, or what its tags make of it if it is a piece of HTML."""
    if _MARKUP.search(text):
        tree = fragment(text)
        return tuple(blocks([tree], view.keep)) if tree is not None else ()
    return tuple(Block(line) for part in text.splitlines() if (line := folded(part)))


def _by_selector(source: Source, view: View) -> list[Match]:
    """What a CSS selector or an XPath selects: elements, or the text that an XPath comes to."""
    query = source.query
    try:
        selected = (selector_of(query) if source.kind == "css" else xpath_of(query))(view.facts.tree)
    except etree.XPathError:  # some mistakes show only on a page
        return []
    if not isinstance(selected, list):
        text = _number(selected) if isinstance(selected, float) else str(selected)
        return [Match(lines_of(text, view))] if text not in ("", "False") else []
    elements = [item for item in selected if isinstance(item, HtmlElement)]
    texts = [item for item in selected if isinstance(item, str)]
    return [*_of_elements(elements, source, view), *(Match(lines_of(text, view)) for text in texts)]


def _by_tag(source: Source, view: View) -> list[Match]:
    """The elements with this tag, and this attribute with this value; case does not matter."""
    name = (source.attribute or "").lower()
    value = source.value.casefold().strip() if source.value is not None else None
    elements: Iterable[HtmlElement] = view.facts.tree.iter(source.query.lower())
    if name:
        elements = (element for element in elements if _has(element, name, value))
    return _of_elements(list(elements), source, view)


def _has(element: HtmlElement, name: str, value: str | None) -> bool:
    has = element.get(name)
    return has is not None and (value is None or has.casefold().strip() == value)


def _by_meta(source: Source, view: View) -> list[Match]:
    """The contents of the META tags of this name, property or itemprop."""
    wanted = source.query.lower()
    return [
        Match(lines_of(meta.get("content") or "", view), meta)
        for meta in view.facts.tree.iter("meta")
        if any((meta.get(key) or "").strip().lower() == wanted for key in ("name", "property", "itemprop"))
    ]


def _by_jsonld(source: Source, view: View) -> list[Match]:
    """What a JMESPath finds in the article's object."""
    return _values(source.query, view.facts.article, view)


def _by_stylesheet(source: Source, view: View) -> list[Match]:
    """What a style sheet makes of the page; each part of it has the name of its tag."""
    root = transformed(source.stylesheet or "", view.facts.tree)
    if root is None:
        return []
    hidden = [inner for selector in source.without for inner in output_selector_of(selector)(root)]
    parts = [part for part in root if isinstance(part.tag, str) and part not in hidden]
    # Text that stands in none of the parts holds them together in one.
    whole = blocks([root] if (root.text or "").strip() or not parts else parts, view.keep, hidden)
    named = (Match(tuple(blocks([part], view.keep, hidden)), None, etree.QName(part).localname) for part in parts)
    return [Match(tuple(whole)), *named]


_FINDERS: Final[Mapping[str, Callable[[Source, View], list[Match]]]] = {
    "css": _by_selector,
    "xpath": _by_selector,
    "tag": _by_tag,
    "meta": _by_meta,
    "jsonld": _by_jsonld,
    "xslt": _by_stylesheet,
}


def _of_elements(elements: list[HtmlElement], source: Source, view: View) -> list[Match]:
    """The text or attribute of each element; an element inside another one is part of it already."""
    if source.get:
        name = source.get.lower()
        return [Match(_plain(element.get(name, "")), element) for element in elements if name in element.attrib]
    return [Match(_text(element, source, view), element) for element in outermost(elements)]


def _text(element: Element, source: Source, view: View) -> tuple[Block, ...]:
    """The text of an element; that of a script as it stands, that of a META or LINK from where it says it."""
    tag = element.tag
    if tag in _SAYS:
        return _plain(element.get(_SAYS[tag], ""))
    if tag in SILENT:
        return (Block(element.text),) if element.text else ()
    return tuple(blocks([element], view.keep, _hidden(element, source.without)))


def _plain(text: str) -> tuple[Block, ...]:
    text = folded(text)
    return (Block(text),) if text else ()


def _hidden(element: Element, selectors: Iterable[str]) -> list[Element]:
    """What is to be left out inside of an element."""
    return [inner for selector in selectors for inner in selector_of(selector)(element) if inner is not element]


def _refined(found: Match, source: Source, view: View) -> Iterator[Match]:
    """The part of a match that `match` matches, and what `json` finds in it."""
    text = found.text[:MOST_CHARACTERS]
    if source.match:
        part = re.search(source.match, text)
        if part is None:
            return
        text = part[1] or "" if part.re.groups else part[0]
    if source.json:
        for value in values_in(text)[:1]:
            yield from _values(source.json, value, view)
    else:
        yield Match(tuple(Block(line) for part in text.split("\n") if (line := folded(part))), found.element)


def _values(query: str, data: object, view: View) -> list[Match]:
    """What a JMESPath comes to, text by text."""
    try:
        value: Any = jmespath.search(query, data)
    except (JMESPathError, RecursionError, TypeError, ValueError, ArithmeticError):  # functions on unfit values
        return []
    return [Match(lines_of(text, view)) for text in names_in(value)]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else str(value)


@lru_cache(maxsize=100)
def output_selector_of(query: str) -> etree.XPath:
    """A CSS selector for what a style sheet makes, which is XML: case matters there."""
    return CSSSelector(query, translator="xml")


@lru_cache(maxsize=1_000)
def xpath_of(query: str) -> etree.XPath:
    """An XPath made ready to be used often."""
    return etree.XPath(query, smart_strings=False)
