"""Distinct -> Document, kept with all its versions: what Scrapy's FEEDS write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corpusbot.export.document import Document, Particulars, document_of
from corpusbot.model import Drop
from corpusbot.stages import Shelf
from pipelines.documents import Writing
from pipelines.feeds import Feeds
from pipelines.stage import Dropped
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
        self._documents = Writing(crawler)

    def process_item(self, item: Distinct) -> Document:
        """The document of an article that the corpus did not hold, or held otherwise."""
        site = self._sites[item.article.site]
        particulars = Particulars(item.duplicate_of, site.further_labels, item.similarity)
        document = document_of(item.article, item.fingerprint, site, particulars)
        document = self._kept(document, item)
        feeds, spider = self._crawler.get_extension(Feeds), self._crawler.spider
        if feeds is not None and spider is not None:
            feeds.write(document, spider)
        return document

    def _kept(self, document: Document, item: Distinct) -> Document:
        """The document with the number of its version; one that was asked for again and is the same is dropped."""
        written = self._documents.write(document, item.article)
        # What a store begun later than the corpus does not know yet is no new document for that.
        is_same = written is None or written.outcome != "version"
        if is_same and (item.is_known or (item.article.visits and written and written.outcome == "unchanged")):
            raise Dropped(Drop("unchanged", "it says what it said"))
        state = state_of(self._crawler)
        if state is not None:
            # What is written counts only together with its page's acknowledgement.
            state.hold_page_in_hand()
        return replace(document, version=written.number) if written else document
