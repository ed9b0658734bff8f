"""Page kept: its bytes go into the archive before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpusbot.stages import archive_record
from corpusbot.store.archive import RawPages
from pipelines.stage import workers_of
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from corpusbot.model import Page
    from pipelines.workers import Workers

FOLDER = "pages"


class Storage:
    """The archive of raw pages; records are made in the workers and written here, in order."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Storage:
        """The pipeline, as Scrapy asks for it."""
        return cls(crawler, workers_of(crawler))

    def __init__(self, crawler: Crawler, workers: Workers) -> None:
        self._crawler = crawler
        self._workers = workers
        self._pages: RawPages | None = None

    def open_spider(self) -> None:
        """Open the archive at its committed length."""
        spider, state = self._crawler.spider, state_of(self._crawler)
        if spider is None or state is None:
            return
        folder = Path(self._crawler.settings["CORPUSBOT_DATA"]) / spider.name / FOLDER
        self._pages = RawPages(folder, spider.name, state.file_lengths)
        state.before_commit(self._flushed)
        state.commit()  # a file is known, at length 0, before anything is in it

    async def process_item(self, item: Page) -> Page:
        """The page, its bytes kept."""
        if self._pages is None:
            return item
        record_id, record = await self._workers.run(archive_record, item)
        self._pages.append(record)
        return replace(item, record_id=record_id)

    def _flushed(self) -> Mapping[str, int]:
        return self._pages.flush_to_disk() if self._pages is not None else {}
