"""The SQLite file of the index of duplicates: its tables, and how those of earlier schemas become these."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from sqlite3 import Connection

from corpusbot import sqlite_file
from corpusbot.dedup import repeats
from corpusbot.dedup.carried import to_second, to_third
from corpusbot.dedup.segments import SegmentError

# Documents are found by number only: addresses, checksums and ids are keys among the postings, as runs of words are.
TABLES = """
CREATE TABLE documents(
    number INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL, site INTEGER NOT NULL, url TEXT NOT NULL,
    address TEXT NOT NULL, checksum TEXT NOT NULL, simhash INTEGER NOT NULL, words INTEGER NOT NULL,
    step INTEGER NOT NULL, counts TEXT NOT NULL, published TEXT, first_seen TEXT NOT NULL,
    batch INTEGER NOT NULL,  -- the commit of its site that wrote it
    keys BLOB                -- its whole sample, or NULL if an earlier schema held it
);
CREATE INDEX documents_batch ON documents(site, batch);
CREATE TABLE sites(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);  -- one forgotten has no name
CREATE TABLE numbers(next INTEGER NOT NULL);
INSERT INTO numbers VALUES (1);
CREATE TABLE fresh(  -- the keys of documents that are in no segment yet
    place INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, facts BLOB NOT NULL, keys BLOB NOT NULL
);
CREATE TABLE segments(file TEXT NOT NULL PRIMARY KEY, postings INTEGER NOT NULL);
""" + repeats.TABLE


class DuplicateIndexError(Exception):
    """The index cannot be used; the text says which file, why, and what would work."""


KIND = sqlite_file.Kind(
    noun="an index of duplicates",
    application_id=0x63726475,  # "crdu"
    tables=TABLES,
    steps=(to_second, to_third(TABLES)),
    error=DuplicateIndexError,
    cure="move it away, and the next crawl begins a new one",
)
SCHEMA_VERSION = KIND.version
APPLICATION_ID = KIND.application_id


def opened(path: Path) -> Connection:
    """The file, made if there is none; one that is not ours or is too new is refused untouched."""
    with clear_errors(path):
        return sqlite_file.opened(path, KIND)


def transaction(connection: Connection) -> AbstractContextManager[None]:
    """All that is written inside is written, or none of it."""
    return sqlite_file.transaction(connection)


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Errors of SQLite, of the disk and of segments, in words that say what to do."""
    with sqlite_file.clear_errors(path, KIND):
        try:
            yield
        except SegmentError as error:
            raise DuplicateIndexError(str(error)) from error


def folder_of(path: Path) -> Path:
    """Where the postings of an index are."""
    return path.with_suffix(".postings")
