"""The numbers of documents and newspapers in the postings: never used again, given out in lots to each process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

DOCUMENTS_AT_ONCE = 1_000
UNKNOWN = -1


class Numbers:
    """Gives out numbers; a newspaper that was forgotten gets another one, so that its old postings hit nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lot: Iterator[int] = iter(())
        self._names: dict[int, str] = {}
        self._sites: dict[str, int] = {}
        self.forgotten: list[int] = [
            number for (number,) in connection.execute("SELECT number FROM sites WHERE name IS NULL")
        ]

    def next_document(self) -> int:
        """A number that no document has had."""
        number = next(self._lot, None)
        if number is None:
            query = "UPDATE numbers SET next = next + ? RETURNING next"
            end: int = self._connection.execute(query, (DOCUMENTS_AT_ONCE,)).fetchall()[0][0]
            self._lot = iter(range(end - DOCUMENTS_AT_ONCE, end))
            number = next(self._lot)
        return number

    def of_site(self, name: str) -> int:
        """The number of a newspaper, which gets one if it has none."""
        if self.known_site(name) == UNKNOWN:
            self._connection.execute("INSERT OR IGNORE INTO sites(name) VALUES (?)", (name,))
        return self.known_site(name)

    def known_site(self, name: str) -> int:
        """The number of a newspaper, or UNKNOWN: who only looks writes nothing, and waits for nobody who does."""
        if name not in self._sites:
            row = self._connection.execute("SELECT number FROM sites WHERE name = ?", (name,)).fetchone()
            if row is None:
                return UNKNOWN
            self._sites[name] = row[0]
        return self._sites[name]

    def name_of(self, number: int) -> str:
        """The newspaper that has a number; empty if it was forgotten."""
        if number not in self._names:
            row = self._connection.execute("SELECT name FROM sites WHERE number = ?", (number,)).fetchone()
            self._names[number] = (row[0] if row else None) or ""
        return self._names[number]

    def forget_site(self, name: str) -> None:
        """Take a newspaper's number away from it."""
        number = self.of_site(name)
        del self._sites[name]
        self._names.pop(number, None)
        self._connection.execute("UPDATE sites SET name = NULL WHERE number = ?", (number,))
        self.forgotten.append(number)
