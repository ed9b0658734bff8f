"""The index of duplicates: one SQLite file that all crawls of a corpus share, also at the same time.

Entries that were added are written by `commit()`, which the crawl calls together with its other writing; until
then only their own process sees them. Two crawls that meet one text within that half second both keep it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from corpusbot.dedup.blocks import BLOCKS, GREATEST_DISTANCE, blocks_of, neighbours
from corpusbot.dedup.entry import Entry, Match
from corpusbot.dedup.simhash import distance as bits_apart
from corpusbot.dedup.tables import BLOCK_COLUMNS, COLUMNS, DuplicateIndexError, clear_errors, opened

__all__ = ["DuplicateIndex", "DuplicateIndexError", "Search"]


NEAR_DISTANCE = 6  # see docs/explanation and simhash.py for what it finds
_ALL_COLUMNS = (*COLUMNS.split(", "), *BLOCK_COLUMNS, "batch")
# What is added again is the same document, perhaps with another text; when it was first seen does not change.
_WRITE = (
    f"INSERT INTO documents({', '.join(_ALL_COLUMNS)}) VALUES ({', '.join('?' * len(_ALL_COLUMNS))}) "  # noqa: S608
    "ON CONFLICT(id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _ALL_COLUMNS if name not in ("id", "first_seen"))
)


@dataclass(frozen=True, slots=True)
class Search:
    """How to look: how many of the 64 bits may differ, and whether other newspapers count."""

    distance: int = NEAR_DISTANCE
    across: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.distance <= GREATEST_DISTANCE:
            raise ValueError(f"distance: 0 to {GREATEST_DISTANCE} bits are wanted, not {self.distance}")


class DuplicateIndex:
    """All documents of a corpus, by address, checksum and simhash."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._unwritten: dict[str, Entry] = {}
        self._unsettled: set[str] = set()
        self._connection = opened(self._path)

    def find(self, entry: Entry, search: Search = Search()) -> Match | None:
        """The document that makes this one superfluous, if any; a document is never its own duplicate."""
        return self._same_page(entry, search) or self._exact(entry, search) or self._near(entry, search)

    def holds(self, entry: Entry) -> bool:
        """Whether this very document is known, with these very words: a visit found it unchanged."""
        known = self._unwritten.get(entry.id) or next(iter(self._written("id", [entry.id])), None)
        return known is not None and known.checksum == entry.checksum

    def add(self, entry: Entry, settled: bool = True) -> None:
        """Remember a document; adding it again changes nothing but its text. One not settled is not written yet."""
        self._unwritten[entry.id] = entry
        if not settled:
            self._unsettled.add(entry.id)

    def settle(self, id: str) -> None:
        """A document is part of the corpus: the next commit writes its entry."""
        self._unsettled.discard(id)

    @property
    def is_ready(self) -> bool:
        """Whether a commit would write anything."""
        return len(self._unwritten) > len(self._unsettled)

    def commit(self, batch: int = 0) -> None:
        """Write what is settled, as one batch: who numbers them can cut off those that should not have been."""
        settled = {id: entry for id, entry in self._unwritten.items() if id not in self._unsettled}
        if not settled:
            return
        rows = [(*_row(entry), batch) for entry in settled.values()]
        with clear_errors(self._path), self._transaction():
            self._connection.executemany(_WRITE, rows)
        self._unwritten = {id: entry for id, entry in self._unwritten.items() if id in self._unsettled}

    def cut(self, site: str, batch: int) -> None:
        """Forget what a newspaper's later batches wrote: its crawl died before it could stand by them."""
        with clear_errors(self._path), self._transaction():
            self._connection.execute("DELETE FROM documents WHERE site = ? AND batch > ?", (site, batch))

    def forget_site(self, site: str) -> None:
        """Forget all documents of a newspaper, as when its corpus is written anew."""
        with clear_errors(self._path), self._transaction():
            self._connection.execute("DELETE FROM documents WHERE site = ?", (site,))
        self._unwritten = {id: entry for id, entry in self._unwritten.items() if entry.site != site}

    def __len__(self) -> int:
        written = {id for (id,) in self._connection.execute("SELECT id FROM documents")}
        return len(written | self._unwritten.keys())

    def close(self) -> None:
        """Let go of the file; what was not committed is forgotten."""
        self._connection.close()

    def __enter__(self) -> DuplicateIndex:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        self.close()

    def _same_page(self, entry: Entry, search: Search) -> Match | None:
        found = [
            known
            for known in self._others(entry, search, "address", entry.address)
            # The very page, fetched again or processed again after a crash.
            if known.id != entry.id or known.url != entry.url
        ]
        return _match("same_page", entry, found)

    def _exact(self, entry: Entry, search: Search) -> Match | None:
        found = self._others(entry, search, "checksum", entry.checksum)
        return _match("exact_duplicate", entry, (known for known in found if known.id != entry.id))

    def _near(self, entry: Entry, search: Search) -> Match | None:
        if entry.simhash is None:
            return None
        near = [
            (bits_apart(entry.simhash, known.simhash), known)
            for known in self._candidates(entry, search)
            if known.simhash is not None and known.id != entry.id and known.is_as_long_as(entry.words)
        ]
        least = min((apart for apart, _ in near), default=search.distance + 1)
        if least > search.distance:
            return None
        return _match("near_duplicate", entry, (known for apart, known in near if apart == least), least)

    def _candidates(self, entry: Entry, search: Search) -> Iterator[Entry]:
        """All that is not written yet, and the written ones that share a block or nearly so."""
        yield from (known for known in self._unwritten.values() if search.across or known.site == entry.site)
        seen: set[str] = set()
        for column, block in zip(BLOCK_COLUMNS, blocks_of(entry.simhash or 0), strict=True):
            for known in self._written(column, neighbours(block, search.distance)):
                if known.id not in seen and (search.across or known.site == entry.site):
                    seen.add(known.id)
                    yield known

    def _others(self, entry: Entry, search: Search, column: str, value: str) -> list[Entry]:
        """The documents with this value, written or not, of the newspapers that count."""
        unwritten = (known for known in self._unwritten.values() if getattr(known, column) == value)
        found = [*unwritten, *self._written(column, [value])]
        return [known for known in found if search.across or known.site == entry.site]

    def _written(self, column: str, values: Iterable[object]) -> list[Entry]:
        """The documents in the file with one of these values, less those that have changed since."""
        wanted = list(values)
        query = f"SELECT {COLUMNS} FROM documents WHERE {column} IN ({', '.join('?' * len(wanted))})"  # noqa: S608
        with clear_errors(self._path):
            rows = self._connection.execute(query, wanted).fetchall()
        return [_entry(row) for row in rows if row[0] not in self._unwritten]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _match(kind: str, entry: Entry, found: Iterable[Entry], apart: int = 0) -> Match | None:
    """The match with the oldest of the documents found."""
    known = min(found, key=lambda one: (one.dated, one.id), default=None)
    return Match(kind, known, apart, known.dated <= entry.dated) if known else None


def _row(entry: Entry) -> tuple[Any, ...]:
    simhash = entry.simhash
    return (
        entry.id,
        entry.site,
        entry.url,
        entry.address,
        entry.checksum,
        # SQLite's integers have a sign.
        simhash if simhash is None or simhash < 1 << 63 else simhash - (1 << 64),
        entry.words,
        entry.published.isoformat() if entry.published else None,
        entry.first_seen.isoformat(),
        *((None,) * BLOCKS if simhash is None else blocks_of(simhash)),
    )


def _entry(row: tuple[Any, ...]) -> Entry:
    id, site, url, address, checksum, simhash, words, published, first_seen = row
    return Entry(
        id=id,
        site=site,
        url=url,
        address=address,
        checksum=checksum,
        simhash=None if simhash is None else simhash % (1 << 64),
        words=words,
        published=datetime.fromisoformat(published) if published else None,
        first_seen=datetime.fromisoformat(first_seen),
    )
