"""What `scrapy crawl` tells cron: its exit status, and one clear line for each reason not to begin."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest

from corpusbot.store.schema import lock
from tests.sample_crawl import ROOT, Workplace

ERROR = re.compile(r"^.* ERROR: (.*)$", re.MULTILINE)


def errors(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The error lines of a crawl's log."""
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    return ERROR.findall(done.stderr)


def test_a_crawl_that_went_well_is_0(place: Workplace) -> None:
    """Nothing to tell."""
    done = place.crawl("gaceta", "-a", "limit=3")
    assert (done.returncode, errors(done)) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gazeta"], "No site 'gazeta'. Did you mean 'gaceta'?"),
        (["broken"], "broken.yaml:1: unknown key 'nmae'. Did you mean 'name'?"),
        (["gaceta", "-a", "secton=x"], "Did you mean 'section'?"),
    ],
)
def test_a_crawl_that_cannot_start_is_1(place: Workplace, arguments: list[str], message: str) -> None:
    """One line of the log says why."""
    (place.site_files / "broken.yaml").write_text("nmae: x\n", encoding="utf-8")
    done = place.crawl(*arguments)
    assert done.returncode == 1
    assert len(errors(done)) == 1
    assert message in done.stderr


def test_a_state_that_cannot_be_used_is_1(place: Workplace) -> None:
    """The line names the file."""
    state = place.data / "gaceta" / "state.sqlite"
    state.parent.mkdir(parents=True)
    state.write_text("not a database, but long enough for SQLite to read it as one, and to say that it is none" * 9)
    done = place.crawl("gaceta")
    assert done.returncode == 1
    assert [str(state) in error for error in errors(done)] == [True]


def test_an_index_page_that_is_not_to_be_had_is_2(place: Workplace) -> None:
    """The rest is crawled all the same."""
    path = place.site_files / "gaceta.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("/cultura/", "/cultural/"), encoding="utf-8")
    done = place.crawl("gaceta", "-s", "RETRY_TIMES=0")
    assert done.returncode == 2, done.stderr[-3000:]
    assert place.documents("gaceta")


def test_a_site_that_is_being_crawled_is_3(place: Workplace) -> None:
    """One line says so at once, and how to have a crawl wait; nothing of the other crawl's is touched."""
    with lock(place.data / "gaceta" / "state.sqlite"):
        done = place.crawl("gaceta")
    assert done.returncode == 3
    (line,) = errors(done)
    assert "another crawl of this site runs" in line
    assert "CORPUSBOT_LOCK_WAIT" in line
    assert {path.name for path in (place.data / "gaceta").iterdir()} == {"state.lock"}


def test_a_crawl_that_is_to_wait_waits(place: Workplace) -> None:
    """It begins as soon as the other one has ended."""
    command = place.command("gaceta", "-a", "limit=1", "-s", "CORPUSBOT_LOCK_WAIT=30")
    log = place.folder / "log"
    with log.open("wb") as written, lock(place.data / "gaceta" / "state.sqlite"):
        waiting = subprocess.Popen(command, cwd=ROOT, env=place.environment(), stderr=written)
        wait_for("It is waited for, up to 30 seconds", log)
    assert waiting.wait(30) == 0
    assert len(place.documents("gaceta")) == 1


def wait_for(text: str, log: Path) -> None:
    """Wait until a crawl's log says something."""
    deadline = time.monotonic() + 20
    while text not in log.read_text(encoding="utf-8"):
        assert time.monotonic() < deadline
        time.sleep(0.1)
