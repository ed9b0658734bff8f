"""Distinct -> Document: what Scrapy's FEEDS write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusbot.export.document import Document, Particulars, document_of
from corpusbot.stages import Shelf

if TYPE_CHECKING:
    from corpusbot.model import Distinct


class Export:
    """The making of documents; `pipelines.feeds` has the formats and files."""

    def __init__(self) -> None:
        self._sites = Shelf()

    def process_item(self, item: Distinct) -> Document:
        """The document of an article that the corpus did not hold."""
        site = self._sites[item.article.site]
        return document_of(item.article, item.fingerprint, site, Particulars(item.duplicate_of, labels=site.labels))
