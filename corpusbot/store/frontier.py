"""What the crawl of one site must remember: addresses to ask for, those asked, how far its files go."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from corpusbot.addresses import host_of, key_of
from corpusbot.store.links import (
    Incident,
    Lease,
    Link,
    Links,
    Outcome,
    ReportRow,
    Run,
    Validators,
)
from corpusbot.store.runs import Runs, read_runs
from corpusbot.store.schema import LEASED, PENDING, StateError, connect, lock, transaction
from corpusbot.store.unwritten import Unwritten, json_text, now
from corpusbot.store.waiting import Waiting

__all__ = [
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

MAX_ATTEMPTS = 3  # runs in which a failed address is asked for, before it is left as failed
LOOKUP_SIZES = (1, 16, 128, 500)  # few different statements, so that SQLite keeps each of them prepared
GROUP_COMMIT_OPERATIONS = 500  # tuned on bench/crawl.py: larger groups no longer cost less

# The page whose output is being worked on, in this task and the tasks that it starts.
_page_in_hand: ContextVar[int | None] = ContextVar("page in hand", default=None)


class Frontier:
    """The state of one site's crawl: links out by priority, results in, both in grouped transactions."""

    def __init__(self, path: Path) -> None:
        self.path = path
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
        self._lengths: dict[str, int] = {}

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
        unfinished = read_runs(self._db, "WHERE finished IS NULL ORDER BY id DESC LIMIT 1")
        if unfinished:
            self.run = replace(unfinished[0], resumed=True)
            return self.run
        started, text = now(), json_text(arguments)
        with transaction(self._db):
            insert = "INSERT INTO runs(started, arguments) VALUES(?, ?)"
            number = self._db.execute(insert, (started, text)).lastrowid
            self._db.execute(
                "UPDATE links SET state = 0 WHERE state = 3 AND attempts < ?"
                # what is gone would be gone in another run as well
                " AND coalesce(cause, '') NOT IN ('http_404', 'http_410', 'http_451')",
                (MAX_ATTEMPTS,),
            )
        self._find_pending()
        self.run = Run(number or 0, started, None, None, json.loads(text))
        return self.run

    def finish_run(self, reason: str) -> None:
        """Note that the run has ended, and why."""
        if self.run is None:
            return
        self.run = replace(self.run, finished=now(), reason=reason)
        self.commit()
        with transaction(self._db):
            update = "UPDATE runs SET finished = ?, reason = ? WHERE id = ?"
            self._db.execute(update, (self.run.finished, reason, self.run.id))

    @property
    def _run_id(self) -> int:
        return self.run.id if self.run else 0

    # -- links in

    def add(self, links: Iterable[Link]) -> int:
        """Remember links; how many of them are new (or asked for again in this run)."""
        keyed: dict[bytes, Link] = {}
        for link in links:
            keyed.setdefault(key_of(link.url, link.salt), link)
        keys = [key for key in keyed if key not in self._unwritten.added]
        if self._unwritten.finished and any(keyed[key].again for key in keys):
            self.commit_if_settled()  # the table should have the last word on links asked for again
        known = self._known(keys)
        added = sum(self._add_one(key, keyed[key], known.get(key)) for key in keys)
        if len(self._unwritten.added) >= GROUP_COMMIT_OPERATIONS * 4:
            self.commit_if_settled()
        return added

    def _add_one(self, key: bytes, link: Link, known: tuple[int, int] | None) -> bool:
        """Queue a link unless it is known; `known` is its state and the run it was last asked in."""
        if known is not None:
            state, run = known
            if not link.again or state in (PENDING, LEASED) or run == self._run_id:
                return False
        host = host_of(link.url)
        self._unwritten.add(key, link, host, self._run_id)
        self._waiting.expect(host, link.priority)
        self.pending += 1
        return True

    def knows(self, url: str) -> bool:
        """Whether an address has been seen, whatever became of it."""
        key = key_of(url)
        return key in self._unwritten.added or bool(self._known([key]))

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, tuple[int, int]]:
        """State and run of those keys that the table has, up to 500 of them by one statement."""
        found: dict[bytes, tuple[int, int]] = {}
        for start in range(0, len(keys), LOOKUP_SIZES[-1]):
            part = list(keys[start : start + LOOKUP_SIZES[-1]])
            size = next(size for size in LOOKUP_SIZES if size >= len(part))
            part += part[-1:] * (size - len(part))
            marks = ",".join("?" * size)
            rows = self._db.execute(f"SELECT key, state, run FROM links WHERE key IN ({marks})", part)  # noqa: S608  (question marks only)
            found.update((key, (state, run)) for key, state, run in rows)
        return found

    # -- links out

    def lease(self, full: Container[str] = ()) -> Lease | None:
        """The next link of a host that is not full, by priority and then discovery; None if there is none."""
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

    def acknowledge(self, number: int, outcome: Outcome, validators: Validators | None = None) -> None:
        """A link is finished with: what was put off until now is done, the outcome is queued."""
        lease = self._leases.pop(number, None)
        if lease is None:
            return
        for action in self._put_off.pop(number, ()):
            action()
        self._unwritten.finish(lease, outcome, validators, self._run_id)
        self._held.discard(number)
        if self._commit_due or len(self._unwritten.finished) >= GROUP_COMMIT_OPERATIONS:
            self.commit_if_settled()

    def release(self, number: int) -> None:
        """A link is given back unasked: it is pending again, and what was put off for it is forgotten."""
        lease = self._leases.pop(number, None)
        if lease is None:
            return
        self._put_off.pop(number, None)
        self._held.discard(number)
        self._unwritten.release(number)
        self.pending += 1
        self._waiting.expect(lease.host, lease.link.priority)
        self._waiting.to_load.add(lease.host)

    def note(self, url: str, outcome: Outcome, place: Mapping[str, Any] | None = None) -> None:
        """An incident of something that is no link, such as one of several documents of a page."""
        self._unwritten.note(self._run_id, url, outcome, place)

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
