"""Redirects as Scrapy follows them, without the Referer header that its middleware would look after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.downloadermiddlewares.redirect import RedirectMiddleware

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class Redirects(RedirectMiddleware):
    """No request of ours has a Referer, so there is none to take off."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The middleware, as Scrapy asks for it; its own way adds a warning that nobody looks after the Referer."""
        middleware = cls(crawler.settings)
        middleware.crawler = crawler
        return middleware

    def handle_referer(self, request: Request, response: Response) -> None:
        """Nothing to do."""
