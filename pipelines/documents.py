"""The store of documents as a crawl writes to it: in step with the crawl's state, twice a second."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import CloseSpider

from corpusbot.store.documents import Documents, DocumentsError, Written, documents_of, open_documents, taken_back
from corpusbot.store.growing import StoreError
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from corpusbot.export.document import Document
    from corpusbot.model import Article
    from corpusbot.store.frontier import Link

logger = logging.getLogger(__name__)


class Writing:
    """Documents, anchors of links, and what became of known pages, written as batches that the state numbers."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._documents: Documents | None = None
        self._before = 0
        self._anchors: dict[tuple[bytes, str, str], datetime] = {}
        self._broken: DocumentsError | None = None
        # Not with the pipelines: an error would not be told in a line when they are opened, and the state's last
        # commit, which writes the last batch, comes after they are closed.
        crawler.signals.connect(self.open, signals.spider_opened)
        crawler.signals.connect(self.close, signals.spider_closed)

    def open(self, spider: Spider) -> None:
        """Open the store; one that cannot be written to ends the crawl before it begins."""
        settings = self._crawler.settings
        try:
            where = documents_of(settings["CORPUSBOT_DATA"], spider.name, settings.get("CORPUSBOT_DOCUMENTS"))
            self._documents = open_documents(where, spider.name)
            self._listen(self._documents)
        except StoreError as error:
            logger.error("%s", error)
            raise CloseSpider("documents_unusable") from None

    def _listen(self, documents: Documents) -> None:
        """Have the store where the state stands, and hear what the crawl finds."""
        state = state_of(self._crawler)
        if state is None:
            return
        taken_back(documents, state.file_length(documents.name))
        self._before = documents.batch
        state.before_commit(self._commit)
        state.when_linked(self._heard_of_links)
        state.when_unchanged(self._heard_that_unchanged)
        state.when_gone(self._heard_that_gone)

    def write(self, document: Document, article: Article) -> Written | None:
        """Take a document; None if there is no store."""
        if self._documents is None:
            return None
        found_at = (article.asked_url,) if article.asked_url else ()
        with self._noting_errors():
            return self._documents.write(document, article.fetched_at or datetime.now(UTC), found_at=found_at)

    def close(self) -> None:
        """Let go of the store; without a state, nobody else has it written."""
        if self._documents is not None:
            if state_of(self._crawler) is None:
                self._documents.commit()
            self._documents.close()
            self._documents = None

    def _heard_of_links(self, links: Mapping[bytes, Link]) -> None:
        """Keep the anchors of links to articles, each once."""
        now = datetime.now(UTC)
        for key, link in links.items():
            place = link.place
            anchor = place.get("anchor")
            if anchor and link.kind == "article":
                self._anchors.setdefault((key, anchor, place.get("found_on") or ""), now)

    def _heard_that_unchanged(self, url: str, moment: datetime) -> None:
        """A document's page is what it was."""
        if self._documents is not None:
            with self._noting_errors():
                self._documents.seen_at(url, moment)

    def _heard_that_gone(self, url: str, status: int, moment: datetime) -> None:
        """A document's page is not there any more."""
        if self._documents is not None:
            with self._noting_errors():
                self._documents.withdraw(url, moment, status)

    @contextmanager
    def _noting_errors(self) -> Iterator[None]:
        """After an error the next commit ends the crawl, and nothing since the last one counts."""
        try:
            yield
        except DocumentsError as error:
            self._broken = error
            raise

    def _commit(self) -> Mapping[str, int]:
        """Write all as a batch whose number is committed with the state, or taken back when it was not."""
        state = state_of(self._crawler)
        if self._documents is None or state is None:
            return {}
        if self._broken is not None:
            raise self._broken
        if self._anchors:
            self._documents.add_keyed_anchors((*place, seen) for place, seen in self._anchors.items())
            self._anchors.clear()
        if not self._documents.has_unwritten:
            return {}
        batch = max(state.file_length(self._documents.name), self._before) + 1
        self._documents.commit(batch)
        return {self._documents.name: batch}
