"""The index of duplicates: one SQLite file, with postings beside it, that all crawls of a corpus share.

Entries that were added are written by `commit()`, which the crawl calls together with its other writing; until
then only their own process sees them. Two crawls that meet one text within that half second both keep it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from corpusbot.addresses import canonical
from corpusbot.dedup.entry import Entry, Known, Match
from corpusbot.dedup.facts import Facts
from corpusbot.dedup.grams import Hashes
from corpusbot.dedup.judging import Judging
from corpusbot.dedup.likeness import (
    MOST_TWINS,
    RECURRING,
    TWIN,
    candidates,
    counts_of,
    own_keys,
    similarity,
)
from corpusbot.dedup.names import ADDRESS, CHECKSUM, ID, names_of
from corpusbot.dedup.numbers import Numbers
from corpusbot.dedup.postings import Hits, Postings
from corpusbot.dedup.repeats import Repeat, Repeats
from corpusbot.dedup.rows import ENTRY, entry_of_row, row_of
from corpusbot.dedup.search import USUAL, Search
from corpusbot.dedup.simhash import distance as bits_apart
from corpusbot.dedup.tables import DuplicateIndexError, clear_errors, folder_of, opened, transaction

__all__ = ["DuplicateIndex", "DuplicateIndexError", "Search"]

ROWS_AT_ONCE = 1_000
_COLUMNS = f"number, {ENTRY}, counts"
# What is added again is the same document, perhaps with another text.
_WRITE = f"INSERT OR REPLACE INTO documents({_COLUMNS}, keys, batch) VALUES ({', '.join('?' * 14)})"  # noqa: S608


class _Look(NamedTuple):
    """What was found of a document: by its runs of words, and by its names."""

    entry: Entry
    hits: Hits
    names: Hashes
    found: tuple[list[Known], ...]

    @property
    def before(self) -> Known | None:
        """The document as it is known."""
        return next((known for known in self.found[ID] if known.entry.id == self.entry.id), None)

    def named(self, name: int, search: Search) -> list[Entry]:
        """The documents that may have the same name, of the newspapers that count."""
        found = (known.entry for known in self.found[name])
        return [known for known in found if search.across or known.site == self.entry.site]


class DuplicateIndex:
    """All documents of a corpus, by address, checksum and runs of words."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._unwritten: dict[int, Known] = {}
        self._unsettled: set[str] = set()
        self._connection = opened(self._path)
        self._last_look: _Look | None = None
        self._last_own: tuple[Entry | None, Hashes] = (None, np.zeros(0, np.uint64))
        self._numbers = Numbers(self._connection)
        self._repeats = Repeats(self._connection, self._numbers)
        self._learnt: set[int] = set()
        self._postings = Postings(self._connection, folder_of(self._path))
        self._judging = Judging(self._postings, self._numbers, self._keys_of, self._is_learnt)

    def find(self, entry: Entry, search: Search = USUAL) -> Match | None:
        """The document that makes this one superfluous, if any; a document is never its own duplicate."""
        look = self._look(entry)
        return self._same_page(look, search) or self._exact(look, search) or self._near(look, search)

    def similar(self, entry: Entry, search: Search = USUAL) -> list[tuple[Entry, float]]:
        """All documents that share enough with this one, and how much of the shorter text that is."""
        return self._similar(self._look(entry), search)

    def entries(self) -> Iterator[Entry]:
        """All articles that were written, with their whole samples of keys; none of those that schema 2 held.

        First come the documents, then what was dropped because it repeats one.

        Meanwhile nobody is kept from writing; what is written meanwhile may be among them.
        """
        last = 0
        query = f"SELECT {_COLUMNS}, keys FROM documents WHERE number > ? ORDER BY number LIMIT {ROWS_AT_ONCE}"  # noqa: S608
        while True:
            with clear_errors(self._path):
                rows = self._connection.execute(query, (last,)).fetchall()
            for number, *row, _, keys in rows:
                yield entry_of_row(row, self._numbers, keys)
                last = number
            if not rows:
                break
        yield from self._repeats.dropped()

    def repeats(self) -> Iterator[Repeat]:
        """What was written of articles that repeat something, whether they became documents or not."""
        return self._repeats.all()

    def repeats_of(self, ids: Iterable[str]) -> Iterator[Repeat]:
        """What was written of articles that repeat these documents and became none."""
        return self._repeats.dropped_of(ids)

    def named(self, name: str) -> Entry | None:
        """The document of this id or address, with its keys, or else the article that was dropped; None if unknown."""
        keys = names_of(name, canonical(name), "")[[ID, ADDRESS]]
        with clear_errors(self._path):
            hits = self._postings.find(keys).without(self._numbers.forgotten)
            for known in self._known(hits.documents.tolist()):
                if name in (known.entry.id, known.entry.url) or canonical(name) == known.entry.address:
                    fingerprint = replace(known.entry.fingerprint, keys=self._keys_of(known.number).tobytes())
                    return replace(known.entry, fingerprint=fingerprint)
            return self._repeats.named(name)

    def holds(self, entry: Entry) -> bool:
        """Whether this very document is known, with these very words: a visit found it unchanged."""
        before = self._look(entry).before
        return before is not None and before.entry.checksum == entry.checksum

    def former(self, entry: Entry) -> float | None:
        """How much of the shorter text a document has kept that is known with other words; None if there is none."""
        before = self._look(entry).before
        if before is None or before.entry.checksum == entry.checksum:
            return None
        keys = self._keys_of(before.number).tobytes()
        return similarity(entry.fingerprint, replace(before.entry.fingerprint, keys=keys))

    def add(self, entry: Entry, settled: bool = True) -> None:
        """Remember a document; adding it again changes nothing but its text. One not settled is not written yet."""
        look = self._look(entry)
        before = look.before
        with clear_errors(self._path):
            number = before.number if before else self._numbers.next_document()
            site = self._numbers.of_site(entry.site)
        own, print_of = self._own_keys(look), entry.fingerprint
        first_seen = before.entry.first_seen if before else entry.first_seen
        facts = Facts(site, print_of.step, counts_of(own), print_of.simhash)
        self._unwritten[number] = Known(number, replace(entry, first_seen=first_seen), facts.counts)
        self._postings.add(np.concatenate((own, look.names)), number, facts)
        self._last_look = None
        if not settled:
            self._unsettled.add(entry.id)

    def note(self, repeat: Repeat, settled: bool = True) -> None:
        """Remember what became of an article that repeats a document; what is dropped is remembered here alone.

        Its keys are held none the less, lest a newspaper's boilerplate is never learnt because its pages are dropped
        for it: all of its own, or of another newspaper's copy those that are not the first one's.
        """
        entry = repeat.entry
        with clear_errors(self._path):
            before = self._look(entry).before if repeat.kept else None
            number = before.number if before else self._repeats.number_of(entry) or self._numbers.next_document()
            self._repeats.unwritten[number] = repeat
            if not repeat.kept and repeat.kind != "same_page":
                site, own = self._numbers.of_site(entry.site), self._keys_beside(repeat)
                facts = Facts(site, entry.fingerprint.step, counts_of(own), entry.fingerprint.simhash)
                self._postings.add(own, number, facts)
        self._last_look = None
        if not settled:
            self._unsettled.add(entry.url)

    def settle(self, *names: str) -> None:
        """A document of this id is part of the corpus, or the repeat at this address done with: it may be written."""
        self._unsettled.difference_update(names)

    @property
    def is_ready(self) -> bool:
        """Whether a commit would write anything."""
        ids = (known.entry.id for known in self._unwritten.values())
        urls = (repeat.entry.url for repeat in self._repeats.unwritten.values())
        return any(name not in self._unsettled for name in (*ids, *urls))

    def commit(self, batch: int = 0) -> None:
        """Write what is settled, as one batch: who numbers them can cut off those that should not have been."""
        if not self.is_ready:
            return
        settled = {number: known for number, known in self._unwritten.items() if known.entry.id not in self._unsettled}
        noted = [number for number, one in self._repeats.unwritten.items() if one.entry.url not in self._unsettled]
        with clear_errors(self._path):
            with transaction(self._connection):
                self._connection.executemany(_WRITE, [(*self._row(known), batch) for known in settled.values()])
                self._repeats.withdraw(known.entry for known in settled.values())
                self._repeats.write(noted, batch)
                self._postings.write({*settled, *noted})
                if self._postings.needs_rest():
                    self._postings.rest()
                has_merged = self._postings.adopt()
            self._clear(has_merged)
            self._postings.tend()
        for number in settled:
            del self._unwritten[number]
        for number in noted:
            del self._repeats.unwritten[number]
        self._last_look = None

    def cut(self, site: str, batch: int) -> None:
        """Forget what a newspaper's later batches wrote: its crawl died before it could stand by them."""
        with clear_errors(self._path), transaction(self._connection):
            self._forget("site = ? AND batch > ?", (self._numbers.of_site(site), batch))

    def forget_site(self, site: str) -> None:
        """Forget all documents of a newspaper, as when its corpus is written anew."""
        with clear_errors(self._path), transaction(self._connection):
            self._forget("site = ?", (self._numbers.of_site(site),))
            self._numbers.forget_site(site)
        for number in [number for number, known in self._unwritten.items() if known.entry.site == site]:
            del self._unwritten[number]
            self._postings.forget(number)
        for number in [number for number, one in self._repeats.unwritten.items() if one.entry.site == site]:
            del self._repeats.unwritten[number]
            self._postings.forget(number)
        self._learnt.clear()

    def __len__(self) -> int:
        written: int = self._connection.execute("SELECT count(*) FROM documents").fetchone()[0]
        marks = ", ".join("?" * len(self._unwritten))
        query = f"SELECT count(*) FROM documents WHERE number IN ({marks})"  # noqa: S608
        both: int = self._connection.execute(query, list(self._unwritten)).fetchone()[0]
        return written + len(self._unwritten) - both

    def close(self) -> None:
        """Let go of the file; what was not committed is forgotten."""
        try:
            if self._postings.finish():
                with clear_errors(self._path):
                    with transaction(self._connection):
                        self._postings.adopt()
                    self._clear(True)
        finally:
            self._postings.close()
            self._connection.close()

    def __enter__(self) -> DuplicateIndex:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        self.close()

    def _same_page(self, look: _Look, search: Search) -> Match | None:
        entry = look.entry
        found = [
            known
            for known in look.named(ADDRESS, search)
            # The very page, fetched again or processed again after a crash.
            if known.address == entry.address and (known.id != entry.id or known.url != entry.url)
        ]
        return _match("same_page", entry, [(known, 1.0) for known in found])

    def _exact(self, look: _Look, search: Search) -> Match | None:
        entry = look.entry
        found = [
            known for known in look.named(CHECKSUM, search) if known.checksum == entry.checksum and known.id != entry.id
        ]
        return _match("exact_duplicate", entry, [(known, 1.0) for known in found])

    def _near(self, look: _Look, search: Search) -> Match | None:
        return _match("near_duplicate", look.entry, self._similar(look, search))

    def _similar(self, look: _Look, search: Search) -> list[tuple[Entry, float]]:
        entry, site = look.entry, self._numbers.known_site(look.entry.site)
        own, hits = own_keys(entry.keys, site, look.hits)
        with clear_errors(self._path):
            likes = self._judging.likes(entry, own, hits if search.across else hits.of(site), search)
        known = [(one, likes[one.number]) for one in self._known(likes) if one.entry.id != entry.id]
        self._last_own = (entry, own[:0] if self._is_twin(entry, site, known) else own)
        return [(one.entry, like) for one, like in known]

    def _own_keys(self, look: _Look) -> Hashes:
        """The keys to be held: none of a text that its newspaper has printed before."""
        if self._last_own[0] is not look.entry:
            self._similar(look, USUAL)
        return self._last_own[1]

    def _look(self, entry: Entry) -> _Look:
        """All that shares a key with a document, less what newspapers had that were forgotten."""
        last = self._last_look
        if last is not None and last.entry is entry and not self._postings.has_changed():
            return last
        keys, names = entry.keys, names_of(entry.id, entry.address, entry.checksum)
        number = len(keys)
        with clear_errors(self._path):
            hits = self._postings.find(np.concatenate((keys, names))).without(self._numbers.forgotten)
        by_name: list[list[int]] = [[], [], []]
        if len(hits.places):
            is_name = hits.places >= number
            for place, document in zip(hits.places[is_name].tolist(), hits.documents[is_name].tolist(), strict=True):
                by_name[place - number].append(document)
            hits = hits.where(~is_name)
        self._last_look = _Look(entry, hits, names, tuple(self._known(one) for one in by_name))
        return self._last_look

    def _keys_of(self, number: int) -> Hashes:
        """The whole sample of a document; none if it was dropped, or if an earlier schema held it."""
        if number in self._unwritten:
            return self._unwritten[number].entry.keys
        with clear_errors(self._path):
            query = "SELECT keys FROM documents WHERE number = ? AND keys IS NOT NULL"
            row = self._connection.execute(query, (number,)).fetchone()
        return np.frombuffer(row[0] if row else b"", np.uint64)

    def _is_learnt(self, site: int) -> bool:
        """Whether a newspaper has so many documents that its boilerplate shows."""
        if site not in self._learnt:
            name = self._numbers.name_of(site)
            number = sum(entry.site == name for entry in self._waiting())
            for table in ("documents", "repeats"):
                query = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE site = ? LIMIT {RECURRING})"  # noqa: S608
                with clear_errors(self._path):
                    number += self._connection.execute(query, (site,)).fetchone()[0]
            if number >= RECURRING:
                self._learnt.add(site)
        return site in self._learnt

    def _is_twin(self, entry: Entry, site: int, found: Iterable[tuple[Known, float]]) -> bool:
        """Whether the newspaper has printed the text before; too often, and it is no text but boilerplate."""
        twins = [one.entry for one, like in found if one.entry.site == entry.site and like >= TWIN]
        return bool(twins) and self._is_learnt(site) and all(self._repeats.twins_of(one) < MOST_TWINS for one in twins)

    def _keys_beside(self, repeat: Repeat) -> Hashes:
        """The own keys of an article, less those of the document that it repeats, if that is another newspaper's."""
        look = self._look(repeat.entry)
        own = self._own_keys(look)
        if repeat.first_site != look.entry.site:
            shared = dict(candidates(look.hits))
            for known in self._known(shared):
                if known.entry.id == repeat.first:
                    own = own[~np.isin(own, look.entry.keys[shared[known.number]])]
        return own

    def _waiting(self) -> Iterator[Entry]:
        """What is not written yet."""
        yield from (known.entry for known in self._unwritten.values())
        yield from (repeat.entry for repeat in self._repeats.unwritten.values())

    def _known(self, numbers: Collection[int]) -> list[Known]:
        """The documents of these numbers: those not written yet, and those in the file that did not change."""
        if not numbers:
            return []
        found = [self._unwritten[number] for number in numbers if number in self._unwritten]
        wanted = [number for number in numbers if number not in self._unwritten]
        if not wanted:
            return found
        query = f"SELECT {_COLUMNS} FROM documents WHERE number IN ({', '.join('?' * len(wanted))})"  # noqa: S608
        with clear_errors(self._path):
            rows = self._connection.execute(query, wanted).fetchall()
        return found + [
            Known(number, entry_of_row(row, self._numbers), tuple(map(int, counts.split())))
            for number, *row, counts in rows
        ]

    def _clear(self, has_merged: bool) -> None:
        """Take away what was merged: only after the commit do no lists need it, whatever happens."""
        if has_merged:
            with transaction(self._connection):
                self._postings.clear()

    def _forget(self, condition: str, values: tuple[Any, ...]) -> None:
        """Forget documents in the file, with what is new of their postings; the rest of these hits nothing."""
        for table in ("documents", "repeats"):
            self._connection.execute(
                f"DELETE FROM fresh WHERE document IN (SELECT number FROM {table} WHERE {condition})", values  # noqa: S608
            )
        for table in ("documents", "repeats"):
            self._connection.execute(f"DELETE FROM {table} WHERE {condition}", values)  # noqa: S608

    def _row(self, known: Known) -> tuple[Any, ...]:
        entry = known.entry
        row = row_of(entry, self._numbers.of_site(entry.site))
        return (known.number, *row, " ".join(map(str, known.counts)), entry.fingerprint.keys)


def _match(kind: str, entry: Entry, found: Iterable[tuple[Entry, float]]) -> Match | None:
    """The match with the oldest of the documents found."""
    known, similarity = min(found, key=lambda one: (one[0].dated, one[0].id), default=(None, 0.0))
    if known is None:
        return None
    apart = bits_apart(entry.fingerprint.simhash, known.fingerprint.simhash)
    return Match(kind, known, similarity, apart, known.dated <= entry.dated)
