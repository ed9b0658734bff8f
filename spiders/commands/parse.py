"""`scrapy parse`: what the spider, and with --pipelines the whole line, makes of one page."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from scrapy import Spider
from scrapy.commands.parse import Command as ScrapyParse
from scrapy.exceptions import DropItem, ScrapyDeprecationWarning
from scrapy.utils.defer import deferred_from_coro

from corpusbot.store.frontier import Links, Outcome
from spiders.aside import Aside
from spiders.site import SiteSpider


class Command(Aside, ScrapyParse):
    """Scrapy's own command; links are shown as requests, and documents as the pipelines leave them."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Show a page without Scrapy's warning of its own command, whose callback returns a Deferred."""
        warnings.filterwarnings("ignore", "(?s).* returned a Deferred", ScrapyDeprecationWarning)
        super().run(args, opts)

    def _get_items_and_requests(
        self, spider_output: Iterable[Any], opts: argparse.Namespace, depth: int, spider: Spider, callback: Any
    ) -> Any:
        shown = list(_shown(spider_output, spider))
        return super()._get_items_and_requests(shown, opts, depth, spider, callback)

    def scraped_data(self, args: Any) -> Any:
        """The output of a page; its items go down the line first if that is wanted."""
        wanted: bool = args[2].pipelines
        return deferred_from_coro(self._documents(*args)) if wanted else super().scraped_data(args)

    async def _documents(self, items: list[Any], requests: Any, opts: argparse.Namespace, *rest: Any) -> Any:
        documents = [await self._document(item) for item in items]
        # Scrapy would send them down the line once more.
        done = argparse.Namespace(**{**vars(opts), "pipelines": False, "output": None})
        return super().scraped_data((documents, requests, done, *rest))

    async def _document(self, item: Any) -> Any:
        try:
            return await self.pcrawler.engine.scraper.itemproc.process_item_async(item)
        except DropItem as drop:
            return {"dropped": str(drop)}


def _shown(output: Iterable[Any], spider: Spider) -> Iterator[Any]:
    """What a callback gives, links as the requests that a crawl would make of them."""
    for one in output:
        if isinstance(one, Links) and isinstance(spider, SiteSpider):
            yield from map(spider.request_for, one.links)
        elif not isinstance(one, Outcome):
            yield one
