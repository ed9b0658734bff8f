"""The index of duplicates: one SQLite file, with postings beside it, that all crawls of a corpus share.

Entries that were added are written by `commit()`, which the crawl calls together with its other writing; until
then only their own process sees them. Two crawls that meet one text within that half second both keep it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from corpusbot.dedup.entry import Entry, Known, Match
from corpusbot.dedup.grams import Hashes
from corpusbot.dedup.likeness import TWIN, Sample, candidates, containment, counts_of, own_keys
from corpusbot.dedup.numbers import Numbers
from corpusbot.dedup.postings import Hits, Postings
from corpusbot.dedup.simhash import distance as bits_apart
from corpusbot.dedup.tables import DuplicateIndexError, clear_errors, opened
from corpusbot.model import Fingerprint

__all__ = ["DuplicateIndex", "DuplicateIndexError", "Search"]

NEAR_DISTANCE = 6
NEAR_CONTAINMENT = 0.5
NEARLY = 0.8
_COLUMNS = "number, id, site, url, address, checksum, simhash, words, step, counts, published, first_seen"
# What is added again is the same document, perhaps with another text.
_WRITE = (
    f"INSERT INTO documents({_COLUMNS}, batch) VALUES ({', '.join('?' * 13)}) ON CONFLICT(number) DO UPDATE SET "  # noqa: S608
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[3:])
    + ", batch = excluded.batch"
)


@dataclass(frozen=True, slots=True)
class Search:
    """How to look: what share of a text must be in the other, or how many bits may differ; if others count."""

    distance: int = NEAR_DISTANCE
    containment: float = NEAR_CONTAINMENT
    across: bool = True

    def is_near(self, similarity: float, one: Entry, other: Entry) -> bool:
        """Whether two documents that share so much are near-duplicates; simhashes decide where it is nearly enough."""
        if similarity >= self.containment:
            return True
        apart = bits_apart(one.fingerprint.simhash, other.fingerprint.simhash)
        return apart <= self.distance and similarity >= self.containment * NEARLY


class DuplicateIndex:
    """All documents of a corpus, by address, checksum and runs of words."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._unwritten: dict[str, Known] = {}
        self._unsettled: set[str] = set()
        self._connection = opened(self._path)
        self._last: tuple[Entry | None, Hashes] = (None, np.zeros(0, np.uint64))
        self._numbers = Numbers(self._connection)
        self._postings = Postings(self._connection, self._path.with_suffix(".postings"))

    def find(self, entry: Entry, search: Search = Search()) -> Match | None:
        """The document that makes this one superfluous, if any; a document is never its own duplicate."""
        return self._same_page(entry, search) or self._exact(entry, search) or self._near(entry, search)

    def similar(self, entry: Entry, search: Search = Search()) -> list[tuple[Entry, float]]:
        """All documents that share enough with this one, and how much of the shorter text that is."""
        with clear_errors(self._path):
            site = self._numbers.of_site(entry.site)
        own, hits = own_keys(entry.keys, site, self._hits(entry.keys))
        sample = Sample(own, entry.fingerprint.step)
        shared = {number: entry.keys[places] for number, places in candidates(hits if search.across else hits.of(site))}
        found = []
        for known in self._known("number", shared):
            like = containment(sample, shared[known.number], known)
            if known.entry.id != entry.id and search.is_near(like, entry, known.entry):
                found.append((known.entry, like))
        is_twin = any(known.site == entry.site and like >= TWIN for known, like in found)
        self._last = (entry, own[:0] if is_twin else own)
        return found

    def holds(self, entry: Entry) -> bool:
        """Whether this very document is known, with these very words: a visit found it unchanged."""
        return any(known.entry.checksum == entry.checksum for known in self._known("id", [entry.id]))

    def add(self, entry: Entry, settled: bool = True) -> None:
        """Remember a document; adding it again changes nothing but its text. One not settled is not written yet."""
        before = next(iter(self._known("id", [entry.id])), None)
        with clear_errors(self._path):
            number = before.number if before else self._numbers.next_document()
            site = self._numbers.of_site(entry.site)
        own = self._own_keys(entry)
        first_seen = before.entry.first_seen if before else entry.first_seen
        self._unwritten[entry.id] = Known(number, replace(entry, first_seen=first_seen), counts_of(own))
        self._postings.add(own, site, number)
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
        settled = {id: known for id, known in self._unwritten.items() if id not in self._unsettled}
        if not settled:
            return
        with clear_errors(self._path), self._transaction():
            self._connection.executemany(_WRITE, [(*self._row(known), batch) for known in settled.values()])
            self._postings.write(known.number for known in settled.values())
            rests = self._postings.needs_rest()
            if rests:
                self._postings.rest()
        if rests:  # only now are the files that were merged needed by no list, whatever happens
            with clear_errors(self._path), self._transaction():
                self._postings.clear()
        self._unwritten = {id: known for id, known in self._unwritten.items() if id in self._unsettled}

    def cut(self, site: str, batch: int) -> None:
        """Forget what a newspaper's later batches wrote: its crawl died before it could stand by them."""
        with clear_errors(self._path), self._transaction():
            self._forget("site = ? AND batch > ?", (self._numbers.of_site(site), batch))

    def forget_site(self, site: str) -> None:
        """Forget all documents of a newspaper, as when its corpus is written anew."""
        with clear_errors(self._path), self._transaction():
            self._forget("site = ?", (self._numbers.of_site(site),))
            self._numbers.forget_site(site)
        for id in [id for id, known in self._unwritten.items() if known.entry.site == site]:
            self._postings.forget(self._unwritten.pop(id).number)

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
            known.entry
            for known in self._others(entry, search, "address", entry.address)
            # The very page, fetched again or processed again after a crash.
            if known.entry.id != entry.id or known.entry.url != entry.url
        ]
        return _match("same_page", entry, [(known, 1.0) for known in found])

    def _exact(self, entry: Entry, search: Search) -> Match | None:
        found = self._others(entry, search, "checksum", entry.checksum)
        return _match("exact_duplicate", entry, [(known.entry, 1.0) for known in found if known.entry.id != entry.id])

    def _near(self, entry: Entry, search: Search) -> Match | None:
        return _match("near_duplicate", entry, self.similar(entry, search))

    def _own_keys(self, entry: Entry) -> Hashes:
        """The keys to be held: none of a text that its newspaper has printed before."""
        if self._last[0] is not entry:
            self.similar(entry)
        return self._last[1]

    def _hits(self, keys: Hashes) -> Hits:
        """The postings of some keys, less those of newspapers that were forgotten."""
        with clear_errors(self._path):
            return self._postings.find(keys).without(self._numbers.forgotten)

    def _others(self, entry: Entry, search: Search, column: str, value: str) -> list[Known]:
        """The documents with this value, written or not, of the newspapers that count."""
        return [
            known for known in self._known(column, [value]) if search.across or known.entry.site == entry.site
        ]

    def _known(self, column: str, values: Iterable[int | str]) -> list[Known]:
        """The documents with one of these values: those not written yet, and those in the file that did not change."""
        wanted = set(values)
        found = [known for known in self._unwritten.values() if _value(known, column) in wanted]
        query = f"SELECT {_COLUMNS} FROM documents WHERE {column} IN ({', '.join('?' * len(wanted))})"  # noqa: S608
        with clear_errors(self._path):
            rows = self._connection.execute(query, list(wanted)).fetchall()
        return found + [self._known_of(row) for row in rows if row[1] not in self._unwritten]

    def _forget(self, condition: str, values: tuple[Any, ...]) -> None:
        """Forget documents in the file, with what is new of their postings; the rest of these hits nothing."""
        self._connection.execute(
            f"DELETE FROM fresh WHERE document IN (SELECT number FROM documents WHERE {condition})", values  # noqa: S608
        )
        self._connection.execute(f"DELETE FROM documents WHERE {condition}", values)  # noqa: S608

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _row(self, known: Known) -> tuple[Any, ...]:
        entry, print_of = known.entry, known.entry.fingerprint
        return (
            known.number,
            entry.id,
            self._numbers.of_site(entry.site),
            entry.url,
            entry.address,
            entry.checksum,
            # SQLite's integers have a sign.
            print_of.simhash if print_of.simhash < 1 << 63 else print_of.simhash - (1 << 64),
            print_of.words,
            print_of.step,
            " ".join(map(str, known.counts)),
            entry.published.isoformat() if entry.published else None,
            entry.first_seen.isoformat(),
        )

    def _known_of(self, row: tuple[Any, ...]) -> Known:
        number, id, site, url, address, checksum, simhash, words, step, counts, published, first_seen = row
        entry = Entry(
            id=id,
            site=self._numbers.name_of(site),
            url=url,
            address=address,
            fingerprint=Fingerprint(checksum, simhash % (1 << 64), words, step=step),
            published=datetime.fromisoformat(published) if published else None,
            first_seen=datetime.fromisoformat(first_seen),
        )
        return Known(number, entry, tuple(map(int, counts.split())))


def _match(kind: str, entry: Entry, found: Iterable[tuple[Entry, float]]) -> Match | None:
    """The match with the oldest of the documents found."""
    known, similarity = min(found, key=lambda one: (one[0].dated, one[0].id), default=(None, 0.0))
    if known is None:
        return None
    apart = bits_apart(entry.fingerprint.simhash, known.fingerprint.simhash)
    return Match(kind, known, similarity, apart, known.dated <= entry.dated)


def _value(known: Known, column: str) -> object:
    """The value of a column of a document that is not written yet."""
    return known.number if column == "number" else getattr(known.entry, column)
