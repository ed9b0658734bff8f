"""Rows that may be more than memory holds: sorted into parts by a number of theirs, on the disk once they are many."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

PARTS = 64
MOST_IN_MEMORY = 4_000_000  # rows: some 50 MB

Rows = NDArray[Any]


class Spill:
    """Rows of one kind; those whose numbers are equal come back in one part, in the order in which they came."""

    def __init__(self, kind: np.dtype[Any], number: str) -> None:
        self._kind = kind
        self._number = number
        self._rows: list[Rows] = []
        self._waiting = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def put(self, *columns: NDArray[Any]) -> None:
        """Add rows, given as the columns of their kind."""
        rows = np.empty(len(columns[0]), self._kind)
        for name, column in zip(self._kind.names or (), columns, strict=True):
            rows[name] = column
        self._rows.append(rows)
        self._waiting += len(rows)
        if self._waiting > MOST_IN_MEMORY:
            self._to_disk()

    def parts(self) -> Iterator[Rows]:
        """All rows, part by part; as often as is asked for, and always in the same parts."""
        if self._folder is None:
            self._rows = [np.concatenate([np.empty(0, self._kind), *self._rows])]
            yield self._rows[0]
            return
        self._to_disk()
        for part in range(PARTS):
            path = Path(self._folder.name, str(part))
            yield np.fromfile(path, self._kind) if path.exists() else np.empty(0, self._kind)

    def close(self) -> None:
        """Let go of them."""
        self._rows = []
        if self._folder is not None:
            self._folder.cleanup()

    def _to_disk(self) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="corpusbot-")
        rows = np.concatenate([np.empty(0, self._kind), *self._rows])
        part_of = _part(rows[self._number])
        rows = rows[np.argsort(part_of, kind="stable")]
        ends = np.cumsum(np.bincount(part_of, minlength=PARTS))
        for part, piece in enumerate(np.split(rows, ends[:-1])):
            if len(piece):
                with Path(self._folder.name, str(part)).open("ab") as file:
                    file.write(piece.tobytes())
        self._rows, self._waiting = [], 0


def _part(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """Numbers spread evenly, whatever they have in common: the highest bits of a product."""
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(64 - PARTS.bit_length() + 1)).astype(np.uint8)
