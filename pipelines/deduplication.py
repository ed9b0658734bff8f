"""Article -> Distinct: compared with all that the corpus holds; what it holds already is dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals

from corpusbot.dedup.entry import Entry, Match, entry_of
from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError, Search
from corpusbot.dedup.repeats import Repeat, repeat_of, version_of
from corpusbot.model import Article, Distinct, Drop
from corpusbot.stages import Shelf, take_fingerprint
from corpusbot.store.growing import StoreError
from pipelines.stage import Dropped, workers_of
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from corpusbot.sites import Duplicates
    from pipelines.workers import Workers

INDEX_FILE = "duplicates.sqlite"


class Deduplication:
    """One index for all newspapers of a data folder; its entries are committed just before the crawl's state."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Deduplication:
        """The pipeline, as Scrapy asks for it."""
        pipeline = cls(crawler, workers_of(crawler))
        # Not with the other pipelines: the state's last commit, which writes the last entries, comes after them.
        crawler.signals.connect(pipeline.close, signals.spider_closed)
        return pipeline

    def __init__(self, crawler: Crawler, workers: Workers) -> None:
        self._crawler = crawler
        self._workers = workers
        self._sites = Shelf()
        self._index: DuplicateIndex | None = None

    def open_spider(self) -> None:
        """Open the index, and have its entries written with every commit."""
        self._index = DuplicateIndex(Path(self._crawler.settings["CORPUSBOT_DATA"]) / INDEX_FILE)
        state, spider = state_of(self._crawler), self._crawler.spider
        if state is not None and spider is not None:
            self._index.cut(spider.name, state.file_length(INDEX_FILE))
            state.before_commit(self._commit)
            if state.run is not None and not state.run.resumed:
                self._forget_what_is_written_anew()

    def close(self) -> None:
        """Let go of the index; without a state, nobody else has its entries written."""
        if self._index is not None:
            if state_of(self._crawler) is None:
                self._index.commit()
            self._index.close()
            self._index = None

    async def process_item(self, item: Article) -> Distinct:
        """The article, unless the corpus holds it; what it repeats is remembered in any case."""
        assert self._index is not None
        fingerprint = await self._workers.run(take_fingerprint, item)
        entry, site = entry_of(item, fingerprint), self._sites[item.site]
        if item.visits and self._index.holds(entry):
            return Distinct(item, fingerprint, is_known=True)
        match = self._match(entry, site.duplicates)
        kept = match is None or (match.known.site != item.site and site.duplicates.across == "keep")
        repeat = repeat_of(entry, match, kept) if match else self._version_of(entry)
        if kept:
            self._remember(entry)
        if repeat is not None:
            self._note(repeat)
        if match is None:
            return Distinct(item, fingerprint)
        if not kept:
            raise Dropped(Drop(match.kind, match.detail))
        return Distinct(item, fingerprint, match.known.id, similarity=match.similarity)

    def _match(self, entry: Entry, wanted: Duplicates) -> Match | None:
        """What the article repeats; another newspaper's older copy must not hide the newspaper's own."""
        assert self._index is not None
        search = Search(wanted.distance, wanted.containment)
        match = self._index.find(entry, search)
        if match is not None and match.known.site != entry.site and wanted.across == "keep":
            return self._index.find(entry, replace(search, across=False)) or match
        return match

    def _version_of(self, entry: Entry) -> Repeat | None:
        """The article as another text of a document that the corpus holds; None if it holds none."""
        assert self._index is not None
        shared = self._index.former(entry)
        return None if shared is None else version_of(entry, shared)

    def _remember(self, entry: Entry) -> None:
        """Known from here on to this crawl, and to others once the document is written."""
        assert self._index is not None
        state = state_of(self._crawler)
        self._index.add(entry, settled=state is None)
        if state is not None:
            state.when_acknowledged(partial(self._index.settle, entry.id))

    def _note(self, repeat: Repeat) -> None:
        """The same of what became of an article that repeats something."""
        assert self._index is not None
        state = state_of(self._crawler)
        self._index.note(repeat, settled=state is None)
        if state is not None:
            state.when_acknowledged(partial(self._index.settle, repeat.entry.url))

    def _commit(self) -> Mapping[str, int]:
        """Write the entries as a batch whose number is committed with the state, or cut off when it was not."""
        state = state_of(self._crawler)
        if self._index is None or state is None or not self._index.is_ready:
            return {}
        batch = state.file_length(INDEX_FILE) + 1
        try:
            self._index.commit(batch)
        except DuplicateIndexError as error:
            # As any other file of the commit that cannot be written: the crawl ends, and nothing counts as done.
            raise StoreError(str(error)) from error
        return {INDEX_FILE: batch}

    def _forget_what_is_written_anew(self) -> None:
        name = self._crawler.spider.name if self._crawler.spider else ""
        site = getattr(self._crawler.spider, "site", None)
        if self._index is not None and site is not None and not site.target.append:
            self._index.forget_site(name)
