"""The pages to be read: whole while they are read, without their HTML while they are scored."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from bench.extraction_sets import SETS, Sample, samples

_LANGUAGE = re.compile(rb"<html[^>]{0,2000}?\slang\s*=\s*[\"']?\s*([A-Za-z]{2,3})\b", re.IGNORECASE)
_SAME = {"nb": "no", "nn": "no"}
_LOOKED_AT = 20_000  # bytes of a page, for its language
SECONDS_BETWEEN_LINES = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages: of a data folder, some sets, so many of each."""

    data: Path
    sets: tuple[str, ...] = SETS
    limit: int | None = None

    def whole(self) -> Iterator[Sample]:
        """The pages as they are, one by one."""
        return samples(self.data, self.sets, self.limit)

    def golds(self) -> dict[str, Sample]:
        """The pages without their HTML, and with the language that they say they are in."""
        return {key_of(page): replace(page, html=b"", language=language_of(page)) for page in self.whole()}


def key_of(page: Sample) -> str:
    """The page, its address and its bytes: a reading is good for these."""
    return f"{page.collection}/{page.id}/{blake2b(page.url.encode() + page.html, digest_size=6).hexdigest()}"


def language_of(page: Sample) -> str | None:
    """The language that the gold names, or else the page's first tag."""
    named = _LANGUAGE.search(page.html[:_LOOKED_AT])
    said = page.language or (named[1].decode().lower() if named else None)
    return _SAME.get(said, said) if said else None


@dataclass(slots=True)
class Progress:
    """A line on standard error now and then, so that a long run can be told from one that hangs."""

    what: str
    total: int
    done: int = 0
    _last: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            print(f"  {self.what}: {self.done:,} of {self.total:,}", file=sys.stderr, flush=True)
