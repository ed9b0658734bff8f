"""The SQLite file of the index of duplicates: its tables, its version, how it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

APPLICATION_ID = 0x63726475  # "crdu": how the file is known as ours
SCHEMA_VERSION = 2
BUSY_TIMEOUT_SECONDS = 30.0

_TABLES = f"""
CREATE TABLE documents(
    number INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL UNIQUE, site INTEGER NOT NULL, url TEXT NOT NULL,
    address TEXT NOT NULL, checksum TEXT NOT NULL, simhash INTEGER NOT NULL, words INTEGER NOT NULL,
    step INTEGER NOT NULL, counts TEXT NOT NULL, published TEXT, first_seen TEXT NOT NULL,
    batch INTEGER NOT NULL              -- the commit of its site that wrote it
);
CREATE INDEX documents_address ON documents(address);
CREATE INDEX documents_batch ON documents(site, batch);
CREATE INDEX documents_checksum ON documents(checksum);
CREATE TABLE sites(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);  -- one forgotten has no name
CREATE TABLE numbers(next INTEGER NOT NULL);
INSERT INTO numbers VALUES (1);
CREATE TABLE fresh(  -- the keys of documents that are in no segment yet
    place INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, site INTEGER NOT NULL, keys BLOB NOT NULL
);
CREATE TABLE segments(file TEXT NOT NULL PRIMARY KEY, postings INTEGER NOT NULL);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""  # noqa: S608
_CARRY_OVER = (
    "INSERT INTO sites(name) SELECT DISTINCT site FROM former",
    "INSERT INTO documents SELECT former.rowid, id, sites.number, url, address, checksum, coalesce(simhash, 0), words, "
    "1, '0 0 0 0', published, first_seen, batch FROM former JOIN sites ON name = site",
    "UPDATE numbers SET next = (SELECT coalesce(max(number), 0) + 1 FROM documents)",
    "DROP TABLE former",
)


class DuplicateIndexError(Exception):
    """The index cannot be used; the text says which file, why, and what would work."""


def opened(path: Path) -> sqlite3.Connection:
    """The file, made if there is none; one that is not ours or is too new is refused untouched."""
    with clear_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        connection.execute("PRAGMA journal_mode = WAL")
        _make_tables(connection)
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise DuplicateIndexError(f"{path}: not an index of duplicates. Move it away, or name another file")
    version = _pragma(connection, "user_version")
    if version == 1:
        _carry_over(connection)
    if version > SCHEMA_VERSION:
        raise DuplicateIndexError(
            f"{path}: schema {version} was written by a newer corpusbot; this one reads up to {SCHEMA_VERSION}. "
            "Update corpusbot, or name another file"
        )
    connection.execute("PRAGMA synchronous = NORMAL")


def _make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables, unless another process has done so meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        for statement in filter(str.strip, _TABLES.split(";")):
            connection.execute(statement)
    connection.execute("COMMIT")


def _carry_over(connection: sqlite3.Connection) -> None:
    """Make an index of the first schema one of this: its documents are known by address and checksum from then on."""
    connection.execute("BEGIN IMMEDIATE")
    if _pragma(connection, "user_version") == 1:  # another process may have been quicker
        names = ("address", "batch", "checksum", *(f"block{number}" for number in range(4)))
        statements = [f"DROP INDEX documents_{name}" for name in names]
        statements += ["ALTER TABLE documents RENAME TO former", *filter(str.strip, _TABLES.split(";")), *_CARRY_OVER]
        for statement in statements:
            connection.execute(statement)
    connection.execute("COMMIT")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the disk, in words that say what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise DuplicateIndexError(
            f"{path}: {error}. See that the folder can be written to, that the disk has room, "
            f"and that no other program holds the file for more than {BUSY_TIMEOUT_SECONDS:.0f} s"
        ) from error
    except sqlite3.DatabaseError as error:
        raise DuplicateIndexError(
            f"{path}: {error}. It is no index of duplicates, or a damaged one: move it away, and "
            "the next crawl begins a new one"
        ) from error
    except OSError as error:
        raise DuplicateIndexError(f"{path}: {error.strerror}. Name another file, or mend the folder") from error
