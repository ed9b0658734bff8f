"""The SQLite file of the index of duplicates: its tables, its version, how it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpusbot.dedup.blocks import BLOCKS

APPLICATION_ID = 0x63726475  # "crdu": how the file is known as ours
SCHEMA_VERSION = 1
BUSY_TIMEOUT_SECONDS = 30.0

COLUMNS = "id, site, url, address, checksum, simhash, words, published, first_seen"
BLOCK_COLUMNS = tuple(f"block{number}" for number in range(BLOCKS))
_TABLES = f"""
CREATE TABLE documents(
    id TEXT NOT NULL PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, address TEXT NOT NULL,
    checksum TEXT NOT NULL, simhash INTEGER, words INTEGER NOT NULL, published TEXT, first_seen TEXT NOT NULL,
    batch INTEGER NOT NULL,             -- the commit of its site that wrote it
    {", ".join(f"{name} INTEGER" for name in BLOCK_COLUMNS)}
);
CREATE INDEX documents_address ON documents(address);
CREATE INDEX documents_batch ON documents(site, batch);
CREATE INDEX documents_checksum ON documents(checksum);
{"".join(f"CREATE INDEX documents_{name} ON documents({name}) WHERE {name} IS NOT NULL;" for name in BLOCK_COLUMNS)}
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""


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
