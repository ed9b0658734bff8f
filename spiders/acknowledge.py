"""Acknowledges a page when all that came of it is settled: links kept, items written or dropped."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.exceptions import (
    CannotResolveHostError,
    CloseSpider,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.asyncgen import as_async_generator
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.spider import iterate_spider_output
from twisted.python.failure import Failure

from corpusbot.freshness_told import NOTHING_TOLD, Told, told_by_server
from corpusbot.store.frontier import Due, Frontier, Links, Outcome, Validators
from corpusbot.store.growing import StoreError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

FRONTIER_ID = "frontier_id"  # the key of a request's meta that names its row
SECONDS_BETWEEN_COMMITS = 0.5
COMMITS_PUT_OFF = 10  # then a page whose items never settle no longer keeps all others from being written
CANCELLED = "cancelled"
UNCHANGED = "unchanged"  # what a document is dropped as whose text is what it was

_CAUSES: tuple[tuple[type[BaseException], str], ...] = (
    (DownloadTimeoutError, "timeout"),
    (CannotResolveHostError, "dns"),
    (DownloadConnectionRefusedError, "connection_refused"),
    (ResponseDataLossError, "data_loss"),
    (DownloadCancelledError, CANCELLED),
    (UnsupportedURLSchemeError, "refused_scheme"),
    (NotSupported, "refused_scheme"),
    (DownloadFailedError, "connection_lost"),
    (OSError, "network"),
)
# Scrapy tells these apart by their text only.
_IGNORED = {"Forbidden by robots.txt": "robots", "max redirections reached": "redirect_limit"}
_WORD = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


def cause_of(failure: Failure | BaseException) -> str:
    """Why a page was not obtained, in a word."""
    error = failure.value if isinstance(failure, Failure) else failure
    told = getattr(error, "cause", None)
    if isinstance(told, str):
        return told
    if isinstance(error, HttpError):
        return f"http_{error.response.status}"
    if isinstance(error, IgnoreRequest):
        return _IGNORED.get(str(error), "ignored")
    for kind, cause in _CAUSES:
        if isinstance(error, kind):
            return cause
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(error).__name__).lower()


class _Page:
    """A page in hand: how many of its items are on their way, and what became of the others."""

    __slots__ = ("drops", "exhausted", "items", "number", "problem", "response", "scraped", "verdict")

    def __init__(self, number: int, response: Response | None) -> None:
        self.number = number
        self.response = response
        self.items = 0
        self.scraped = 0
        self.exhausted = False
        self.drops: list[Outcome] = []
        self.problem: Outcome | None = None
        self.verdict: Outcome | None = None

    def outcome(self) -> Outcome:
        """What the whole came to; a callback's own word counts most, an item more than the dropped ones."""
        status = self.response.status if self.response is not None else None
        name, cause, detail = "done", None, None
        told = self.verdict or self.problem
        if told is None and not self.scraped and self.drops:
            told = self.drops.pop(0)
        if told is not None:
            name, cause, detail, status = told.name, told.cause, told.detail, told.status or status
            if (name, cause) == ("dropped", UNCHANGED):
                name, cause = UNCHANGED, "same_text"
        elif status == 304:
            name = "unchanged"
        return Outcome(name, cause, detail, status)


class Acknowledgement:
    """Spider middleware, outermost: keeps links, follows items to their end, then acknowledges the page."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The middleware, as Scrapy asks for it."""
        middleware = cls(crawler)
        connect = crawler.signals.connect
        connect(middleware.item_scraped, signals.item_scraped)
        connect(middleware.item_dropped, signals.item_dropped)
        connect(middleware.item_error, signals.item_error)
        connect(middleware.spider_error, signals.spider_error)
        return middleware

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._frontier: Frontier | None = None
        self._pages: dict[int, _Page] = {}
        self._put_off = 0
        self._timer = create_looping_call(self._commit)

    def begin(self, frontier: Frontier) -> None:
        """Acknowledge to this frontier from now on, and have it commit twice a second."""
        self._frontier = frontier
        self._timer.start(SECONDS_BETWEEN_COMMITS, now=False)

    def end(self) -> None:
        """Commit no more; who closes the frontier does so for the last time."""
        if self._timer.running:
            self._timer.stop()

    # -- a page's way through the spider

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Keep the links that the spider begins with; requests and items go their usual way."""
        async for output in start:
            if isinstance(output, Links) and self._frontier is not None:
                self._frontier.add(output.links)
            elif isinstance(output, Due) and self._frontier is not None:
                self._frontier.ask_due(output)
            else:
                yield output

    def process_spider_input(self, response: Response) -> None:
        """A page has come: from here on it is in hand."""
        number = response.meta.get(FRONTIER_ID)
        if self._frontier is None:
            return
        self._frontier.take_in_hand(number)
        if number is not None:
            self._pages[number] = _Page(number, response)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Keep what the callback yields of links, and count the items that it sends on."""
        page = self._pages.get(response.meta.get(FRONTIER_ID, 0))
        if page is None:
            async for output in result:
                yield output
            return
        async for output in self._watched(page, result):
            yield output

    async def _watched(self, page: _Page, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        try:
            async for output in result:
                if self._is_item(page, output):
                    page.items += 1
                    yield output
        except Exception as error:
            if not isinstance(error, CloseSpider):
                page.problem = Outcome("failed", "spider_error", repr(error)[:200])
            self._exhaust(page)
            raise
        self._exhaust(page)

    def _exhaust(self, page: _Page) -> None:
        page.exhausted = True
        self._settle(page)

    def _is_item(self, page: _Page, output: Any) -> bool:
        """Whether an output goes on to the pipelines; links and requests are kept here and now."""
        if isinstance(output, Links):
            if self._frontier is not None:
                self._frontier.add(output.links, found_on=page.number)
        elif isinstance(output, Request):
            child = output.copy()
            child.meta.pop(FRONTIER_ID, None)  # came along with a copied meta; the row is the parent's
            self._crawler.engine.crawl(child)
        elif isinstance(output, Outcome):
            page.verdict = output
        else:
            return output is not None
        return False

    def failed(self, errback: Callable[[Failure], Any] | None, failure: Failure) -> Any:
        """The errback of every request of the frontier: notes the cause, then calls the spider's own."""
        number = failure.request.meta.get(FRONTIER_ID)  # type: ignore[attr-defined]
        page = self._pages.get(number)
        answered = page is not None  # then its output comes through process_spider_output
        if page is None:
            page = self._pages[number] = _Page(number, None)
        self._note_failure(page, failure)
        output = None
        try:
            output = errback(failure) if errback else failure
        finally:
            if not answered and (output is None or isinstance(output, Failure)):
                self._exhaust(page)
        if answered or output is None or isinstance(output, Failure):
            return output
        return self._watched_errback(page, output)

    async def _watched_errback(self, page: _Page, output: Any) -> AsyncIterator[Any]:
        result = await ensure_awaitable(iterate_spider_output(output))
        async for kept in self._watched(page, as_async_generator(result)):
            yield kept

    def _note_failure(self, page: _Page, failure: Failure) -> None:
        if self._frontier is not None:
            self._frontier.take_in_hand(page.number)
        status = failure.value.response.status if isinstance(failure.value, HttpError) else None
        page.problem = Outcome("failed", cause_of(failure), str(failure.value)[:200] or None, status)

    # -- what became of items

    def item_scraped(self, response: Any) -> None:
        """An item is written; nothing is committed until its page is acknowledged."""
        if page := self._page_of(response):
            page.scraped += 1
            if self._frontier is not None:
                self._frontier.hold(page.number)
            self._item_ended(page)

    def item_dropped(self, response: Any, exception: Exception) -> None:
        """An item is dropped, with the reason that its stage gave."""
        if page := self._page_of(response):
            page.drops.append(_drop_outcome(exception))
            self._item_ended(page)

    def item_error(self, response: Any, failure: Failure) -> None:
        """A pipeline failed on an item: its page is to be asked for once more in another run."""
        if page := self._page_of(response):
            page.problem = Outcome("failed", "item_error", repr(failure.value)[:200])
            self._item_ended(page)

    def spider_error(self, response: Any, failure: Failure) -> None:
        """A callback failed before it gave anything to iterate over."""
        page = self._page_of(response)
        if page is not None and not page.exhausted:
            page.problem = Outcome("failed", "spider_error", repr(failure.value)[:200])
            self._exhaust(page)

    def _item_ended(self, page: _Page) -> None:
        page.items -= 1
        # Other receivers of the signal, such as feed exporters, may still have to write the item.
        asyncio.get_running_loop().call_soon(self._settle, page)

    def _page_of(self, response: Any) -> _Page | None:
        request = getattr(response, "request", None)
        return self._pages.get(request.meta.get(FRONTIER_ID, 0)) if request is not None else None

    # -- acknowledging

    def _settle(self, page: _Page) -> None:
        """Acknowledge a page once its callback has ended and none of its items is on its way."""
        if page.items or not page.exhausted or self._pages.get(page.number) is not page:
            return
        del self._pages[page.number]
        frontier = self._frontier
        if frontier is None or not frontier.is_open:
            return
        outcome = page.outcome()
        if outcome.cause == CANCELLED:
            frontier.release(page.number)
            return
        if lease := frontier.leased(page.number):
            for drop in page.drops:
                frontier.note(lease.link.url, drop, lease.link.place)
        frontier.acknowledge(page.number, outcome, _validators(page, outcome), _told(page))

    def _commit(self) -> None:
        frontier = self._frontier
        if frontier is None or not frontier.is_open:
            return
        try:
            if frontier.commit_if_settled():
                self._put_off = 0
                return
            self._put_off += 1
            if self._put_off > COMMITS_PUT_OFF:
                frontier.commit()
        except (sqlite3.Error, OSError, StoreError) as error:
            logger.critical("%s: cannot be written (%s); the crawl ends", frontier.path, error)
            self._timer.stop()
            # create_looping_call takes no coroutine, and the loop would drop a task that nobody holds.
            self._closing = asyncio.ensure_future(
                self._crawler.engine.close_spider_async(reason="state_unwritable")
            )


def _drop_outcome(error: Exception) -> Outcome:
    drop = getattr(error, "drop", None)
    if drop is not None:
        return Outcome("dropped", drop.reason, drop.detail or None)
    text = str(error)
    word = text.partition(":")[0]
    return Outcome("dropped", word if _WORD.fullmatch(word) else "dropped", text[:200] or None)


def _validators(page: _Page, outcome: Outcome) -> Validators | None:
    """How to ask next time whether the page has changed; only of pages that were kept."""
    response = page.response
    if response is None or outcome.name not in ("done", "unchanged") or response.meta.get("incomplete"):
        return None
    return Validators(
        etag=_header(response, b"ETag"),
        modified=_header(response, b"Last-Modified"),
        digest=response.meta.get("page_digest"),
        status=response.status,
    )


def _told(page: _Page) -> Told:
    """How long the page stays the same, by its own word (as feeds have it) and by its server's."""
    response = page.response
    if response is None:
        return NOTHING_TOLD
    told: Told = response.meta.get("told", NOTHING_TOLD)
    if response.headers.get(b"Cache-Control") is None and response.headers.get(b"Expires") is None:
        return told
    by_server = told_by_server(lambda name: _header(response, name.encode("ascii")))
    return replace(told, fresh_seconds=max(by_server or 0, told.fresh_seconds or 0) or None)


def _header(response: Response, name: bytes) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else None
