"""How far a long command is: one line on stderr that is written over, if it is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS_BETWEEN = 0.2


@contextmanager
def progress(about: str) -> Iterator[Callable[[str, int], None]]:
    """A function to call with what is counted and how many there are by now; the line goes when the work is done."""
    shows, last = sys.stderr.isatty(), 0.0

    def tell(what: str, number: int) -> None:
        nonlocal last
        if shows and time.monotonic() - last > SECONDS_BETWEEN:
            last = time.monotonic()
            print(f"\r{about}: {number:,} {what}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if shows and last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
