"""Page kept: its bytes go into the archive before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals

from corpusbot.model import Body, Page, header_pairs
from corpusbot.stages import ToArchive, archive_record
from corpusbot.store.archive import RawPages
from corpusbot.store.warc import Record, unchanged
from pipelines.stage import kept, workers_of
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from corpusbot.store.frontier import Frontier, Link
    from pipelines.workers import Workers

FOLDER = "pages"
FRONTIER_ID = "frontier_id"  # the key of a request's meta that names its row; see spiders.acknowledge


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive of the newspaper, and the state that its pages are acknowledged to."""

    pages: RawPages
    state: Frontier


class Storage:
    """The archive of raw pages; records are made in the workers and written here, as their pages are acknowledged.

    So a page that is asked for again after a crash is stored once.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Storage:
        """The pipeline, as Scrapy asks for it."""
        made = cls(crawler, workers_of(crawler))
        crawler.signals.connect(made.response_received, signals.response_received)
        return made

    def __init__(self, crawler: Crawler, workers: Workers) -> None:
        self._crawler = crawler
        self._workers = workers
        self._archive: Archive | None = None
        self._in_line: set[str | None] = set()

    def open_spider(self) -> None:
        """Open the archive at its committed length."""
        spider, state = self._crawler.spider, state_of(self._crawler)
        if spider is None or state is None:
            return
        folder = Path(self._crawler.settings["CORPUSBOT_DATA"]) / spider.name / FOLDER
        self._archive = Archive(RawPages(folder, spider.name, state.file_lengths), state)
        state.before_commit(self._flushed)
        state.commit()  # a file is known, at length 0, before anything is in it

    async def process_item(self, item: Page) -> Page:
        """The page, its bytes kept."""
        if self._archive is None:
            return item
        self._in_line.add(item.asked_url)
        wanted = ToArchive(item, self._archive.pages.before(item.url))
        record: Record = kept(await self._workers.run(archive_record, wanted))
        self._archive.state.when_acknowledged(partial(self._append, item.asked_url, record))
        return replace(item, record_id=record.summary.page_id, sent=())

    def _append(self, asked_url: str | None, record: Record) -> None:
        self._in_line.discard(asked_url)
        if self._archive is not None:
            self._archive.pages.append(record)

    # -- visits that found a page as it was

    def response_received(self, response: Response, request: Request) -> None:
        """An answer has come; if it is that a page is as it was, that is noted when it is acknowledged."""
        link: Link | None = request.meta.get("link")
        number: int | None = request.meta.get(FRONTIER_ID)
        if self._archive is not None and number is not None and link is not None and link.validators is not None:
            note = partial(self._note_unchanged, response, link, datetime.now(UTC))
            copy_context().run(_when_acknowledged, self._archive.state, number, note)

    def _note_unchanged(self, response: Response, link: Link, moment: datetime) -> None:
        not_modified = response.status == HTTPStatus.NOT_MODIFIED
        same = link.validators is not None and response.meta.get("page_digest") == link.validators.digest
        if self._archive is None or link.url in self._in_line or not (not_modified or same):
            return
        before = self._archive.pages.current(response.url)
        if before is not None:
            visit = Page(
                site=self._crawler.spider.name if self._crawler.spider else "",
                url=response.url,
                body=Body(response.body),
                fetched_at=moment,
                headers=tuple(header_pairs(response.headers.items())),
                status=response.status,
                asked_url=link.url,
                sent=response.meta.get("sent", ()),
            )
            self._archive.pages.append(unchanged(visit, before))

    def _flushed(self) -> Mapping[str, int]:
        return self._archive.pages.flush_to_disk() if self._archive is not None else {}


def _when_acknowledged(state: Frontier, number: int, note: partial[None]) -> None:
    """Put off until the page of this lease is acknowledged; in a context of its own, for no page is in hand yet."""
    state.take_in_hand(number)
    state.when_acknowledged(note)
