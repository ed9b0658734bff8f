"""A crawl holds no more memory at its end than at its beginning, however many pages lie in between."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace

ARTICLES = 1500
WARM = 500  # documents, by when all modules are loaded and all pools are filled
# Bytes. The index of duplicates holds up to 100,000 keys, which take ten million; 1,000 pages of 30 KB that were kept
# would be thirty.
MOST_GROWTH = 16_000_000
SECONDS_BETWEEN_LOOKS = 0.1
SECONDS = 120


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc, which only Linux has")
def test_memory_stays_flat(tmp_path: Path) -> None:
    """Between document 500 and the last, the crawl's process grows by next to nothing."""
    with serve(Press(articles=ARTICLES, days=30, hazards=False, per_page=100, padding=30_000)) as serving:
        looks = list(_looks(workplace(tmp_path, serving)))
    warm = [memory for documents, memory in looks if documents >= WARM]
    assert len(warm) > 5, f"too few looks at the crawl: {looks}"
    # The lowest of the first and of the last looks: what is in flight at one moment is no growth.
    growth = min(warm[-3:]) - min(warm[:3])
    assert growth < MOST_GROWTH, f"grew by {growth:,} bytes; see what keeps pages, with `make bench-line`: {looks}"


def _looks(place: Workplace) -> Iterator[tuple[int, int]]:
    """Documents written and bytes of memory, again and again until the crawl ends."""
    command = place.command("gaceta", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=16")
    log = (place.folder / "log.txt").open("w")
    with log, subprocess.Popen(command, cwd=ROOT, env=place.environment(), stderr=log) as crawl:
        corpus, deadline = place.data / "gaceta" / "gaceta.jsonl", time.monotonic() + SECONDS
        try:
            while crawl.poll() is None and time.monotonic() < deadline:
                time.sleep(SECONDS_BETWEEN_LOOKS)
                memory = _memory(crawl.pid)
                if memory and corpus.exists():
                    yield corpus.read_bytes().count(b"\n"), memory
        finally:
            crawl.kill()
    assert crawl.returncode == 0, (place.folder / "log.txt").read_text(encoding="utf-8")[-3000:]


def _memory(process: int) -> int:
    """Bytes that a process has in memory, 0 if it has ended."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    kilobytes = next((line.split()[1] for line in lines if line.startswith("VmRSS")), "0")
    return int(kilobytes) * 1024
