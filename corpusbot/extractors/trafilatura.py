"""The extractor that asks trafilatura, a library of heuristics for main text: slow, and good on unknown pages."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from corpusbot.dom.text import folded
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import Block, CleanPage
from corpusbot.sites import SiteConfig

MOST_ELEMENTS = 50_000
DEEPEST = 250
_KINDS = {"head": "heading", "item": "item", "quote": "quote", "row": "row", "p": "paragraph", "code": "paragraph"}
_CELL_MARK = " | "


def extract(clean: CleanPage, site: SiteConfig) -> Findings | None:
    """The text that trafilatura finds."""
    from trafilatura import bare_extraction  # slow to import, seldom needed

    if is_too_large(clean.tree):
        return None
    document = bare_extraction(deepcopy(clean.tree), options=_options(clean.page.url))
    body = getattr(document, "body", None)
    found = _blocks(body) if body is not None else ()
    return findings_of({"body": Found(found, "trafilatura")}) if found else None


def is_too_large(tree: HtmlElement) -> bool:
    """Whether a tree is larger or deeper than any page, so that trafilatura would take minutes."""
    elements = depth = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        if depth > DEEPEST or elements > MOST_ELEMENTS:
            return True
    return False


def _options(url: str) -> Any:
    """What is asked of it: the text with its tables, no comments, no metadata, nothing kept between pages."""
    from trafilatura.settings import Extractor

    options = Extractor(comments=False, tables=True, dedup=False, with_metadata=False)
    options.url = url
    return options


def _blocks(body: Any) -> tuple[Block, ...]:
    """The blocks of its XML; one inside another is part of it, unless that one only groups."""
    found: list[Block] = []
    waiting = [(body, "paragraph")]
    while waiting:
        element, outer = waiting.pop()
        kind = _KINDS.get(element.tag, outer)
        if element.tag == "row":
            found.append(Block(_CELL_MARK.join(folded("".join(cell.itertext())) for cell in element), kind))
        elif element.tag in _KINDS and not any(child.tag in _KINDS for child in element.iterdescendants()):
            found.append(Block(folded("".join(element.itertext())), kind))
        else:
            found.append(Block(folded(element.text or ""), kind))
            waiting += [(child, kind) for child in reversed(element)]
    return tuple(block for block in found if block.text.strip(" |"))
