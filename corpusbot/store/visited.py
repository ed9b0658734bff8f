"""What visits to pages have told, as rows of the table of links; which of them are due, and what they are worth."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nlargest
from typing import Any, NamedTuple

from corpusbot.freshness_visits import INDEXES, MOST_FALSE_HINTS, Schedule, Visits
from corpusbot.store.links import Due
from corpusbot.store.schema import PENDING

# Known pages that are asked again wait behind all others, that of most worth first; so they are told from them too.
LAST_PRIORITY = -1_000_000
HIGHEST_RANK = 100_000

# Subject and names of what a run counts.
REVISITS = "revisits"
AGAIN, CHANGED, WITHDRAWN, LEFT, ASLEEP = "asked again", "changed", "withdrawn", "left", "index pages not due"

SECONDS_OF_DOUBT = 60  # clocks are put right by a little all the time
LOOKUP_SIZES = (1, 16, 128, 500)  # few different statements, so that SQLite keeps each of them prepared
_KNOWN_COLUMNS = "id, state, run, due, visited, lastmod, false_hints, rate"
VISITS_COLUMNS = (
    "visits, changes, first_visited, visited, born, rate, due, last_changed, history, fresh_seconds, usual_seconds,"
    " lastmod, false_hints"
)
_ARTICLES_DUE = (
    f"SELECT id, host, kind, json_extract(place, '$.section'), {VISITS_COLUMNS} FROM links"  # noqa: S608  (names only)
    " WHERE due <= :now AND state IN (2, 3) AND run <> :run"
    f" AND visits > 0 AND kind NOT IN ({', '.join(repr(kind) for kind in INDEXES)})"
)
_PUT_BACK = "UPDATE links SET state = 2 WHERE state = {state} AND priority < :below"


class Known(NamedTuple):
    """What the table says of a link that is found again."""

    id: int
    state: int
    run: int
    due: int | None
    visited: str | None
    lastmod: int | None
    false_hints: int
    rate: float | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A known page that is to be asked again."""

    worth: float
    id: int
    host: str


def known_links(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Known]:
    """Those keys that the table has, up to 500 of them by one statement."""
    found: dict[bytes, Known] = {}
    for start in range(0, len(keys), LOOKUP_SIZES[-1]):
        part = list(keys[start : start + LOOKUP_SIZES[-1]])
        size = next(size for size in LOOKUP_SIZES if size >= len(part))
        part += part[-1:] * (size - len(part))
        marks = ",".join("?" * size)
        query = f"SELECT key, {_KNOWN_COLUMNS} FROM links WHERE key IN ({marks})"  # noqa: S608  (question marks only)
        found.update((key, Known(*known)) for key, *known in database.execute(query, part))
    return found


def rank_if_due(schedule: Schedule, known: Known, now: float, anyway: bool = False) -> int | None:
    """The rank of an index page by what it is worth to ask for it; None if its time has not come."""
    if known.visited is None:
        return 0
    last = seconds_of(known.visited)
    if not anyway and not schedule.is_due(known.due, last, now):
        return None
    return schedule.rank(schedule.worth_of_index(known.rate, now - last))


def mend_times(database: sqlite3.Connection, now: float) -> None:
    """If the last run was in the future, by a clock that was wrong: what was asked for then is due."""
    row = database.execute("SELECT coalesce(finished, started) FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    if row and seconds_of(row[0]) > now + SECONDS_OF_DOUBT:
        mend = "UPDATE links SET due = ? WHERE visited > ? AND due IS NOT NULL"
        database.execute(mend, (int(now), text_of(now)))


def visits_of(row: Sequence[Any]) -> Visits:
    """The visits of a row's columns."""
    count, changes, first, last, born, rate, due, changed, history, *told = row
    moment = seconds_of(last)
    first, born = first if first is not None else moment, born if born is not None else moment
    return Visits(count, changes, first, moment, born, rate or 0.0, due, changed, history or b"", *told)


def row_of(visits: Visits) -> tuple[Any, ...]:
    """The values of a row's columns that a visit changes, in the order of `unwritten`."""
    return (
        visits.count, visits.changes, visits.first, visits.last_changed, visits.born, visits.history or None,
        visits.rate, visits.due, visits.fresh_seconds, visits.usual_seconds, visits.false_hints,
    )  # fmt: skip


def says_changed(known: Known, lastmod: int) -> bool:
    """Whether a page, as its sitemap or feed has it, changed since it was visited.

    What was said before is the better measure, as a server's clock and its days may differ from ours.
    """
    if known.visited is None or known.false_hints >= MOST_FALSE_HINTS:
        return False
    since = known.lastmod if known.lastmod is not None else seconds_of(known.visited)
    return lastmod > since


class DuePages:
    """Known articles that a run is to ask for again: chosen late, when it is known what is new, and left if need be."""

    def __init__(self) -> None:
        self.wanted: Due | None = None  # None as well when the choice is made
        self._passed_over = 0

    def choose(self, database: sqlite3.Connection, schedule: Schedule, now: float, run: int) -> list[Chosen]:
        """The articles that are due, at most as many as wanted: those of most worth."""
        if self.wanted is None:
            return []
        most, every = self.wanted.most, _Worths(database, schedule, now, run, self.wanted.section)
        chosen = list(every) if most is None else nlargest(most, every, key=lambda one: one.worth)
        self.wanted, self._passed_over = None, every.count - len(chosen)
        return chosen

    def leave(self, database: sqlite3.Connection, schedule: Schedule, now: float, run: int) -> tuple[int, int]:
        """What was to be asked again and was not is what it was: how many links, and how many were due and are left."""
        if self.wanted is not None:
            self._passed_over = sum(1 for _ in _Worths(database, schedule, now, run, self.wanted.section))
        put = put_back(database, PENDING)
        return put, put + self._passed_over


class _Worths:
    """The articles that are due with their worths, one by one; counts them."""

    def __init__(
        self, database: sqlite3.Connection, schedule: Schedule, now: float, run: int, section: str | None
    ) -> None:
        self._rows = database.execute(_ARTICLES_DUE, {"now": int(now), "run": run})
        self._schedule, self._now, self._section = schedule, now, (section or "").casefold()
        self.count = 0

    def __iter__(self) -> Iterator[Chosen]:
        for number, host, kind, section, *row in self._rows:
            visits, is_elsewhere = visits_of(row), self._section and (section or "").casefold() != self._section
            if not is_elsewhere and not self._schedule.is_too_old(visits, self._now):
                self.count += 1
                yield Chosen(self._schedule.worth(kind, visits, self._now), number, host)


def put_back(database: sqlite3.Connection, state: int) -> int:
    """Known pages in this state that were to be asked again are what they were before; how many they are."""
    update = _PUT_BACK.format(state=int(state))
    return database.execute(update, {"below": LAST_PRIORITY + HIGHEST_RANK}).rowcount


def priority_of(rank: int) -> int:
    """The priority of a known page by the rank of its worth."""
    return LAST_PRIORITY + min(rank, HIGHEST_RANK - 1)


def seconds_of(text: str) -> int:
    """Seconds since 1970 of a time as the state keeps it."""
    return int(datetime.fromisoformat(text).timestamp())


def text_of(seconds: float) -> str:
    """A time as the state keeps it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
