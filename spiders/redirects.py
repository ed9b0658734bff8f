"""Redirects as Scrapy follows them, without the Referer header that its middleware would look after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import RedirectMiddleware

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response


class Redirects(RedirectMiddleware):
    """No request of ours has a Referer, so there is none to take off."""

    def handle_referer(self, request: Request, response: Response) -> None:
        """Nothing to do."""
