"""Raw pages: every page as it came, in WARC files that are rolled by size, so that a run can be done over again."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corpusbot.model import Page
from corpusbot.store.growing import GrowingFile, StoreError
from corpusbot.store.members import GZIP_SUFFIX, ZSTD_SUFFIX, Damage, DamageError, Member, RecordFile, files_in
from corpusbot.store.page_index import PageIndex, Stored
from corpusbot.store.warc import Record, Summary, in_utc, information, moment_of, page_of, record

__all__ = ["RawPages", "StoreError", "Stored", "iterate", "pages_of", "read_record", "record"]

ROLL_BYTES = 1_000_000_000
KNOWN_VERSIONS = 8  # of a page, that its bytes are compared with: a front page may have thousands
SUFFIX = GZIP_SUFFIX

logger = logging.getLogger(__name__)


class RawPages:
    """The archive of one newspaper: files NAME-00001.warc.gz, NAME-00002.warc.gz … in a folder, and their index.

    `committed` are the lengths that `flush_to_disk` returned, by file. Flush once before the first page, so that
    a file is known before anything is in it. One that is not known is not added to, and the next number taken;
    if its last record is unfinished, that is cut off.
    """

    def __init__(
        self, folder: str | Path, name: str, committed: Mapping[str, int], roll_bytes: int = ROLL_BYTES
    ) -> None:
        self._folder = Path(folder)
        self._name = name
        self._roll_bytes = roll_bytes
        self._index = PageIndex(folder)
        self._appended: list[Stored] = []
        known = max((file for file in committed if self._number(file)), key=self._number, default=None)
        # One that has files behind it is closed: what was moved away or compacted since is not missed.
        if known and self._number(known) >= max(map(self._number, self._there()), default=0):
            self._file = self._opened(known, committed[known])
        else:
            self._file = self._next_file()
        try:
            self._begin_index(committed)
        except BaseException:
            self._file.abandon()
            self._index.close()
            raise

    def _begin_index(self, committed: Mapping[str, int]) -> None:
        """Have the index tell of what is there, and ends that a crash left unfinished cut off."""
        growing = self._file.path.name
        self._index.cut(growing, self._file.length)
        for path, damage in self._index.update():
            is_ours = self._number(path.name) and path.name != growing and path.name.endswith(SUFFIX)
            if is_ours and damage.torn and damage.offset and damage.offset >= committed.get(path.name, 0):
                GrowingFile(path, damage.offset).close()
                logger.warning("%s: %s; it is cut off", path, damage)
            else:
                logger.warning("%s: %s", path, damage)

    def before(self, url: str) -> tuple[Summary, ...]:
        """What is stored of an address with its bytes, the newest first."""
        self._index_appended(url)
        return tuple(_summary(stored) for stored in self._index.originals(url, KNOWN_VERSIONS))

    def current(self, url: str) -> Summary | None:
        """What holds the bytes of an address's last visit; None if it is not stored."""
        self._index_appended(url)
        last = self._index.find(url)
        if last is None or last.kind == "response":
            return last and _summary(last)
        original = self._index.by_record(last.page_id)
        return original and _summary(original)

    def _index_appended(self, url: str) -> None:
        """Have the index know an address that was stored since the last commit."""
        if any(stored.url == url for stored in self._appended):
            self._index.add(self._appended)

    def append(self, record: Record) -> Stored:
        """Add a record that `record` made; it is on the disk after the next `flush_to_disk`."""
        file = self._file.path.name
        if not self._file.length:
            self._file.write(information(file, datetime.now(UTC)))
        stored = stored_at(record.summary, file, self._file.length, len(record.compressed))
        self._file.write(record.compressed)
        if record.request:
            self._file.write(record.request)
        self._appended.append(stored)
        return stored

    def flush_to_disk(self) -> dict[str, int]:
        """Have all records on the disk, and return the lengths to be remembered; a full file is rolled here."""
        lengths = {self._file.path.name: self._file.flush_to_disk()}
        if self._appended:
            self._index.add(self._appended, lengths)
            self._appended.clear()
        if self._file.length >= self._roll_bytes:
            self._file.close()
            self._file = self._next_file()
            lengths[self._file.path.name] = self._file.flush_to_disk()
        return lengths

    def close(self) -> None:
        """Flush, and let go of the file."""
        self._file.close()
        self._index.close()

    def _number(self, file: str) -> int:
        """The number in a file's name; 0 for a file that is none of these."""
        suffix = f"(?:{re.escape(GZIP_SUFFIX)}|{re.escape(ZSTD_SUFFIX)})"
        found = re.fullmatch(rf"{re.escape(self._name)}-(\d+){suffix}", file)
        return int(found[1]) if found else 0

    def _there(self) -> list[str]:
        """The names of the files that are there, the last one last."""
        names = (path.name for path in files_in(self._folder))
        return sorted(filter(self._number, names), key=self._number)

    def _next_file(self) -> GrowingFile:
        """A new file behind all that are there; the last of these is taken if it is empty."""
        last = next(reversed(self._there()), None)
        if last and not (self._folder / last).stat().st_size:
            return self._opened(last, None)
        number = self._number(last) + 1 if last else 1
        return self._opened(f"{self._name}-{number:05d}{SUFFIX}", None)

    def _opened(self, file: str, length: int | None) -> GrowingFile:
        return GrowingFile(self._folder / file, length)


def stored_at(summary: Summary, file: str, offset: int, length: int) -> Stored:
    """A record's summary together with its place."""
    return Stored(**_told(summary), file=file, offset=offset, length=length)


def _summary(stored: Stored) -> Summary:
    """The summary alone, which is all that a worker needs to be sent."""
    return Summary(**_told(stored))


def _told(summary: Summary) -> dict[str, Any]:
    return {field.name: getattr(summary, field.name) for field in fields(Summary)}


def read_record(path: str | Path, offset: int) -> Page:
    """The page whose record begins there."""
    with _opened(path) as file:
        try:
            member = file.read(offset)
            page = page_of(member.data) if member else None
        except (DamageError, ValueError, KeyError, IndexError) as error:
            raise StoreError(f"{path}: no record at byte {offset:,} ({error}). Is it a WARC file?") from error
    if page is None:
        raise StoreError(f"{path}: no page at byte {offset:,}. Give the offset that the page was stored at")
    return page


def pages_of(
    folder: str | Path,
    since: datetime | None = None,
    until: datetime | None = None,
    told: Callable[[str], None] = logger.warning,
) -> Iterator[Page]:
    """All pages of the archives in a folder and those below it, in the order in which they were stored.

    With `since` and `until` those fetched from one time on and before another; without a zone these are UTC's.
    Visits that found a page as it was have no bytes of their own and are left out. What cannot be read is told,
    and the rest goes on.
    """
    for path in files_in(folder, below=True):
        try:
            for _, page in iterate(path, since=since, until=until):
                yield page
        except DamagedError as error:
            told(str(error))


class DamagedError(StoreError):
    """Parts of a file cannot be read; all pages in its other parts were given."""


def iterate(
    path: str | Path,
    offset: int = 0,
    end: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Iterator[tuple[int, Page]]:
    """The pages of a file from an offset on, each with its own; records that are no pages are passed over.

    What cannot be read is passed over, too: DamagedError tells it when all that can be read was given.
    """
    damages: list[Damage] = []
    with _opened(path) as file:
        for member in file.walk(offset, end):
            found = member if isinstance(member, Damage) else _page_in(member, since, until)
            if isinstance(found, Damage):
                damages.append(found)
            elif found is not None:
                yield member.offset, found
    if damages:
        raise DamagedError(f"{path}: {'; '.join(map(str, damages))}. {_cure(damages)}")


def _page_in(member: Member, since: datetime | None, until: datetime | None) -> Page | Damage | None:
    """The page of a record, if it is one, and of the time that is asked for."""
    try:
        if since or until:
            moment = moment_of(member.data)
            if moment is None or (since and moment < in_utc(since)) or (until and moment >= in_utc(until)):
                return None
        return page_of(member.data)
    except (ValueError, KeyError, IndexError) as error:
        return Damage(member.offset, member.length, repr(error))


def _cure(damages: list[Damage]) -> str:
    if all(damage.torn for damage in damages):
        return "All before it is whole; the next crawl cuts it off"
    if damages[0].offset == 0:
        return "Is it a WARC file? All that can be read was given"
    return "All else was read. Bring back a copy of the file"


def _opened(path: str | Path) -> RecordFile:
    try:
        return RecordFile(path)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}. See that it is there and can be read") from error
    except DamageError as error:
        raise StoreError(f"{error}. Bring back a copy of the file") from error
