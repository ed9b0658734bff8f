"""What several tests share: the sample newspapers, served once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.press import Press, Serving, serve
from tests.sample_crawl import Workplace, workplace

# Small enough for a test, and still each kind of trouble is there.
TOO_MANY_BYTES = 12_000_000


@pytest.fixture
def press() -> Iterator[Serving]:
    """The newspapers with nothing but clean articles."""
    with serve(Press(articles=12, days=3, hazards=False)) as serving:
        yield serving


@pytest.fixture
def place(tmp_path: Path, press: Serving) -> Workplace:
    """A workplace over the clean newspapers."""
    return workplace(tmp_path, press)


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """A workplace over the newspapers as they really are, both crawled once."""
    trouble = Press(articles=24, days=3, big_bytes=TOO_MANY_BYTES, drip_seconds=4, slow_seconds=1)
    with serve(trouble) as serving:
        place = workplace(tmp_path_factory.mktemp("troubled"), serving)
        for name in ("gaceta", "courier"):
            done = place.crawl(name, "-s", "DOWNLOAD_TIMEOUT=2", "-s", "RETRY_TIMES=1")
            assert done.returncode == 0, done.stderr[-4000:]
        yield place
