"""An article told to whoever asked for it: as plain text, as Markdown that keeps its structure, as a line of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from corpusbot.dom.text import CELL_MARK
from corpusbot.model import Article, Block

# What only a crawl knows of a page.
_OF_A_CRAWL = frozenset(
    ("site", "fetched_at", "asked_url", "record_id", "place", "visits", "sections", "found_by", "passed_over")
)
_RENAMED = {"body": "blocks"}

# Marks that would be read as Markdown: anywhere, and at the beginning of a line.
_INLINE = re.compile(r"[\\`*\[\]]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_AT_START = re.compile(r"^(?:[#>+-](?=\s|$)|>|[=~-]{2,}|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)


def told(article: Article, form: str) -> str:
    """The article in one of FORMATS, without a line's end behind it."""
    return FORMATS[form](article)


def as_text(article: Article) -> str:
    """The text alone."""
    return article.text


def as_json(article: Article) -> str:
    """All that is known of the article, what found each part among it, on one line."""
    known = {_RENAMED.get(one.name, one.name): getattr(article, one.name) for one in fields(Article)}
    told_of = {name: value for name, value in known.items() if name not in _OF_A_CRAWL}
    return json.dumps({**told_of, "text": article.text}, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> object:
    """What JSON has for a value of its own kind."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON: give it one in article_told.py")


def as_markdown(article: Article) -> str:
    """What is known of the article as front matter, then its title, lead and blocks in the marks of Markdown."""
    pieces = ["\n".join(_front_matter(article))]
    if article.title:
        pieces.append(f"# {_line(article.title)}")
    if article.lead and not _is_in(article.lead, article.text):
        pieces.append(f"**{_escaped(article.lead)}**")
    blocks = article.body
    if blocks and blocks[0].kind == "heading" and blocks[0].text == article.title:
        blocks = blocks[1:]
    pieces += [_GROUPS.get(kind, _paragraphs)(list(group)) for kind, group in groupby(blocks, lambda one: one.kind)]
    return "\n\n".join(pieces)


def _front_matter(article: Article) -> Iterator[str]:
    """The lines of a YAML header; JSON's way of writing texts and lists is YAML's too."""
    known = {
        "title": article.title,
        "authors": article.authors,
        "date": article.published,
        "language": article.language,
        "url": article.url,
    }
    yield "---"
    for name, value in known.items():
        if value:
            yield f"{name}: {json.dumps(value, ensure_ascii=False, default=_plain)}"
    yield "---"


def _is_in(lead: str, text: str) -> bool:
    """Whether the text says what the lead says, even if the lead is cut short."""
    return lead.rstrip(" .…") in text


def _paragraphs(blocks: list[Block]) -> str:
    return "\n\n".join(_escaped(block.text) for block in blocks)


def _headings(blocks: list[Block]) -> str:
    return "\n\n".join(f"## {_line(block.text)}" for block in blocks)


def _captions(blocks: list[Block]) -> str:
    return "\n\n".join(f"*{_escaped(block.text)}*" for block in blocks)


def _items(blocks: list[Block]) -> str:
    return "\n".join("- " + _escaped(block.text).replace("\n", "\n  ") for block in blocks)


def _quotes(blocks: list[Block]) -> str:
    return "\n>\n".join("> " + _escaped(block.text).replace("\n", "\n> ") for block in blocks)


def _rows(blocks: list[Block]) -> str:
    """A table; Markdown has none without a head, so that its first row is taken for it."""
    rows = [[_line(cell).replace("|", r"\|") for cell in block.text.split(CELL_MARK)] for block in blocks]
    width = max(map(len, rows))
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    return "\n".join(map(_row, [rows[0], ["---"] * width, *rows[1:]]))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _line(text: str) -> str:
    return _INLINE.sub(r"\\\g<0>", " ".join(text.split()))


def _escaped(text: str) -> str:
    """A text that Markdown reads as it stands, its ends of line among it."""
    marked = _AT_START.sub(_escaped_start, _INLINE.sub(r"\\\g<0>", text))
    return marked.replace("\n", "\\\n")


def _escaped_start(found: re.Match[str]) -> str:
    """A mark at the beginning of a line with the backslash where it belongs: behind the number of an item."""
    return found[0] + "\\" if found[0].isdigit() else "\\" + found[0]


_GROUPS: Final[Mapping[str, Callable[[list[Block]], str]]] = {
    "heading": _headings,
    "item": _items,
    "quote": _quotes,
    "row": _rows,
    "caption": _captions,
}
FORMATS: Final[Mapping[str, Callable[[Article], str]]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
}
