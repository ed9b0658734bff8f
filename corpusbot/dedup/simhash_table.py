"""Search by simhash alone: all numbers that differ from one in so few bits, of whatever width.

Numbers that differ in d bits have one of d + 1 parts in common. So there is an order for each part, in which those
with the same part stand side by side, and only these are compared. What was added since the orders were made is
compared one by one, until it is so much that they are made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.simhash import BITS, MOST_BITS

Rows = NDArray[np.uint64]  # of each simhash its words of 64 bits, the lowest first
Places = NDArray[np.int64]

DISTANCE = 3
FEWEST_NEW = 4_096  # compared in the time that is taken to look into the orders: make bench-dedup
NEW_SHARE = 4  # a quarter more, and the orders are made anew
MOST_BUCKET_BITS = 22
PER_BUCKET = 16


@dataclass(frozen=True, slots=True)
class _Order:
    """All numbers in the order of one part of their bits, and where each value of its first bits begins."""

    shift: int
    bits: int
    places: NDArray[np.uint32]
    begins: NDArray[np.uint32]

    def with_part_of(self, row: Rows) -> NDArray[np.uint32]:
        """The places of all that have the part of this one."""
        value = int(_part(row[None, :], self.shift, self.bits)[0])
        return self.places[self.begins[value] : self.begins[value + 1]]


class SimhashTable:
    """Simhashes, numbered as they are added.

    >>> table = SimhashTable(bits=8, distance=1)
    >>> table.add([0b11110000, 0b00001111])
    >>> list(table.find(0b11110001))
    [(0, 1)]
    """

    def __init__(self, bits: int = BITS, distance: int = DISTANCE) -> None:
        if not 1 <= bits <= MOST_BITS:
            raise ValueError(f"bits: a number from 1 to {MOST_BITS} is wanted, not {bits}")
        if not 0 <= distance < bits:
            raise ValueError(f"distance: a number from 0 to {bits - 1} is wanted, not {distance}")
        self._bits, self._distance = bits, distance
        self._rows = np.zeros((0, -(-bits // 64)), np.uint64)
        self._number = self._ordered = 0
        self._orders: list[_Order] = []

    def __len__(self) -> int:
        return self._number

    @property
    def nbytes(self) -> int:
        """How much memory is taken."""
        return self._rows.nbytes + sum(order.places.nbytes + order.begins.nbytes for order in self._orders)

    def add(self, simhashes: Iterable[int]) -> None:
        """Add numbers; they are numbered on."""
        width = 8 * self._rows.shape[1]
        self.add_rows(np.frombuffer(b"".join(one.to_bytes(width, "little") for one in simhashes), np.uint64))

    def add_rows(self, words: Rows) -> None:
        """Add numbers that are words of 64 bits already, the lowest first."""
        rows = words.reshape(-1, self._rows.shape[1])
        if self._number + len(rows) > len(self._rows):
            room = np.zeros((max(2 * len(self._rows), self._number + len(rows)), rows.shape[1]), np.uint64)
            room[: self._number] = self._rows[: self._number]
            self._rows = room
        self._rows[self._number : self._number + len(rows)] = rows
        self._number += len(rows)
        if self._number - self._ordered > max(FEWEST_NEW, self._ordered // NEW_SHARE):
            self._orders = list(self._made())
            self._ordered = self._number

    def find(self, simhash: int) -> Iterator[tuple[int, int]]:
        """The numbers of all within the distance, in their order, and how many bits of each differ."""
        row = np.frombuffer(simhash.to_bytes(8 * self._rows.shape[1], "little"), np.uint64)
        new = np.arange(self._ordered, self._number, dtype=np.uint32)
        places = np.concatenate([*(order.with_part_of(row) for order in self._orders), new])
        apart = _bits_set(self._rows[places] ^ row)
        near = apart <= self._distance
        found = dict(zip(places[near].tolist(), apart[near].tolist(), strict=True))
        yield from sorted(found.items())

    def _made(self) -> Iterator[_Order]:
        """The orders of all parts."""
        rows = self._rows[: self._number]
        borders = np.linspace(0, self._bits, self._distance + 2).astype(int).tolist()
        most = min(MOST_BUCKET_BITS, max(8, (self._number // PER_BUCKET).bit_length()))
        for first, last in pairwise(borders):
            bits = min(last - first, most)
            parts = _part(rows, first, bits).astype(np.uint16 if bits <= 16 else np.uint32)
            begins = np.cumsum(np.bincount(parts.astype(np.int64) + 1, minlength=(1 << bits) + 1))
            yield _Order(first, bits, np.argsort(parts, kind="stable").astype(np.uint32), begins.astype(np.uint32))


def _part(rows: Rows, shift: int, bits: int) -> Rows:
    """So many bits of each number from a place on; they may lie in two words."""
    word, inside = divmod(shift, 64)
    part = rows[:, word] >> np.uint64(inside)
    if inside + bits > 64:
        part |= rows[:, word + 1] << np.uint64(64 - inside)
    found: Rows = part & np.uint64((1 << bits) - 1)
    return found


def _bits_set(rows: Rows) -> Places:
    if hasattr(np, "bitwise_count"):
        return np.asarray(np.bitwise_count(rows).sum(axis=1, dtype=np.int64))
    as_bytes = rows.view(np.uint8).reshape(len(rows), -1)  # NumPy 1
    return np.asarray(np.unpackbits(as_bytes, axis=1).sum(axis=1, dtype=np.int64))
