"""The tables of the documents, the same in every database but for the names of three types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

# Times are UTC, in text that sorts as they do.
_TABLES = """
CREATE TABLE documents(
    number {serial},                        -- in order of discovery
    id TEXT NOT NULL UNIQUE, site TEXT NOT NULL,
    day TEXT NOT NULL,                      -- of publication, or the one that it was first seen on
    first_seen TEXT NOT NULL, last_seen TEXT NOT NULL, withdrawn TEXT, status INTEGER,
    latest INTEGER NOT NULL, latest_at TEXT NOT NULL, digest {blob} NOT NULL,  -- the version of the newest page
    versions INTEGER NOT NULL, batch BIGINT NOT NULL
);
CREATE INDEX documents_of_site ON documents(site, number);
CREATE INDEX documents_of_batch ON documents(site, batch);
CREATE TABLE versions(
    document BIGINT NOT NULL, number INTEGER NOT NULL, seen TEXT NOT NULL, cause TEXT NOT NULL, changed TEXT NOT NULL,
    record_id TEXT, site_digest TEXT NOT NULL, made_by TEXT NOT NULL, batch BIGINT NOT NULL,
    digest {blob} NOT NULL, content {blob} NOT NULL, PRIMARY KEY(document, number)
);
CREATE TABLE addresses(
    site TEXT NOT NULL, key {blob} NOT NULL, url TEXT NOT NULL, document BIGINT NOT NULL,
    own INTEGER NOT NULL,                   -- 0 of an address that only led to the page
    PRIMARY KEY(site, key)
) {compact};
CREATE INDEX addresses_of_document ON addresses(document);
CREATE TABLE anchors(
    site TEXT NOT NULL, key {blob} NOT NULL, text TEXT NOT NULL, found_on TEXT NOT NULL, seen TEXT NOT NULL,
    PRIMARY KEY(site, key, text, found_on)
) {compact};
CREATE TABLE batches(site TEXT PRIMARY KEY, batch BIGINT NOT NULL);
"""


class Connection(Protocol):
    """A database as the documents use it: statements with `?` for values, one transaction between two commits."""

    @property
    def has_unwritten(self) -> bool:
        """Whether anything was written since the last commit."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> Result:
        """Do one statement."""

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Do one statement for each row."""

    def commit(self) -> None:
        """Make all since the last commit lasting, and seen by others."""

    def rollback(self) -> None:
        """Undo all since the last commit."""

    def close(self) -> None:
        """Let go of the database."""


class Result(Protocol):
    """The rows of a statement."""

    def fetchall(self) -> list[Any]:
        """All rows."""


def tables(serial: str, blob: str, compact: str = "") -> str:
    """The statements that make the tables, in a database's own types."""
    lines = (line.partition("--")[0].rstrip() for line in _TABLES.splitlines())
    return "\n".join(lines).format(serial=serial, blob=blob, compact=compact)


def text_of(moment: datetime) -> str:
    """A time as the tables keep it; one without a zone is taken for UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def moment_of(text: str) -> datetime:
    """The time of such a text."""
    return datetime.fromisoformat(text)
