"""Reads archive and files of documents whole, for verification: what cannot be read is noted, and the rest goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corpusbot.addresses import key_of
from corpusbot.export.errors import ExportError
from corpusbot.export.jsonl import document_of_line
from corpusbot.store.growing import StoreError
from corpusbot.store.members import Damage, DamageError, RecordFile, files_in
from corpusbot.store.page_index import PageIndex
from corpusbot.store.warc import Summary, page_of, summary_of

if TYPE_CHECKING:
    from corpusbot.export.document import Document
    from corpusbot.model import Page
    from corpusbot.verification_kept import Kept, OutputFile

PAGES = "pages"
JSONL = ".jsonl"
Progress = Callable[[str, int], None]


def gather_pages(kept: Kept, progress: Progress) -> None:
    """Read every record of the archive that the state stands by, and where the index has it."""
    number = 0
    for path in files_in(kept.folder / PAGES):
        for start, summary, page in _records(kept, path):
            row = (summary.record_id, path.name, start)
            kept.database.execute("INSERT INTO records VALUES (?, ?, ?)", row)
            if page is not None:
                digest, key = hashlib.sha256(page.body).hexdigest(), key_of(page.asked_url or page.url)
                kept.database.execute("INSERT INTO pages VALUES (?, ?, ?, ?)", (page.record_id, digest, key, page.url))
            number += 1
            progress("pages", number)
    gather_places(kept)


def _records(kept: Kept, path: Path) -> Iterator[tuple[int, Summary, Page | None]]:
    """The records of a file up to its committed length; one that the state does not know is read whole."""
    try:
        size = path.stat().st_size
        committed = kept.lengths.get(path.name, size)
        if size > committed:
            kept.uncommitted.append(f"{path}: {size - committed:,} bytes")
        with RecordFile(path) as file:
            for found in file.walk(end=committed):
                if isinstance(found, Damage):
                    kept.torn_pages.append(f"{path}: {found}")
                elif (summary := summary_of(found.data)) is not None:
                    yield found.offset, summary, page_of(found.data) if summary.kind == "response" else None
    except OSError as error:
        kept.torn_pages.append(f"{path}: {error.strerror}")
    except (DamageError, ValueError, KeyError, IndexError) as error:
        kept.torn_pages.append(f"{path}: holds a record that is none of a page ({error})")


def gather_places(kept: Kept) -> None:
    """Where the index of pages has each record; it is brought up to date first, as by everyone who asks it."""
    if not (kept.folder / PAGES).is_dir():
        return
    kept.database.execute("DELETE FROM places")
    try:
        with PageIndex(kept.folder / PAGES) as index:
            index.update()
            rows = ((one.record_id, one.file, one.offset) for one in index.between())
            kept.database.executemany("INSERT INTO places VALUES (?, ?, ?)", rows)
    except StoreError as error:
        kept.index_problem = str(error)


def gather_documents(kept: Kept, progress: Progress) -> None:
    """Read every line of the files, and every version in the store; what only files know is a document as well."""
    insert = f"INSERT INTO lines({_COLUMNS}, file, start) VALUES (?,?,?,?,?,?,?,?)"  # noqa: S608 - our own names
    number = 0
    for file in kept.files:
        if file.path.name.endswith(JSONL) and file.path.exists():
            for start, document in _lines(kept, file):
                if document.site == kept.site:
                    kept.database.execute(insert, (*_row_of_document(document), str(file.path), start))
                    number += 1
                    progress("documents in files", number)
    _gather_versions(kept, progress)
    kept.database.execute(
        f"INSERT INTO documents({_COLUMNS}, file, start, latest) SELECT {_COLUMNS}, file, start,"  # noqa: S608
        " place IN (SELECT max(place) FROM lines GROUP BY id) FROM lines WHERE id NOT IN (SELECT id FROM documents)"
    )


_COLUMNS = "id, url, address, record, digest, checksum"


def _gather_versions(kept: Kept, progress: Progress) -> None:
    """Read the store: the latest versions, which count, and then all, for the pages that they were made of."""
    insert = f"INSERT INTO documents({_COLUMNS}, latest) VALUES (?,?,?,?,?,?,?)"  # noqa: S608 - our own names
    number = 0
    try:
        for is_latest in (1, 0) if kept.store else ():
            assert kept.store is not None
            for stored in kept.store.documents(every=not is_latest):
                if is_latest or stored.versions > 1:
                    kept.database.execute(insert, (*_row_of_document(stored.document), is_latest))
                    number += 1
                    progress("documents in the store", number)
    except StoreError as error:
        kept.store_problem = str(error)


def _row_of_document(document: Document) -> tuple[str | bytes | None, ...]:
    key = key_of(document.url)
    return document.id, document.url, key, document.record_id, document.page_digest, document.checksum


def _lines(kept: Kept, file: OutputFile) -> Iterator[tuple[int, Document]]:
    """The documents of a file up to its committed length, each with its place; a line that is none is noted."""
    start = 0
    with file.path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if start >= file.committed:
                return
            try:
                yield start, document_of_line(line, f"{file.path}:{number}")
            except ExportError as error:
                kept.torn_lines.append(str(error))
            start += len(line)
