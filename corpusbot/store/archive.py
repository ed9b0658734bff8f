"""Raw pages: every page as it came, in WARC files that are rolled by size, so that a run can be done over again."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from corpusbot.model import Page
from corpusbot.store.growing import GrowingFile, StoreError
from corpusbot.store.warc import information, members, page_of, record

__all__ = ["RawPages", "StoreError", "Stored", "iterate", "pages_of", "read_record", "record"]

ROLL_BYTES = 1_000_000_000
SUFFIX = ".warc.gz"


@dataclass(frozen=True, slots=True)
class Stored:
    """Where a record stands."""

    file: str
    offset: int
    length: int


class RawPages:
    """The archive of one newspaper: files NAME-00001.warc.gz, NAME-00002.warc.gz … in a folder.

    `committed` are the lengths that `flush_to_disk` returned, by file. Flush once before the first page, so that
    a file is known before anything is in it; one that is not known is left as it is, and the next number taken.
    """

    def __init__(
        self, folder: str | Path, name: str, committed: Mapping[str, int], roll_bytes: int = ROLL_BYTES
    ) -> None:
        self._folder = Path(folder)
        self._name = name
        self._roll_bytes = roll_bytes
        known = max((file for file in committed if self._number(file)), key=self._number, default=None)
        self._file = self._opened(known, committed[known]) if known else self._next_file()

    def append(self, compressed: bytes) -> Stored:
        """Add a record that `record` made; it is on the disk after the next `flush_to_disk`."""
        file = self._file.path.name
        if not self._file.length:
            self._file.write(information(file, datetime.now(UTC)))
        offset = self._file.length
        self._file.write(compressed)
        return Stored(file, offset, len(compressed))

    def flush_to_disk(self) -> dict[str, int]:
        """Have all records on the disk, and return the lengths to be remembered; a full file is rolled here."""
        lengths = {self._file.path.name: self._file.flush_to_disk()}
        if self._file.length >= self._roll_bytes:
            self._file.close()
            self._file = self._next_file()
            lengths[self._file.path.name] = self._file.flush_to_disk()
        return lengths

    def close(self) -> None:
        """Flush, and let go of the file."""
        self._file.close()

    def _number(self, file: str) -> int:
        """The number in a file's name; 0 for a file that is none of these."""
        found = re.fullmatch(rf"{re.escape(self._name)}-(\d+){re.escape(SUFFIX)}", file)
        return int(found[1]) if found else 0

    def _next_file(self) -> GrowingFile:
        """A new file behind all that are there; the last of these is taken if it is empty."""
        there = [path for path in self._folder.glob(f"*{SUFFIX}") if self._number(path.name)]
        last = max(there, key=lambda path: self._number(path.name), default=None)
        if last and not last.stat().st_size:
            return self._opened(last.name, None)
        number = self._number(last.name) + 1 if last else 1
        return self._opened(f"{self._name}-{number:05d}{SUFFIX}", None)

    def _opened(self, file: str, length: int | None) -> GrowingFile:
        return GrowingFile(self._folder / file, length)


def read_record(path: str | Path, offset: int) -> Page:
    """The page whose record begins there."""
    for _, page in iterate(path, offset):
        return page
    raise StoreError(f"{path}: no page at byte {offset:,}. Give the offset that the page was stored at")


def pages_of(folder: str | Path) -> Iterator[Page]:
    """All pages of the archives in a folder and those below it, in the order in which they were stored."""
    for path in sorted(Path(folder).rglob(f"*{SUFFIX}")):
        for _, page in iterate(path):
            yield page


def iterate(path: str | Path, offset: int = 0) -> Iterator[tuple[int, Page]]:
    """The pages of a file from an offset on, each with its own; records that are no pages are passed over."""
    start = offset
    try:
        with Path(path).open("rb") as file:
            for start, unpacked in members(file, offset):
                page = page_of(unpacked)
                if page is not None:
                    yield start, page
    except EOFError as error:
        raise StoreError(
            f"{path}: the record at byte {error.args[0]:,} is unfinished; those before it are whole. "
            "The next crawl cuts it off"
        ) from error
    except (zlib.error, ValueError, KeyError, IndexError) as error:
        raise StoreError(f"{path}: no record at byte {start:,} or behind it ({error}). Is it a WARC file?") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}. See that it is there and can be read") from error
