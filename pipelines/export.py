"""Distinct -> Document: what Scrapy's FEEDS write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusbot.export.document import Document, Particulars, document_of
from corpusbot.stages import Shelf
from pipelines.feeds import Feeds
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from corpusbot.model import Distinct


class Export:
    """The making of documents, and the writing; `pipelines.feeds` has the formats and files."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Export:
        """The pipeline, as Scrapy asks for it."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sites = Shelf()

    def process_item(self, item: Distinct) -> Document:
        """The document of an article that the corpus did not hold."""
        site = self._sites[item.article.site]
        particulars = Particulars(item.duplicate_of, labels=site.further_labels)
        document = document_of(item.article, item.fingerprint, site, particulars)
        self._write(document)
        return document

    def _write(self, document: Document) -> None:
        feeds, state, spider = self._crawler.get_extension(Feeds), state_of(self._crawler), self._crawler.spider
        if feeds is None or spider is None:
            return
        if state is not None:
            # What is written counts only together with its page's acknowledgement.
            state.hold_page_in_hand()
        feeds.write(document, spider)
