"""The index of duplicates, made anew from the documents."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from corpusbot.addresses import canonical
from corpusbot.dedup import fingerprint
from corpusbot.dedup.entry import Entry
from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError
from corpusbot.dedup.tables import APPLICATION_ID
from corpusbot.export.document import Document
from corpusbot.export.jsonl import document_of_line
from corpusbot.store.documents import documents_of, open_documents
from corpusbot.store.growing import StoreError
from corpusbot.store.page_index import NAME as PAGE_INDEX
from corpusbot.verification_kept import Kept
from corpusbot.verification_reading import PAGES, gather_places

DUPLICATES = "duplicates.sqlite"
DOCUMENTS_PER_COMMIT = 500


def index_anew(kept: Kept) -> str:
    """Forget what the index has of the newspaper, and add each of its documents; what was done."""
    path = kept.data / DUPLICATES
    aside = _moved_aside(path)
    batch, number = kept.lengths.get(DUPLICATES, 0), 0
    try:
        with closing(DuplicateIndex(path)) as index:
            index.forget_site(kept.site)
            documents = latest_documents(kept)
            while some := [*islice(documents, DOCUMENTS_PER_COMMIT)]:
                for document in some:
                    index.add(entry_of(document))
                # The batch that the crawl's state stands by: the next crawl must not cut it off.
                index.commit(batch)
                number += len(some)
    except DuplicateIndexError as error:
        raise StoreError(str(error)) from error
    moved = f"; the file that was there is now {aside}, and the other newspapers need --repair as well" if aside else ""
    return f"{path}: {number:,} documents of {kept.site} indexed anew{moved}"


def entry_of(document: Document) -> Entry:
    """What the index knows of a document."""
    moment = datetime.fromisoformat
    return Entry(
        id=document.id,
        site=document.site,
        url=canonical(document.url),
        address=canonical(document.canonical_url or document.url),
        fingerprint=fingerprint(document.text),
        published=moment(document.published) if document.published else None,
        first_seen=moment(document.fetched_at) if document.fetched_at else datetime.now(UTC),
    )


def latest_documents(kept: Kept) -> Iterator[Document]:
    """The documents of the newspaper, each as it is now: those of the store, then those that only files have."""
    if kept.store is not None:
        yield from (stored.document for stored in kept.store.documents())
    yield from _of_files(kept, "latest AND file NOT NULL")


def _of_files(kept: Kept, condition: str) -> Iterator[Document]:
    """Documents that only files have, in the order of writing."""
    query = f"SELECT file, start FROM documents WHERE {condition} ORDER BY place"  # noqa: S608 - our own conditions
    for file, start in kept.database.execute(query).fetchall():
        with Path(file).open("rb") as lines:
            lines.seek(start)
            yield document_of_line(lines.readline(), file)


def index_pages_anew(kept: Kept) -> str:
    """Make the index of pages of the archive's files; what was done."""
    folder = kept.folder / PAGES
    kept.index_problem = ""
    for ending in ("", "-wal", "-shm"):
        (folder / f"{PAGE_INDEX}{ending}").unlink(missing_ok=True)
    gather_places(kept)
    ((number,),) = kept.database.execute("SELECT count(*) FROM places")
    return f"{folder / PAGE_INDEX}: made anew, {number:,} records"


def fill_store(kept: Kept) -> str:
    """Write into the store what only files have, in the order of writing; a store that cannot be read is begun anew."""
    where, aside = documents_of(kept.data, kept.site), ""
    if kept.store is None and isinstance(where, Path) and where.exists():
        aside = f"; the file that was there is now {_aside(where)}"
    store = kept.store or open_documents(where, kept.site)
    number = 0
    for document in _of_files(kept, "file NOT NULL"):
        store.write(document, datetime.fromisoformat(document.fetched_at) if document.fetched_at else datetime.now(UTC))
        number += 1
        if number % DOCUMENTS_PER_COMMIT == 0:
            store.commit()
    store.commit()
    kept.store, kept.store_problem = store, ""
    kept.database.execute("UPDATE documents SET file = NULL")
    return f"{where}: {number:,} documents and versions of {kept.site} taken over from files{aside}"


def _moved_aside(path: Path) -> Path | None:
    """A file that is no index, or a damaged one, is moved away; where it is now."""
    return None if not path.exists() or _is_whole(path) else _aside(path)


def _aside(path: Path) -> Path:
    """Give a file another name, and what SQLite keeps beside it."""
    ending = f".damaged-{datetime.now(UTC):%Y%m%d%H%M%S}"
    for part in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if part.exists():
            part.rename(f"{part}{ending}")
    return path.with_name(path.name + ending)


def _is_whole(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            (kind,) = connection.execute("PRAGMA application_id").fetchone()
            (damage,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return bool(kind == APPLICATION_ID and damage == "ok")
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: {error}. See that it can be read, and that no other program holds it") from error
    except sqlite3.DatabaseError:
        return False
