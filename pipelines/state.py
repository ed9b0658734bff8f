"""The state of the crawl that the pipelines write along with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusbot.store.frontier import Frontier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def state_of(crawler: Crawler) -> Frontier | None:
    """The frontier of the crawl's scheduler; None with another scheduler, whose crawls have no such memory."""
    engine = crawler.engine
    frontier = getattr(engine.scheduler, "frontier", None) if engine else None
    return frontier if isinstance(frontier, Frontier) else None
