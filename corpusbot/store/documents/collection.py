"""The documents of one newspaper over a database: what a visit makes of them; every plug-in shares it.

Whatever is written goes into the one transaction that `commit` ends, so that what was written is read at once by
who wrote it, and by nobody else before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from corpusbot.addresses import key_of
from corpusbot.export.document import Document
from corpusbot.store.documents.content import Packed, addresses, changed_fields, packed
from corpusbot.store.documents.contract import (
    NEW,
    UNCHANGED,
    VERSION,
    Anchor,
    Written,
)
from corpusbot.store.documents.reading import BY_ADDRESS, Reading
from corpusbot.store.documents.tables import Connection, text_of

ANCHOR_CHARACTERS = 300  # a link around a whole teaser says no more about its target than the beginning does


@dataclass(frozen=True, slots=True)
class _Row:
    """A document as its row has it."""

    number: int
    latest: int
    latest_at: str
    digest: bytes
    versions: int


class Collection(Reading):
    """Documents, versions, addresses and anchors of one newspaper in a database."""

    def __init__(self, connection: Connection, site: str, name: str) -> None:
        super().__init__(connection, site, name)
        self._batch: int | None = None
        self._written: list[tuple[int, int]] = []

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
        touch = f"{_TOUCH} WHERE number = ({BY_ADDRESS}) RETURNING number"
        return self._one(touch, *values, self._site, key_of(url)) is not None

    def withdraw(self, url: str, at: datetime, status: int) -> bool:
        """The newspaper has taken back what stood at an address; whether a document is known by it."""
        update = f"UPDATE documents SET withdrawn = coalesce(withdrawn, ?), status = ? WHERE number = ({BY_ADDRESS})"  # noqa: S608
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
        return self._unpacked(self._one(query, number, version)[0], number)

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
        self._make_latest(number, version, at, bytes(digest), self._unpacked(content, number))
        update = "UPDATE documents SET versions = ?, batch = ? WHERE number = ?"
        self._connection.execute(update, (versions, batch, number))


_TOUCH = (
    "UPDATE documents SET last_seen = CASE WHEN last_seen < ? THEN ? ELSE last_seen END,"
    " first_seen = CASE WHEN first_seen > ? THEN ? ELSE first_seen END,"
    " status = CASE WHEN withdrawn < ? THEN NULL ELSE status END,"
    " withdrawn = CASE WHEN withdrawn < ? THEN NULL ELSE withdrawn END"
)


def _day(document: Document, at: str) -> str:
    """The day that a document is of."""
    return (document.published or at)[:10]


def _writable(text: str) -> str:
    """A text without what a database cannot hold: lone surrogates and zeros."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
