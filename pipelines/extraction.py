"""CleanPage -> Article: the site's rules first, then the other extractors in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusbot.extractors.chain import extract_article
from corpusbot.extractors.gate import counted
from pipelines.stage import kept, workers_of
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from corpusbot.model import Article
    from corpusbot.worker import Held


class Extraction:
    """The extraction of fields and main block, and the counting of who found it and who was passed over."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Extraction:
        """The pipeline, as Scrapy asks for it."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._workers = workers_of(crawler)

    async def process_item(self, item: Held) -> Article:
        """The article of a page, unless it has no text."""
        result = await self._workers.run(extract_article, item)
        state = state_of(self._crawler)
        if state is not None:
            # Written with the page's acknowledgement: a page that is asked for again is not counted twice.
            state.tally(counted(result))
        article: Article = kept(result)
        return article
