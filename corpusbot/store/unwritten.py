"""What has happened to a frontier since its last commit, in memory until the next one."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from corpusbot.store.links import Lease, Link, Outcome, Validators
from corpusbot.store.schema import FAILED, FINISHED


class Unwritten:
    """Rows for the next commit."""

    def __init__(self) -> None:
        self.added: dict[bytes, tuple[Any, ...]] = {}
        self.leased: set[int] = set()
        self.released: set[int] = set()
        self.finished: list[tuple[Any, ...]] = []
        self.validators: list[tuple[Any, ...]] = []
        self.incidents: list[tuple[Any, ...]] = []
        self.tallies: Counter[tuple[int, str, str]] = Counter()

    def __bool__(self) -> bool:
        return bool(self.added or self.leased or self.released or self.finished or self.incidents or self.tallies)

    def add(self, key: bytes, link: Link, host: str, run: int) -> None:
        """Queue a link that is new, or to be asked for again."""
        self.added[key] = (key, link.url, host, link.kind, link.priority, json_text(link.place), run)

    def release(self, number: int) -> None:
        """Queue a lease's return; one that was never written need not be unwritten."""
        if number in self.leased:
            self.leased.discard(number)
        else:
            self.released.add(number)

    def finish(self, lease: Lease, outcome: Outcome, validators: Validators | None, run: int) -> None:
        """Queue the end of a lease, and how to ask next time whether the page has changed."""
        self.leased.discard(lease.id)
        failed = outcome.name == "failed"
        state, attempts = (FAILED, lease.attempts + 1) if failed else (FINISHED, 0)
        told = (outcome.name, outcome.cause, outcome.detail, outcome.status)
        self.finished.append((state, run, attempts, *told, now(), lease.id))
        if validators is not None:
            visited = validators.visited or now()
            known = (validators.etag, validators.modified, validators.digest, visited)
            self.validators.append((*known, lease.id))

    def note(self, run: int, url: str, outcome: Outcome, place: Mapping[str, Any] | None) -> None:
        """Queue an incident of something that is no link."""
        told = (outcome.name, outcome.cause, outcome.detail)
        self.incidents.append((run, now(), url, *told, json_text(place)))

    def tally(self, run: int, subject: str, name: str) -> None:
        """Queue one more of what a run counts."""
        self.tallies[run, subject, name] += 1

    def write(self, database: sqlite3.Connection) -> None:
        """Write all of it, children before acknowledgements, inside the caller's transaction."""
        many = database.executemany
        many(
            "INSERT INTO links(key, url, host, kind, priority, place, run, state)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT(key) DO UPDATE SET state = 0, kind = excluded.kind,"
            " priority = excluded.priority, place = excluded.place, run = excluded.run",
            list(self.added.values()),
        )
        many("UPDATE links SET state = 1 WHERE id = ?", [(number,) for number in self.leased])
        many("UPDATE links SET state = 0 WHERE id = ?", [(number,) for number in self.released])
        many(
            "UPDATE links SET state = ?, run = ?, attempts = ?, outcome = ?, cause = ?, detail = ?,"
            " status = ?, finished = ? WHERE id = ?",
            self.finished,
        )
        many(
            "UPDATE links SET etag = coalesce(?, etag), modified = coalesce(?, modified),"
            " digest = coalesce(?, digest), visited = ? WHERE id = ?",
            self.validators,
        )
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


def now() -> str:
    """The time as the state keeps it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
