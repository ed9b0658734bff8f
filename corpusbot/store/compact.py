"""Old files of an archive in the compact form, and back: the same records, byte for byte, in less room.

A file is written anew beside the old one, compared with it record by record, and put in its place; the old one goes
last. Killed at any moment it leaves the old file, the new one, or both, and then the next run ends what was begun.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from corpusbot.sqlite_file import transaction
from corpusbot.store.deflate import packed
from corpusbot.store.growing import StoreError, clear_errors, flush_folder
from corpusbot.store.members import GZIP_SUFFIX, ZSTD_SUFFIX, Damage, Member, RecordFile, files_in
from corpusbot.store.page_index import PageIndex, Progress
from corpusbot.store.reference_pages import reference_pages
from corpusbot.store.schema import StateBusyError, connect, lock
from corpusbot.store.zstd import Packer

NEW_SUFFIX = ".new"
STATE = "state.sqlite"

Pack = Callable[[bytes], bytes]


class NotWholeError(StoreError):
    """A file has something in it that is no record."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file that was given its other form, or the reason why it was left as it is."""

    path: Path
    before: int
    after: int = 0
    left: str | None = None


def compact(folder: Path, older_than_days: float = 0, progress: Progress | None = None) -> Iterator[Change]:
    """Give those files of an archive the compact form that nobody has written to for so many days."""
    yield from _converted(folder, GZIP_SUFFIX, ZSTD_SUFFIX, older_than_days, progress)


def restore(folder: Path, progress: Progress | None = None) -> Iterator[Change]:
    """Give all compact files of an archive the form again that every program reads."""
    yield from _converted(folder, ZSTD_SUFFIX, GZIP_SUFFIX, 0, progress)


def _converted(
    folder: Path, old: str, new: str, older_than_days: float, progress: Progress | None
) -> Iterator[Change]:
    _clear_up(folder)
    with PageIndex(folder) as index:
        index.update(progress)
        paths = files_in(folder)
        # Of an interrupted run both forms may be there, and only the one that others read is listed.
        for path in sorted(folder.glob(f"*{old}")):
            size = path.stat().st_size
            if time.time() - path.stat().st_mtime < older_than_days * 86_400 or not size:
                continue
            target = path.with_name(path.name.removesuffix(old) + new)
            left = _why_left(path, is_last=path == paths[-1])
            try:
                if left is None:
                    _convert(path, target, index, progress)
            except NotWholeError as error:
                left = str(error)
            yield Change(path, size, 0 if left else target.stat().st_size, left)


def _clear_up(folder: Path) -> None:
    """Remove what a run that was killed had begun to write."""
    for suffix in (GZIP_SUFFIX, ZSTD_SUFFIX):
        for path in folder.glob(f"*{suffix}{NEW_SUFFIX}"):
            with clear_errors(path):
                path.unlink()


def _why_left(path: Path, is_last: bool) -> str | None:
    """Have the crawl's state let go of a file; the reason, if it cannot."""
    state = path.parent.parent / STATE
    if not state.exists():
        return None
    try:
        with lock(state) if is_last else nullcontext(), closing(connect(state)) as database:
            row = database.execute("SELECT length FROM files WHERE name = ?", (path.name,)).fetchone()
            if row and is_last and row[0] != path.stat().st_size:
                return "a crawl that was killed has left more in it than counts: crawl once more, that cuts it"
            with transaction(database):
                database.execute("DELETE FROM files WHERE name = ?", (path.name,))
    except StateBusyError:
        return "a crawl is writing to it"
    return None


def _convert(path: Path, target: Path, index: PageIndex, progress: Progress | None) -> None:
    """Write the other form, compare, put it in its place, remove the old one."""
    places = None
    try:
        if not target.exists():
            places = _write(path, target, index, progress)
        _compare(path, target if places is None else _new(target), progress)
    except BaseException:
        _new(target).unlink(missing_ok=True)
        raise
    with clear_errors(target):
        if places is not None:
            _keep_time(path, _new(target))
            os.replace(_new(target), target)
            flush_folder(target.parent)
        path.unlink()
        flush_folder(path.parent)
    if places is not None:
        index.move(path.name, target.name, places, target.stat().st_size)
    else:
        index.update()


def _write(path: Path, target: Path, index: PageIndex, progress: Progress | None) -> list[tuple[int, int, int]]:
    """Write the new file; where each record stood, stands now, and how long it is."""
    places = []
    with RecordFile(path) as source, clear_errors(target), _new(target).open("wb") as file:
        pack: Pack = packed
        if target.name.endswith(ZSTD_SUFFIX):
            packer = Packer(reference_pages(source, index.in_file(path.name)))
            file.write(packer.head())
            pack = packer.packed
        for member in _whole(source):
            offset = file.tell()
            places.append((member.offset, offset, file.write(pack(member.data))))
            if progress:
                progress(f"{path.name}: records packed", len(places))
        file.flush()
        os.fsync(file.fileno())
    return places


def _whole(file: RecordFile) -> Iterator[Member]:
    """The records of a file that has nothing else in it."""
    for member in file.walk():
        if isinstance(member, Damage):
            raise NotWholeError(f"{member}; only whole files are given another form")
        yield member


def _compare(path: Path, other: Path, progress: Progress | None) -> None:
    """Make sure that two files hold the same records, byte for byte."""
    with RecordFile(path) as old, RecordFile(other) as new:
        for number, (one, same) in enumerate(zip_longest(_whole(old), _whole(new)), 1):
            if one is None or same is None or one.data != same.data:
                raise StoreError(
                    f"{other}: its record {number:,} is not that of {path.name}. Both files are left as they are: "
                    "see to the disk, remove the new one, and try again"
                )
            if progress:
                progress(f"{path.name}: records compared", number)


def _new(target: Path) -> Path:
    return target.with_name(target.name + NEW_SUFFIX)


def _keep_time(path: Path, target: Path) -> None:
    """A file's time tells when it was last written to by a crawl."""
    state = path.stat()
    os.utime(target, ns=(state.st_atime_ns, state.st_mtime_ns))
