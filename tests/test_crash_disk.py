"""Crawls on disks that are full, read-only or hold foreign files, side by side, and under a clock that jumps back.

Each ends with a message in one line, and goes on from where it was as soon as it can.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpusbot.verification import verify
from tests.press import Press, Serving, serve
from tests.sample_crawl import ROOT, Workplace, workplace

NAMES = ("gaceta", "courier")
ARTICLES = 12
needs_mounts = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount a small disk"
)


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    """The newspapers."""
    with serve(Press(articles=ARTICLES, days=3, hazards=False)) as served:
        yield served


@pytest.fixture
def place(tmp_path: Path, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """A workplace over them."""
    made = workplace(tmp_path, serving)
    monkeypatch.setenv("CORPUSBOT_SITE_CONFIGS", str(made.site_files))
    return made


@contextmanager
def mounted(folder: Path, *arguments: str) -> Iterator[None]:
    """A disk of its own in a folder; where even root may not mount, the test is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", *arguments, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine lets nobody mount: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def assert_whole(place: Workplace, name: str) -> None:
    """Every article once, and everything agrees."""
    urls = Counter(document["url"] for document in place.documents(name))
    assert urls == Counter(gold.url for gold in place.serving.press.gold(name))
    assert [check for check in verify(place.data, name).checks if check.wrong] == []


def assert_told(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """One line of what was printed has all of these words; the crawl does not claim success."""
    lines = (done.stdout + done.stderr).splitlines()
    assert [line for line in lines if all(re.search(word, line) for word in words)], done.stderr[-3000:]
    assert done.returncode != 0


@needs_mounts
def test_a_full_disk(place: Workplace) -> None:
    """The crawl ends with a clear error and tears nothing; with room again, it goes on to the end."""
    with mounted(place.data, "-t", "tmpfs", "-o", "size=700k", "tmpfs"):
        done = place.crawl("courier")
        assert_told(done, "No space left on device|database or disk is full", str(place.data))
        room = place.data / "courier" / "state.sqlite"
        if room.exists():
            assert [check for check in verify(place.data, "courier").checks if check.wrong] == []
        subprocess.run(["mount", "-o", "remount,size=64m", str(place.data)], check=True)
        done = place.crawl("courier")
        assert done.returncode == 0, done.stderr[-3000:]
        assert_whole(place, "courier")


def test_two_newspapers_at_once(place: Workplace) -> None:
    """Two jobs share the index of duplicates; both are whole, and so is what they share."""
    running = [
        subprocess.Popen(place.command(name), cwd=ROOT, env=place.environment(), stderr=subprocess.PIPE, text=True)
        for name in NAMES
    ]
    for job in running:
        _, errors = job.communicate(timeout=120)
        assert job.returncode == 0, errors[-3000:]
    for name in NAMES:
        assert_whole(place, name)


@needs_mounts
def test_a_read_only_disk(place: Workplace) -> None:
    """One line says that nothing can be written; verify reads all the same."""
    assert place.crawl("gaceta").returncode == 0
    place.data.rename(place.folder / "master")
    with mounted(place.data, "-o", "bind,ro", str(place.folder / "master")):
        # A bind mount becomes read-only with a second call only.
        subprocess.run(["mount", "-o", "remount,bind,ro", str(place.data)], check=True)
        assert_told(place.crawl("gaceta"), "gaceta/state.sqlite", "Read-only file system")
        assert [check for check in verify(place.data, "gaceta").checks if check.wrong] == []


FOREIGN = "Notes of mine: not to be lost, and without a line's end"


def test_a_foreign_file_in_place_of_a_store(place: Workplace) -> None:
    """Each store refuses a file that is not its own, names it, and leaves it as it is."""
    for name in ("gaceta/pages", "gaceta/gaceta.jsonl", "gaceta/state.sqlite", "gaceta/documents.sqlite",
                 "duplicates.sqlite"):  # fmt: skip
        path = place.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FOREIGN, encoding="utf-8")
        assert_told(place.crawl("gaceta"), re.escape(str(path)), "Move|move|Name another")
        assert path.read_text(encoding="utf-8") == FOREIGN
        path.unlink()
    # Where a crawl has begun a file and nothing is in it yet, what takes its place is kept under another name.
    target = place.data / "gaceta" / "gaceta.jsonl"
    target.write_text(FOREIGN, encoding="utf-8")
    done = place.crawl("gaceta")
    assert done.returncode == 0, done.stderr[-3000:]
    assert_whole(place, "gaceta")
    assert Path(f"{target}.cut").read_text(encoding="utf-8") == FOREIGN


def test_a_clock_that_jumps_back(place: Workplace, serving: Serving) -> None:
    """A run a year earlier than the last one finds what is new, and changes nothing else."""
    library = next((path for path in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
    if library is None or shutil.which("faketime") is None:
        pytest.skip("libfaketime is not here: make programs")
    assert place.crawl("gaceta").returncode == 0
    before = place.documents("gaceta")
    serving.press.print_edition(2)
    try:
        command = ["faketime", "-f", "-365d", *place.command("gaceta")]
        done = subprocess.run(
            command, cwd=ROOT, env=place.environment(), capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert place.documents("gaceta")[: len(before)] == before
        assert_whole(place, "gaceta")
        assert place.crawl("gaceta").returncode == 0
        assert_whole(place, "gaceta")
    finally:
        serving.press.print_edition(1)
