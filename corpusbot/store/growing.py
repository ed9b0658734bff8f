"""A file that only ever grows, by whole documents: what a crash left half-written is cut when it is opened again.

Who writes to it keeps, somewhere safe, the length that `flush_to_disk` returned, and gives it back the next time.
For a file that is new that is the 0 of a flush before the first write: a file of unknown length is not touched.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

try:
    import fcntl
except ImportError:  # pragma: no cover  (Windows has no such lock; two writers of one file are then not noticed)
    fcntl = None  # type: ignore[assignment]

# Between two commits about this much is held in memory; a commit every half second seldom has so much to write.
HELD_BYTES = 8_000_000
CUT_SUFFIX = ".cut"


class StoreError(Exception):
    """A file cannot be written or read; the text says which, what happened, and what would work."""


class GrowingFile:
    """A file open for adding to; with `fresh` it begins anew, and the old one stays until the first commit."""

    def __init__(self, path: str | Path, committed_length: int | None = None, *, fresh: bool = False) -> None:
        self._path = Path(path)
        self._target = Path(f"{path}.new") if fresh else self._path
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        with clear_errors(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if not fresh:
                _check_length(self._path, committed_length)
            self._file = _locked(self._target)
            kept = 0 if fresh else committed_length or 0
            if not kept and not fresh:
                _keep_copy(self._file, self._path)
            self.cut = _cut(self._file, kept)
        self._written = kept

    @property
    def path(self) -> Path:
        """The file's name; that of the one it is going to replace while it is not committed yet."""
        return self._path

    @property
    def length(self) -> int:
        """Where the next document will begin."""
        return self._written + self._pending_bytes

    def write(self, document: bytes) -> int:
        """Add a whole document; it is on the disk after the next `flush_to_disk`."""
        self._pending.append(bytes(document))
        self._pending_bytes += len(document)
        if self._pending_bytes > HELD_BYTES:
            self._write_pending()
        return len(document)

    def flush_to_disk(self) -> int:
        """Have all documents on the disk, and return the length to be remembered; after an error, try again."""
        self._write_pending()
        with clear_errors(self._path):
            os.fsync(self._file.fileno())
            if self._target != self._path and self._written:
                os.replace(self._target, self._path)
                self._target = self._path
                flush_folder(self._path.parent)
        return self._written

    def close(self) -> None:
        """Flush, and let go of the file; once is enough."""
        if self._file.closed:
            return
        try:
            self.flush_to_disk()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Let go of the file; what was not flushed is lost."""
        self._file.close()
        self._pending.clear()
        if self._target != self._path:
            with suppress(OSError):
                self._target.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    def _write_pending(self) -> None:
        """Write what is held; if that fails the file is cut where it was, and nothing is forgotten."""
        data = memoryview(b"".join(self._pending))
        with clear_errors(self._path):
            try:
                self._file.seek(self._written)
                done = 0
                while done < len(data):
                    done += self._file.write(data[done:]) or 0
            except OSError:
                with suppress(OSError):
                    self._file.truncate(self._written)
                raise
        self._written += len(data)
        self._pending.clear()
        self._pending_bytes = 0


def _check_length(path: Path, committed_length: int | None) -> None:
    """Refuse a file that is not the one that was written to."""
    state = path.stat() if path.exists() else None
    if state and not stat.S_ISREG(state.st_mode):
        raise StoreError(f"{path}: is no ordinary file. Name another one")
    if committed_length is None:
        if state and state.st_size:
            raise StoreError(
                f"{path}: holds {state.st_size:,} bytes that this crawl knows nothing of. "
                "Move it away, or set `append: false` to have it replaced"
            )
    elif committed_length and not state:
        raise StoreError(f"{path}: is gone, though {committed_length:,} bytes were written to it. {_CURE}")
    elif state and state.st_size < committed_length:
        raise StoreError(
            f"{path}: has {state.st_size:,} bytes, though {committed_length:,} were written to it: "
            f"its end was lost, or another file took its place. {_CURE}"
        )


_CURE = "Bring back a copy of it, or begin anew: move it away together with the crawl's state"


def _locked(path: Path) -> io.FileIO:
    """The file, open and held until it is closed or the process ends."""
    file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StoreError(f"{path}: another crawl is writing to it. Wait for it, or name another file") from None
    return file


def _keep_copy(file: io.FileIO, path: Path) -> None:
    """Of a file in which nothing was committed keep what is in it: it may be another that took its place."""
    if os.fstat(file.fileno()).st_size:
        with Path(f"{path}{CUT_SUFFIX}").open("wb") as copy:
            shutil.copyfileobj(file, copy)
        file.seek(0)


def _cut(file: io.FileIO, length: int) -> int:
    """Cut all beyond this length, and say how many bytes that were."""
    size = os.fstat(file.fileno()).st_size
    if size > length:
        file.truncate(length)
    return size - length


def flush_folder(folder: Path) -> None:
    """Have a new name on the disk; where folders cannot be opened this is not needed."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Errors of the disk, in words that say what to do."""
    try:
        yield
    except OSError as error:
        cures = {
            errno.ENOSPC: "Make room: all that was committed is safe, and the crawl goes on from there",
            errno.EDQUOT: "Make room: all that was committed is safe, and the crawl goes on from there",
            errno.EFBIG: "Let a new file begin: this disk cannot hold a longer one",
            errno.EACCES: "Have its folder made writable, or name another file",
            errno.EROFS: "The disk is read-only: name a file on another one",
            errno.EISDIR: "Name a file in that folder",
            errno.EEXIST: "Name another file: a part of its path is no folder",
            errno.ENOTDIR: "Name another file: a part of its path is no folder",
        }
        cure = cures.get(error.errno or 0, "See to the disk, or name another file")
        raise StoreError(f"{path}: {error.strerror or error}. {cure}") from error
