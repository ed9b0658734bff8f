"""What earlier schemas of the index of duplicates held, carried over: documents, and postings where there are some."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from sqlite3 import Connection, Cursor
from typing import Any

import numpy as np

from corpusbot.dedup.facts import Facts, FactsFile
from corpusbot.dedup.names import names_of
from corpusbot.dedup.segments import SUFFIX, written
from corpusbot.sqlite_file import run_statements

_ROWS_AT_ONCE = 50_000
_SECOND = """
CREATE TABLE sites(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
CREATE TABLE numbers(next INTEGER NOT NULL);
CREATE TABLE fresh(
    place INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, site INTEGER NOT NULL, keys BLOB NOT NULL
);
CREATE TABLE segments(file TEXT NOT NULL PRIMARY KEY, postings INTEGER NOT NULL);
INSERT INTO sites(name) SELECT DISTINCT site FROM documents;
ALTER TABLE documents RENAME TO former;
CREATE TABLE documents AS
    SELECT former.rowid AS number, id, sites.number AS site, url, address, checksum, coalesce(simhash, 0) AS simhash,
    words, 1 AS step, '0 0 0 0' AS counts, published, first_seen, batch FROM former JOIN sites ON name = site;
INSERT INTO numbers SELECT coalesce(max(number), 0) + 1 FROM documents;
DROP TABLE former
"""
_FORMER = ("documents", "fresh", "segments", "sites", "numbers")
_COLUMNS = "number, id, site, url, address, checksum, simhash, words, step, counts, published, first_seen, batch"


def to_second(connection: Connection) -> None:
    """Documents that were known by blocks of their simhashes are known by address and checksum from then on."""
    run_statements(connection, _SECOND)


def to_third(tables: str) -> Callable[[Connection], None]:
    """The step to these tables: addresses, checksums and ids become keys, and postings lose their newspapers."""

    def step(connection: Connection) -> None:
        folder = Path(connection.execute("PRAGMA database_list").fetchone()[2]).with_suffix(".postings")
        connection.execute("DROP INDEX IF EXISTS documents_batch")
        for name in _FORMER:
            connection.execute(f"ALTER TABLE {name} RENAME TO former_{name}")
        run_statements(connection, tables)
        connection.execute("DELETE FROM numbers")
        connection.execute("INSERT INTO numbers SELECT next FROM former_numbers")
        connection.execute("INSERT INTO sites(number, name) SELECT number, name FROM former_sites")
        connection.execute(f"INSERT INTO documents({_COLUMNS}) SELECT {_COLUMNS} FROM former_documents")  # noqa: S608
        _names(connection, folder)
        _postings(connection, folder)
        for name in _FORMER:
            connection.execute(f"DROP TABLE former_{name}")

    return step


def _names(connection: Connection, folder: Path) -> None:
    """The facts of all documents, and a segment of their names for each so many."""
    facts_file = FactsFile(folder / "facts.array")
    rows = connection.execute("SELECT number, site, step, counts, simhash, id, address, checksum FROM documents")
    for several in _lots(rows):
        facts = [
            Facts(site, step, tuple(map(int, counts.split())), simhash % (1 << 64)).to_bytes()
            for _, site, step, counts, simhash, *_ in several
        ]
        numbers = np.array([row[0] for row in several], np.int64)
        facts_file.write(numbers, b"".join(facts))
        names = np.concatenate([names_of(*row[5:]) for row in several])
        _segment(connection, folder, names, np.repeat(numbers.astype(np.uint32), 3))


def _postings(connection: Connection, folder: Path) -> None:
    """The postings of segments, and those that were in none yet, whose keys held their newspapers."""
    for (file,) in connection.execute("SELECT file FROM former_segments").fetchall():
        number = (folder / file).stat().st_size // 12
        keys = np.memmap(folder / file, np.uint64, "r", shape=(number,))
        _segment(connection, folder, keys, np.memmap(folder / file, np.uint32, "r", offset=8 * number))
    for several in _lots(connection.execute("SELECT document, keys FROM former_fresh")):
        owners = np.repeat(
            np.array([document for document, _ in several], np.uint32), [len(keys) // 8 for _, keys in several]
        )
        _segment(connection, folder, np.frombuffer(b"".join(keys for _, keys in several), np.uint64), owners)


def _segment(connection: Connection, folder: Path, keys: np.ndarray, owners: np.ndarray) -> None:
    if len(keys):
        path = folder / f"{uuid.uuid4().hex}{SUFFIX}"
        connection.execute("INSERT INTO segments VALUES (?, ?)", (path.name, written(path, keys, owners)))


def _lots(rows: Cursor) -> Iterator[list[Any]]:
    while several := list(islice(rows, _ROWS_AT_ONCE)):
        yield several
