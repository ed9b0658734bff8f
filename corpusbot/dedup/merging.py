"""Segments of one size become one that is larger, while the crawl goes on: a thread for each size.

What a thread wrote has another name until a commit lists it in place of what it was made of. Of several processes
one merges the segments of a size: it holds that size's lock file, which ends with it however it ends.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO

from corpusbot.dedup.segments import MOST_POSTINGS, SUFFIX, Segment, merged

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: what two processes merge twice, the later one throws away
    fcntl = None  # type: ignore[assignment]

# Each more costs a look: few segments are large, though each posting is then written a few times more.
SEGMENTS_OF_A_SIZE, LARGE_ONES = 4, 2
LARGE = 1 << 23
_PART = ".part"


class Run:
    """The merging of some segments, begun."""

    def __init__(self, folder: Path, size: int, several: Sequence[Segment], lock: IO[bytes]) -> None:
        self.several = several
        self._lock = lock
        self._part = folder / f"{size}-{uuid.uuid4().hex}{_PART}"
        self._stopped = Event()
        self._error: OSError | None = None
        self._thread = Thread(target=self._merge, name=f"merging {size}", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether its thread has ended, well or not."""
        return not self._thread.is_alive()

    def wait(self, seconds: float) -> None:
        """Wait for its end, but not longer than this."""
        self._thread.join(seconds)

    def named(self) -> Path:
        """The segment, once it is over, under the name that it will be listed by; the disk's errors are raised here."""
        if self._error is not None:
            raise self._error
        return self._part.rename(self._part.with_name(f"{uuid.uuid4().hex}{SUFFIX}"))

    def end(self) -> None:
        """Give it up if it is not over, and let go of its size; what it wrote and nobody named is taken away."""
        self._stopped.set()
        self._thread.join()
        self._part.unlink(missing_ok=True)
        self._lock.close()

    def _merge(self) -> None:
        try:
            merged(self._part, self.several, lambda: not self._stopped.is_set())
        except OSError as error:
            self._error = error


class Merging:
    """All that is being merged by this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[int, Run] = {}

    def begin(self, segments: Mapping[str, Segment]) -> None:
        """Begin to merge each size of which there are enough, unless that is under way."""
        for size, several in _by_size(segments.values()):
            if size not in self._running and (lock := self._locked(size)) is not None:
                # With its lock in hand: what another process left behind when it died.
                for left in self._folder.glob(f"{size}-*{_PART}"):
                    left.unlink(missing_ok=True)
                self._running[size] = Run(self._folder, size, several, lock)

    @contextmanager
    def over(self) -> Iterator[list[Run]]:
        """Those that have ended; afterwards they are let go of."""
        ended = {size: run for size, run in self._running.items() if run.is_over}
        try:
            yield list(ended.values())
        finally:
            for size, run in ended.items():
                run.end()
                del self._running[size]

    @property
    def has_results(self) -> bool:
        """Whether one has ended."""
        return any(run.is_over for run in self._running.values())

    def wait(self, seconds: float) -> None:
        """Give all that run some time to end."""
        last = time.monotonic() + seconds
        for run in self._running.values():
            run.wait(max(0.0, last - time.monotonic()))

    def stop(self) -> None:
        """Give up what has not ended."""
        for run in self._running.values():
            run.end()
        self._running.clear()

    def _locked(self, size: int) -> IO[bytes] | None:
        file = (self._folder / f"merging-{size}.lock").open("ab")
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        return file


def _by_size(segments: Iterable[Segment]) -> Iterator[tuple[int, list[Segment]]]:
    """Segments of the same order of size, if they are enough to be made one."""
    sizes: dict[int, list[Segment]] = {}
    for segment in segments:
        bits = len(segment).bit_length()
        sizes.setdefault(bits if len(segment) >= LARGE else bits // 2, []).append(segment)
    for size, several in sorted(sizes.items()):
        enough = LARGE_ONES if len(several[0]) >= LARGE else SEGMENTS_OF_A_SIZE
        if len(several) >= enough and sum(map(len, several)) < MOST_POSTINGS:
            yield size, several
