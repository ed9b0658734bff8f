"""What has happened to a frontier since its last commit, in memory until the next one."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from typing import Any

from corpusbot.freshness_visits import Visits
from corpusbot.store.links import Lease, Link, Outcome, Validators
from corpusbot.store.schema import FAILED, FINISHED
from corpusbot.store.visited import row_of, text_of

_KEPT = Validators()
_ENDED = "state = ?, run = ?, attempts = ?, outcome = ?, cause = ?, detail = ?, status = ?, finished = ?"
_VISITED = (
    "etag = coalesce(?, etag), modified = coalesce(?, modified), digest = coalesce(?, digest), visited = ?,"
    " visits = ?, changes = ?, first_visited = ?, last_changed = ?, born = ?, history = ?, rate = ?, due = ?,"
    " fresh_seconds = ?, usual_seconds = ?, false_hints = ?"
)


class Unwritten:
    """Rows for the next commit."""

    def __init__(self) -> None:
        self.added: dict[bytes, tuple[Any, ...]] = {}
        self.leased: set[int] = set()
        self.released: set[int] = set()
        self.armed: dict[int, int] = {}
        self.finished: list[tuple[Any, ...]] = []
        self.visited: list[tuple[Any, ...]] = []
        self.due: list[tuple[int | None, int]] = []
        self.told: dict[bytes, tuple[Any, ...]] = {}
        self.incidents: list[tuple[Any, ...]] = []
        self.tallies: Counter[tuple[int, str, str]] = Counter()

    def __bool__(self) -> bool:
        return bool(
            self.added or self.leased or self.released or self.ended or self.armed or self.told
            or self.incidents or self.tallies
        )  # fmt: skip

    @property
    def ended(self) -> int:
        """How many leases have ended."""
        return len(self.finished) + len(self.visited)

    def add(self, key: bytes, link: Link, host: str, run: int) -> None:
        """Queue a link that is new, or to be asked for again."""
        place = json_text(link.place)
        self.added[key] = (key, link.url, host, link.kind, link.priority, place, run, link.lastmod, link.usual_seconds)

    def tell(self, key: bytes, link: Link, due: int | None) -> None:
        """Queue what was said of a known page; `due` is None if that changes nothing of when it is asked again."""
        self.told[key] = (link.lastmod, link.usual_seconds, due, key)

    def release(self, number: int) -> None:
        """Queue a lease's return; one that was never written need not be unwritten."""
        if number in self.leased:
            self.leased.discard(number)
        else:
            self.released.add(number)

    def finish(self, lease: Lease, outcome: Outcome, run: int, now: float) -> None:
        """Queue the end of a lease of which nothing is kept."""
        self.finished.append((*self._end(lease, outcome, run, now), lease.id))

    def visit(
        self, lease: Lease, outcome: Outcome, run: int, validators: Validators | None, visits: Visits
    ) -> None:
        """Queue the end of a lease, what the visit told, and how to ask next time whether the page has changed."""
        kept = validators or _KEPT
        moment = text_of(visits.last)
        known = (kept.etag, kept.modified, kept.digest, kept.visited or moment)
        self.visited.append((*self._end(lease, outcome, run, visits.last), *known, *row_of(visits), lease.id))

    def _end(self, lease: Lease, outcome: Outcome, run: int, now: float) -> tuple[Any, ...]:
        self.leased.discard(lease.id)
        failed = outcome.name == "failed"
        state, attempts = (FAILED, lease.attempts + 1) if failed else (FINISHED, 0)
        told = (outcome.name, outcome.cause, outcome.detail, outcome.status)
        return (state, run, attempts, *told, text_of(now))

    def note(self, run: int, now: float, url: str, outcome: Outcome, place: Mapping[str, Any] | None) -> None:
        """Queue an incident of something that is no link."""
        told = (outcome.name, outcome.cause, outcome.detail)
        self.incidents.append((run, text_of(now), url, *told, json_text(place)))

    def tally(self, run: int, subject: str, name: str, count: int = 1) -> None:
        """Queue one more, or several, of what a run counts."""
        self.tallies[run, subject, name] += count

    def write(self, database: sqlite3.Connection) -> None:
        """Write all of it, children before acknowledgements, inside the caller's transaction."""
        many = database.executemany
        many(
            "INSERT INTO links(key, url, host, kind, priority, place, run, lastmod, usual_seconds, state)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT(key) DO UPDATE SET state = 0, kind = excluded.kind,"
            " priority = excluded.priority, place = excluded.place, run = excluded.run",
            list(self.added.values()),
        )
        many(
            "UPDATE links SET lastmod = coalesce(?, lastmod), usual_seconds = coalesce(?, usual_seconds),"
            " due = coalesce(?, due) WHERE key = ?",
            list(self.told.values()),
        )
        many("UPDATE links SET state = 0, priority = ? WHERE id = ?", [(rank, id) for id, rank in self.armed.items()])
        many("UPDATE links SET state = 1 WHERE id = ?", [(number,) for number in self.leased])
        many("UPDATE links SET state = 0 WHERE id = ?", [(number,) for number in self.released])
        many(f"UPDATE links SET {_ENDED} WHERE id = ?", self.finished)  # noqa: S608  (names of columns only)
        many(f"UPDATE links SET {_ENDED}, {_VISITED} WHERE id = ?", self.visited)  # noqa: S608  (the same)
        many("UPDATE links SET due = ? WHERE id = ?", self.due)
        many(
            "INSERT INTO incidents(run, at, url, outcome, cause, detail, place) VALUES(?, ?, ?, ?, ?, ?, ?)",
            self.incidents,
        )
        many(
            "INSERT INTO tallies(run, subject, name, count) VALUES(?, ?, ?, ?)"
            " ON CONFLICT(run, subject, name) DO UPDATE SET count = count + excluded.count",
            [(*counted, number) for counted, number in self.tallies.items()],
        )


def json_text(value: Mapping[str, Any] | None) -> str:
    """A mapping as the state keeps it; dates and the like become text."""
    return json.dumps(dict(value), ensure_ascii=False, default=str) if value else "{}"
