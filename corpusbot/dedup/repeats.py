"""What became of articles that repeat something: kept as data, whether they became documents or were dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from corpusbot.addresses import canonical
from corpusbot.dedup.entry import Entry, Match
from corpusbot.dedup.likeness import TWIN
from corpusbot.dedup.numbers import Numbers
from corpusbot.dedup.rows import ENTRY, entry_of_row, row_of

ROWS_AT_ONCE = 1_000
# Of one that was dropped, the whole entry is here and nowhere else.
TABLE = """
CREATE TABLE repeats(
    number INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL, site INTEGER NOT NULL, url TEXT NOT NULL,
    address TEXT NOT NULL, checksum TEXT NOT NULL, simhash INTEGER NOT NULL, words INTEGER NOT NULL,
    step INTEGER NOT NULL, published TEXT, first_seen TEXT NOT NULL, keys BLOB NOT NULL,
    kind TEXT NOT NULL,        -- same_page, version, exact_duplicate or near_duplicate
    first TEXT NOT NULL,       -- the id of the document that it repeats
    first_site INTEGER NOT NULL, similarity REAL NOT NULL, kept INTEGER NOT NULL, at TEXT NOT NULL,
    batch INTEGER NOT NULL     -- the commit of its site that wrote it
);
CREATE UNIQUE INDEX repeats_url ON repeats(site, url);
CREATE INDEX repeats_first ON repeats(first);
CREATE INDEX repeats_batch ON repeats(site, batch);
"""
_COLUMNS = f"number, {ENTRY}, keys, kind, first, first_site, similarity, kept, at"


@dataclass(frozen=True, slots=True)
class Repeat:
    """An article and the document that it repeats: `first` is that one's id.

    `kind` is `same_page`; `version`, a text of the same newspaper that was carried on or corrected; or
    `exact_duplicate` or `near_duplicate`, another newspaper's copy. One that was `kept` is a document as well.
    """

    entry: Entry
    kind: str
    first: str
    first_site: str
    similarity: float
    kept: bool
    at: datetime


def repeat_of(entry: Entry, match: Match, kept: bool) -> Repeat:
    """An article and what was found of it, for good."""
    kind, first = match.kind, match.known
    if first.site == entry.site:
        kind = "version" if kind == "near_duplicate" else "same_page"
    return Repeat(entry, kind, first.id, first.site, match.similarity, kept, entry.first_seen)


def version_of(entry: Entry, similarity: float) -> Repeat:
    """An article whose document the corpus holds with other words."""
    return Repeat(entry, "version", entry.id, entry.site, similarity, True, entry.first_seen)


class Repeats:
    """The table of repeats; what is not written yet is known to this process only."""

    def __init__(self, connection: Connection, numbers: Numbers) -> None:
        self._connection = connection
        self._numbers = numbers
        self.unwritten: dict[int, Repeat] = {}

    def number_of(self, entry: Entry) -> int | None:
        """The number that a repeat at this address has already."""
        for number, repeat in self.unwritten.items():
            if (repeat.entry.site, repeat.entry.url) == (entry.site, entry.url):
                return number
        query = "SELECT number FROM repeats WHERE site = ? AND url = ?"
        row = self._connection.execute(query, (self._numbers.known_site(entry.site), entry.url)).fetchone()
        return row[0] if row else None

    def twins_of(self, first: Entry) -> int:
        """How many texts of its newspaper were nearly the same as one."""
        query = "SELECT count(*) FROM repeats WHERE first = ? AND site = ? AND similarity >= ? AND kind != 'same_page'"
        written: int = self._connection.execute(
            query, (first.id, self._numbers.known_site(first.site), TWIN)
        ).fetchone()[0]
        return written + sum(
            one.first == first.id and one.entry.site == first.site and one.similarity >= TWIN
            for one in self.unwritten.values()
        )

    def write(self, settled: Iterable[int], batch: int) -> None:
        """Write these, and forget what was said of articles at their addresses; within the caller's transaction."""
        rows = [(number, *self._row(self.unwritten[number]), batch) for number in settled]
        marks = ", ".join("?" * (_COLUMNS.count(",") + 2))
        self._connection.executemany(f"INSERT OR REPLACE INTO repeats({_COLUMNS}, batch) VALUES ({marks})", rows)  # noqa: S608

    def withdraw(self, entries: Iterable[Entry]) -> None:
        """These repeat nothing any more: they are documents."""
        rows = [(self._numbers.known_site(entry.site), entry.url) for entry in entries]
        self._connection.executemany("DELETE FROM repeats WHERE site = ? AND url = ?", rows)

    def dropped(self) -> Iterator[Entry]:
        """The entries of those that became no document, with their keys; less other addresses of known pages."""
        return (one.entry for one in self.all("kept = 0 AND kind != 'same_page'"))

    def dropped_of(self, ids: Iterable[str]) -> Iterator[Repeat]:
        """Those of documents of these ids that were dropped."""
        query = f"SELECT {_COLUMNS} FROM repeats WHERE first = ? AND kept = 0 AND kind != 'same_page' ORDER BY number"  # noqa: S608
        for id in ids:
            yield from map(self._repeat_of, self._connection.execute(query, (id,)).fetchall())

    def named(self, name: str) -> Entry | None:
        """The article of this id or address that was dropped."""
        query = f"SELECT {_COLUMNS} FROM repeats WHERE kept = 0 AND (id = ? OR url = ?) LIMIT 1"  # noqa: S608
        rows = self._connection.execute(query, (name, canonical(name))).fetchall()
        return self._repeat_of(rows[0]).entry if rows else None

    def all(self, condition: str = "1") -> Iterator[Repeat]:
        """All that were written, for which a condition of SQL holds."""
        last = 0
        query = (
            f"SELECT {_COLUMNS} FROM repeats WHERE number > ? AND {condition} "  # noqa: S608 - our own conditions
            f"ORDER BY number LIMIT {ROWS_AT_ONCE}"
        )
        while rows := self._connection.execute(query, (last,)).fetchall():
            yield from map(self._repeat_of, rows)
            last = rows[-1][0]

    def _row(self, repeat: Repeat) -> tuple[Any, ...]:
        site, first = (self._numbers.of_site(name) for name in (repeat.entry.site, repeat.first_site))
        keys = b"" if repeat.kept else repeat.entry.fingerprint.keys
        said = (repeat.kind, repeat.first, first, repeat.similarity, repeat.kept, repeat.at.isoformat())
        return (*row_of(repeat.entry, site), keys, *said)

    def _repeat_of(self, row: tuple[Any, ...]) -> Repeat:
        keys, kind, first, first_site, similarity, kept, at = row[11:]
        entry = entry_of_row(row[1:11], self._numbers, keys)
        first_name = self._numbers.name_of(first_site)
        return Repeat(entry, kind, first, first_name, similarity, bool(kept), datetime.fromisoformat(at))
