"""What is asked of a document before its row is: a few numbers each, in a flat file that document numbers index."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_PACKED = struct.Struct("<Q4IHH")
_ROW = np.dtype([("simhash", "<u8"), ("counts", "<u4", 4), ("site", "<u2"), ("step", "<u2")])


class Facts(NamedTuple):
    """Of a document: its newspaper's number, the step of its sample, how many keys of each step count, its simhash."""

    site: int
    step: int
    counts: tuple[int, ...]
    simhash: int

    def to_bytes(self) -> bytes:
        """As they are written."""
        return _PACKED.pack(self.simhash, *self.counts, self.site, self.step)

    @classmethod
    def from_bytes(cls, written: bytes | memoryview, place: int = 0) -> Facts:
        """As they were written, at a place in their order."""
        simhash, one, two, three, four, site, step = _PACKED.unpack_from(written, place * _PACKED.size)
        return cls(site, step, (one, two, three, four), simhash)


class FactsFile:
    """The facts of all documents whose postings are in segments; what is new is written before these are listed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows = np.zeros(0, _ROW)

    def look_again(self) -> None:
        """See what was written since."""
        size = self._path.stat().st_size if self._path.exists() else 0
        if size > self._rows.nbytes:
            self._rows = np.asarray(np.memmap(self._path, _ROW, "r", shape=(size // _ROW.itemsize,)))

    def sites(self, documents: Numbers) -> Numbers:
        """The newspapers of documents; 0, which is no newspaper's number, of those that are not there."""
        return self._column("site", documents)

    def fewest(self, documents: Numbers) -> Numbers:
        """How many keys of the coarsest step documents have; 0 of those that are not there."""
        return self._column("counts", documents)

    def of(self, document: int) -> Facts | None:
        """The facts of one document."""
        return Facts.from_bytes(self._rows.data, document) if document < len(self._rows) else None

    def _column(self, name: str, documents: Numbers) -> Numbers:
        column = self._rows[name] if name == "site" else self._rows[name][:, -1]
        if len(documents) and documents.max() < len(column):
            return column[documents].astype(np.int64)
        there = documents < len(column)
        found = np.zeros(len(documents), np.int64)
        found[there] = column[documents[there]]
        return found

    def write(self, documents: Numbers, facts: bytes) -> None:
        """Write the facts of documents, in whatever order; a crash in between does no harm, for it is done again."""
        rows = np.frombuffer(facts, _ROW)
        order = np.argsort(documents, kind="stable")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(file, "r+b") as opened:
            for run in np.split(order, np.flatnonzero(np.diff(documents[order]) != 1) + 1):
                if len(run):
                    opened.seek(int(documents[run[0]]) * _ROW.itemsize)
                    opened.write(rows[run].tobytes())
            opened.flush()
            os.fsync(opened.fileno())
