"""Asks each host as it wishes to be asked: robots.txt with its Crawl-delay, and Retry-After."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest, NotConfigured
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.utils.asyncio import call_later
from scrapy.utils.httpobj import urlparse_cached

from spiders.guard import RefusedAddressError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

ROBOTS_PRIORITY = 1000
SECONDS_ROBOTS_ARE_KEPT = 24 * 3600.0  # RFC 9309, 2.4
SECONDS_BETWEEN_ROBOTS_TRIES = 300.0
SECONDS_AFTER_429 = 10.0  # where the answer does not say how long
SLOW_DOWN_STATUS = (429, 503)


class RobotsError(IgnoreRequest):
    """A page that robots.txt forbids (`robots`), or a host whose robots.txt is not to be had."""

    def __init__(self, cause: str, url: str) -> None:
        super().__init__(f"{url}: {'forbidden by' if cause == 'robots' else 'no answer for'} robots.txt")
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Robots:
    """What a host's robots.txt says; `parser` is None where it was not to be had, and then all is forbidden."""

    parser: ProtegoRobotParser | None
    until: float

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that it names."""
        return tuple(self.parser.rp.sitemaps) if self.parser else ()


class Politeness:
    """Downloader middleware: keeps to robots.txt (RFC 9309), and slows down to its Crawl-delay."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The middleware, as Scrapy asks for it."""
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        settings = crawler.settings
        self._agent = str(settings.get("ROBOTSTXT_USER_AGENT") or settings.get("USER_AGENT"))
        self._longest = settings.getfloat("CORPUSBOT_MAX_CRAWL_DELAY", 60.0)
        self._hosts: dict[str, Robots | asyncio.Future[Robots]] = {}

    async def process_request(self, request: Request) -> None:
        """Let a page pass if robots.txt does."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        robots = self._hosts.get(urlparse_cached(request).netloc)
        if not isinstance(robots, Robots) or robots.until < time.monotonic():
            robots = await self.robots(request.url)
        cause = "robots"
        if robots.parser is None:
            cause = "robots_unreachable"
        elif robots.parser.allowed(request.url, self._agent):
            return
        self._crawler.stats.inc_value(f"corpusbot/{cause}")
        raise RobotsError(cause, request.url)

    async def robots(self, url: str) -> Robots:
        """The robots.txt of the host of an address; asked for once, however many wait for it."""
        parts = urlparse_cached(Request(url))
        found = self._hosts.get(parts.netloc)
        if isinstance(found, asyncio.Future):
            return await asyncio.shield(found)
        if found is not None and found.until >= time.monotonic():
            return found
        future: asyncio.Future[Robots] = asyncio.get_running_loop().create_future()
        self._hosts[parts.netloc] = future
        try:
            robots = await self._fetched(f"{parts.scheme}://{parts.netloc}/robots.txt")
        except BaseException as error:
            del self._hosts[parts.netloc]
            # Whoever waits is told the same; without one the future need not complain that nobody looked.
            future.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
            future.exception()
            raise
        self._hosts[parts.netloc] = robots
        future.set_result(robots)
        self._slow_down(parts.hostname or "", robots)
        return robots

    async def _fetched(self, url: str) -> Robots:
        """Ask for a robots.txt: a 4xx allows all, anything else but a page forbids all for a while."""
        # All of the host's pages wait for this one, so it goes first and does not ask itself for leave.
        asked = Request(url, NO_CALLBACK, priority=ROBOTS_PRIORITY, meta={"dont_obey_robotstxt": True})
        try:
            response = await self._crawler.engine.download_async(asked)
        except DownloadCancelledError as error:
            if getattr(error, "cause", None) == "cancelled":
                raise
            return self._unreachable(url, error)
        except RefusedAddressError:
            raise  # that, and not the lack of a robots.txt, is why the page is not asked for
        except Exception as error:  # noqa: BLE001  (whatever a download may raise, the host gave no answer)
            return self._unreachable(url, error)
        status = response.status
        if status == 429 or status >= 500:
            return self._unreachable(url, f"status {status}")
        body = response.body if 200 <= status < 300 else b""
        parser = ProtegoRobotParser(body, self._crawler.spider)
        return Robots(parser, time.monotonic() + SECONDS_ROBOTS_ARE_KEPT)

    def _unreachable(self, url: str, reason: object) -> Robots:
        logger.warning("%s: %s. No page of this host is asked for until it answers", url, reason)
        self._crawler.stats.inc_value("corpusbot/robots_txt_unreachable")
        return Robots(None, time.monotonic() + SECONDS_BETWEEN_ROBOTS_TRIES)

    def _slow_down(self, host: str, robots: Robots) -> None:
        """Take over the Crawl-delay, in the host's slot and in any that Scrapy makes for it later."""
        wanted = robots.parser.crawl_delay(self._agent) if robots.parser else None
        downloader = self._crawler.engine.downloader
        delay = min(wanted or 0.0, self._longest)
        slot = downloader.slots.get(host)
        usual = slot.delay if slot else self._crawler.settings.getfloat("DOWNLOAD_DELAY")
        if delay <= usual:
            return
        # Without jitter, which would now and then go below what the host asks for.
        kept = {"concurrency": 1, "delay": delay, "jitter": 0.0}
        downloader.per_slot_settings[host] = {**downloader.per_slot_settings.get(host, {}), **kept}
        if slot is not None:
            slot.concurrency, slot.delay, slot.jitter = 1, delay, 0.0
        logger.info("%s asks for %g seconds between requests; it gets %g", host, wanted, delay)


class RetryAfter:
    """Downloader middleware, inside of retries: a host that answers 429 or 503 is left alone for a while."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The middleware, as Scrapy asks for it."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._longest = crawler.settings.getfloat("CORPUSBOT_MAX_RETRY_AFTER", 300.0)
        self._until: dict[str, float] = {}

    def process_response(self, request: Request, response: Response) -> Response:
        """Note how long the host wants to be left alone."""
        if response.status in SLOW_DOWN_STATUS:
            told = response.headers.get(b"Retry-After")
            seconds = retry_after(told.decode("latin-1") if told else None, datetime.now(UTC))
            if seconds is None and response.status == 429:
                seconds = SECONDS_AFTER_429
            if seconds:
                self._pause(request, min(seconds, self._longest))
        return response

    def _pause(self, request: Request, seconds: float) -> None:
        downloader = self._crawler.engine.downloader
        key = downloader.get_slot_key(request)
        slot = downloader.slots.get(key)
        until = time.monotonic() + seconds
        if slot is None or until <= self._until.get(key, 0.0):
            return
        self._until[key] = until
        # A slot with a later call set sends nothing before it; Scrapy has no public way to say so.
        slot.close()
        slot.latercall = call_later(seconds, downloader._latercall, slot)
        self._crawler.stats.inc_value("corpusbot/retry_after")
        logger.info("%s wants to be left alone for %g seconds", key, seconds)


def retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or as a date; None if it says neither.

    >>> retry_after("120", datetime(2026, 1, 1, tzinfo=UTC))
    120.0
    >>> retry_after("Thu, 01 Jan 2026 00:01:00 GMT", datetime(2026, 1, 1, tzinfo=UTC))
    60.0
    """
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


async def robots_sitemaps(crawler: Crawler, url: str) -> tuple[str, ...]:
    """The sitemaps that the robots.txt of an address's host names; none if robots.txt is not obeyed."""
    politeness = crawler.get_downloader_middleware(Politeness)
    return (await politeness.robots(url)).sitemaps if politeness else ()
