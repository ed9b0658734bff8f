"""The links that come next: a few rows of each host, read from the table in order of priority."""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Container, Iterator
from heapq import heapify, heappop, heappush

from corpusbot.store.links import Lease, Link, Validators
from corpusbot.store.visited import VISITS_COLUMNS, visits_of

ROWS_IN_MEMORY = 2000  # all hosts together, however many links are pending

_PENDING = (
    "SELECT id, url, kind, priority, place, attempts, lastmod, usual_seconds,"  # noqa: S608  (names of columns only)
    f" etag, modified, digest, visited, status, {VISITS_COLUMNS}"
    " FROM links WHERE state = 0 AND host = ? ORDER BY priority DESC, id LIMIT ?"
)
_Head = tuple[int, int, str]


class _Host:
    """The next pending rows of one host; `more` if the table may hold others."""

    __slots__ = ("more", "rows")

    def __init__(self) -> None:
        self.rows: deque[Lease] = deque()
        self.more = True

    def head(self, name: str) -> _Head:
        first = self.rows[0]
        return (-first.link.priority, first.id, name)


class Waiting:
    """Gives out pending links by priority and then discovery, passing over hosts that are busy."""

    def __init__(self) -> None:
        self.to_load: set[str] = set()
        self._hosts: dict[str, _Host] = {}
        self._heads: list[_Head] = []

    def find_hosts(self, database: sqlite3.Connection) -> None:
        """Which hosts have pending links, found by one seek in the index for each."""
        name: str | None = ""
        while name is not None:
            find = "SELECT min(host) FROM links WHERE state = 0 AND host > ?"
            name = database.execute(find, (name,)).fetchone()[0]
            if name is not None:
                self._hosts[name] = _Host()
        self.to_load = set(self._hosts)

    def expect(self, name: str, priority: int) -> None:
        """A link of the host is pending that its rows here do not show; read them anew if it comes first."""
        host = self._hosts.setdefault(name, _Host())
        host.more = True
        if not host.rows or priority > host.rows[-1].link.priority:
            self.to_load.add(name)

    def load(self, database: sqlite3.Connection) -> None:
        """Read the next rows of the hosts that need it."""
        limit = max(1, ROWS_IN_MEMORY // max(10, len(self._hosts)))
        for name in self.to_load:
            host = self._hosts.setdefault(name, _Host())
            host.rows = deque(_pending_rows(database, name, limit))
            host.more = len(host.rows) == limit
            if not host.rows:
                del self._hosts[name]
        self.to_load.clear()
        self._heads = [host.head(name) for name, host in self._hosts.items() if host.rows]
        heapify(self._heads)

    def pop(self, full: Container[str]) -> Lease | None:
        """The next link of a host that is not full."""
        passed_over: list[_Head] = []
        lease = None
        while self._heads and lease is None:
            head = heappop(self._heads)
            host = self._hosts.get(head[2])
            if host is None or not host.rows or host.head(head[2]) != head:
                continue  # the host's rows were read anew since
            if head[2] in full:
                passed_over.append(head)
            else:
                lease = self._first(head[2], host)
        for head in passed_over:
            heappush(self._heads, head)
        return lease

    def _first(self, name: str, host: _Host) -> Lease:
        lease = host.rows.popleft()
        if host.rows:
            heappush(self._heads, host.head(name))
        elif host.more:
            self.to_load.add(name)
        else:
            del self._hosts[name]
        return lease


def _pending_rows(database: sqlite3.Connection, host: str, limit: int) -> Iterator[Lease]:
    rows = database.execute(_PENDING, (host, limit))
    for number, url, kind, priority, place, attempts, lastmod, usual_seconds, *seen in rows:
        found = json.loads(place) if place != "{}" else {}
        told = {"lastmod": lastmod, "usual_seconds": usual_seconds}
        if not seen[3]:
            yield Lease(number, Link(url, kind, priority, found, **told), host, attempts)
        else:
            link = Link(url, kind, priority, found, validators=Validators(*seen[:5]), **told)
            yield Lease(number, link, host, attempts, visits_of(seen[5:]))
