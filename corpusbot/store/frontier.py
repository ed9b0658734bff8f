"""What the crawl of one site must remember: addresses to ask for, those asked, how far its files go."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Container, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from corpusbot.addresses import host_of, key_of
from corpusbot.freshness_told import NOTHING_TOLD, Told
from corpusbot.freshness_visits import INDEXES, SAID_TO_HAVE_CHANGED, Schedule
from corpusbot.sqlite_file import transaction
from corpusbot.store.links import (
    Due,
    Incident,
    Lease,
    Link,
    Links,
    Outcome,
    ReportRow,
    Run,
    Validators,
)
from corpusbot.store.runs import Runs, begun_run
from corpusbot.store.schema import LEASED, PENDING, StateError, connect, lock
from corpusbot.store.unwritten import Unwritten, json_text
from corpusbot.store.visited import (
    ASLEEP,
    LEFT,
    DuePages,
    Known,
    known_links,
    mend_times,
    priority_of,
    put_back,
    rank_if_due,
    says_changed,
    text_of,
)
from corpusbot.store.visiting import End, Visiting, WhenGone, WhenUnchanged, found_among
from corpusbot.store.waiting import Waiting

__all__ = [
    "Due",
    "Frontier",
    "Incident",
    "Lease",
    "Link",
    "Links",
    "Outcome",
    "ReportRow",
    "Run",
    "Runs",
    "StateError",
    "Validators",
]

GROUP_COMMIT_OPERATIONS = 500  # tuned on bench/crawl.py: larger groups no longer cost less

# The page whose output is being worked on, in this task and the tasks that it starts.
_page_in_hand: ContextVar[int | None] = ContextVar("page in hand", default=None)


class Frontier:
    """The state of one site's crawl: links out by priority, results in, both in grouped transactions."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self.clock = clock
        self.run: Run | None = None
        self.recovered = 0
        self.pending = 0
        self._database: sqlite3.Connection | None = None
        self._lock: IO[str] | None = None
        self._waiting = Waiting()
        self._unwritten = Unwritten()
        self._leases: dict[int, Lease] = {}
        self._held: set[int] = set()
        self._commit_due = False
        self._put_off: dict[int, list[Callable[[], None]]] = {}
        self._hooks: list[Callable[[], Mapping[str, int]]] = []
        self._of_links: list[Callable[[Mapping[bytes, Link]], None]] = []
        self._lengths: dict[str, int] = {}
        self._visiting = Visiting(Schedule())
        self._due = DuePages()

    # -- opening and closing

    def open(self) -> Self:
        """Take the state for this process; links in flight when a crawl was killed are pending again."""
        self._lock = lock(self.path)
        try:
            database = self._database = connect(self.path)
        except BaseException:
            self._lock.close()
            raise
        with transaction(database):
            for state in (PENDING, LEASED):  # what is to be asked again is chosen anew
                put_back(database, state)
            self.recovered = database.execute("UPDATE links SET state = 0 WHERE state = 1").rowcount
        self._lengths = dict(database.execute("SELECT name, length FROM files"))
        self._find_pending()
        return self

    def close(self) -> None:
        """Give back what is still in flight, write everything and let go of the file."""
        if self._database is None:
            return
        for number in list(self._leases):
            self.release(number)
        self.commit()
        self._database.close()
        self._database = None
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether the state is held by this process."""
        return self._database is not None

    @property
    def _db(self) -> sqlite3.Connection:
        if self._database is None:
            raise StateError(f"{self.path}: the frontier is not open. Call open() first")
        return self._database

    def _find_pending(self) -> None:
        self._waiting.find_hosts(self._db)
        self.pending = self._db.execute("SELECT count(*) FROM links WHERE state = 0").fetchone()[0]

    # -- runs

    def begin_run(self, arguments: Mapping[str, Any] | None = None) -> Run:
        """Begin a run, or go on with the one that was killed; a new run asks for failed links once more."""
        with transaction(self._db):
            mend_times(self._db, self.clock())
            self.run = begun_run(self._db, text_of(self.clock()), json_text(arguments))
        if not self.run.resumed:
            self._find_pending()
        return self.run

    def finish_run(self, reason: str) -> None:
        """Note that the run has ended, and why."""
        if self.run is None:
            return
        self.run = replace(self.run, finished=text_of(self.clock()), reason=reason)
        self._leave_due()
        self.commit()
        with transaction(self._db):
            update = "UPDATE runs SET finished = ?, reason = ? WHERE id = ?"
            self._db.execute(update, (self.run.finished, reason, self.run.id))

    @property
    def _run_id(self) -> int:
        return self.run.id if self.run else 0

    # -- links in

    def add(self, links: Iterable[Link], found_on: int | None = None) -> int:
        """Remember links, of the page of that lease; how many are new (or asked for again in this run)."""
        keyed: dict[bytes, Link] = {}
        for link in links:
            keyed.setdefault(key_of(link.url, link.salt), link)
        for hear in self._of_links:
            hear(keyed)
        keys = [key for key in keyed if key not in self._unwritten.added]
        if self._unwritten.ended and any(keyed[key].again for key in keys):
            self.commit_if_settled()  # the table should have the last word on links asked for again
        known = known_links(self._db, keys)
        found = found_among(keyed, known, self._unwritten.added)
        if found_on is not None:
            self._visiting.find(found_on, found)
        # An index page whose articles are all new may have had no room for others: its next page is asked as well.
        overflows = 0 < found.news == found.articles
        added = 0
        for key in keys:
            added += self._add_one(key, keyed[key], known.get(key), overflows, found_on)
        if len(self._unwritten.added) >= GROUP_COMMIT_OPERATIONS * 4:
            self.commit_if_settled()
        return added

    def _add_one(self, key: bytes, link: Link, known: Known | None, overflows: bool, found_on: int | None) -> bool:
        """Queue a link unless it is known and its time has not come."""
        if known is not None:
            says = link.lastmod is not None and self._hear(key, link, known, found_on)
            is_queued = known.state in (PENDING, LEASED) or known.id in self._unwritten.armed
            if is_queued or known.run == self._run_id or not link.again:
                return False
            if link.if_due:
                rank = rank_if_due(self._visiting.schedule, known, self.clock(), says or overflows)
                if rank is None:
                    self._visiting.count(self._unwritten, self._run_id, ASLEEP)
                    return False
                link = replace(link, priority=link.priority + rank)
        host = host_of(link.url)
        self._unwritten.add(key, link, host, self._run_id)
        self._waiting.expect(host, link.priority)
        self.pending += 1
        return True

    def _hear(self, key: bytes, link: Link, known: Known, found_on: int | None) -> bool:
        """Keep what is said of a known page; whether that is that it has changed."""
        if link.lastmod is None or link.lastmod == known.lastmod:
            return False
        says = says_changed(known, link.lastmod)
        self._unwritten.tell(key, link, SAID_TO_HAVE_CHANGED if says else None)
        if says and found_on is not None:
            self._visiting.hear(found_on)
        return says

    # -- links asked for again

    def keep_articles_fresh(self, days: float) -> None:
        """Articles are asked for again for so many days."""
        self._visiting.schedule = Schedule(days)

    def ask_due(self, wanted: Due) -> None:
        """Articles whose time has come are to be asked again, those of most worth first, when all else is asked."""
        self._due.wanted = wanted

    @property
    def has_more(self) -> bool:
        """Whether there is, or may be, anything to be given out."""
        return self.pending > 0 or self._due.wanted is not None

    def _choose_due(self) -> None:
        """Queue what is due, once the index pages have told what is new, and what is said to have changed."""
        is_early = self.pending > 0 or any(lease.link.kind in INDEXES for lease in self._leases.values())
        if is_early or not self.commit_if_settled():
            return
        schedule = self._visiting.schedule
        for one in self._due.choose(self._db, schedule, self.clock(), self._run_id):
            priority = priority_of(schedule.rank(one.worth))
            self._unwritten.armed[one.id] = priority
            self._waiting.expect(one.host, priority)
            self.pending += 1

    def _leave_due(self) -> None:
        """What was to be asked again and was not is left, to be chosen anew by another run."""
        self.commit()
        with transaction(self._db):
            put, left = self._due.leave(self._db, self._visiting.schedule, self.clock(), self._run_id)
        self.pending -= put
        if left:
            self._visiting.count(self._unwritten, self._run_id, LEFT, left)

    @property
    def asked_again(self) -> Mapping[str, int]:
        """How many known pages were asked again in this sitting, changed, were gone …"""
        return self._visiting.counts

    def when_gone(self, callback: WhenGone) -> None:
        """Call this with address, status and moment when a document's page answers 404 or 410, before the commit."""
        self._visiting.when_gone.append(callback)

    def when_unchanged(self, callback: WhenUnchanged) -> None:
        """Call this with address and moment when a document's page was asked again and is what it was."""
        self._visiting.when_unchanged.append(callback)

    def knows(self, url: str) -> bool:
        """Whether an address has been seen, whatever became of it."""
        key = key_of(url)
        return key in self._unwritten.added or bool(known_links(self._db, [key]))

    # -- links out

    def lease(self, full: Container[str] = ()) -> Lease | None:
        """The next link of a host that is not full, by priority and then discovery; None if there is none."""
        if self._due.wanted is not None:
            self._choose_due()
        if self._waiting.to_load:
            if not self.commit_if_settled():
                return None
            self._waiting.load(self._db)
        lease = self._waiting.pop(full)
        if lease is not None:
            self._leases[lease.id] = lease
            self._unwritten.leased.add(lease.id)
            self.pending -= 1
        return lease

    def leased(self, number: int) -> Lease | None:
        """The lease of this number, if it is in flight."""
        return self._leases.get(number)

    @property
    def in_flight(self) -> int:
        """How many links are given out and neither acknowledged nor given back."""
        return len(self._leases)

    # -- results in

    def acknowledge(
        self, number: int, outcome: Outcome, validators: Validators | None = None, told: Told = NOTHING_TOLD
    ) -> None:
        """A link is finished with: what was put off until now is done, the outcome is queued."""
        lease = self._leases.pop(number, None)
        if lease is None:
            return
        for action in self._put_off.pop(number, ()):
            action()
        end = End(lease, outcome, validators, told, number in self._held, self._run_id, self.clock())
        self._visiting.end(end, self._unwritten)
        self._held.discard(number)
        if self._commit_due or self._unwritten.ended >= GROUP_COMMIT_OPERATIONS:
            self.commit_if_settled()

    def release(self, number: int) -> None:
        """A link is given back unasked: it is pending again, and what was put off for it is forgotten."""
        lease = self._leases.pop(number, None)
        if lease is None:
            return
        self._put_off.pop(number, None)
        self._held.discard(number)
        self._visiting.forget(number)
        self._unwritten.release(number)
        self.pending += 1
        self._waiting.expect(lease.host, lease.link.priority)
        self._waiting.to_load.add(lease.host)

    def note(self, url: str, outcome: Outcome, place: Mapping[str, Any] | None = None) -> None:
        """An incident of something that is no link, such as one of several documents of a page."""
        self._unwritten.note(self._run_id, self.clock(), url, outcome, place)

    def tally(self, counted: Iterable[tuple[str, str]]) -> None:
        """Count these for the run's report, each a subject and a name, when the page in hand is acknowledged."""
        run, wanted = self._run_id, tuple(counted)

        def count() -> None:
            for subject, name in wanted:
                self._unwritten.tally(run, subject, name)

        self.when_acknowledged(count)

    def take_in_hand(self, number: int | None) -> None:
        """From here on this task works on the page of this lease."""
        _page_in_hand.set(number)

    def when_acknowledged(self, action: Callable[[], None]) -> None:
        """Do this when the page in hand is acknowledged, in the same commit; at once if none is in hand."""
        number = _page_in_hand.get()
        if number is None or number not in self._leases:
            action()
        else:
            self._put_off.setdefault(number, []).append(action)

    def hold(self, number: int) -> None:
        """Something of this page is written, so that no commit may come before its acknowledgement."""
        if number in self._leases:
            self._held.add(number)

    def hold_page_in_hand(self) -> None:
        """The same for the page that this task works on."""
        number = _page_in_hand.get()
        if number is not None:
            self.hold(number)

    # -- committing

    def before_commit(self, hook: Callable[[], Mapping[str, int]]) -> Callable[[], None]:
        """Call this before every commit: it flushes files and says their lengths. Returns what ends that."""
        self._hooks.append(hook)
        return lambda: self._hooks.remove(hook) if hook in self._hooks else None

    def when_linked(self, hear: Callable[[Mapping[bytes, Link]], None]) -> None:
        """Tell this of all links that pages have, by key, also of those that are known."""
        self._of_links.append(hear)

    def file_length(self, name: str) -> int:
        """How long a file was at the last commit; what stands behind that must be cut off."""
        return self._lengths.get(name, 0) if self._db else 0

    @property
    def file_lengths(self) -> Mapping[str, int]:
        """The length of every file at the last commit."""
        return dict(self._lengths)

    def commit_if_settled(self) -> bool:
        """Commit, unless a page has documents written and is not yet acknowledged; then as soon as it is."""
        if self._held:
            self._commit_due = True
            return False
        self.commit()
        return True

    def commit(self, file_lengths: Mapping[str, int] | None = None) -> None:
        """Write all that is queued, and how long the files are, in one transaction."""
        self._commit_due = False
        lengths = dict(file_lengths or {})
        for hook in self._hooks:
            lengths.update(hook())
        changed = {name: size for name, size in lengths.items() if self._lengths.get(name) != size}
        if not changed and not self._unwritten:
            return
        with transaction(self._db):
            self._unwritten.write(self._db)
            replaced = "INSERT OR REPLACE INTO files(name, length) VALUES(?, ?)"
            self._db.executemany(replaced, list(changed.items()))
        self._lengths.update(changed)
        self._unwritten = Unwritten()

    # -- reading

    def validators(self, url: str) -> Validators | None:
        """What an address was when last fetched; None if it never was."""
        self.commit_if_settled()
        columns = "SELECT etag, modified, digest, visited, status FROM links WHERE key = ?"
        row = self._db.execute(columns, (key_of(url),)).fetchone()
        return Validators(*row) if row and row[3] else None
