"""Crawls keep what was sent and answered: pages once, whatever kills them, and visits that found nothing new."""

from __future__ import annotations

import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpusbot.store.archive import pages_of
from corpusbot.store.members import Member, RecordFile
from corpusbot.store.page_index import PageIndex
from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace

ARTICLES = 40
FAST = ("-s", "DOWNLOAD_DELAY=0.02", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=4")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Workplace]:
    """The sample newspapers on loopback."""
    with serve(Press(articles=ARTICLES, days=2, hazards=False)) as serving:
        yield workplace(tmp_path, serving)


def heads(folder: Path) -> list[str]:
    """The heads of all records."""
    found = []
    for path in sorted(folder.glob("*.gz")):
        with RecordFile(path) as file:
            found += [one.data.decode("utf-8", "replace") for one in file.walk() if isinstance(one, Member)]
    return found


def test_a_page_and_its_later_visits(place: Workplace) -> None:
    """Each page is stored with its request; asked again, its 304 refers to it, and to what it was asked with."""
    for arguments in ((), ("-a", "revisit=all")):
        assert place.crawl("gaceta", *FAST, *arguments).returncode == 0
    folder = place.data / "gaceta" / "pages"
    pages = {page.record_id: page for page in pages_of(folder)}
    documents = place.documents("gaceta")
    assert len(documents) == len(pages) == ARTICLES
    assert {document["record_id"] for document in documents} == set(pages)
    with PageIndex(folder) as index:
        for page in pages.values():
            first, second = index.of_address(page.url)
            assert (first.kind, first.status, second.kind, second.status) == ("response", 200, "revisit", 304)
            assert index.read(second).body == page.body
    requests = [head for head in heads(folder) if "\r\nWARC-Type: request\r\n" in head]
    assert len(requests) == 2 * ARTICLES
    assert all("\r\nUser-Agent: corpusbot/" in head and "\r\nHost: 127.0.0.1:" in head for head in requests)
    assert sum("\r\nIf-None-Match: " in head for head in requests) == ARTICLES


def test_killed_and_resumed(place: Workplace) -> None:
    """A page that was fetched, not acknowledged and fetched again is stored once, and the index says the same."""
    folder = place.data / "gaceta" / "pages"
    for pages in (5, 15, 25):
        with subprocess.Popen(
            place.command("gaceta", *FAST), cwd=ROOT, env=place.environment(), stderr=subprocess.DEVNULL
        ) as crawl:
            deadline = time.monotonic() + 60
            while len(heads(folder)) // 2 < pages and crawl.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            crawl.send_signal(signal.SIGKILL)
    assert place.crawl("gaceta", *FAST).returncode == 0
    stored = Counter(page.url for page in pages_of(folder))
    assert (len(stored), set(stored.values())) == (ARTICLES, {1})
    with PageIndex(folder) as index:
        assert index.update() == []
        made = [*index.between()]
        index.rebuild()
        assert [*index.between()] == made
        assert len(made) == ARTICLES
