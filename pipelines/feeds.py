"""Scrapy's feeds over our formats: files that grow by whole documents and survive any crash."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlsplit

from scrapy import signals
from scrapy.exceptions import CloseSpider
from scrapy.exporters import BaseItemExporter
from scrapy.extensions.feedexport import FeedExporter

from corpusbot.export import ExportError
from corpusbot.plugins import plugin
from corpusbot.store.frontier import Frontier
from corpusbot.store.growing import GrowingFile, StoreError
from corpusbot.store.runs import committed_length
from pipelines.state import state_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from corpusbot.export.document import Document

logger = logging.getLogger(__name__)


class Feeds(FeedExporter):
    """Scrapy's feed exporter, opened before the first page comes and written to by the Export stage.

    Scrapy's own writes when it hears that an item is scraped; an error there is logged, and the item lost.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Feeds:
        """The extension, as Scrapy asks for it."""
        feeds = cls(crawler)
        crawler.signals.connect(feeds.open_spider, signals.spider_opened)
        crawler.signals.connect(feeds.close_spider, signals.spider_closed)
        return feeds

    def open_spider(self, spider: Spider) -> None:
        """Open the files; one that cannot be written to ends the crawl before it begins."""
        super().open_spider(spider)
        slots, self.slots = self.slots, []
        try:
            for slot in slots:
                slot.start_exporting()
                self.slots.append(slot)  # Scrapy would open the others once more, to close them
        except (StoreError, ExportError) as error:
            logger.error("%s", error)
            raise CloseSpider("target_unusable") from None

    def write(self, document: Document, spider: Spider) -> None:
        """Write a document to every feed."""
        self.item_scraped(document, spider)


class GrowingFeed:
    """Scrapy's feed storage for local files: opened at its committed length, committed with the crawl's state."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, uri: str, *, feed_options: Mapping[str, Any] | None = None) -> GrowingFeed:
        """The storage, as Scrapy asks for it."""
        return cls(crawler, uri, dict(feed_options or {}))

    def __init__(self, crawler: Crawler, uri: str, options: Mapping[str, Any]) -> None:
        self._crawler = crawler
        self._path = Path(unquote(urlsplit(uri).path) if uri.startswith("file:") else uri).absolute()
        self._format = plugin("export", str(options.get("format", "jsonl")))
        self._anew = bool(options.get("overwrite"))
        self._release: Callable[[], None] = lambda: None

    def open(self, spider: Spider) -> IO[bytes]:
        """The file, cut at what was committed; a run that was killed goes on with it."""
        path, state = self._growing_path(), state_of(self._crawler)
        is_new_run = state is None or state.run is None or not state.run.resumed
        if self._anew and is_new_run:
            file = GrowingFile(path, fresh=True)
        else:
            file = GrowingFile(path, _length_to_keep(path, state, is_new_run))
        if state is not None:
            _note_of_writer(path).write_text(str(state.path.absolute()), encoding="utf-8")
            self._release = state.before_commit(lambda: {str(path): file.flush_to_disk()})
        return cast("IO[bytes]", file)

    def store(self, file: IO[bytes]) -> None:
        """Close the file; a format that cannot grow is made from the one that did."""
        self._release()
        file.close()
        if hasattr(self._format, "MADE_FROM"):
            self._format.convert(self._growing_path(), self._path)

    def _growing_path(self) -> Path:
        source = getattr(self._format, "MADE_FROM", None)
        return self._path.with_name(f"{self._path.name}.{source}") if source else self._path


class DocumentFeed(BaseItemExporter):
    """Scrapy's exporter over a format of `corpusbot.export`."""

    format = "jsonl"

    def __init__(self, file: IO[bytes], **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self._file = file
        self._module = plugin("export", getattr(plugin("export", self.format), "MADE_FROM", self.format))

    def start_exporting(self) -> None:
        """Write what stands at the head of a new file; one that is there must have the same head."""
        if not getattr(self._file, "length", 0):
            self._module.header(self._file)
        elif hasattr(self._module, "check_head"):
            self._module.check_head(cast("GrowingFile", self._file).path)

    def export_item(self, item: Document) -> None:
        """Write one document, whole."""
        self._module.write(item, self._file)


class JsonlFeed(DocumentFeed):
    """One line of JSON a document."""


class SectionsFeed(DocumentFeed):
    """Sections as `.NAME` and text."""

    format = "sections"


class TagsFeed(DocumentFeed):
    """Sections as `<NAME>text</NAME>`."""

    format = "tags"


class CsvFeed(DocumentFeed):
    """A table for spreadsheets."""

    format = "csv"


class ParquetFeed(DocumentFeed):
    """A table for programs, made from JSON lines when the run ends."""

    format = "parquet"


def _length_to_keep(path: Path, state: Frontier | None, is_new_run: bool) -> int | None:
    """How much of a file holds: what its last writer committed, or all of one that no crawl has written to."""
    note = _note_of_writer(path)
    if not path.exists():
        if note.exists() and is_new_run:
            logger.warning("%s is not there any more; a new one is begun", path)
            return None
        return state.file_length(str(path)) if state and note.exists() else None
    if not note.exists():
        size = path.stat().st_size
        if path.is_file():
            _check_end(path, size)
        return size or None
    # Another newspaper may have written last; what it did not commit, it will fetch and write again.
    writer = Path(note.read_text(encoding="utf-8"))
    own = state is not None and writer == state.path.absolute()
    length = state.file_length(str(path)) if state is not None and own else committed_length(writer, str(path))
    _check_end(path, length)
    return length


def _check_end(path: Path, length: int) -> None:
    """Refuse a longer file in which no document ends where ours did: it is another, and would be cut in two."""
    if 0 < length <= path.stat().st_size:
        with path.open("rb") as file:
            file.seek(length - 1)
            if file.read(1) != b"\n":
                raise StoreError(
                    f"{path}: is not the file that was written to: no document ends after its first {length:,} bytes. "
                    "Bring that file back, or move this one away to have a new one begun"
                )


def _note_of_writer(path: Path) -> Path:
    """The note beside a file of which crawl's state knows how much of it holds."""
    return path.with_name(f".{path.name}.writer")
