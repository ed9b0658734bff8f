"""A line on the terminal that says how far the crawl is."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from corpusbot.store.visited import AGAIN, CHANGED, WITHDRAWN
from spiders.scheduler import frontier_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

SECONDS_BETWEEN_LINES = 1.0
_CLEAR_LINE = "\r\x1b[2K"


class Progress:
    """Pages, articles, dropped, pending, pages a second and the time to go; only where a person looks."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Progress:
        """The extension, as Scrapy asks for it; off when the log goes to a file or a pipe."""
        if not sys.stderr.isatty():
            raise NotConfigured
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._started = time.monotonic()
        self._loop = create_looping_call(self._show)
        crawler.signals.connect(self._begin, signals.spider_opened)
        crawler.signals.connect(self._end, signals.spider_closed)

    def _begin(self) -> None:
        self._started = time.monotonic()
        self._loop.start(SECONDS_BETWEEN_LINES)

    def _end(self) -> None:
        if self._loop.running:
            self._loop.stop()
        sys.stderr.write(_CLEAR_LINE)

    def _show(self) -> None:
        stats = self._crawler.stats
        frontier = frontier_of(self._crawler)
        if stats is None or frontier is None:
            return
        line = progress_line(
            pages=stats.get_value("response_received_count", 0),
            articles=stats.get_value("item_scraped_count", 0),
            dropped=stats.get_value("item_dropped_count", 0),
            pending=frontier.pending + frontier.in_flight,
            seconds=time.monotonic() - self._started,
            again=frontier.asked_again,
        )
        # A line that wraps cannot be cleared; the cursor goes back, so that a line of the log writes over this one.
        shown = line[: get_terminal_size().columns - 1]
        sys.stderr.write(f"{_CLEAR_LINE}{shown}\r")
        sys.stderr.flush()


def progress_line(
    pages: int, articles: int, dropped: int, pending: int, seconds: float, again: Mapping[str, int] | None = None
) -> str:
    """The progress in words.

    >>> progress_line(120, 96, 4, 60, 60.0)
    '120 pages, 96 articles, 4 dropped, 60 pending, 2.0 pages/s, about 0:30 to go'
    >>> progress_line(9, 1, 0, 0, 0.0, {"asked again": 7, "changed": 1})
    '9 pages, 1 articles, 0 dropped, 7 asked again (1 changed, 0 withdrawn), 0 pending, 0.0 pages/s'
    """
    rate = pages / seconds if seconds else 0.0
    known = again or {}
    changed, withdrawn = known.get(CHANGED, 0), known.get(WITHDRAWN, 0)
    told = f"{known[AGAIN]} asked again ({changed} changed, {withdrawn} withdrawn), " if known.get(AGAIN) else ""
    line = f"{pages} pages, {articles} articles, {dropped} dropped, {told}{pending} pending, {rate:.1f} pages/s"
    if not rate:
        return line
    minutes, seconds_left = divmod(round(pending / rate), 60)
    hours, minutes = divmod(minutes, 60)
    left = f"{hours}:{minutes:02}:{seconds_left:02}" if hours else f"{minutes}:{seconds_left:02}"
    return f"{line}, about {left} to go"
