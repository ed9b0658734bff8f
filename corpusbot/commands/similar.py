"""`corpusbot similar`: which documents of the corpus are like a given text."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from corpusbot.commands.arguments import add_data, add_format, share

if TYPE_CHECKING:
    from corpusbot.dedup.asking import Found
    from corpusbot.dedup.entry import Entry
    from corpusbot.dedup.index import DuplicateIndex

SAYS = "the documents of the corpus that are like a page, a text or one another"
EPILOG = """\
Half of the shorter text is to be in the other; what recurs on a newspaper's pages does not count. A copy that was
dropped is listed too. Exit status: 0, or 1 if there is nothing alike.

  corpusbot similar saved.html
  corpusbot similar notes.txt --least .3
  corpusbot similar https://paper.example/2024/05/01/article
  corpusbot similar 1b119269dcd073a7                                    a document's id"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("given", metavar="FILE|URL|ID", help="a file (.txt: plain text), an address, a document's id")
    parser.add_argument("--least", type=share, default=0.5, help="what share of the shorter text (default: 0.5)")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print what is alike, the likest first."""
    from corpusbot.commands.indexed import opened_index
    from corpusbot.dedup.asking import alike

    with opened_index(options.data) as index:
        found = alike(index, _given(index, options.given), options.least)
    for one in found:
        print(_as_json(one) if options.format == "json" else _as_text(one))
    if not found and options.format == "text":
        print(f"Nothing in {options.data} is like {options.given}.")
    return 0 if found else 1


def _given(index: DuplicateIndex, place: str) -> Entry:
    """What is meant by an id, an address, or a file with a page or a plain text."""
    from corpusbot.dedup.asking import entry_of_text
    from corpusbot.given_page import given_page
    from corpusbot.library import article_of

    known = None if Path(place).is_file() else index.named(place)
    if known is not None:
        return known
    if place.endswith(".txt"):
        return entry_of_text(Path(place).read_text(encoding="utf-8"))
    if not Path(place).exists() and not place.startswith(("http://", "https://")) and place != "-":
        raise OSError(f"{place}: no file, and no document of this id. `corpusbot clusters` shows ids")
    article = article_of(given_page(place))
    if not article.text:
        raise OSError(f"{place}: no text: {article.kind and article.kind.reason}")
    return entry_of_text(article.text)


def _as_text(one: Found) -> str:
    how = "same" if one.exact else f"{one.similarity:.0%}"
    note = "" if one.kept else "  (dropped)"
    return f"{how:>5}  {one.entry.dated:%Y-%m-%d %H:%M}  {one.entry.site:<16}  {one.entry.id}  {one.entry.url}{note}"


def _as_json(one: Found) -> str:
    entry = one.entry
    told = {
        "id": entry.id, "site": entry.site, "url": entry.url, "dated": entry.dated.isoformat(),
        "similarity": round(one.similarity, 3), "kind": "exact" if one.exact else "near", "kept": one.kept,
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False)
