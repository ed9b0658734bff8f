"""The scheduler: links wait in the site's state file, and become requests only when they can be sent."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.httpobj import urlparse_cached

from corpusbot.addresses import canonical
from corpusbot.store.frontier import Frontier, Lease, Link, Outcome
from corpusbot.store.growing import StoreError
from corpusbot.store.schema import StateBusyError, StateError
from spiders.acknowledge import FRONTIER_ID, Acknowledgement
from spiders.request_rows import UnstorableRequestError, request_of_row, row_of_request

if TYPE_CHECKING:
    from scrapy.core.downloader import Downloader
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)

STATE_FILE = "state.sqlite"
REQUEST_KIND = "request"  # rows that hold a whole request, of spiders that do not build them from links
ASKED_ONCE = frozenset({"article", REQUEST_KIND})  # kinds of which no address is worth asking for twice
SECONDS_BETWEEN_LOCK_TRIES = 0.5


def frontier_of(crawler: Crawler) -> Frontier | None:
    """The frontier of a crawl; it stays to be read (its path, its run) when the crawl has ended."""
    found: Frontier | None = vars(crawler).get("frontier")
    return found


def opened_frontier(crawler: Crawler) -> Frontier:
    """The frontier of a crawl that is about to begin, held for it; waits for another crawl as the settings say.

    Opened before anything of the crawl runs, a site that is busy is a matter of one line: no component has to
    be ended that never began.
    """
    frontier = Frontier(_state_path(crawler))
    seconds = crawler.settings.getfloat("CORPUSBOT_LOCK_WAIT")
    deadline = time.monotonic() + seconds
    told = False
    while not frontier.is_open:
        try:
            frontier.open()
        except StateBusyError as error:
            if time.monotonic() >= deadline:
                raise
            if not told:
                logger.info("%s. It is waited for, up to %g seconds", error, seconds)
            told = True
            time.sleep(SECONDS_BETWEEN_LOCK_TRIES)
    vars(crawler)["frontier"] = frontier
    return frontier


def _state_path(crawler: Crawler) -> Path:
    name = crawler.spider.name if crawler.spider else crawler.spidercls.name
    return Path(crawler.settings.get("CORPUSBOT_DATA") or "data") / str(name) / STATE_FILE


class FrontierScheduler(BaseScheduler):
    """Takes requests out of the site's frontier in order, as many for each host as it can soon be sent."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The scheduler, as Scrapy asks for it."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.frontier = frontier_of(crawler) or Frontier(_state_path(crawler))
        vars(crawler)["frontier"] = self.frontier
        self._lock_wait = crawler.settings.getfloat("CORPUSBOT_LOCK_WAIT")
        self._returned: list[tuple[int, int, Request]] = []
        self._turn = count()
        self._watch: Acknowledgement | None = None
        self._downloader: Downloader | None = None

    # -- opening and closing

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Take hold of the site's state; waits for another crawl of the site if the settings say so."""
        self._watch = self._crawler.get_spider_middleware(Acknowledgement)
        if self._watch is None:
            raise StateError(
                "FrontierScheduler: pages would never be acknowledged. "
                "Add 'spiders.acknowledge.Acknowledgement': 10 to SPIDER_MIDDLEWARES"
            )
        self._spider = spider
        if self._lock_wait > 0:
            return deferred_from_coro(self._open_when_free())
        try:
            self._open()
        except StateError as error:
            # Said plainly, before the tracebacks that Scrapy writes of whatever keeps a crawl from opening.
            logger.error("%s", error)
            raise
        return None

    async def _open_when_free(self) -> None:
        deadline = time.monotonic() + self._lock_wait
        while True:
            try:
                return self._open()
            except StateBusyError:
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(SECONDS_BETWEEN_LOCK_TRIES)

    def _open(self) -> None:
        if not self.frontier.is_open:
            self.frontier.open()
        if site := getattr(self._spider, "site", None):
            self.frontier.keep_articles_fresh(site.revisit.articles)
        run = self.frontier.begin_run(getattr(self._spider, "arguments", None))
        if self._watch is not None:
            self._watch.begin(self.frontier)
        if run.resumed or self.frontier.pending:
            logger.info(
                "Run %d %s: %d links pending, %d of them were in flight",
                run.id,
                "goes on" if run.resumed else "begins",
                self.frontier.pending,
                self.frontier.recovered,
            )

    def close(self, reason: str) -> Deferred[None] | None:
        """Write what is left and end the run; what is still in flight is pending for the next one."""
        if self._watch is not None:
            self._watch.end()
        if self.frontier.is_open:
            try:
                self.frontier.finish_run(reason)
                self.frontier.close()
            except (sqlite3.Error, OSError, StoreError) as error:
                # All that was committed is safe; the next crawl goes on from there.
                logger.critical("%s: the end of the run cannot be written (%s)", self.frontier.path, error)
        return None

    # -- requests in

    def has_pending_requests(self) -> bool:
        """Whether there is anything left to hand out."""
        return bool(self._returned) or (self.frontier.has_more and not self._is_sated())

    def enqueue_request(self, request: Request) -> bool:
        """Remember a request; one that comes back (redirected, tried again) keeps its row."""
        lease = self.frontier.leased(request.meta.get(FRONTIER_ID, 0))
        if lease is not None:
            return self._take_back(request, lease)
        try:
            added = self._add(request)
        except UnstorableRequestError as error:
            logger.error("%s", error, extra={"spider": self._spider})
            self._count("scheduler/unserializable")
            return False
        self._count("scheduler/enqueued" if added else "dupefilter/filtered")
        return added

    def _add(self, request: Request) -> bool:
        link = request.meta.get("link")
        if isinstance(link, Link) and hasattr(self._spider, "request_for"):
            return bool(self.frontier.add([link]))
        row = row_of_request(request, self._spider)
        salt = "" if row.get("method", "GET") == "GET" else f"{request.method} {request.body!r}"
        place = {"request": row}
        again = request.dont_filter
        if self.frontier.add([Link(request.url, REQUEST_KIND, request.priority, place, again, salt)]):
            return True
        # Asked for on purpose although it is known: a row of its own.
        unique = Link(request.url, REQUEST_KIND, request.priority, place, salt=uuid4().hex)
        return again and bool(self.frontier.add([unique]))

    def _take_back(self, request: Request, lease: Lease) -> bool:
        if self._leads_to_known(request, lease):
            outcome = Outcome("dropped", "redirect_to_known", request.url)
            self.frontier.acknowledge(lease.id, outcome)
            return False
        self._forget_slot(request)
        heappush(self._returned, (-request.priority, next(self._turn), request))
        return True

    def _leads_to_known(self, request: Request, lease: Lease) -> bool:
        """Whether a redirect ends at an address that has a row of its own."""
        if request.dont_filter or lease.link.kind not in ASKED_ONCE or "redirect_times" not in request.meta:
            return False
        same = canonical(request.url) == canonical(lease.link.url)
        return not same and self.frontier.knows(request.url)

    def _forget_slot(self, request: Request) -> None:
        """A redirect to another host waits in that host's slot, not in the one it was first sent by."""
        before = request.meta.get("redirect_urls", ())
        slot = request.meta.get("download_slot")
        if before and slot is not None and slot == urlparse_cached(Request(before[-1])).hostname:
            del request.meta["download_slot"]

    # -- requests out

    def next_request(self) -> Request | None:
        """The next request whose host has room; None if there is none just now."""
        full = self._full_hosts()
        request = self._next_returned(full)
        while request is None:
            if self._is_sated():
                return None
            lease = self.frontier.lease(full)
            if lease is None:
                return None
            request = self._request_of(lease)
        self._count("scheduler/dequeued")
        return request

    def _is_sated(self) -> bool:
        """Whether the spider wants no new links in this run."""
        return bool(getattr(self._spider, "has_asked_enough", False))

    def _next_returned(self, full: set[str]) -> Request | None:
        passed_over = []
        found = None
        while self._returned and found is None:
            entry = heappop(self._returned)
            if self._slot_of(entry[2]) in full:
                passed_over.append(entry)
            else:
                found = entry[2]
        for entry in passed_over:
            heappush(self._returned, entry)
        return found

    def _full_hosts(self) -> set[str]:
        """Hosts with as many requests as they are sent at once, and one more that waits its turn."""
        downloader = self._downloader
        if downloader is None:
            downloader = self._downloader = self._crawler.engine.downloader
        if not downloader.active:
            return set()
        default, slots = downloader.domain_concurrency, downloader.slots
        counts = Counter(map(self._slot_of, downloader.active))
        return {
            host
            for host, active in counts.items()
            if active > (slots[host].concurrency if host in slots else default)
        }

    def _slot_of(self, request: Request) -> str:
        slot: str | None = request.meta.get("download_slot")
        return slot if slot is not None else urlparse_cached(request).hostname or ""

    def _request_of(self, lease: Lease) -> Request | None:
        """The request for a lease; None if none can be made, which is that link's outcome."""
        try:
            request = self._built(lease.link)
        except ValueError as error:
            logger.warning("%s: %s", lease.link.url, error)
            self.frontier.acknowledge(lease.id, Outcome("failed", "bad_address", str(error)))
            return None
        request.meta[FRONTIER_ID] = lease.id
        if self._watch is not None:
            request.errback = partial(self._watch.failed, request.errback)
        return request

    def _built(self, link: Link) -> Request:
        if link.kind == REQUEST_KIND:
            return request_of_row(link.place["request"], self._spider)
        build: Any = getattr(self._spider, "request_for", None)
        request: Request = build(link) if build else Request(link.url, priority=link.priority)
        return request

    def _count(self, name: str) -> None:
        self._crawler.stats.inc_value(name)
