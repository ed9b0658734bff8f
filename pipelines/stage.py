"""What all pipelines have in common: a stage of the line, run in a worker, and dropping with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem, NotConfigured

from corpusbot.model import Drop
from pipelines.workers import Workers

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from corpusbot.worker import Stage


class Dropped(DropItem):
    """An item that does not become a document, with the reason that the run's report lists."""

    def __init__(self, drop: Drop) -> None:
        super().__init__(str(drop), log_level="DEBUG")
        self.drop = drop


class StagePipeline:
    """A pipeline that sends each item through one pure stage: `(item, site) -> result or Drop`."""

    stage: Stage

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StagePipeline:
        """The pipeline, as Scrapy asks for it."""
        return cls(workers_of(crawler))

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def process_item(self, item: Any) -> Any:
        """The item as the next stage takes it."""
        return kept(await self._workers.run(type(self).stage, item))


def kept(result: Any) -> Any:
    """The result of a stage, unless it is the reason for a drop."""
    if isinstance(result, Drop):
        raise Dropped(result)
    return result


def workers_of(crawler: Crawler) -> Workers:
    """The crawl's worker processes."""
    workers = crawler.get_extension(Workers)
    if workers is None:
        raise NotConfigured("The stages need the extension pipelines.workers.Workers")
    return workers
