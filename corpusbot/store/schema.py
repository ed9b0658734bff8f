"""The SQLite file that holds the state of one site's crawl: its tables, its version, its lock."""

from __future__ import annotations

import os
import sqlite3
from functools import partial
from pathlib import Path
from typing import IO

from corpusbot.sqlite_file import (
    Kind,
    address_to_read,
    check,
    clear_errors,
    connection_to,
    opened,
    pragma,
    run_statements,
)

try:
    import fcntl
except ImportError:  # pragma: no cover  (Windows: two crawls of one site are not noticed)
    fcntl = None  # type: ignore[assignment]

WITH_TALLIES = 2

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
_FIRST_TABLES = f"""
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
"""


class StateError(Exception):
    """The state of a site's crawl cannot be used; the text says which file, why, and what would work."""


class StateBusyError(StateError):
    """The state is held by another crawl of the same site."""


KIND = Kind(
    noun="the state of a crawl",
    application_id=0x63727062,  # "crpb"
    tables=f"{_FIRST_TABLES}{_TALLIES}{_VISITS}",
    steps=(partial(run_statements, statements=_TALLIES), partial(run_statements, statements=_VISITS + _VISITED_BEFORE)),
    error=StateError,
    cure="move it away to begin anew, or choose another data folder",
)


def connect(path: Path) -> sqlite3.Connection:
    """Open the state of a site for writing; a file that is not there yet is made."""
    return opened(path, KIND)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the file's tables; one that is only read keeps that of the release that wrote it."""
    return pragma(connection, "user_version")


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the state of a site for reading only, also while its crawl runs."""
    if not path.exists():
        raise StateError(f"{path}: no such file. The site has not been crawled into this data folder")
    with clear_errors(path, KIND):
        connection = connection_to(address_to_read(path))
        try:
            check(connection, path, KIND)
        except BaseException:
            connection.close()
            raise
    return connection


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
