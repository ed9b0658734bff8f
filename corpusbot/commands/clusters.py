"""`corpusbot clusters`: all texts that the corpus came upon more than once, and who printed them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import islice
from typing import TYPE_CHECKING

from corpusbot.commands.arguments import add_data, add_format, share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusbot.dedup.clusters import Clusters
    from corpusbot.dedup.streamed import Differences

SAYS = "all near-duplicates of the corpus, kept or dropped: who was first, who printed it again, how late"
EPILOG = """\
All articles are compared with one another, so that the order in which they came does not matter; what was decided
while they came one by one may differ where a newspaper's boilerplate was not known yet, and how often is told.

  corpusbot clusters                                 every cluster, its first document first
  corpusbot clusters --sites gaceta courier --format json
  corpusbot clusters --syndication                   which newspaper printed whose texts, how often, how late
  corpusbot clusters --boilerplate                   what each newspaper's texts have in common and is left out"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--syndication", action="store_true", help="a table of who printed whose texts")
    shown.add_argument("--boilerplate", action="store_true", help="a table of what recurs in each newspaper")
    parser.add_argument("--sites", nargs="+", metavar="SITE", help="only these newspapers (default: all)")
    parser.add_argument("--least", type=share, default=0.5, help="what share of the shorter text (default: 0.5)")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print the table."""
    from corpusbot.commands.indexed import opened_index
    from corpusbot.commands.progress import progress
    from corpusbot.dedup.clusters import Clusters
    from corpusbot.dedup.search import Search
    from corpusbot.dedup.streamed import differences

    with opened_index(options.data) as index, progress("clusters") as tell:
        wanted = options.sites and set(options.sites)
        entries = (entry for entry in index.entries() if not wanted or entry.site in wanted)
        compared = Clusters(entries, Search(containment=options.least), tell)
        repeats = (one for one in index.repeats() if not wanted or {one.entry.site, one.first_site} <= wanted)
        differ = differences(compared.number, compared.found, repeats)
    for line in _lines(options, compared, differ):
        print(line)
    return 0


def _lines(options: Namespace, compared: Clusters, differ: Differences) -> Iterable[str]:
    from corpusbot.dedup import clusters_told as told
    from corpusbot.dedup.clusters import syndication

    is_json = options.format == "json"
    if options.syndication:
        rows = syndication(compared.found)
        return told.syndication_as_json(rows) if is_json else told.syndication_as_text(rows)
    if options.boilerplate:
        phrases = {row.site: _phrases(options, row.site) for row in compared.recurring if row.keys}
        boilerplate = told.boilerplate_as_json if is_json else told.boilerplate_as_text
        return boilerplate(compared.recurring, phrases)
    return (told.clusters_as_json if is_json else told.clusters_as_text)(compared.found, differ)


def _phrases(options: Namespace, site: str) -> list[tuple[str, int]]:
    """Examples from a newspaper's documents, if they are kept."""
    from corpusbot.dedup.phrases import MOST_TEXTS, common_phrases
    from corpusbot.store.documents import NoDocumentsError, documents_of, open_documents

    try:
        with open_documents(documents_of(options.data, site), site, must_exist=True) as documents:
            return common_phrases(one.document.text for one in islice(documents.documents(), MOST_TEXTS))
    except NoDocumentsError:
        return []
