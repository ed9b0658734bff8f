"""`corpusbot versions`: what newspapers rewrote and took back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from corpusbot.commands.arguments import add_data, add_format, add_site, day

if TYPE_CHECKING:
    from corpusbot.store.documents import Documents, Stored

SAYS = "the documents that a newspaper rewrote or took back; of one of them, its versions and what changed"
EPILOG = """\
  corpusbot versions elpais                         those that have several versions, or were withdrawn
  corpusbot versions elpais https://elpais.com/…    the versions of one, and the texts of links to it
  corpusbot versions elpais 4b94353e370dc3ce --diff what changed from each to the next: [-gone-] {+new+}"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument("document", nargs="?", metavar="ID|URL", help="a document (default: a table of all rewritten)")
    parser.add_argument("--diff", action="store_true", help="what changed in headline, text and other fields")
    parser.add_argument("--from", dest="since", type=day, metavar="DAY", help="documents from this day on")
    parser.add_argument("--to", dest="until", type=day, metavar="DAY", help="documents up to this day and with it")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print the table or the document; 1 if there is none."""
    from corpusbot.commands.complaint import complain
    from corpusbot.store.documents import documents_of, open_documents

    with open_documents(documents_of(options.data, options.site), options.site, must_exist=True) as documents:
        if options.document is None:
            return _list(documents, options)
        is_address = options.document.startswith(("http://", "https://"))
        stored = documents.by_url(options.document) if is_address else documents.get(options.document)
        if stored is None:
            complain(f"{options.document}: no document of {options.site} has this {'address' if is_address else 'id'}")
            return 1
        return _show(documents, stored, options)


def _list(documents: Documents, options: Namespace) -> int:
    from corpusbot import versions_told as told

    found = False
    for stored in documents.documents(options.since, options.until, rewritten=True):
        found = True
        print(told.row_as_json(stored) if options.format == "json" else told.row(stored))
        if options.diff:
            _show_differences(documents, stored, options)
    if not found and options.format == "text":
        print(f"None of the {documents.count():,} documents of {options.site} was rewritten or withdrawn.")
    return 0


def _show(documents: Documents, stored: Stored, options: Namespace) -> int:
    from corpusbot import versions_told as told

    versions, anchors = documents.versions(stored.document.id), documents.anchors(stored.document.id)
    if options.format == "json":
        print(told.document_as_json(stored, versions, anchors))
    else:
        print(told.document(stored, versions, anchors))
    if options.diff:
        _show_differences(documents, stored, options)
    return 0


def _show_differences(documents: Documents, stored: Stored, options: Namespace) -> None:
    from itertools import pairwise

    from corpusbot import versions_told as told

    for old, new in pairwise(documents.versions(stored.document.id)):
        found = documents.diff(stored.document.id, old.number, new.number)
        id = stored.document.id
        print(told.difference_as_json(id, found) if options.format == "json" else told.difference(found))
