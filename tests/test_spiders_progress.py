"""The line that says how far a crawl is."""

from __future__ import annotations

import os
import pty
import subprocess

import pytest

from spiders.progress import progress_line
from tests.sample_crawl import ROOT, Workplace


@pytest.mark.parametrize(
    ("pending", "seconds", "end"),
    [
        (60, 60.0, "2.0 pages/s, about 0:30 to go"),
        (0, 60.0, "2.0 pages/s, about 0:00 to go"),
        (1200, 60.0, "2.0 pages/s, about 10:00 to go"),
        (20_000, 60.0, "2.0 pages/s, about 2:46:40 to go"),
        (60, 0.0, "0.0 pages/s"),
    ],
)
def test_the_line(pending: int, seconds: float, end: str) -> None:
    """Counts, speed, and the time to go where it can be told."""
    line = progress_line(pages=120, articles=96, dropped=4, pending=pending, seconds=seconds)
    assert line == f"120 pages, 96 articles, 4 dropped, {pending} pending, {end}"


def test_before_the_first_page() -> None:
    """No speed, no promise."""
    assert progress_line(0, 0, 0, 5, 3.0).endswith("5 pending, 0.0 pages/s")


def shown_on_a_terminal(place: Workplace) -> str:
    """What a crawl writes where a person looks."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(place.command("gaceta"), cwd=ROOT, env=place.environment(), stderr=theirs) as running:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 65_536):
                written += part
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        assert running.wait(60) == 0
    return written.decode()


def test_only_where_a_person_looks(place: Workplace) -> None:
    """On a terminal the line is there, and cleared in the end; in a log file it is not."""
    place.serving.press.latency = 0.15
    written = shown_on_a_terminal(place)
    assert "pages/s" in written
    assert written.rindex("\r\x1b[2K") > written.rindex("pages/s")
    assert "pages/s" not in place.crawl("gaceta").stderr
