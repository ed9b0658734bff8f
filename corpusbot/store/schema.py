"""The SQLite file that holds the state of one site's crawl: its tables, its version, its lock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # pragma: no cover  (Windows: two crawls of one site are not noticed)
    fcntl = None  # type: ignore[assignment]

APPLICATION_ID = 0x63727062  # "crpb": how the file is known as ours
SCHEMA_VERSION = 3
WITH_TALLIES = 2
BUSY_TIMEOUT_SECONDS = 10.0

# The queries spell these numbers out: SQLite uses a partial index only for the very same literal.
PENDING, LEASED, FINISHED, FAILED = range(4)

_TALLIES = """
CREATE TABLE tallies(
    run INTEGER NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY(run, subject, name)
) WITHOUT ROWID;
"""
# What visits to a page have told; see corpusbot/freshness_visits.py. Times in seconds since 1970, `due` 0: at once.
_VISITS = """
ALTER TABLE links ADD COLUMN visits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE links ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE links ADD COLUMN first_visited INTEGER;
ALTER TABLE links ADD COLUMN last_changed INTEGER;
ALTER TABLE links ADD COLUMN born INTEGER;
ALTER TABLE links ADD COLUMN history BLOB;
ALTER TABLE links ADD COLUMN rate REAL;
ALTER TABLE links ADD COLUMN due INTEGER;
ALTER TABLE links ADD COLUMN fresh_seconds INTEGER;
ALTER TABLE links ADD COLUMN usual_seconds INTEGER;
ALTER TABLE links ADD COLUMN lastmod INTEGER;
ALTER TABLE links ADD COLUMN false_hints INTEGER NOT NULL DEFAULT 0;
CREATE INDEX links_due ON links(due) WHERE due IS NOT NULL;
"""
# Pages that an earlier release visited: index pages are due, the others when they are twice as old as now.
_VISITED_BEFORE = """
UPDATE links SET visits = 1, first_visited = CAST(strftime('%s', visited) AS INTEGER),
    born = CAST(strftime('%s', visited) AS INTEGER), rate = CASE WHEN kind IN ('page', 'feed', 'sitemap') THEN 6
    ELSE 0.3 END WHERE visited IS NOT NULL;
UPDATE links SET due = CASE WHEN kind IN ('page', 'feed', 'sitemap') THEN born
    ELSE strftime('%s', 'now') + max(86400, strftime('%s', 'now') - born) END WHERE born IS NOT NULL;
"""
# What makes the tables of a version those of the next one.
_STEPS = {1: _TALLIES, 2: _VISITS + _VISITED_BEFORE}

_TABLES = f"""
CREATE TABLE links(
    id INTEGER PRIMARY KEY,             -- in order of discovery
    key BLOB NOT NULL UNIQUE,           -- 16 bytes of the canonical address: this table is the seen set too
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    kind TEXT NOT NULL,
    priority INTEGER NOT NULL,
    place TEXT NOT NULL,                -- JSON
    state INTEGER NOT NULL,
    run INTEGER NOT NULL,               -- the run it was last armed or asked in
    attempts INTEGER NOT NULL DEFAULT 0,
    outcome TEXT, cause TEXT, detail TEXT, status INTEGER, finished TEXT,
    etag TEXT, modified TEXT, digest TEXT, visited TEXT
);
CREATE INDEX links_pending ON links(host, priority DESC, id) WHERE state = {PENDING};
CREATE INDEX links_leased ON links(id) WHERE state = {LEASED};
CREATE INDEX links_failed ON links(attempts) WHERE state = {FAILED};
CREATE TABLE runs(
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, finished TEXT, reason TEXT, arguments TEXT NOT NULL
);
CREATE TABLE incidents(
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, at TEXT NOT NULL, url TEXT NOT NULL,
    outcome TEXT NOT NULL, cause TEXT, detail TEXT, place TEXT NOT NULL
);
CREATE INDEX incidents_of_run ON incidents(run);
CREATE TABLE files(name TEXT PRIMARY KEY, length INTEGER NOT NULL);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = 1;
"""


class StateError(Exception):
    """The state of a site's crawl cannot be used; the text says which file, why, and what would work."""


class StateBusyError(StateError):
    """The state is held by another crawl of the same site."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the state of a site for writing; a file that is not there yet is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _clear_errors(path):
        connection = _connection(str(path))
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if _is_empty(connection):
                connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}COMMIT;")
            check(connection, path)
            _update(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _update(connection: sqlite3.Connection) -> None:
    """Give the file of an earlier release the tables of this one."""
    for version in range(version_of(connection), SCHEMA_VERSION):
        connection.executescript(f"BEGIN IMMEDIATE;{_STEPS[version]}PRAGMA user_version = {version + 1};COMMIT;")


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the file's tables; one that is only read keeps that of the release that wrote it."""
    return _pragma(connection, "user_version")


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the state of a site for reading only, also while its crawl runs."""
    if not path.exists():
        raise StateError(f"{path}: no such file. The site has not been crawled into this data folder")
    with _clear_errors(path):
        connection = _connection(f"{path.resolve().as_uri()}?mode=ro")
        check(connection, path)
    return connection


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not ours, or that a later release wrote."""
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise StateError(f"{path}: not the state of a crawl. Move it away, or choose another data folder")
    version = version_of(connection)
    if version > SCHEMA_VERSION:
        raise StateError(
            f"{path}: a newer corpusbot wrote it (schema {version}; this one knows {SCHEMA_VERSION}). "
            "Update corpusbot, or choose another data folder"
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside is written, or none of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def lock(path: Path) -> IO[str]:
    """Hold the state for one crawl until the returned file is closed or the process ends, however it ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        holder = path.with_suffix(".lock").open("a+", encoding="ascii")
    except OSError as error:
        raise StateError(
            f"{path}: cannot be written ({error.strerror}). "
            "Have its folder made writable, or name another data folder in CORPUSBOT_DATA"
        ) from error
    if fcntl is None:  # pragma: no cover
        return holder
    try:
        fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder.seek(0)
        owner = holder.read().strip() or "unknown"
        holder.close()
        message = f"{path}: another crawl of this site runs (process {owner}). Wait for it or stop it"
        raise StateBusyError(message) from None
    holder.truncate(0)
    holder.write(str(os.getpid()))
    holder.flush()
    return holder


def _connection(database: str) -> sqlite3.Connection:
    return sqlite3.connect(
        database, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, uri=database.startswith("file:")
    )


def _is_empty(connection: sqlite3.Connection) -> bool:
    count: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return count == 0 and _pragma(connection, "application_id") == 0


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def _clear_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StateError(
            f"{path}: cannot be read as the state of a crawl ({error}). Move it away to begin anew"
        ) from error
