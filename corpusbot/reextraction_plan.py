"""Which stored pages are read again, and what came of each: a file beside the state, so that a killed run goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from corpusbot.addresses import key_of
from corpusbot.export.document import Document
from corpusbot.reextraction_former import Former, Known
from corpusbot.reextraction_page import Reread
from corpusbot.sqlite_file import Kind, clear_errors, opened, transaction
from corpusbot.store.documents.content import packed, unpacked
from corpusbot.store.growing import StoreError
from corpusbot.store.page_index import PageIndex

NAME = "reextract.sqlite"
_TABLES = """
CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE known(id TEXT PRIMARY KEY, key BLOB NOT NULL, record TEXT, token TEXT NOT NULL);
CREATE INDEX known_key ON known(key);
CREATE TABLE newest(key BLOB PRIMARY KEY, url TEXT NOT NULL, record TEXT NOT NULL, fetched TEXT NOT NULL);
CREATE TABLE pages(
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, url TEXT NOT NULL, record TEXT NOT NULL,
    fetched TEXT NOT NULL, id TEXT, token TEXT,
    outcome TEXT, reason TEXT, fields TEXT, words_added INTEGER, words_removed INTEGER, content BLOB
);
CREATE INDEX pages_outcome ON pages(outcome)
"""
KIND = Kind(
    noun="the work of a `corpusbot reextract`",
    application_id=0x63727278,  # "crrx"
    tables=_TABLES,
    steps=(),
    error=StoreError,
    cure="remove it, and the pages are read once more",
)


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page to be read again: its newest record, and the document that was made of its address, if there is one."""

    number: int
    url: str
    record: str
    fetched_at: datetime
    known: Known | None


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a page."""

    number: int
    url: str
    fetched_at: datetime
    former_id: str | None
    outcome: str
    reason: str | None
    fields: tuple[str, ...]
    words_added: int
    words_removed: int
    document: Document | None


class Plan:
    """The pages of a newspaper that are read again, and their outcomes; results of other rules are forgotten."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._db = opened(self.path, KIND)

    def refresh(self, index: PageIndex, former: Former, days: tuple[date | None, date | None], rules: str) -> None:
        """Bring it up to date: outcomes of pages or documents that are other by now are forgotten."""
        with clear_errors(self.path, KIND), transaction(self._db):
            self._forget_other_rules(rules)
            self._db.execute("DELETE FROM known")
            self._db.executemany(
                "INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?)",
                ((one.id, one.key, one.record, one.token) for one in former.known()),
            )
            self._db.execute("DELETE FROM newest")
            self._db.executemany(
                "INSERT OR REPLACE INTO newest VALUES (?, ?, ?, ?)",  # in order of time: the last one stays
                ((key_of(one.url), one.url, one.record_id, one.fetched_at.isoformat()) for one in index.between()),
            )
            since, until = _moments(days)
            self._db.execute("DELETE FROM newest WHERE fetched < ? OR fetched >= ?", (since, until))
            self._take_over()

    def _forget_other_rules(self, rules: str) -> None:
        before = self._db.execute("SELECT value FROM about WHERE name = 'rules'").fetchone()
        if before != (rules,):
            self._db.execute("DELETE FROM pages")
            self._db.execute("INSERT OR REPLACE INTO about VALUES ('rules', ?)", (rules,))

    def _take_over(self) -> None:
        """Let the pages be those of `newest`, each with the document of its address."""
        of_page = "SELECT known.{} FROM known WHERE known.key = {}.key ORDER BY id LIMIT 1"
        same = " AND ".join(f"pages.{name} IS ({of_page.format(name, 'pages')})" for name in ("id", "token"))
        self._db.execute(
            "DELETE FROM pages WHERE NOT EXISTS (SELECT 1 FROM newest"  # noqa: S608 - our own names
            f" WHERE newest.key = pages.key AND newest.record = pages.record) OR NOT ({same})"
        )
        found = ", ".join(f"({of_page.format(name, 'newest')})" for name in ("id", "token"))
        self._db.execute(
            "INSERT OR IGNORE INTO pages(key, url, record, fetched, id, token)"  # noqa: S608 - our own names
            f" SELECT key, url, record, fetched, {found} FROM newest ORDER BY fetched, url"
        )

    def counts(self) -> tuple[int, int]:
        """How many pages there are, and how many of them were read."""
        row = self._db.execute("SELECT count(*), count(outcome) FROM pages").fetchone()
        return int(row[0]), int(row[1])

    def todo(self) -> Iterator[PlannedPage]:
        """The pages that were not read yet, in the order in which they were fetched."""
        numbers = [number for (number,) in self._db.execute("SELECT number FROM pages WHERE outcome IS NULL")]
        query = (
            "SELECT p.number, p.url, p.record, p.fetched, k.id, k.key, k.record, k.token"
            " FROM pages AS p LEFT JOIN known AS k ON k.id = p.id WHERE p.number = ?"
        )
        for number in numbers:
            _, url, record, fetched, *known = self._db.execute(query, (number,)).fetchone()
            moment = datetime.fromisoformat(fetched)
            yield PlannedPage(number, url, record, moment, Known(*known) if known[0] else None)

    def knows(self, id: str) -> bool:
        """Whether there was a document of this id before."""
        return self._db.execute("SELECT 1 FROM known WHERE id = ?", (id,)).fetchone() is not None

    def keep(self, results: Iterable[tuple[int, Reread]]) -> None:
        """Remember what came of pages, lastingly."""
        update = (
            "UPDATE pages SET outcome = ?, reason = ?, fields = ?, words_added = ?, words_removed = ?, content = ?"
            " WHERE number = ?"
        )
        rows = [
            (
                *(one.outcome, one.reason, json.dumps(one.fields), one.words_added, one.words_removed),
                *(packed(one.document).content if one.document else None, number),
            )
            for number, one in results
        ]
        with clear_errors(self.path, KIND), transaction(self._db):
            self._db.executemany(update, rows)

    def tally(self, query: str) -> Mapping[str, int]:
        """What a query counts, by name."""
        return dict(self._db.execute(query).fetchall())

    def findings(self, where: str = "outcome NOT NULL ORDER BY number", limit: int = -1) -> Iterator[Finding]:
        """What came of pages, one by one."""
        columns = "number, url, fetched, id, outcome, reason, fields, words_added, words_removed, content"
        query = f"SELECT {columns} FROM pages WHERE {where} LIMIT ?"  # noqa: S608 - our own conditions
        for number, url, fetched, id, outcome, reason, fields, added, removed, content in self._db.execute(
            query, (limit,)
        ):
            yield Finding(
                number, url, datetime.fromisoformat(fetched), id, outcome, reason, tuple(json.loads(fields or "[]")),
                added or 0, removed or 0, unpacked(content) if content else None,
            )  # fmt: skip

    def known_of(self, id: str) -> Known | None:
        """The document of an id as it was before."""
        row = self._db.execute("SELECT id, key, record, token FROM known WHERE id = ?", (id,)).fetchone()
        return Known(*row) if row else None

    def remove(self) -> None:
        """All is done: the file is not needed any more."""
        self.close()
        for path in (self.path, *(self.path.with_name(NAME + ending) for ending in ("-wal", "-shm"))):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _moments(days: tuple[date | None, date | None]) -> tuple[str, str]:
    """The times between which pages of these days were fetched."""
    since, until = days
    start = datetime.combine(since, time(), UTC).isoformat() if since else ""
    end = datetime.combine(until + timedelta(days=1), time(), UTC).isoformat() if until else "~"
    return start, end
