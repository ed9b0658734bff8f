"""Pages that hide all they say: in NOSCRIPT, in a BUTTON that is never closed, in JSON-LD, or in a script's data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from corpusbot.dom.cleanup import clean_page
from corpusbot.dom.encoding import decoded
from corpusbot.dom.jsonld import clean_text
from corpusbot.dom.parse import fragment
from corpusbot.dom.text import blocks, folded
from corpusbot.extractors.gist.evidence import article_body
from corpusbot.extractors.sources import View, lines_of
from corpusbot.metadata.facts import facts_of
from corpusbot.model import Block, Body, CleanPage
from corpusbot.sites import SiteConfig

# Where else a page may say something, and how far that is its text: the mean F1 on the sets of `make eval-extract`.
ELSEWHERE: Mapping[str, float] = MappingProxyType(
    {"gist:articleBody": 0.88, "gist:script": 0.5, "gist:description": 0.1}
)
_DESCRIPTIONS = ("og:description", "description", "twitter:description")
FEW_CHARACTERS = 600
LEAST_STRING = 300
MOST_STRINGS = 200
# A string that is never closed is one match too: from each quotation mark in it, the search would begin anew.
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)(?:"|\\?\Z)', re.DOTALL)
_PARAGRAPH = re.compile(r"<p[\s>]", re.IGNORECASE)
_HIDING = re.compile(rb"<(/?)(?:noscript|button)\b", re.IGNORECASE)


def second_look(clean: CleanPage, site: SiteConfig, characters: int) -> CleanPage | None:
    """The page read anew with what hides its text as plain boxes; None if it has text, or hides none."""
    body = clean.page.body
    if characters >= FEW_CHARACTERS or not _HIDING.search(body):
        return None
    opened = _HIDING.sub(rb"<\1div", body)
    again = clean_page(replace(clean.page, body=Body(opened)), site)
    return again if isinstance(again, CleanPage) else None


def elsewhere(clean: CleanPage, site: SiteConfig, if_nothing: bool) -> tuple[str, tuple[Block, ...]]:
    """The longest text that a page has in its data, and where; what it says of itself only if there is nothing."""
    body = article_body(clean.jsonld)
    found = {
        "gist:articleBody": lines_of(clean_text(body), View(facts_of(clean, site))) if body else (),
        "gist:script": scripted_text(clean),
    }
    if if_nothing and not any(found.values()):
        return "gist:description", _described(clean)
    return max(found.items(), key=lambda item: _length(item[1]))


def _described(clean: CleanPage) -> tuple[Block, ...]:
    """The longest description in the head of a page."""
    said = [
        folded(element.get("content") or "")
        for element in clean.tree.iter("meta")
        if (element.get("property") or element.get("name") or "").lower() in _DESCRIPTIONS
    ]
    longest = max(said, key=len, default="")
    return (Block(longest),) if longest else ()


def scripted_text(clean: CleanPage) -> tuple[Block, ...]:
    """The longest text with paragraphs among the strings in the page's scripts, from which browsers make the page."""
    markup, _ = decoded(clean.page.body, clean.page.header("Content-Type"))
    best: list[Block] = []
    for html in _html_strings(markup):
        tree = fragment(html)
        found = blocks([tree]) if tree is not None else []
        if _length(found) > _length(best):
            best = found
    return tuple(best)


def _html_strings(markup: str) -> Iterator[str]:
    """The strings in JSON that are HTML with paragraphs, and those inside strings that are JSON themselves."""
    waiting = [markup]
    for _ in range(MOST_STRINGS):
        if not waiting:
            return
        for found in _STRING.finditer(waiting.pop()):
            if len(found[1]) < LEAST_STRING:
                continue
            try:
                text = json.loads(f'"{found[1]}"', strict=False)
            except ValueError:  # a string of some other kind
                continue
            if _PARAGRAPH.search(text):
                yield text
            elif '\\"' in text or '":"' in text:
                waiting.append(text)


def _length(found: Sequence[Block]) -> int:
    return sum(len(block.text) for block in found)
