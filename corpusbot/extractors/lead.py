"""The lead of an article that no rule tells: what stands between its title and its text, and is called a lead.

That is a box whose class says so, or what stands before the text and is the very text by which the page describes
itself. Tuned on the leads of bench/sites: `make eval-sites`, with `--generic`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml.etree import _Element as Element

from corpusbot.extractors.gist.walk import Outline, outline_of
from corpusbot.metadata.findings import Found
from corpusbot.model import Block, CleanPage

# What newspapers call it, in the languages of bench/sites; parts of longer names, as in `article-subtitle`.
_CALLED = re.compile(
    r"(?<![a-z])(?:lead|lede|dec?k|standfirst|sub-?(?:title|head(?:line|ing)?)|subtitulo|entradilla|bajada|sumario"
    r"|chap(?:o|ô|eau)|sapo|subtitol|sottotitolo|occhiello|sommario|vorspann|teaser-?text|intro(?:duction)?|summary|excerpt"
    r"|abstract|strapline|tagline)(?![a-z]{2})",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_LETTER = re.compile(r"[\W_]+")
_NAMES = ("class", "id", "itemprop", "data-testid", "data-component", "data-qa")
LENGTHS = range(30, 900)
PARAGRAPH = 80
BEFORE = 15  # runs between the lead and the text at most: authors, dates, buttons, a caption
MOST_LINKED = 0.3


def lead_of(clean: CleanPage, body: Sequence[Block], title: str | None) -> Found | None:
    """The lead; None if there is none to be told from the text."""
    outline = clean.once(outline_of)
    first = _first_paragraph(outline, body)
    if first is None:
        return None
    described = _plain(_description(clean.tree))
    for place in range(max(0, first - BEFORE), first + 1):
        run = outline.runs[place]
        if len(run.text) not in LENGTHS or run.linked > MOST_LINKED * len(run.text) or run.kind in ("caption", "row"):
            continue
        if title and _plain(run.text).startswith(_plain(title)[:40]):
            continue
        if _is_called_lead(outline, place):
            return Found(run.text, "gist:lead")
        if place < first and described and _plain(run.text)[:60] == described[:60]:
            return Found(run.text, "gist:description")
    return None


def without_lead(body: Sequence[Block], lead: str) -> tuple[Block, ...]:
    """The body without the lead at its beginning."""
    return tuple(block for place, block in enumerate(body) if place > 2 or _plain(block.text) != _plain(lead))


def _first_paragraph(outline: Outline, body: Sequence[Block]) -> int | None:
    """The place of the first long paragraph of the body, which may be the lead itself."""
    texts = {block.text for block in body if block.kind == "paragraph" and len(block.text) >= PARAGRAPH}
    places = [place for place, run in enumerate(outline.runs) if run.text in texts]
    return places[0] if places else None


def _is_called_lead(outline: Outline, place: int) -> bool:
    """Whether the run's region, or one around it that holds hardly more, is called a lead."""
    region = outline.runs[place].region
    for _ in range(3):
        if region < 0 or outline.lasts[region] - outline.firsts[region] > 3:
            return False
        if _CALLED.search(_called(outline.elements[region])):
            return True
        region = outline.parents[region]
    return False


def _called(element: Element) -> str:
    return " ".join(_CAMEL.sub("-", element.get(name) or "") for name in _NAMES)


def _description(tree: Element) -> str:
    for element in tree.iter("meta"):
        if (element.get("property") or element.get("name") or "").lower() in ("og:description", "description"):
            return element.get("content") or ""
    return ""


def _plain(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())
