"""Keeps the crawl on the public Web: no other schemes, no addresses of private networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin, urlsplit

from scrapy.exceptions import IgnoreRequest

from corpusbot.addresses import Guard

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

HOSTS_REMEMBERED = 1000


class RefusedAddressError(IgnoreRequest):
    """An address that is never asked; `cause` says why: refused_scheme, private_address or no_host."""

    def __init__(self, cause: str, url: str) -> None:
        super().__init__(
            f"{url} is refused ({cause}). CORPUSBOT_ALLOW_PRIVATE lists the private hosts that may be asked"
        )
        self.cause = cause


def guard_of(crawler: Crawler) -> Guard:
    """The guard as the settings want it."""
    return Guard.allowing(crawler.settings.getlist("CORPUSBOT_ALLOW_PRIVATE"))


class AddressGuard:
    """Downloader middleware: refuses before anything is connected, and counts by cause."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The middleware, as Scrapy asks for it."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._guard = guard_of(crawler)
        self._harmless: set[str] = set()

    def process_request(self, request: Request) -> None:
        """Refuse a request to an address that is not on the public Web; also every redirect's."""
        self._check(request.url)

    def process_response(self, request: Request, response: Response) -> Response:
        """Refuse a redirect that Scrapy would not follow for its scheme, so that it is counted."""
        location = response.headers.get(b"Location") if 300 <= response.status < 400 else None
        if location:
            self._check(urljoin(request.url, location.decode("latin-1").strip()))
        return response

    def _check(self, url: str) -> None:
        scheme, _, rest = url.partition("://")
        site = f"{scheme}://{rest.partition('/')[0]}"
        if site in self._harmless:
            return
        cause = self._guard.objection(url)
        if cause is not None:
            self._crawler.stats.inc_value(f"corpusbot/refused/{cause}")
            raise RefusedAddressError(cause, url)
        if urlsplit(url).netloc and len(self._harmless) < HOSTS_REMEMBERED:
            self._harmless.add(site)
