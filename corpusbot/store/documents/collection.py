"""The documents of one newspaper over a database: what a visit makes of them; every plug-in shares it.

Whatever is written goes into the one transaction that `commit` ends, so that what was written is read at once by
who wrote it, and by nobody else before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from types import TracebackType
from typing import Any, Self

from corpusbot.addresses import key_of
from corpusbot.export.document import Document
from corpusbot.store.documents.content import Packed, addresses, changed_fields, packed, unpacked
from corpusbot.store.documents.contract import (
    NEW,
    UNCHANGED,
    VERSION,
    Anchor,
    NoDocumentsError,
    Stored,
    Version,
    Written,
)
from corpusbot.store.documents.difference import Difference, difference
from corpusbot.store.documents.tables import Connection, moment_of, text_of

ANCHOR_CHARACTERS = 300  # a link around a whole teaser says no more about its target than the beginning does
DOCUMENTS_AT_A_TIME = 100  # about 1 MB of texts; tuned on bench/documents.py, where more is no faster

_VERSION = "v.number, v.seen, v.cause, v.changed, v.record_id, v.site_digest, v.made_by"
_STORED = f"v.content, {_VERSION}, d.versions, d.first_seen, d.last_seen, d.withdrawn, d.status, d.number"
_LATEST = "FROM documents d JOIN versions v ON v.document = d.number AND v.number = d.latest"


@dataclass(frozen=True, slots=True)
class _Row:
    """A document as its row has it."""

    number: int
    latest: int
    latest_at: str
    digest: bytes
    versions: int


class Collection:
    """Documents, versions, addresses and anchors of one newspaper in a database."""

    def __init__(self, connection: Connection, site: str, name: str) -> None:
        self._connection = connection
        self._site = site
        self._name = name
        self._batch: int | None = None
        self._written: list[tuple[int, int]] = []

    @property
    def name(self) -> str:
        """By what the crawl's state knows the store's batches."""
        return self._name

    @property
    def batch(self) -> int:
        """The last batch that was committed."""
        if self._batch is None:
            row = self._one("SELECT batch FROM batches WHERE site = ?", self._site)
            self._batch = int(row[0]) if row else 0
        return self._batch

    @property
    def has_unwritten(self) -> bool:
        """Whether a commit would write anything."""
        return self._connection.has_unwritten

    # -- in

    def write(self, document: Document, seen: datetime, cause: str = "crawl", found_at: Sequence[str] = ()) -> Written:
        """Take what a page says at a visit; `found_at` are further addresses that led to it."""
        pack, at = packed(document), text_of(seen)
        row = self._row(document.id)
        number = row.number if row else self._new_document(document, pack, at)
        self._keep_addresses(number, document, found_at)
        if row is None:
            self._keep_version(number, 1, document, pack, (at, cause, ""))
            return Written(document.id, NEW, 1)
        # It was there at this time; what was thought withdrawn before is so no more.
        self._connection.execute(f"{_TOUCH} WHERE number = ?", (*[at] * 6, number))
        before, is_same = self._before(row, at, pack, cause)
        changed = () if is_same or before is None else changed_fields(self._document(number, before), document, cause)
        if before is not None and not changed:
            return Written(document.id, UNCHANGED, before)
        following = self._top(number) + 1
        self._keep_version(number, following, document, pack, (at, cause, " ".join(changed)))
        self._connection.execute("UPDATE documents SET versions = versions + 1 WHERE number = ?", (number,))
        if at >= row.latest_at:
            self._make_latest(number, following, at, pack.digest, document)
        return Written(document.id, VERSION, following, changed)

    def seen(self, id: str, at: datetime) -> bool:
        """The document was there at that time, as it was before; whether it is known."""
        return self._one(f"{_TOUCH} WHERE id = ? RETURNING number", *[text_of(at)] * 6, id) is not None

    def seen_at(self, url: str, at: datetime) -> bool:
        """The same for the document of an address."""
        values = [text_of(at)] * 6
        touch = f"{_TOUCH} WHERE number = ({_BY_ADDRESS}) RETURNING number"
        return self._one(touch, *values, self._site, key_of(url)) is not None

    def withdraw(self, url: str, at: datetime, status: int) -> bool:
        """The newspaper has taken back what stood at an address; whether a document is known by it."""
        update = f"UPDATE documents SET withdrawn = coalesce(withdrawn, ?), status = ? WHERE number = ({_BY_ADDRESS})"  # noqa: S608
        values = (text_of(at), status, self._site, key_of(url))
        return self._one(f"{update} RETURNING number", *values) is not None

    def add_anchors(self, rows: Iterable[Anchor]) -> None:
        """Remember texts of links, also of those to addresses that are no document yet."""
        self.add_keyed_anchors((key_of(row.url), row.text, row.found_on, row.seen) for row in rows)

    def add_keyed_anchors(self, rows: Iterable[tuple[bytes, str, str, datetime]]) -> None:
        """The same for who has the keys of the addresses at hand."""
        insert = "INSERT INTO anchors VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        kept = ((key, _writable(text)[:ANCHOR_CHARACTERS], _writable(url), text_of(at)) for key, text, url, at in rows)
        self._connection.executemany(insert, [(self._site, *row) for row in kept])

    def commit(self, batch: int | None = None) -> None:
        """Write all since the last commit in one transaction, as this batch."""
        kept = self.batch if batch is None else batch
        if self._written and kept != self.batch + 1:
            update = "UPDATE versions SET batch = ? WHERE document = ? AND number = ?"
            self._connection.executemany(update, [(kept, *row) for row in self._written])
            update = "UPDATE documents SET batch = ? WHERE number = ?"
            self._connection.executemany(update, [(kept, number) for number, _ in self._written])
        if kept != self.batch:
            insert = "INSERT INTO batches VALUES (?, ?) ON CONFLICT(site) DO UPDATE SET batch = excluded.batch"
            self._connection.execute(insert, (self._site, kept))
        self._connection.commit()
        self._batch = kept
        self._written.clear()

    def cut(self, batch: int) -> None:
        """Take back all versions of later batches; that a page was seen, or was gone, stays true."""
        rows = self._all("SELECT number FROM documents WHERE site = ? AND batch > ?", self._site, batch)
        for (number,) in rows:
            self._connection.execute("DELETE FROM versions WHERE document = ? AND batch > ?", (number, batch))
            self._settle(number)
        if batch < self.batch:
            self._connection.execute("UPDATE batches SET batch = ? WHERE site = ?", (batch, self._site))
            self._batch = batch
        self._connection.commit()

    def forget(self) -> None:
        """Forget all documents of the newspaper, at once."""
        own = "document IN (SELECT number FROM documents WHERE site = ?)"
        self._connection.execute(f"DELETE FROM versions WHERE {own}", (self._site,))  # noqa: S608
        for table in ("documents", "addresses", "anchors", "batches"):
            self._connection.execute(f"DELETE FROM {table} WHERE site = ?", (self._site,))  # noqa: S608
        self._connection.commit()
        self._batch = None
        self._written.clear()

    # -- out

    def get(self, id: str, version: int | None = None) -> Stored | None:
        """A document, as its latest version says it or as this one does."""
        if version is None:
            row = self._one(f"SELECT {_STORED} {_LATEST} WHERE d.id = ?", id)
        else:
            join = "FROM documents d JOIN versions v ON v.document = d.number"
            row = self._one(f"SELECT {_STORED} {join} WHERE d.id = ? AND v.number = ?", id, version)
        return _stored(row) if row else None

    def by_url(self, url: str) -> Stored | None:
        """The document that was ever found under an address, or gave it as its own."""
        row = self._one(f"SELECT {_STORED} {_LATEST} WHERE d.number = ({_BY_ADDRESS})", self._site, key_of(url))
        return _stored(row) if row else None

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
            yield from map(_stored, self._all(select, self._site, first, rows[-1][0], *values))
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

    def _row(self, id: str) -> _Row | None:
        row = self._one("SELECT number, latest, latest_at, digest, versions FROM documents WHERE id = ?", id)
        return _Row(row[0], row[1], row[2], bytes(row[3]), row[4]) if row else None

    def _new_document(self, document: Document, pack: Packed, at: str) -> int:
        insert = (
            "INSERT INTO documents(id, site, day, first_seen, last_seen, latest, latest_at, digest, versions, batch)"
            " VALUES (?, ?, ?, ?, ?, 1, ?, ?, 1, ?) RETURNING number"
        )
        values = (document.id, self._site, _day(document, at), at, at, at, pack.digest, self.batch + 1)
        return int(self._one(insert, *values)[0])

    def _keep_addresses(self, number: int, document: Document, found_at: Sequence[str]) -> None:
        """Know the document by its addresses; one of its own is not taken from it by another's redirect."""
        upsert = (
            "INSERT INTO addresses VALUES (?, ?, ?, ?, ?) ON CONFLICT(site, key) DO UPDATE SET"
            " document = excluded.document, own = excluded.own WHERE excluded.own > addresses.own"
            " OR excluded.own = addresses.own AND excluded.document <> addresses.document"
        )
        own = addresses(document)
        rows = [
            (self._site, key_of(url), _writable(url), number, int(url in own)) for url in addresses(document, found_at)
        ]
        self._connection.executemany(upsert, list({row[1]: row for row in reversed(rows)}.values()))

    def _keep_version(
        self, number: int, version: int, document: Document, pack: Packed, told: tuple[str, str, str]
    ) -> None:
        insert = "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        source = (document.record_id, document.site_digest, document.made_by)
        values = (number, version, *told, *source, self.batch + 1, pack.digest, pack.content)
        self._connection.execute(insert, values)
        self._written.append((number, version))

    def _make_latest(self, number: int, version: int, at: str, digest: bytes, document: Document) -> None:
        self._connection.execute(
            "UPDATE documents SET latest = ?, latest_at = ?, digest = ?, day = ?, batch = ? WHERE number = ?",
            (version, at, digest, _day(document, at), self.batch + 1, number),
        )

    def _before(self, row: _Row, at: str, pack: Packed, cause: str) -> tuple[int | None, bool]:
        """The version in force at a time, and whether it says the same beyond doubt."""
        if at >= row.latest_at:
            version, digest = row.latest, row.digest
        else:
            query = "SELECT number, digest FROM versions WHERE document = ? AND seen <= ?"
            found = self._one(f"{query} ORDER BY seen DESC, number DESC LIMIT 1", row.number, at)
            if found is None:
                return None, False
            version, digest = found[0], bytes(found[1])
        # The digest leaves `modified` out, which counts when it is not a visit that found it.
        return version, digest == pack.digest and cause == "crawl"

    def _top(self, number: int) -> int:
        return int(self._one("SELECT coalesce(max(number), 0) FROM versions WHERE document = ?", number)[0])

    def _document(self, number: int, version: int) -> Document:
        query = "SELECT content FROM versions WHERE document = ? AND number = ?"
        return unpacked(bytes(self._one(query, number, version)[0]))

    def _settle(self, number: int) -> None:
        """Make the newest version that is left the latest, or forget a document that has none."""
        query = (
            "SELECT number, seen, digest, content, (SELECT count(*) FROM versions WHERE document = ?),"
            " (SELECT max(batch) FROM versions WHERE document = ?)"
            " FROM versions WHERE document = ? ORDER BY seen DESC, number DESC LIMIT 1"
        )
        row = self._one(query, number, number, number)
        if row is None:
            self._connection.execute("DELETE FROM addresses WHERE document = ?", (number,))
            self._connection.execute("DELETE FROM documents WHERE number = ?", (number,))
            return
        version, at, digest, content, versions, batch = row
        self._make_latest(number, version, at, bytes(digest), unpacked(bytes(content)))
        update = "UPDATE documents SET versions = ?, batch = ? WHERE number = ?"
        self._connection.execute(update, (versions, batch, number))

    def _one(self, query: str, *values: object) -> Any:
        return next(iter(self._all(query, *values)), None)

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._connection.execute(query, values).fetchall()


_TOUCH = (
    "UPDATE documents SET last_seen = CASE WHEN last_seen < ? THEN ? ELSE last_seen END,"
    " first_seen = CASE WHEN first_seen > ? THEN ? ELSE first_seen END,"
    " status = CASE WHEN withdrawn < ? THEN NULL ELSE status END,"
    " withdrawn = CASE WHEN withdrawn < ? THEN NULL ELSE withdrawn END"
)
_BY_ADDRESS = "SELECT document FROM addresses WHERE site = ? AND key = ?"


def _conditions(since: date | None, until: date | None, withdrawn: bool, rewritten: bool) -> tuple[str, list[str]]:
    """What chooses documents, and its values."""
    found = [("d.day >= ?", since), ("d.day <= ?", until)]
    chosen = [f" AND {condition}" for condition, day in found if day is not None]
    chosen += [] if withdrawn else [" AND d.withdrawn IS NULL"]
    chosen += [" AND (d.versions > 1 OR d.withdrawn IS NOT NULL)"] if rewritten else []
    return "".join(chosen), [day.isoformat() for _, day in found if day is not None]


def _stored(row: Sequence[Any]) -> Stored:
    content, *version = row[:8]
    versions, first_seen, last_seen, withdrawn, status = row[8:13]
    told = _version(version)
    return Stored(
        document=replace(unpacked(bytes(content)), version=told.number),
        version=told,
        versions=versions,
        first_seen=moment_of(first_seen),
        last_seen=moment_of(last_seen),
        withdrawn=moment_of(withdrawn) if withdrawn else None,
        status=status,
    )


def _version(row: Sequence[Any]) -> Version:
    number, at, cause, changed, record_id, site_digest, made_by = row
    return Version(number, moment_of(at), cause, tuple(changed.split()), record_id, site_digest, made_by)


def _day(document: Document, at: str) -> str:
    """The day that a document is of."""
    return (document.published or at)[:10]


def _writable(text: str) -> str:
    """A text without what a database cannot hold: lone surrogates and zeros."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
