"""Which documents hold which keys: sorted files that are written once and merged, and a table of what is new.

A posting is a key and a document's number. New postings are in the index's SQLite file, a row for each document, in
the same transactions as the documents; each process holds them in memory. When they are many, they become a sorted
file, a segment (segments.py); when several segments are of one size, they become one that is larger (merging.py).
So each posting is written a handful of times, whatever the index holds, and a look-up asks a handful of segments.

The list of segments is a table as well, and a segment is on the disk before it is listed: a crash leaves at most a
file that no list names, which is taken away after the next merge.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.facts import Facts, FactsFile
from corpusbot.dedup.grams import Hashes
from corpusbot.dedup.merging import Merging
from corpusbot.dedup.segments import SUFFIX, Segment, stored_keys, written

SITE_BITS = 16
MOST_FRESH = 100_000  # keys in memory before their postings become a segment: some 12 MB, 1,000 documents
# Look-ups become slow before this: then a commit waits for what is being merged.
MOST_SEGMENTS = 40
SECONDS_TO_FINISH = 20.0  # for what is being merged when the index is closed; the next one begins it again
_ALL_SITES = (1 << SITE_BITS) - 1
_SUFFIXES = (SUFFIX, ".postings")  # the latter were those of an earlier schema


class Hits(NamedTuple):
    """Postings that were found: the places of their keys among those asked for, newspapers and documents."""

    places: NDArray[np.int64]
    sites: NDArray[np.int64]
    documents: NDArray[np.int64]

    def of(self, site: int) -> Hits:
        """Those of one newspaper."""
        return self.where(self.sites == site)

    def without(self, sites: Sequence[int]) -> Hits:
        """Those of other newspapers than these."""
        return self.where(~np.isin(self.sites, sites)) if sites else self

    def where(self, good: NDArray[np.bool_]) -> Hits:
        """Some of them."""
        return Hits(self.places[good], self.sites[good], self.documents[good])

    def once(self) -> Hits:
        """Each place and document once: the postings of a document that was written again may be there twice."""
        if len(self.places) < 2:
            return self
        codes = self.places << 32 | self.documents
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        if (codes[1:] != codes[:-1]).all():
            return self
        chosen = order[np.concatenate(([True], codes[1:] != codes[:-1]))]
        return Hits(*(column[chosen] for column in self))


NO_HITS = Hits(*(np.zeros(0, np.int64) for _ in range(3)))


class Postings:
    """The postings of an index: what is new, which is held in memory, and the segments in a folder beside it."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        self._segments: dict[str, Segment] = {}
        self._merging = Merging(folder)
        self._facts = FactsFile(folder / "facts.array")
        self._new_facts: dict[int, Facts] = {}
        self._unwritten: dict[int, Hashes] = {}
        # Document and newspaper as one number; a list of these for the few keys that several have.
        self._holders: dict[int, int | list[int]] = {}
        self._version = -1
        self._first_read: int | None = 0
        self._last_read = 0

    def find(self, keys: Hashes) -> Hits:
        """All postings of some keys."""
        self._look_again()
        wanted = stored_keys(keys)
        found = [self._new(wanted)]
        for segment in self._segments.values():
            places, documents = segment.find(wanted)
            if len(places):
                found.append(Hits(places, self._facts.sites(documents), documents))
        return found[0] if len(found) == 1 else Hits(*map(np.concatenate, zip(*found, strict=True))).once()

    def has_changed(self) -> bool:
        """Whether other processes have written since the last look."""
        version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version != self._version

    def facts_of(self, document: int) -> Facts | None:
        """The facts of a document that was found."""
        return self._new_facts.get(document) or self._facts.of(document)

    def are_short(self, documents: NDArray[np.int64], fewest: int) -> NDArray[np.bool_]:
        """Which of some documents may have fewer keys of the coarsest step than that."""
        new = [document in self._new_facts for document in documents.tolist()]
        return (self._facts.fewest(documents) < fewest) | np.array(new, np.bool_)

    def add(self, keys: Hashes, document: int, facts: Facts) -> None:
        """Remember the keys and the facts of a document; they are written once the document is."""
        self.forget(document)
        self._unwritten[document] = stored_keys(keys)
        self._new_facts[document] = facts
        self._hold(self._unwritten[document], facts.site, document)

    def forget(self, document: int) -> None:
        """Forget the keys of a document that was not written."""
        for key in self._unwritten.pop(document, np.zeros(0, np.uint64)).tolist():
            held = self._holders[key]
            if isinstance(held, int):
                del self._holders[key]
            else:
                held[:] = [one for one in held if one >> SITE_BITS != document]

    def write(self, documents: Iterable[int]) -> None:
        """Write the keys of documents; within the caller's transaction."""
        there = [document for document in documents if document in self._unwritten]
        rows = [
            (document, self._new_facts[document].to_bytes(), self._unwritten[document].tobytes()) for document in there
        ]
        self._connection.executemany("INSERT INTO fresh(document, facts, keys) VALUES (?, ?, ?)", rows)
        for document in there:
            del self._unwritten[document]

    def needs_rest(self) -> bool:
        """Whether so much is new that it should become a segment."""
        return len(self._holders) > MOST_FRESH

    def rest(self) -> None:
        """Make a segment of what is new; within the caller's transaction."""
        rows = self._connection.execute("SELECT document, facts, keys FROM fresh ORDER BY place").fetchall()
        if rows:
            documents = np.array([document for document, _, _ in rows], np.int64)
            self._facts.write(documents, b"".join(facts for _, facts, _ in rows))
            lengths = [len(keys) // 8 for _, _, keys in rows]
            keys = np.frombuffer(b"".join(keys for _, _, keys in rows), np.uint64)
            if len(keys):
                path = self._folder / f"{uuid.uuid4().hex}{SUFFIX}"
                self.include(path, written(path, keys, np.repeat(documents.astype(np.uint32), lengths)))
            self._connection.execute("DELETE FROM fresh")
        self._version = -1

    def include(self, path: Path, postings: int) -> None:
        """Make a segment that is on the disk a part of the index; within the caller's transaction."""
        self._connection.execute("INSERT INTO segments VALUES (?, ?)", (path.name, postings))
        self._version = -1

    def adopt(self) -> bool:
        """List what was merged in place of what it was made of; within the caller's transaction. Whether there was any.

        Another process may have done the same meanwhile: then this one was in vain.
        """
        with self._merging.over() as runs:
            for run in runs:
                names = [segment.path.name for segment in run.several]
                if set(names) <= set(self._names()):
                    self.include(run.named(), sum(map(len, run.several)))
                    self._connection.executemany("DELETE FROM segments WHERE file = ?", [(name,) for name in names])
                self._version = -1
        return bool(runs)

    def tend(self) -> None:
        """Begin to merge what should be; between transactions."""
        self._look_again()
        self._merging.begin(self._segments)
        if len(self._segments) > MOST_SEGMENTS:
            self._merging.wait(SECONDS_TO_FINISH)

    def finish(self, seconds: float = SECONDS_TO_FINISH) -> bool:
        """Wait for what is being merged, though not for long; whether there is anything to adopt."""
        self._merging.wait(seconds)
        return self._merging.has_results

    def close(self) -> None:
        """Give up what is still being merged."""
        self._merging.stop()

    def clear(self) -> None:
        """Take away the files that no list names; within the caller's transaction, lest one is about to be listed.

        Other processes that still read them keep what they opened.
        """
        listed = set(self._names())
        for path in self._folder.glob("*"):
            if path.suffix in _SUFFIXES and path.name not in listed:
                path.unlink(missing_ok=True)

    def _new(self, wanted: Hashes) -> Hits:
        """What is in no segment yet."""
        keys = wanted.tolist()
        there = self._holders.keys() & keys
        if not there:
            return NO_HITS
        rows: list[tuple[int, int]] = []
        for place, key in enumerate(keys):
            if key in there:
                held = self._holders[key]
                rows += [(place, one) for one in ([held] if isinstance(held, int) else held)]
        places, codes = np.array(rows, np.int64).reshape(-1, 2).T
        return Hits(places, codes & _ALL_SITES, codes >> SITE_BITS)

    def _look_again(self) -> None:
        """Read what other processes have written since."""
        version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version == self._version:
            return
        self._version = version
        if self._names() != list(self._segments):
            self._segments = self._opened()
            self._facts.look_again()
        first = self._connection.execute("SELECT min(place) FROM fresh").fetchone()[0]
        if first != self._first_read:
            self._begin_anew(first)
        query = "SELECT place, document, facts, keys FROM fresh WHERE place > ? ORDER BY place"
        for place, document, written_facts, keys in self._connection.execute(query, (self._last_read,)):
            facts = self._new_facts[document] = Facts.from_bytes(written_facts)
            self._hold(np.frombuffer(keys, np.uint64), facts.site, document)
            self._last_read = place

    def _begin_anew(self, first: int | None) -> None:
        """What was new has become a segment: of all that was held, only what is not written yet is."""
        self._first_read, self._last_read, self._holders = first, 0, {}
        self._new_facts = {document: self._new_facts[document] for document in self._unwritten}
        for document, keys in self._unwritten.items():
            self._hold(keys, self._new_facts[document].site, document)

    def _names(self) -> list[str]:
        return [file for (file,) in self._connection.execute("SELECT file FROM segments")]

    def _opened(self) -> dict[str, Segment]:
        """The segments that are listed; one may be merged and taken away between the look and the opening."""
        while True:
            names = self._names()
            try:
                return {name: self._segments.get(name) or Segment(self._folder / name) for name in names}
            except FileNotFoundError:
                if names == self._names():
                    raise

    def _hold(self, keys: Hashes, site: int, document: int) -> None:
        code = document << SITE_BITS | site
        new: dict[int, int | list[int]] = dict.fromkeys(keys.tolist(), code)
        for key in self._holders.keys() & new.keys():
            held = self._holders[key]
            listed = [held] if isinstance(held, int) else held
            new[key] = held if code in listed else [*listed, code]
        self._holders.update(new)
