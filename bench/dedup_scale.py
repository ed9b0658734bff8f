"""An index of duplicates of any size, filled at once with made-up fingerprints, and what it then costs to use it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.entry import Entry
from corpusbot.dedup.facts import FactsFile
from corpusbot.dedup.index import DuplicateIndex
from corpusbot.dedup.postings import Postings
from corpusbot.dedup.segments import stored_keys, written
from corpusbot.dedup.tables import folder_of, opened, transaction
from corpusbot.model import Fingerprint

Keys = NDArray[np.uint64]

AT_ONCE = 20_000
MEASURED = 1_000
COMMITTED_AT_ONCE = 100
SITES = 300
STEP = 8  # a text of 5.6 KB has 900 words
LEAST, MOST = 60, 160  # keys of a text, whose sizes are all of the same step
COPIES, COPIED = 0.2, 0.7  # so many documents have so much of another one
PHRASES = 0.05  # of a text's keys are in dozens of others
_INSERT = "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_MOMENT = datetime(2024, 1, 1, tzinfo=UTC)


class Made(NamedTuple):
    """The keys of some documents, one after the other, and where each document's begin; one place more at the end."""

    keys: Keys
    begins: NDArray[np.int64]

    def of(self, place: int) -> Keys:
        """Those of one of them."""
        return self.keys[self.begins[place] : self.begins[place + 1]]


def made(first: int, number: int) -> Made:
    """The keys of documents from a number on: always the same, whoever asks."""
    dice = np.random.default_rng((7, first))
    begins = np.concatenate(([0], np.cumsum(dice.integers(LEAST, MOST, number))))
    keys = dice.integers(0, 1 << 61, int(begins[-1]), np.uint64) * np.uint64(STEP)
    phrases = np.flatnonzero(dice.random(len(keys)) < PHRASES)
    phrase = dice.integers(1, max(2, (first + number) // 8), len(phrases)).astype(np.uint64)
    keys[phrases] = phrase * np.uint64(0x9E3779B97F4A7C15) & ~np.uint64(STEP - 1)
    for place in np.flatnonzero(dice.random(number) < COPIES).tolist():
        other = int(dice.integers(0, number))
        size = min(int((begins[place + 1] - begins[place]) * COPIED), int(begins[other + 1] - begins[other]))
        keys[begins[place] : begins[place] + size] = keys[begins[other] : begins[other] + size]
    return Made(keys, begins)


def filled(path: Path, there: int, size: int) -> None:
    """Add documents up to this number to an index; one after the other it would take an hour for 10 million."""
    DuplicateIndex(path).close()
    with closing(opened(path)) as connection, closing(Postings(connection, folder_of(path))) as postings:
        connection.executemany("INSERT OR IGNORE INTO sites VALUES (?, ?)", [(n, f"s{n}") for n in range(1, SITES + 1)])
        for first in range(there, size, AT_ONCE):
            _add(connection, postings, path, first, min(AT_ONCE, size - first))
        while postings.finish(600):
            with transaction(connection):
                postings.adopt()
            postings.tend()
        with transaction(connection):
            postings.clear()


def measured(path: Path, size: int) -> dict[str, float]:
    """What it costs to open and to use an index of so many documents, which is as before afterwards."""
    begun = time.perf_counter()
    index = DuplicateIndex(path)
    spent = {"opened": time.perf_counter() - begun}
    with closing(index):
        lot = made(size, MEASURED)
        new = [_entry(size + place + 1, lot.of(place)) for place in range(MEASURED)]
        copies = list(_copies(size))
        other = made(size + MEASURED, MEASURED)
        for place in range(MEASURED):  # what is compiled, and what the disk has to give first
            index.find(_entry(3 * size + place, other.of(place)))
        for name, entries in (("new", new), ("copies", copies)):
            begun = time.process_time()
            found = [index.find(entry) is not None for entry in entries]
            spent[name] = (time.process_time() - begun) / len(entries)
            assert name == "new" or sum(found) > 0.9 * len(found), "copies are found"
        begun = time.process_time()
        for place, entry in enumerate(new):
            index.add(entry)
            if place % COMMITTED_AT_ONCE == COMMITTED_AT_ONCE - 1:
                index.commit(1)
        spent["add"] = (time.process_time() - begun) / len(new) - spent["new"]
        index.cut("s1", 0)
        spent["rss"] = _megabytes("VmHWM")
    files = [path, *folder_of(path).iterdir()]
    spent["bytes"] = sum(file.stat().st_size for file in files) / size
    spent["segments"] = sum(file.suffix == ".segment" for file in files)
    return spent


def _copies(size: int) -> Iterator[Entry]:
    """Documents with the keys of some that are there."""
    for first in np.random.default_rng(3).integers(0, size // AT_ONCE, 20).tolist():
        lot = made(first * AT_ONCE, AT_ONCE)
        for place in range(100, 100 + MEASURED // 20):
            yield _entry(2 * size + first * AT_ONCE + place, lot.of(place))


def _add(connection: Connection, postings: Postings, path: Path, first: int, number: int) -> None:
    """Add so many documents as the index would: rows, facts, and a segment of their keys."""
    keys, begins = made(first, number)
    numbers = np.arange(first + 1, first + number + 1)
    sizes = np.diff(begins)
    facts = np.zeros(number, np.dtype([("simhash", "<u8"), ("counts", "<u4", 4), ("site", "<u2"), ("step", "<u2")]))
    facts["counts"], facts["site"], facts["step"] = sizes[:, None], numbers % SITES + 1, STEP
    FactsFile(folder_of(path) / "facts.array").write(numbers, facts.tobytes())
    names = np.random.default_rng((8, first)).integers(0, 1 << 64, 3 * number, np.uint64)
    owners = np.concatenate((np.repeat(numbers, sizes), np.repeat(numbers, 3))).astype(np.uint32)
    segment = folder_of(path) / f"filled-{first}.segment"
    written(segment, stored_keys(np.concatenate((keys, names))), owners)
    with transaction(connection):
        connection.execute("UPDATE numbers SET next = ?", (first + number + 1,))
        connection.executemany(_INSERT, _rows(numbers, keys.tobytes(), begins))
        postings.include(segment, len(owners))
        postings.adopt()
    postings.tend()


def _rows(numbers: NDArray[np.int64], keys: bytes, begins: NDArray[np.int64]) -> Iterator[tuple[object, ...]]:
    moment, places = _MOMENT.isoformat(), (8 * begins).tolist()
    for number, begin, end in zip(numbers.tolist(), places, places[1:], strict=False):
        url, counts = _url(number), f"{(end - begin) // 8} " * 4
        yield (
            number, f"{number:016x}", number % SITES + 1, url, url, f"{number:032x}", 0, 900, STEP, counts, None,
            moment, 1, keys[begin:end],
        )  # fmt: skip


def _entry(place: int, keys: Keys) -> Entry:
    print_of = Fingerprint(f"{place:032x}", 0, 900, np.unique(keys).tobytes(), STEP)
    return Entry(f"{place:016x}", "s1", _url(place), _url(place), print_of, None, _MOMENT)


def _url(place: int) -> str:
    return f"https://www.newspaper-{place % SITES}.example/2024/05/01/section/some-words-of-the-headline-{place}.html"


def _megabytes(name: str) -> float:
    with Path("/proc/self/status").open() as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024
