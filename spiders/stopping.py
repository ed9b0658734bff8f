"""Ends downloads soon after the crawl is told to stop, however slowly a server drips."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy.exceptions import DownloadCancelledError
from scrapy.utils.asyncio import create_looping_call

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

SECONDS_BETWEEN_LOOKS = 0.25
SECONDS_OF_GRACE = 1.0  # for pages that have almost come


class StoppedError(DownloadCancelledError):
    """A download was given up because the crawl is ending; its address stays pending."""

    cause = "cancelled"


class StopWatch:
    """Looks whether the crawl is being stopped, and then ends the downloads that it was told of."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._limits: set[asyncio.Timeout] = set()
        self._loop = create_looping_call(self._look)
        self._told_at: float | None = None
        self.stopping = False

    @contextmanager
    def watching(self, limit: asyncio.Timeout) -> Iterator[None]:
        """Have this time limit expire at once when the crawl stops."""
        if self._told_at is not None:
            raise StoppedError("the crawl is ending")
        if not self._loop.running:
            self._loop.start(SECONDS_BETWEEN_LOOKS, now=False)
        self._limits.add(limit)
        try:
            yield
        finally:
            self._limits.discard(limit)

    def close(self) -> None:
        """Look no more."""
        if self._loop.running:
            self._loop.stop()

    def _look(self) -> None:
        if not told_to_stop(self._crawler):
            return
        now = asyncio.get_running_loop().time()
        if self._told_at is None:
            self._told_at = now
        self._drop_queued()
        if now - self._told_at >= SECONDS_OF_GRACE:
            self.stopping = True
            for limit in self._limits:
                if not limit.expired():
                    limit.reschedule(now)

    def _drop_queued(self) -> None:
        """Requests that wait for their host's turn would otherwise wait out every delay."""
        for slot in self._crawler.engine.downloader.slots.values():
            while slot.queue:
                _, waiting = slot.queue.popleft()
                waiting.errback(StoppedError("the crawl is ending"))


def told_to_stop(crawler: Crawler) -> bool:
    """Whether the crawl is ending: by a signal, by Scrapyd, or because its spider is being closed."""
    engine = crawler.engine
    slot = engine._slot  # no public name says that a spider is being closed
    return not engine.running or slot is None or slot.closing is not None
