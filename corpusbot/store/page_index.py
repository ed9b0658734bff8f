"""Where each page of an archive stands: by address and time, by record, in the order of time.

The index is made of the archive's files and nothing else: it can be thrown away, and is brought up to date by reading
what was added behind the places that it knows. A file that was cut, or that another took the place of, is read anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from corpusbot.addresses import key_of
from corpusbot.model import Page
from corpusbot.sqlite_file import Kind, clear_errors, opened, transaction
from corpusbot.store.growing import StoreError
from corpusbot.store.members import Damage, DamageError, RecordFile, files_in
from corpusbot.store.page_rows import Stored, insert, microseconds, packed_id, row, row_of, stored_of
from corpusbot.store.warc import page_of, summary_of

__all__ = ["KIND", "NAME", "PageIndex", "Progress", "Stored"]

NAME = "pages.sqlite"
ROWS_A_TRANSACTION = 1000
ROWS_A_LOOK = 1000
FILES_HELD_OPEN = 8

_TABLES = """
CREATE TABLE files(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    length INTEGER NOT NULL              -- how far it was read
);
CREATE TABLE pages(
    file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
    key BLOB NOT NULL,                   -- 16 bytes of the canonical address, as in the crawl's state
    url TEXT NOT NULL, at INTEGER NOT NULL, status INTEGER NOT NULL, mime TEXT,
    digest, record, refers,              -- 32 and 16 bytes where they are a SHA-256 and UUIDs, as ours are, else text
    PRIMARY KEY(file, offset)
) WITHOUT ROWID;
CREATE INDEX pages_by_address ON pages(key, at);
CREATE INDEX pages_by_record ON pages(record);
CREATE INDEX pages_by_time ON pages(at)
"""
KIND = Kind(
    noun="an index of raw pages",
    application_id=0x63727069,  # "crpi"
    tables=_TABLES,
    steps=(),
    error=StoreError,
    cure="remove it, and it is made again",
)
_COLUMNS = "files.name, offset, pages.length, url, at, status, mime, digest, record, refers"
_SELECT = f"SELECT {_COLUMNS} FROM pages JOIN files ON files.id = pages.file"  # noqa: S608 - our own names

Progress = Callable[[str, int], None]


class PageIndex:
    """The index of the archive in a folder, opened when it is first asked; it lives in that folder, as NAME.

    Where the folder cannot be written to, the index is made in memory.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.path = self.folder / NAME
        self._database: sqlite3.Connection | None = None
        self._files: dict[str, RecordFile] = {}

    # -- finding

    def find(self, url: str, at: datetime | None = None) -> Stored | None:
        """The record of an address that was made at a time or last before it, else the first; None if there is none."""
        key, moment = key_of(url), microseconds(at) if at else 1 << 62
        found = self._rows("WHERE key = ? AND at <= ? ORDER BY at DESC LIMIT 1", key, moment)
        found = found or self._rows("WHERE key = ? ORDER BY at LIMIT 1", key)
        return found[0] if found else None

    def of_address(self, url: str) -> list[Stored]:
        """All records of an address, in the order of time."""
        return self._rows("WHERE key = ? ORDER BY at", key_of(url))

    def originals(self, url: str, most: int) -> list[Stored]:
        """The last records of an address that have bytes of their own, the newest first."""
        return self._rows("WHERE key = ? AND refers IS NULL ORDER BY at DESC LIMIT ?", key_of(url), most)

    def by_record(self, record_id: str) -> Stored | None:
        """The record of this name."""
        found = self._rows("WHERE record = ? LIMIT 1", packed_id(record_id.strip("<>")))
        return found[0] if found else None

    def between(self, since: datetime | None = None, until: datetime | None = None) -> Iterator[Stored]:
        """The records from one time on and before another, in the order of time."""
        last = (microseconds(since) if since else -(1 << 62), -1, -1)
        end = microseconds(until) if until else 1 << 62
        while rows := self._raw_rows(
            "WHERE (at, file, offset) > (?, ?, ?) AND at < ? ORDER BY at, file, offset LIMIT ?", *last, end, ROWS_A_LOOK
        ):
            yield from (stored for stored, _ in rows)
            last = microseconds(rows[-1][0].fetched_at), rows[-1][1], rows[-1][0].offset

    def in_file(self, name: str) -> list[tuple[int, int]]:
        """Where the pages of a file stand that have bytes of their own, and how long each is."""
        query = "SELECT offset, length FROM pages WHERE refers IS NULL AND file = (SELECT id FROM files WHERE name = ?)"
        return list(self._execute(f"{query} ORDER BY offset", name))

    def count(self) -> int:
        """How many records there are."""
        ((number,),) = self._execute("SELECT count(*) FROM pages")
        return int(number)

    def _rows(self, where: str, *values: Any) -> list[Stored]:
        return [stored for stored, _ in self._raw_rows(where, *values)]

    def _raw_rows(self, where: str, *values: Any) -> list[tuple[Stored, int]]:
        """What is found, each with its file's number."""
        rows = self._execute(f"{_SELECT.replace(' FROM', ', file FROM', 1)} {where}", *values)
        return [(stored_of(found), found[-1]) for found in rows]

    def _execute(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with clear_errors(self.path, KIND):
            return self._db.execute(statement, values).fetchall()

    # -- reading

    def read(self, stored: Stored) -> Page:
        """The page of a record; one that refers to another has that one's bytes, name and headers, and its own time."""
        page = self._read(stored if stored.kind == "response" else self._referred(stored))
        return page if stored.kind == "response" else replace(page, fetched_at=stored.fetched_at)

    def _referred(self, stored: Stored) -> Stored:
        found = self.by_record(stored.page_id)
        if found is None or found.kind == "revisit":
            raise StoreError(
                f"{self.folder}: the record {stored.page_id} is not there, whose bytes {stored.record_id} has. "
                "Bring back the file of the archive that it stood in"
            )
        return found

    def _read(self, stored: Stored) -> Page:
        page = self._page_at(stored)
        if page is None:  # cut off and written anew, or compacted, since the index was made
            self.update()
            again = self.by_record(stored.record_id)
            page = self._page_at(again) if again else None
        if page is None:
            raise StoreError(
                f"{self.folder / stored.file}: the record {stored.record_id} is not at byte {stored.offset:,}. "
                "Bring back a copy of the file, or remove the index that is older"
            )
        return page

    def _page_at(self, stored: Stored) -> Page | None:
        try:
            member = self._file(stored.file).read(stored.offset)
            page = page_of(member.data) if member else None
        except (DamageError, ValueError, KeyError, IndexError, OSError):
            return None
        return page if page and (page.record_id or "") == stored.record_id else None

    def _file(self, name: str) -> RecordFile:
        file = self._files.pop(name, None) or RecordFile(self.folder / name)
        self._files[name] = file  # the one that was used last stands last
        if len(self._files) > FILES_HELD_OPEN:
            self._files.pop(next(iter(self._files))).close()
        return file

    # -- keeping it up to date

    def update(self, progress: Progress | None = None) -> list[tuple[Path, Damage]]:
        """Read what was added to the archive since; what cannot be read is told."""
        self._let_go()
        paths = {path.name: path for path in files_in(self.folder)}
        known = {name: (number, length) for number, name, length in self._execute("SELECT id, name, length FROM files")}
        for name, (number, _) in known.items():
            if name not in paths:
                self._forget(number)
        damages: list[tuple[Path, Damage]] = []
        for name, path in paths.items():
            number, length = known.get(name) or (self._file_number(name), 0)
            damages += ((path, damage) for damage in self._read_on(path, number, length, progress))
        return damages

    def rebuild(self, progress: Progress | None = None) -> list[tuple[Path, Damage]]:
        """Make the index anew of all files."""
        with self._transaction() as database:
            database.execute("DELETE FROM pages")
            database.execute("DELETE FROM files")
        return self.update(progress)

    def _read_on(self, path: Path, number: int, length: int, progress: Progress | None) -> Iterator[Damage]:
        """Read a file from where it was read to."""
        try:
            with RecordFile(path) as file:
                if length and not self._is_the_same(file, number, length):
                    self._forget(number, keep_name=True)
                    length = 0
                if file.path.stat().st_size > length:
                    yield from self._read_file(file, number, length, progress)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}. See that it can be read") from error
        except DamageError as error:
            yield Damage(0, path.stat().st_size, str(error))

    def _is_the_same(self, file: RecordFile, number: int, length: int) -> bool:
        """Whether the last page that was read is still where it stood, and all behind it."""
        if file.path.stat().st_size < length:
            return False
        query = "SELECT offset, record FROM pages WHERE file = ? ORDER BY offset DESC LIMIT 1"
        for offset, record in self._execute(query, number):
            try:
                member = next(file.walk(offset, offset + 1, head_only=True), None)
                summary = summary_of(member.data) if member and not isinstance(member, Damage) else None
            except (ValueError, KeyError):
                return False
            return summary is not None and packed_id(summary.record_id) == record
        return True

    def _read_file(self, file: RecordFile, number: int, start: int, progress: Progress | None) -> Iterator[Damage]:
        rows: list[tuple[Any, ...]] = []
        for member in file.walk(start, head_only=True):
            if isinstance(member, Damage) and member.torn:
                yield member
                break
            start = member.offset + member.length
            found = member if isinstance(member, Damage) else row_of(number, member)
            if isinstance(found, Damage):
                yield found
            elif found is not None:
                rows.append(found)
            if len(rows) == ROWS_A_TRANSACTION:
                self._write(number, start, rows)
                rows.clear()
            if progress:
                progress(f"{file.path.name}: bytes read", start)
        self._write(number, start, rows)

    def add(self, stored: Sequence[Stored], lengths: Mapping[str, int] | None = None) -> None:
        """What was written to files, and how long these are on the disk: there is no need to read them."""
        lengths = lengths or {}
        numbers = {name: self._file_number(name) for name in {*lengths, *(one.file for one in stored)}}
        rows = [row(numbers[one.file], one.offset, one.length, one) for one in stored]
        with self._transaction() as database:
            insert(database, rows)
            database.executemany(
                "UPDATE files SET length = max(length, ?) WHERE id = ?",
                [(length, numbers[name]) for name, length in lengths.items()],
            )

    def move(self, old: str, new: str, places: Sequence[tuple[int, int, int]], length: int) -> None:
        """A file was written in another form: its records stood, and stand, there, and have these lengths."""
        source, target = self._file_number(old), self._file_number(new)
        with self._transaction() as database:
            database.executemany(
                "UPDATE OR REPLACE pages SET file = ?, offset = ?, length = ? WHERE file = ? AND offset = ?",
                [(target, offset, size, source, before) for before, offset, size in places],
            )
            database.execute("DELETE FROM files WHERE id = ?", (source,))
            database.execute("UPDATE files SET length = ? WHERE id = ?", (length, target))

    def cut(self, name: str, length: int) -> None:
        """A file was cut: what stood behind that place is gone."""
        with self._transaction() as database:
            ours = "(SELECT id FROM files WHERE name = ?)"
            database.execute(f"DELETE FROM pages WHERE file = {ours} AND offset >= ?", (name, length))  # noqa: S608
            database.execute("UPDATE files SET length = min(length, ?) WHERE name = ?", (length, name))

    def _write(self, number: int, length: int, rows: list[tuple[Any, ...]]) -> None:
        with self._transaction() as database:
            insert(database, rows)
            database.execute("UPDATE files SET length = ? WHERE id = ?", (length, number))

    def _forget(self, number: int, keep_name: bool = False) -> None:
        with self._transaction() as database:
            database.execute("DELETE FROM pages WHERE file = ?", (number,))
            if keep_name:
                database.execute("UPDATE files SET length = 0 WHERE id = ?", (number,))
            else:
                database.execute("DELETE FROM files WHERE id = ?", (number,))

    def _file_number(self, name: str) -> int:
        self._execute("INSERT OR IGNORE INTO files(name, length) VALUES(?, 0)", name)
        ((number,),) = self._execute("SELECT id FROM files WHERE name = ?", name)
        return int(number)

    # -- the database

    @property
    def _db(self) -> sqlite3.Connection:
        if self._database is None:
            writable = os.access(self.folder, os.W_OK) or not self.folder.exists()
            self._database = opened(self.path if writable else Path(":memory:"), KIND)
            if not writable:
                self.update()
        return self._database

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with clear_errors(self.path, KIND), transaction(self._db):
            yield self._db

    def _let_go(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def close(self) -> None:
        """Let go of the index and of the archive's files."""
        self._let_go()
        if self._database is not None:
            self._database.close()
            self._database = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
