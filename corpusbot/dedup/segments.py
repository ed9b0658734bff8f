"""Segments: sorted files of postings, written once, in which a look-up costs the same whatever their size.

A posting is a key, of which 48 bits count, and a document's number. First come all postings, sorted; of a key the
32 lower bits are written, for the others say where it stands. Then, for each value of a key's first bits, where its
postings begin. Last a map of bits, four for each posting: a bit that is not set tells without another look that
nobody has a key. Most keys of a new text nobody has.
"""

from __future__ import annotations

import mmap
import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SUFFIX = ".segment"
KEY_BITS, COARSE_BITS = 48, 16
PER_BUCKET = 32  # postings at most, on average, that begin with the same bits
MERGED_AT_ONCE = 1_000_000  # postings in memory while segments are merged: some 40 MB
MOST_POSTINGS = 1 << 32
# Larger ones are read, not mapped: with each look the system maps up to a megabyte, until all of it counts as ours.
MOST_MAPPED = 8_000_000
_HEAD = np.dtype([("magic", "S8"), ("postings", "<u8"), ("bucket_bits", "<u8"), ("map_bytes", "<u8")])
_MAGIC = b"crseg001"
_LOW = np.uint64(0xFFFFFFFF)
_KEY_MASK = np.uint64((1 << 64) - (1 << 64 - KEY_BITS))

Keys = NDArray[np.uint64]
Owners = NDArray[np.uint32]
Places = NDArray[np.int64]


class SegmentError(Exception):
    """A file that is no segment, or not all of one."""


class Found(NamedTuple):
    """Postings that were found: the places of their keys among those asked for, and documents."""

    places: Places
    documents: Places


class _Shape(NamedTuple):
    """How long the parts of a segment are."""

    postings: int
    bucket_bits: int
    map_bytes: int

    @classmethod
    def of(cls, postings: int) -> _Shape:
        return cls(postings, max(COARSE_BITS, (postings // PER_BUCKET).bit_length()), postings // 2 + 1)

    @property
    def buckets_at(self) -> int:
        return _HEAD.itemsize + 8 * self.postings

    @property
    def map_at(self) -> int:
        return self.buckets_at + 4 * ((1 << self.bucket_bits) + 1)

    @property
    def end(self) -> int:
        return self.map_at + self.map_bytes


class Segment:
    """A file of postings, of which only what is looked at is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self._shape = _shape_in(path, file.fileno())
            self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        shape = self._shape
        self._records = np.frombuffer(self._file, np.uint32, 2 * shape.postings, _HEAD.itemsize).reshape(-1, 2)
        self._buckets = np.frombuffer(self._file, np.uint32, (1 << shape.bucket_bits) + 1, shape.buckets_at)
        self._map = np.frombuffer(self._file, np.uint8, shape.map_bytes, shape.map_at)
        self._reading: int | None = None
        if shape.postings > MOST_MAPPED:
            self._reading = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            weakref.finalize(self, os.close, self._reading)

    def __len__(self) -> int:
        return self._shape.postings

    def find(self, keys: Keys) -> Found:
        """The postings of some keys."""
        return self._chosen(keys, *self._ranges(keys))

    def read(self, first: int, last: int) -> tuple[Keys, Owners]:
        """The postings whose keys begin with 16 bits from the first to before the last, read past the memory map."""
        begins = self._buckets[:: 1 << self._shape.bucket_bits - COARSE_BITS][first : last + 1].astype(np.int64)
        size = 8 * int(begins[-1] - begins[0])
        with self.path.open("rb") as file:
            file.seek(_HEAD.itemsize + 8 * int(begins[0]))
            records = np.frombuffer(file.read(size), np.uint32).reshape(-1, 2)
        high = np.repeat(np.arange(first, last, dtype=np.uint64) << np.uint64(64 - COARSE_BITS), np.diff(begins))
        return high | records[:, 0].astype(np.uint64) << np.uint64(64 - KEY_BITS), records[:, 1]

    def number_before(self, coarse: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many postings have keys that begin with less than these 16 bits."""
        return np.asarray(self._buckets[coarse << self._shape.bucket_bits - COARSE_BITS], np.int64)

    def _ranges(self, keys: Keys) -> tuple[Places, Places, Places]:
        """The keys that may be there, and of each where the postings with the same beginning are, and how many."""
        in_map = self._map[_byte_of(keys, len(self._map))] >> _bit_of(keys) & 1
        there = np.flatnonzero(in_map)
        bucket = (keys[there] >> np.uint64(64 - self._shape.bucket_bits)).astype(np.int64)
        first = self._buckets[bucket].astype(np.int64)
        return there, first, self._buckets[bucket + 1] - first

    def _chosen(self, keys: Keys, there: Places, first: Places, number: Places) -> Found:
        """Of some ranges of postings those of the keys."""
        if not len(there):
            return Found(there, there)
        if self._reading is None:
            rows = self._records[np.repeat(first - np.cumsum(number) + number, number) + np.arange(number.sum())]
        else:
            begins, lengths = (_HEAD.itemsize + 8 * first).tolist(), (8 * number).tolist()
            parts = [_read(self._reading, length, begin) for begin, length in zip(begins, lengths, strict=True)]
            rows = np.frombuffer(b"".join(parts), np.uint32).reshape(-1, 2)
        places = np.repeat(there, number)
        same = rows[:, 0] == (keys[places] >> np.uint64(64 - KEY_BITS) & _LOW)
        return Found(places[same], rows[same, 1].astype(np.int64))


class Writing:
    """A segment that is being written, to be given its postings in order and piece by piece."""

    def __init__(self, path: Path, postings: int) -> None:
        self._shape = _Shape.of(postings)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w+b")
        self._file.write(np.array((_MAGIC, *self._shape), _HEAD).tobytes())
        self._file.truncate(self._shape.end)
        self._number = self._bucket = 0
        self._last_byte = (-1, 0)  # where it is, and its bits so far

    def put(self, keys: Keys, owners: Owners) -> None:
        """The next postings; none of their keys is less than one before."""
        if not len(keys):
            return
        self._put_buckets(keys)
        self._put_map(keys)
        records = np.empty((len(keys), 2), np.uint32)
        records[:, 0], records[:, 1] = keys >> np.uint64(64 - KEY_BITS) & _LOW, owners
        self._put(_HEAD.itemsize + 8 * self._number, records)
        self._number += len(keys)

    def __enter__(self) -> Writing:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file:
            if kind is None:
                rest = (1 << self._shape.bucket_bits) + 1 - self._bucket
                self._put(self._shape.buckets_at + 4 * self._bucket, np.full(rest, self._number, np.uint32))
                self._file.flush()
                os.fsync(self._file.fileno())

    def _put(self, place: int, values: NDArray[np.uint32] | NDArray[np.uint8]) -> None:
        self._file.seek(place)
        self._file.write(values.data)

    def _put_buckets(self, keys: Keys) -> None:
        shift = np.uint64(64 - self._shape.bucket_bits)
        buckets = np.arange(self._bucket, int(keys[-1] >> shift) + 1, dtype=np.uint64)
        begins = self._number + np.searchsorted(keys, buckets << shift)
        self._put(self._shape.buckets_at + 4 * self._bucket, begins.astype(np.uint32))
        self._bucket += len(buckets)

    def _put_map(self, keys: Keys) -> None:
        """Set the keys' bits; pieces may meet within one byte."""
        places = _byte_of(keys, self._shape.map_bytes)
        first = int(places[0])
        chunk = np.zeros(int(places[-1]) - first + 1, np.uint8)
        np.bitwise_or.at(chunk, places - first, np.uint8(1) << _bit_of(keys))
        if self._last_byte[0] == first:
            chunk[0] |= self._last_byte[1]
        self._put(self._shape.map_at + first, chunk)
        self._last_byte = (int(places[-1]), int(chunk[-1]))


def stored_keys(keys: Keys) -> Keys:
    """Keys as they are stored: of the bits that count."""
    return keys & _KEY_MASK


def written(path: Path, keys: Keys, owners: Owners) -> int:
    """Write postings, whatever their order, as a segment; how many there are."""
    order = np.argsort(keys, kind="stable")
    with Writing(path, len(keys)) as file:
        file.put(keys[order], owners[order])
    return len(keys)


def merged(path: Path, several: Sequence[Segment], goes_on: Callable[[], bool] = lambda: True) -> bool:
    """Write the postings of several segments as one; False if it was given up on the way."""
    with Writing(path, sum(map(len, several))) as file:
        for first, last in _pieces(several):
            if not goes_on():
                return False
            parts = [segment.read(first, last) for segment in several]
            keys = np.concatenate([part for part, _ in parts])
            owners = np.concatenate([part for _, part in parts])
            order = np.argsort(keys, kind="stable")
            file.put(keys[order], owners[order])
    return True


def _pieces(several: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Ranges of keys' first 16 bits that hold so many postings as are merged at once."""
    borders = np.arange((1 << COARSE_BITS) + 1)
    before = sum((segment.number_before(borders) for segment in several), np.zeros(len(borders), np.int64))
    first = 0
    while first < len(borders) - 1:
        last = int(np.searchsorted(before, before[first] + MERGED_AT_ONCE, "right")) - 1
        last = max(last, first + 1)
        yield first, last
        first = last


def _byte_of(keys: Keys, map_bytes: int) -> Places:
    """Where in the map a key's bit is; greater keys are not before smaller ones."""
    return ((keys >> np.uint64(32)) * np.uint64(map_bytes) >> np.uint64(32)).astype(np.int64)


def _bit_of(keys: Keys) -> NDArray[np.uint8]:
    return (keys >> np.uint64(29) & np.uint64(7)).astype(np.uint8)


def _read(file: int, length: int, place: int) -> bytes:
    """Some bytes from a place on."""
    if hasattr(os, "pread"):
        return os.pread(file, length, place)
    os.lseek(file, place, os.SEEK_SET)  # pragma: no cover - Windows
    return os.read(file, length)  # pragma: no cover


def _shape_in(path: Path, file: int) -> _Shape:
    size = os.fstat(file).st_size
    head = _read(file, _HEAD.itemsize, 0)
    if len(head) == _HEAD.itemsize:
        magic, *lengths = np.frombuffer(head, _HEAD)[0].tolist()
        shape = _Shape(*lengths)
        if magic == _MAGIC and shape == _Shape.of(shape.postings) and size == shape.end:
            return shape
    raise SegmentError(
        f"{path}: not a whole segment of an index of duplicates. Put back the file, or move the index away with its "
        "folder: the next crawl begins a new one"
    )
