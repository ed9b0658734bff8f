"""Documents of one newspaper read from a database: by id, by address, or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from types import TracebackType
from typing import Any, Self

from corpusbot.addresses import key_of
from corpusbot.export.document import Document
from corpusbot.store.documents.content import unpacked
from corpusbot.store.documents.contract import Anchor, NoDocumentsError, Stored, Version
from corpusbot.store.documents.difference import Difference, difference
from corpusbot.store.documents.tables import Connection, moment_of

DOCUMENTS_AT_A_TIME = 100  # about 1 MB of texts; on bench/documents.py 10 to 400 are as fast as each other

_VERSION = "v.number, v.seen, v.cause, v.changed, v.record_id, v.site_digest, v.made_by"
_STORED = f"v.content, {_VERSION}, d.versions, d.first_seen, d.last_seen, d.withdrawn, d.status, d.number"
_LATEST = "FROM documents d JOIN versions v ON v.document = d.number AND v.number = d.latest"
BY_ADDRESS = "SELECT document FROM addresses WHERE site = ? AND key = ?"


class Reading:
    """Documents, versions and anchors of one newspaper in a database, to be read."""

    def __init__(self, connection: Connection, site: str, name: str) -> None:
        self._connection = connection
        self._site = site
        self._name = name

    @property
    def name(self) -> str:
        """By what the crawl's state knows the store's batches."""
        return self._name

    def get(self, id: str, version: int | None = None) -> Stored | None:
        """A document, as its latest version says it or as this one does."""
        if version is None:
            row = self._one(f"SELECT {_STORED} {_LATEST} WHERE d.id = ?", id)
        else:
            join = "FROM documents d JOIN versions v ON v.document = d.number"
            row = self._one(f"SELECT {_STORED} {join} WHERE d.id = ? AND v.number = ?", id, version)
        return self._stored(row) if row else None

    def by_url(self, url: str) -> Stored | None:
        """The document that was ever found under an address, or gave it as its own."""
        row = self._one(f"SELECT {_STORED} {_LATEST} WHERE d.number = ({BY_ADDRESS})", self._site, key_of(url))
        return self._stored(row) if row else None

    def versions(self, id: str) -> list[Version]:
        """All versions of a document, in the order in which their pages were fetched."""
        join = "FROM documents d JOIN versions v ON v.document = d.number"
        rows = self._all(f"SELECT {_VERSION} {join} WHERE d.id = ? ORDER BY v.seen, v.number", id)
        return [_version(row) for row in rows]

    def diff(self, id: str, old: int, new: int) -> Difference:
        """What changed from one version to another."""
        found = [self.get(id, number) for number in (old, new)]
        if missing := [number for number, one in zip((old, new), found, strict=True) if one is None]:
            there = ", ".join(str(version.number) for version in self.versions(id)) or "none"
            raise NoDocumentsError(f"{self._name}: document {id} has no version {missing[0]}. There are: {there}")
        first, second = (one.document for one in found if one is not None)
        return difference(first, second, old, new)

    def anchors(self, id: str) -> list[Anchor]:
        """The texts of all links that were seen to any of a document's addresses."""
        rows = self._all(
            "SELECT a.url, n.text, n.found_on, n.seen FROM documents d JOIN addresses a ON a.document = d.number"
            " JOIN anchors n ON n.site = a.site AND n.key = a.key WHERE d.id = ? ORDER BY n.seen, n.found_on, n.text",
            id,
        )
        return [Anchor(url, text, found_on, moment_of(seen)) for url, text, found_on, seen in rows]

    def documents(
        self,
        since: date | None = None,
        until: date | None = None,
        withdrawn: bool = True,
        every: bool = False,
        rewritten: bool = False,
    ) -> Iterator[Stored]:
        """One by one the documents of these days, a few read at a time; none that comes in meanwhile."""
        first, last = 1, self._one("SELECT max(number) FROM documents WHERE site = ?", self._site)[0] or 0
        chosen, values = _conditions(since, until, withdrawn, rewritten)
        where = f"WHERE d.site = ? AND d.number BETWEEN ? AND ?{chosen} ORDER BY d.number"
        numbers = f"SELECT d.number FROM documents d {where} LIMIT {DOCUMENTS_AT_A_TIME}"  # noqa: S608
        join = "JOIN versions v ON v.document = d.number" + ("" if every else " AND v.number = d.latest")
        select = f"SELECT {_STORED} FROM documents d {join} {where}, v.seen, v.number"  # noqa: S608
        while rows := self._all(numbers, self._site, first, last, *values):
            yield from map(self._stored, self._all(select, self._site, first, rows[-1][0], *values))
            first = rows[-1][0] + 1

    def count(self) -> int:
        """How many documents there are."""
        return int(self._one("SELECT count(*) FROM documents WHERE site = ?", self._site)[0])

    def close(self) -> None:
        """Let go of the store; what was not committed is forgotten."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- rows

    def _stored(self, row: Sequence[Any]) -> Stored:
        content, *version = row[:8]
        versions, first_seen, last_seen, withdrawn, status, number = row[8:]
        told = _version(version)
        return Stored(
            document=replace(self._unpacked(content, number), version=told.number),
            version=told,
            versions=versions,
            first_seen=moment_of(first_seen),
            last_seen=moment_of(last_seen),
            withdrawn=moment_of(withdrawn) if withdrawn else None,
            status=status,
        )

    def _unpacked(self, content: bytes, number: int) -> Document:
        return unpacked(bytes(content), f"{self._name}: document {number} of {self._site}")

    def _one(self, query: str, *values: object) -> Any:
        return next(iter(self._all(query, *values)), None)

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._connection.execute(query, values).fetchall()


def _conditions(since: date | None, until: date | None, withdrawn: bool, rewritten: bool) -> tuple[str, list[str]]:
    """What chooses documents, and its values."""
    found = [("d.day >= ?", since), ("d.day <= ?", until)]
    chosen = [f" AND {condition}" for condition, day in found if day is not None]
    chosen += [] if withdrawn else [" AND d.withdrawn IS NULL"]
    chosen += [" AND (d.versions > 1 OR d.withdrawn IS NOT NULL)"] if rewritten else []
    return "".join(chosen), [day.isoformat() for _, day in found if day is not None]


def _version(row: Sequence[Any]) -> Version:
    number, at, cause, changed, record_id, site_digest, made_by = row
    return Version(number, moment_of(at), cause, tuple(changed.split()), record_id, site_digest, made_by)
