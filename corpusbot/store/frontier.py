"""What the crawl of one site must remember: addresses to ask, those asked, and how far its files are written."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from corpusbot.addresses import host_of, key_of
from corpusbot.store.schema import (
    FAILED,
    FINISHED,
    LEASED,
    PENDING,
    StateError,
    connect,
    connect_to_read,
    lock,
    transaction,
)

__all__ = [
    "Frontier", "Incident", "Lease", "Link", "Links", "Outcome", "ReportRow", "Run", "Runs", "StateError", "Validators",
]

MAX_ATTEMPTS = 3  # runs in which a failed address is asked for, before it is left as failed
GONE = ("http_404", "http_410", "http_451")  # failures that another run would not mend
LOOKUP_SIZES = (1, 16, 128, 500)  # few different statements, so that SQLite keeps each of them prepared
# Tuned on bench/crawl.py: larger groups no longer cost less.
GROUP_COMMIT_OPERATIONS = 500
BATCH_ROWS = 2000  # pending rows held in memory, all hosts together

# The page whose output is being worked on, in this task and those that it starts; exporters and stores ask for it.
_page_in_hand: ContextVar[int | None] = ContextVar("page in hand", default=None)


@dataclass(frozen=True, slots=True)
class Validators:
    """What to ask a server with whether a page is still the same, and what it was when last asked."""

    etag: str | None = None
    modified: str | None = None
    digest: str | None = None
    visited: str | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An address to ask for: `kind` and `place` are the spider's; `again` asks anew if this run has not yet."""

    url: str
    kind: str = "page"
    priority: int = 0
    place: Mapping[str, Any] = field(default_factory=dict)
    again: bool = False
    salt: str = ""
    validators: Validators | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Links that a callback yields, all at once, to be remembered without building requests."""

    links: tuple[Link, ...]

    def __init__(self, links: Iterable[Link]) -> None:
        object.__setattr__(self, "links", tuple(links))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How asking for an address ended: `done`, `unchanged`, `dropped` or `failed`, with the cause in a word."""

    name: str = "done"
    cause: str | None = None
    detail: str | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """A link given out to be fetched, until it is acknowledged or given back."""

    id: int
    link: Link
    host: str
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl of the site, which may have been interrupted and resumed."""

    id: int
    started: str
    finished: str | None
    reason: str | None
    arguments: Mapping[str, Any]
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class ReportRow:
    """How many addresses of a section and day had one outcome and cause."""

    section: str | None
    day: str | None
    kind: str
    outcome: str
    cause: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Incident:
    """One address that was asked for, or one thing dropped, and what became of it."""

    url: str
    kind: str
    outcome: str
    cause: str | None
    detail: str | None
    section: str | None
    day: str | None


class _Waiting:
    """The next pending rows of one host; `more` if the table may hold others."""

    __slots__ = ("more", "rows")

    def __init__(self) -> None:
        self.rows: deque[Lease] = deque()
        self.more = True

    def head(self, host: str) -> tuple[int, int, str]:
        first = self.rows[0]
        return (-first.link.priority, first.id, host)


class Frontier:
    """The state of one site's crawl: links out in order of priority, results in, both in grouped transactions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run: Run | None = None
        self.recovered = 0
        self.pending = 0
        self._database: sqlite3.Connection | None = None
        self._lock: IO[str] | None = None
        self._hosts: dict[str, _Waiting] = {}
        self._heads: list[tuple[int, int, str]] = []
        self._to_load: set[str] = set()
        self._leases: dict[int, Lease] = {}
        self._held: set[int] = set()
        self._actions: dict[int, list[Callable[[], None]]] = {}
        self._hooks: list[Callable[[], Mapping[str, int]]] = []
        self._lengths: dict[str, int] = {}
        self._queue = _Queue()

    # -- opening and closing

    def open(self) -> Self:
        """Take the state for this process; links left in flight by a crawl that was killed are pending again."""
        self._lock = lock(self.path)
        try:
            database = self._database = connect(self.path)
        except BaseException:
            self._lock.close()
            raise
        with transaction(database):
            self.recovered = database.execute(
                f"UPDATE links SET state = {PENDING} WHERE state = {LEASED}"
            ).rowcount
        self._lengths = dict(database.execute("SELECT name, length FROM files"))
        self._count_pending()
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
    def _db(self) -> sqlite3.Connection:
        if self._database is None:
            raise StateError(f"{self.path}: the frontier is not open. Call open() first")
        return self._database

    def _count_pending(self) -> None:
        """Which hosts have pending links, found by one seek in the index for each."""
        host: str | None = ""
        find = f"SELECT min(host) FROM links WHERE state = {PENDING} AND host > ?"
        while host is not None:
            host = self._db.execute(find, (host,)).fetchone()[0]
            if host is not None:
                self._hosts[host] = _Waiting()
        self._to_load = set(self._hosts)
        self.pending = self._db.execute(f"SELECT count(*) FROM links WHERE state = {PENDING}").fetchone()[0]

    # -- runs

    def begin_run(self, arguments: Mapping[str, Any] | None = None) -> Run:
        """Begin a run, or go on with the one that was killed; a new run asks for failed links once more."""
        unfinished = _runs(self._db, "WHERE finished IS NULL ORDER BY id DESC LIMIT 1")
        if unfinished:
            self.run = replace(unfinished[0], resumed=True)
            return self.run
        started, text = _now(), json.dumps(dict(arguments or {}), ensure_ascii=False, default=str)
        with transaction(self._db):
            number = self._db.execute(
                "INSERT INTO runs(started, arguments) VALUES(?, ?)", (started, text)
            ).lastrowid
            self._db.execute(
                f"UPDATE links SET state = {PENDING} WHERE state = {FAILED} AND attempts < ?"
                f" AND coalesce(cause, '') NOT IN ({_marks(len(GONE))})",
                (MAX_ATTEMPTS, *GONE),
            )
        self._count_pending()
        self.run = Run(number or 0, started, None, None, json.loads(text))
        return self.run

    def finish_run(self, reason: str) -> None:
        """Note that the run has ended, and why."""
        if self.run is None:
            return
        self.run = replace(self.run, finished=_now(), reason=reason)
        self.commit()
        with transaction(self._db):
            self._db.execute(
                "UPDATE runs SET finished = ?, reason = ? WHERE id = ?", (self.run.finished, reason, self.run.id)
            )

    @property
    def _run_id(self) -> int:
        return self.run.id if self.run else 0

    # -- links in

    def add(self, links: Iterable[Link]) -> int:
        """Remember links; how many of them are new (or asked for again in this run)."""
        keyed: dict[bytes, Link] = {}
        for link in links:
            keyed.setdefault(key_of(link.url, link.salt), link)
        keys = [key for key in keyed if key not in self._queue.added]
        if self._queue.finished and any(keyed[key].again for key in keys):
            self.commit()  # what the table says of these links must be the last word
        known = self._known(keys)
        added = sum(self._add_one(key, keyed[key], known.get(key)) for key in keys)
        if len(self._queue.added) >= GROUP_COMMIT_OPERATIONS * 4:
            self.commit_if_settled()
        return added

    def _add_one(self, key: bytes, link: Link, known: tuple[int, int] | None) -> bool:
        """Queue a link unless it is known; `known` is its state and the run it was last asked in."""
        if known is not None:
            state, run = known
            if not link.again or state in (PENDING, LEASED) or run == self._run_id:
                return False
        host = host_of(link.url)
        place = json.dumps(dict(link.place), ensure_ascii=False, default=str) if link.place else "{}"
        self._queue.added[key] = (key, link.url, host, link.kind, link.priority, place, self._run_id)
        self.pending += 1
        self._expect(host, link.priority)
        return True

    def _expect(self, host: str, priority: int) -> None:
        """A link of the host is pending that its waiting rows do not show; read them anew if it comes first."""
        waiting = self._hosts.setdefault(host, _Waiting())
        waiting.more = True
        if not waiting.rows or priority > waiting.rows[-1].link.priority:
            self._to_load.add(host)

    def knows(self, url: str) -> bool:
        """Whether an address has been seen, whatever became of it."""
        key = key_of(url)
        return key in self._queue.added or bool(self._known([key]))

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, tuple[int, int]]:
        """State and run of those keys that the table has, up to 500 of them by one statement."""
        found: dict[bytes, tuple[int, int]] = {}
        for start in range(0, len(keys), LOOKUP_SIZES[-1]):
            part = list(keys[start : start + LOOKUP_SIZES[-1]])
            size = next(size for size in LOOKUP_SIZES if size >= len(part))
            part += part[-1:] * (size - len(part))
            rows = self._db.execute(f"SELECT key, state, run FROM links WHERE key IN ({_marks(size)})", part)
            found.update((key, (state, run)) for key, state, run in rows)
        return found

    # -- links out

    def lease(self, full: Container[str] = ()) -> Lease | None:
        """The next link of a host that is not full, by priority and then discovery; None if there is none."""
        if self._to_load and not self._load():
            return None
        skipped: list[tuple[int, int, str]] = []
        lease = None
        while self._heads and lease is None:
            head = heappop(self._heads)
            waiting = self._hosts.get(head[2])
            if waiting is None or not waiting.rows or waiting.head(head[2]) != head:
                continue  # the host's rows were read anew since
            if head[2] in full:
                skipped.append(head)
            else:
                lease = self._give_out(head[2], waiting)
        for head in skipped:
            heappush(self._heads, head)
        return lease

    def _give_out(self, host: str, waiting: _Waiting) -> Lease:
        lease = waiting.rows.popleft()
        self._leases[lease.id] = lease
        self._queue.leased.add(lease.id)
        self.pending -= 1
        if waiting.rows:
            heappush(self._heads, waiting.head(host))
        elif waiting.more:
            self._to_load.add(host)
        else:
            del self._hosts[host]
        return lease

    def _load(self) -> bool:
        """Read the next rows of hosts that have none left, once all that is queued is in the table."""
        if not self.commit_if_settled():
            return False
        limit = max(1, BATCH_ROWS // max(10, len(self._hosts)))
        for host in self._to_load:
            waiting = self._hosts.setdefault(host, _Waiting())
            waiting.rows = deque(self._pending_rows(host, limit))
            waiting.more = len(waiting.rows) == limit
            if not waiting.rows:
                del self._hosts[host]
        self._to_load.clear()
        self._heads = [waiting.head(host) for host, waiting in self._hosts.items() if waiting.rows]
        heapify(self._heads)
        return True

    def _pending_rows(self, host: str, limit: int) -> Iterator[Lease]:
        rows = self._db.execute(
            "SELECT id, url, kind, priority, place, attempts, etag, modified, digest, visited, status FROM links"
            f" WHERE state = {PENDING} AND host = ? ORDER BY priority DESC, id LIMIT ?",
            (host, limit),
        )
        for number, url, kind, priority, place, attempts, *seen in rows:
            validators = Validators(*seen) if seen[3] else None
            link = Link(url, kind, priority, json.loads(place) if place != "{}" else {}, validators=validators)
            yield Lease(number, link, host, attempts)

    def leased(self, number: int) -> Lease | None:
        """The lease of this number, if it is in flight."""
        return self._leases.get(number)

    @property
    def in_flight(self) -> int:
        """How many links are given out and neither acknowledged nor given back."""
        return len(self._leases)

    # -- results in

    def acknowledge(self, number: int, outcome: Outcome, validators: Validators | None = None) -> None:
        """A link is finished with: what was put off until now is done, and the outcome queued to be written."""
        lease = self._leases.pop(number, None)
        if lease is None:
            return
        for action in self._actions.pop(number, ()):
            action()
        self._queue.finish(lease, outcome, validators, self._run_id)
        self._held.discard(number)
        if len(self._queue.finished) >= GROUP_COMMIT_OPERATIONS:
            self.commit_if_settled()

    def release(self, number: int) -> None:
        """A link is given back unasked: it is pending again."""
        lease = self._leases.pop(number, None)
        if lease is None:
            return
        self._actions.pop(number, None)
        self._held.discard(number)
        self._queue.release(number)
        self.pending += 1
        self._hosts.setdefault(lease.host, _Waiting()).more = True
        self._to_load.add(lease.host)

    def note(self, url: str, outcome: Outcome, place: Mapping[str, Any] | None = None) -> None:
        """An incident of something that is no link, such as one of several documents of a page."""
        text = json.dumps(dict(place or {}), ensure_ascii=False, default=str)
        row = (self._run_id, _now(), url, outcome.name, outcome.cause, outcome.detail, text)
        self._queue.incidents.append(row)

    def take_in_hand(self, number: int | None) -> None:
        """From here on this task works on the page of this lease."""
        _page_in_hand.set(number)

    def when_acknowledged(self, action: Callable[[], None]) -> None:
        """Do this when the page in hand is acknowledged, in the same commit; at once if there is no such page."""
        number = _page_in_hand.get()
        if number is None or number not in self._leases:
            action()
        else:
            self._actions.setdefault(number, []).append(action)

    def hold(self, number: int) -> None:
        """Something of this page is written, so that no commit may come before its acknowledgement."""
        if number in self._leases:
            self._held.add(number)

    # -- committing

    def before_commit(self, hook: Callable[[], Mapping[str, int]]) -> Callable[[], None]:
        """Call this before every commit: it flushes files and says their lengths. Returns what ends that."""
        self._hooks.append(hook)
        return lambda: self._hooks.remove(hook) if hook in self._hooks else None

    def file_length(self, name: str) -> int:
        """How long a file was at the last commit; what stands behind that must be cut off."""
        return self._lengths.get(name, 0)

    def commit_if_settled(self) -> bool:
        """Commit, unless a page has documents written and is not yet acknowledged."""
        if self._held:
            return False
        self.commit()
        return True

    def commit(self, file_lengths: Mapping[str, int] | None = None) -> None:
        """Write all that is queued, and how long the files are, in one transaction."""
        lengths = dict(file_lengths or {})
        for hook in self._hooks:
            lengths.update(hook())
        changed = {name: size for name, size in lengths.items() if self._lengths.get(name) != size}
        if not changed and not self._queue:
            return
        with transaction(self._db):
            self._queue.write(self._db)
            self._db.executemany("INSERT OR REPLACE INTO files(name, length) VALUES(?, ?)", list(changed.items()))
        self._lengths.update(changed)
        self._queue = _Queue()

    # -- reading

    def validators(self, url: str) -> Validators | None:
        """What an address was when last fetched; None if it never was."""
        self.commit_if_settled()
        row = self._db.execute(
            "SELECT etag, modified, digest, visited, status FROM links WHERE key = ?", (key_of(url),)
        ).fetchone()
        return Validators(*row) if row and row[3] else None


class _Queue:
    """What has happened since the last commit, in memory."""

    def __init__(self) -> None:
        self.added: dict[bytes, tuple[Any, ...]] = {}
        self.leased: set[int] = set()
        self.released: set[int] = set()
        self.finished: list[tuple[Any, ...]] = []
        self.validators: list[tuple[Any, ...]] = []
        self.incidents: list[tuple[Any, ...]] = []

    def __bool__(self) -> bool:
        return bool(self.added or self.leased or self.released or self.finished or self.incidents)

    def release(self, number: int) -> None:
        """A lease that was never written need not be unwritten."""
        if number in self.leased:
            self.leased.discard(number)
        else:
            self.released.add(number)

    def finish(self, lease: Lease, outcome: Outcome, validators: Validators | None, run: int) -> None:
        """Queue the end of a lease; validators only if the page was kept."""
        self.leased.discard(lease.id)
        failed = outcome.name == "failed"
        now = _now()
        self.finished.append((
            FAILED if failed else FINISHED, run, lease.attempts + 1 if failed else 0,
            outcome.name, outcome.cause, outcome.detail, outcome.status, now, lease.id,
        ))  # fmt: skip
        if validators is not None:
            self.validators.append((
                validators.etag, validators.modified, validators.digest, validators.visited or now, lease.id,
            ))  # fmt: skip

    def write(self, database: sqlite3.Connection) -> None:
        """Children before acknowledgements, all inside the caller's transaction."""
        many = database.executemany
        many(
            "INSERT INTO links(key, url, host, kind, priority, place, run, state)"
            f" VALUES(?, ?, ?, ?, ?, ?, ?, {PENDING}) ON CONFLICT(key) DO UPDATE SET"
            " kind = excluded.kind, priority = excluded.priority, place = excluded.place, run = excluded.run,"
            f" state = {PENDING}",
            list(self.added.values()),
        )
        many(f"UPDATE links SET state = {LEASED} WHERE id = ?", [(number,) for number in self.leased])
        many(f"UPDATE links SET state = {PENDING} WHERE id = ?", [(number,) for number in self.released])
        many(
            "UPDATE links SET state = ?, run = ?, attempts = ?, outcome = ?, cause = ?, detail = ?, status = ?,"
            " finished = ? WHERE id = ?",
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


class Runs:
    """The runs of a site and what became of their addresses; can be read while the crawl goes on."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def runs(self) -> list[Run]:
        """Every run, the oldest first."""
        with _reading(self._path) as database:
            return _runs(database, "ORDER BY id")

    def report(self, run: int) -> list[ReportRow]:
        """The addresses of a run counted by section, day, kind, outcome and cause."""
        with _reading(self._path) as database:
            rows = database.execute(
                f"SELECT section, day, kind, outcome, cause, count(*) FROM ({_ALL}) GROUP BY 1, 2, 3, 4, 5",
                {"run": run},
            )
            return [ReportRow(*row) for row in rows]

    def incidents(self, run: int, outcomes: Iterable[str] = ("failed", "dropped")) -> Iterator[Incident]:
        """One by one the addresses of a run that had one of these outcomes."""
        wanted = set(outcomes)
        with _reading(self._path) as database:
            for url, kind, outcome, cause, detail, section, day in database.execute(
                f"SELECT url, kind, outcome, cause, detail, section, day FROM ({_ALL})", {"run": run}
            ):
                if outcome in wanted:
                    yield Incident(url, kind, outcome, cause, detail, section, day)

    def totals(self, run: int) -> Counter[str]:
        """Counts by outcome, and `waiting` for what is known and not yet asked for."""
        counts: Counter[str] = Counter()
        for row in self.report(run):
            counts[row.outcome] += row.count
        with _reading(self._path) as database:
            waiting = f"SELECT count(*) FROM links WHERE state IN ({PENDING}, {LEASED})"
            counts["waiting"] = database.execute(waiting).fetchone()[0]
        return counts


_ALL = f"""
SELECT url, kind, outcome, cause, detail, json_extract(place, '$.section') AS section,
       json_extract(place, '$.day') AS day
FROM links WHERE run = :run AND state IN ({FINISHED}, {FAILED})
UNION ALL
SELECT url, 'item', outcome, cause, detail, json_extract(place, '$.section'), json_extract(place, '$.day')
FROM incidents WHERE run = :run
"""


class _reading:  # noqa: N801  (used as a function)
    """A connection for reading that is closed at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> sqlite3.Connection:
        self._database = connect_to_read(self._path)
        return self._database

    def __exit__(self, *_: object) -> None:
        self._database.close()


def _runs(database: sqlite3.Connection, condition: str) -> list[Run]:
    rows = database.execute(f"SELECT id, started, finished, reason, arguments FROM runs {condition}")
    return [Run(*row[:4], arguments=json.loads(row[4])) for row in rows]


def _marks(count: int) -> str:
    return ",".join("?" * count)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
