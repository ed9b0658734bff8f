"""What a visit to a page comes to: whether it brought anything new, when the page is due again, whether it is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import NamedTuple

from corpusbot.freshness_told import SECONDS_PER_DAY, Told
from corpusbot.freshness_visits import INDEXES, Schedule
from corpusbot.store.links import Lease, Link, Outcome, Validators
from corpusbot.store.unwritten import Unwritten
from corpusbot.store.visited import AGAIN, CHANGED, REVISITS, WITHDRAWN

GONE = frozenset({404, 410})

WhenGone = Callable[[str, int, datetime], None]
WhenUnchanged = Callable[[str, datetime], None]


@dataclass(frozen=True, slots=True)
class Found:
    """How many links stood on a page: to articles, those of them that were not known, and to other index pages."""

    news: int = 0
    articles: int = 0
    indexes: int = 0


class End(NamedTuple):
    """How the asking for a link ended; `written` if a document was made of it."""

    lease: Lease
    outcome: Outcome
    validators: Validators | None
    told: Told
    written: bool
    run: int
    now: float


def found_among(links: Mapping[bytes, Link], known: Container[bytes], queued: Container[bytes]) -> Found:
    """How many of these links by key are articles, new articles, and other index pages."""
    articles = [key for key, link in links.items() if link.kind not in INDEXES]
    new = len([key for key in articles if key not in known and key not in queued])
    return Found(new, len(articles), len(links) - len(articles))


class Visiting:
    """Turns the ends of leases into what the table is to know of visits, and tells who wants to hear of them."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.counts: Counter[str] = Counter()  # of this sitting, for who looks on
        self.when_gone: list[WhenGone] = []
        self.when_unchanged: list[WhenUnchanged] = []
        self._found: dict[int, Found] = {}

    def find(self, number: int, found: Found) -> None:
        """Links stood on the page of this lease."""
        before = self._found.get(number, Found())
        indexes = before.indexes + found.indexes
        self._found[number] = Found(before.news + found.news, before.articles + found.articles, indexes)

    def hear(self, number: int) -> None:
        """The page of this lease says that a known one has changed, which is news as well."""
        before = self._found.get(number, Found())
        self._found[number] = replace(before, news=before.news + 1)

    def forget(self, number: int) -> None:
        """A lease is given back."""
        self._found.pop(number, None)

    def end(self, end: End, unwritten: Unwritten) -> None:
        """A link is finished with."""
        found = self._found.pop(end.lease.id, Found())
        if end.validators is not None or (end.lease.visits is not None and end.outcome.name == "dropped"):
            self._visited(end, found, unwritten)
        elif end.lease.visits is None:
            unwritten.finish(end.lease, end.outcome, end.run, end.now)
        else:
            self._missed(end, unwritten)

    def count(self, unwritten: Unwritten, run: int, name: str, count: int = 1) -> None:
        """Count what the run's report tells of pages asked again."""
        self.counts[name] += count
        unwritten.tally(run, REVISITS, name, count)

    def _visited(self, end: End, found: Found, unwritten: Unwritten) -> None:
        lease, kind, validators = end.lease, end.lease.link.kind, end.validators
        told = end.told
        if told.usual_seconds is None and lease.link.usual_seconds is not None:
            told = replace(told, usual_seconds=lease.link.usual_seconds)
        leads_on = kind in INDEXES and found.indexes > 0 and not found.articles
        if leads_on:  # to other index pages, which change while it does not: it is always to come whole
            validators = Validators()
        if lease.visits is None:
            visits = self.schedule.first(kind, end.now, _born(lease.link, end.now), told)
        else:
            changed = None if leads_on else found.news > 0 or (kind not in INDEXES and end.written)
            visits = self.schedule.again(kind, lease.visits, end.now, changed, told)
            if kind not in INDEXES:
                self._count_again(end, bool(changed), unwritten)
        unwritten.visit(lease, end.outcome, end.run, validators, visits)

    def _count_again(self, end: End, changed: bool, unwritten: Unwritten) -> None:
        self.count(unwritten, end.run, AGAIN)
        if changed:
            self.count(unwritten, end.run, CHANGED)
        elif end.outcome.name in ("done", "unchanged"):
            for tell in self.when_unchanged:
                tell(end.lease.link.url, datetime.fromtimestamp(end.now, UTC))

    def _missed(self, end: End, unwritten: Unwritten) -> None:
        """A known page could not be had; an article that is gone is asked for once more."""
        lease, outcome, status = end.lease, end.outcome, end.outcome.status
        due: int | None = self.schedule.after_failure(lease.attempts, end.now)
        if status in GONE and lease.link.kind not in INDEXES:
            before = lease.link.validators
            was_gone = before is not None and before.status in GONE
            due, outcome = self.schedule.after_gone(was_gone, end.now), replace(outcome, name="withdrawn")
            self.count(unwritten, end.run, AGAIN)
            if not was_gone:
                self.count(unwritten, end.run, WITHDRAWN)
            for tell in self.when_gone:
                tell(lease.link.url, int(status or 0), datetime.fromtimestamp(end.now, UTC))
        unwritten.finish(lease, outcome, end.run, end.now)
        unwritten.due.append((due, lease.id))


def _born(link: Link, now: float) -> float:
    """When an article was printed: now, unless it was found among those of a past day."""
    day = link.place.get("day")
    try:
        printed = date.fromisoformat(day) if isinstance(day, str) else None
    except ValueError:
        printed = None
    if printed is None:
        return now
    midnight = datetime(printed.year, printed.month, printed.day, tzinfo=UTC).timestamp()
    return min(now, midnight + SECONDS_PER_DAY)
