"""Which documents hold which grams: sorted files that are written once and merged, and a table of what is new.

A posting is a gram's key, a newspaper's number and a document's number. New postings are in the index's SQLite
file, a row for each document, in the same transactions as the documents; each process holds them in memory. When
they are many, they become a sorted file, a segment; when several segments are of one size, they become one that is
larger. So each posting is written a handful of times, whatever the index holds, and a look-up asks a handful of
segments.

The list of segments is a table as well, and a segment is on the disk before it is listed: a crash leaves at most a
file that no list names, which the next merge takes away.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.grams import Hashes

SITE_BITS = 16
MOST_FRESH = 100_000  # keys in memory before their postings become a segment: some 12 MB, 1,000 documents
SEGMENTS_OF_A_SIZE = 4
MERGED_AT_ONCE = 4_000_000  # postings in memory while segments are merged: some 150 MB
_SUFFIX = ".postings"
_KEY_MASK = np.uint64((1 << 64) - (1 << SITE_BITS))
_ALL_SITES = np.uint64((1 << SITE_BITS) - 1)


class Hits(NamedTuple):
    """Postings that were found: the places of their keys among those asked for, newspapers and documents."""

    places: NDArray[np.int64]
    sites: NDArray[np.int64]
    documents: NDArray[np.int64]

    def of(self, site: int) -> Hits:
        """Those of one newspaper."""
        return self._where(self.sites == site)

    def without(self, sites: Sequence[int]) -> Hits:
        """Those of other newspapers than these."""
        return self._where(~np.isin(self.sites, sites)) if sites else self

    def _where(self, good: NDArray[np.bool_]) -> Hits:
        return Hits(*(column[good] for column in self))


@dataclass(frozen=True, slots=True)
class Segment:
    """A sorted file of postings: first all keys with their newspapers, then all documents."""

    path: Path
    keys: NDArray[np.uint64]
    documents: NDArray[np.uint32]

    def find(self, keys: Hashes) -> Hits:
        """The postings of some keys."""
        first = np.searchsorted(self.keys, keys, "left")
        # Most keys are not there: only for those that are, the end of their postings is looked for.
        there = np.flatnonzero(self.keys[np.minimum(first, len(self.keys) - 1)] & _KEY_MASK == keys)
        first = first[there]
        number = np.searchsorted(self.keys, keys[there] | _ALL_SITES, "right") - first
        rows = np.repeat(first - np.cumsum(number) + number, number) + np.arange(number.sum())
        sites = (self.keys[rows] & _ALL_SITES).astype(np.int64)
        return Hits(np.repeat(there, number), sites, self.documents[rows].astype(np.int64))


class Postings:
    """The postings of an index: what is new, which is held in memory, and the segments in a folder beside it."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        self._segments: dict[str, Segment] = {}
        self._unwritten: dict[int, tuple[int, Hashes]] = {}
        # Document and newspaper as one number; a list of these for the few keys that several have.
        self._holders: dict[int, int | list[int]] = {}
        self._version = -1
        self._last_read = 0

    def find(self, keys: Hashes) -> Hits:
        """All postings of some keys, which are sorted."""
        self._look_again()
        wanted = stored_keys(keys)
        found = [self._new(wanted), *(segment.find(wanted) for segment in self._segments.values())]
        return Hits(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def add(self, keys: Hashes, site: int, document: int) -> None:
        """Remember the keys of a document; they are written once the document is."""
        self.forget(document)
        stored = stored_keys(keys)
        self._unwritten[document] = (site, stored)
        self._hold(stored, site, document)

    def forget(self, document: int) -> None:
        """Forget the keys of a document that was not written."""
        _, keys = self._unwritten.pop(document, (0, np.zeros(0, np.uint64)))
        for key in keys.tolist():
            held = self._holders[key]
            if isinstance(held, int):
                del self._holders[key]
            else:
                held[:] = [one for one in held if one >> SITE_BITS != document]

    def write(self, documents: Iterable[int]) -> None:
        """Write the keys of documents; within the caller's transaction."""
        there = [document for document in documents if document in self._unwritten]
        rows = [(document, self._unwritten[document][0], self._unwritten[document][1].tobytes()) for document in there]
        self._connection.executemany("INSERT INTO fresh(document, site, keys) VALUES (?, ?, ?)", rows)
        for document in there:
            del self._unwritten[document]

    def needs_rest(self) -> bool:
        """Whether so much is new that it should become a segment."""
        return len(self._holders) > MOST_FRESH

    def rest(self) -> None:
        """Make a segment of what is new, and one of several of a size; within the caller's transaction."""
        rows = self._connection.execute("SELECT site, document, keys FROM fresh").fetchall()
        parts = [(np.frombuffer(keys, np.uint64) | np.uint64(site), document) for site, document, keys in rows]
        if parts:
            keys = np.concatenate([part for part, _ in parts])
            owners = np.repeat(
                np.array([document for _, document in parts], np.uint32), [len(part) for part, _ in parts]
            )
            if len(keys):
                self._write([_sorted(keys, owners)])
            self._connection.execute("DELETE FROM fresh")
        while several := self._of_a_size():
            self._write(_merged(several))
            names = [segment.path.name for segment in several]
            self._connection.executemany("DELETE FROM segments WHERE file = ?", [(name,) for name in names])
        self._version = -1

    def clear(self) -> None:
        """Take away the files that no list names; within the caller's transaction, lest one is about to be listed.

        Other processes that still read them keep what they opened.
        """
        listed = set(self._names())
        for path in self._folder.glob(f"*{_SUFFIX}"):
            if path.name not in listed:
                path.unlink(missing_ok=True)

    def _new(self, wanted: Hashes) -> Hits:
        """What is in no segment yet."""
        rows: list[tuple[int, int]] = []
        for place, key in enumerate(wanted.tolist()):
            held = self._holders.get(key)
            if held is not None:
                rows += [(place, one) for one in ([held] if isinstance(held, int) else held)]
        places, codes = np.array(rows, np.int64).reshape(-1, 2).T
        return Hits(places, codes & int(_ALL_SITES), codes >> SITE_BITS)

    def _look_again(self) -> None:
        """Read what other processes have written since."""
        version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version == self._version:
            return
        self._version = version
        if self._names() != list(self._segments):
            self._segments = self._opened()
            self._holders, self._last_read = {}, 0
            for document, (site, keys) in self._unwritten.items():
                self._hold(keys, site, document)
        query = "SELECT place, site, document, keys FROM fresh WHERE place > ? ORDER BY place"
        for place, site, document, keys in self._connection.execute(query, (self._last_read,)):
            self._hold(np.frombuffer(keys, np.uint64), site, document)
            self._last_read = place

    def _names(self) -> list[str]:
        return [file for (file,) in self._connection.execute("SELECT file FROM segments")]

    def _opened(self) -> dict[str, Segment]:
        """The segments that are listed; one may be merged and taken away between the look and the opening."""
        while True:
            names = self._names()
            try:
                return {name: self._segments.get(name) or opened(self._folder / name) for name in names}
            except FileNotFoundError:
                if names == self._names():
                    raise

    def _hold(self, keys: Hashes, site: int, document: int) -> None:
        code = document << SITE_BITS | site
        for key in keys.tolist():
            held = self._holders.setdefault(key, code)
            if isinstance(held, int):
                if held != code:
                    self._holders[key] = [held, code]
            elif code not in held:
                held.append(code)

    def _of_a_size(self) -> list[Segment]:
        """Segments of the same order of size, if they are enough to be made one."""
        self._version = -1
        self._look_again()
        tiers: dict[int, list[Segment]] = {}
        for segment in self._segments.values():
            tiers.setdefault(len(segment.keys).bit_length() // 2, []).append(segment)
        return next((several for _, several in sorted(tiers.items()) if len(several) >= SEGMENTS_OF_A_SIZE), [])

    def _write(self, parts: Iterable[tuple[NDArray[np.uint64], NDArray[np.uint32]]]) -> None:
        """Write a segment of sorted parts, have it on the disk, and list it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{os.urandom(8).hex()}{_SUFFIX}"
        number = written(path, parts)
        self._connection.execute("INSERT INTO segments VALUES (?, ?)", (path.name, number))


def stored_keys(keys: Hashes) -> Hashes:
    """Keys as they are stored: without the bits that hold the newspaper's number."""
    return keys & _KEY_MASK


def opened(path: Path) -> Segment:
    """A segment, of which only what is looked at is read."""
    number = path.stat().st_size // 12
    keys = np.memmap(path, np.uint64, "r", shape=(number,))
    return Segment(path, keys, np.memmap(path, np.uint32, "r", offset=8 * number, shape=(number,)))


def written(path: Path, parts: Iterable[tuple[NDArray[np.uint64], NDArray[np.uint32]]]) -> int:
    """Write a segment, and return how many postings it has; the documents follow from a second file."""
    number = 0
    aside = path.with_suffix(".part")
    with path.open("wb") as file, aside.open("w+b") as documents:
        for keys, owners in parts:
            file.write(keys.tobytes())
            documents.write(owners.tobytes())
            number += len(keys)
        documents.seek(0)
        while chunk := documents.read(1 << 20):
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    aside.unlink()
    return number


def _merged(several: Sequence[Segment]) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint32]]]:
    """The postings of several segments as one sorted run, a range of keys at a time."""
    total = sum(len(segment.keys) for segment in several)
    pieces = total // MERGED_AT_ONCE + 1
    borders = [(1 << 64) * piece // pieces for piece in range(1, pieces)]
    starts = [0] * len(several)
    for border in [*borders, None]:
        ends = [
            len(segment.keys) if border is None else int(np.searchsorted(segment.keys, np.uint64(border)))
            for segment in several
        ]
        ranges = list(zip(several, starts, ends, strict=True))
        keys = np.concatenate([segment.keys[start:end] for segment, start, end in ranges])
        owners = np.concatenate([segment.documents[start:end] for segment, start, end in ranges])
        yield _sorted(keys, owners)
        starts = ends


def _sorted(
    keys: NDArray[np.uint64], owners: NDArray[np.uint32]
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    order = np.argsort(keys, kind="stable")
    return keys[order], owners[order]
