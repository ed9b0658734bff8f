"""Crawls of the sample newspapers killed at random moments and resumed: in the end all is as if nothing had happened.

`CORPUSBOT_KILLS=200` (or `make test-crash`) kills as often as that; the usual tests take a share of it.
"""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from corpusbot.store.archive import pages_of
from corpusbot.store.frontier import Runs
from corpusbot.verification import verify
from tests.press import Gold, Press, Serving, serve
from tests.sample_crawl import ROOT, Workplace, workplace

KILLS_A_ROUND = 6
KILLS_OF_THE_FIRST_CRAWL = 4
ROUNDS = max(1, int(os.environ.get("CORPUSBOT_KILLS", "6")) // KILLS_A_ROUND)
# Impatient with the pages that never end; the newspapers' other troubles are left as they are.
SETTINGS = ("-s", "DOWNLOAD_TIMEOUT=1", "-s", "RETRY_TIMES=1", "-s", "DOWNLOAD_MAXSIZE=1000000")
REVISIT = ("-a", "revisit=all")
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Round:
    """One newspaper, crawled, then corrected and asked again; `seed` decides when it is killed."""

    seed: int

    @property
    def name(self) -> str:
        """The newspaper."""
        return ("courier", "gaceta")[self.seed % 2]

    @property
    def is_troubled(self) -> bool:
        """Whether the newspaper has pages of every kind of trouble."""
        return self.seed % 4 in (1, 2)


@contextmanager
def printed(is_troubled: bool) -> Iterator[Serving]:
    """The newspapers, at a pace that leaves time to kill."""
    trouble = Press(articles=40, days=3, hazards=is_troubled, latency=0.02, big_bytes=2_000_000, drip_seconds=2,
                    slow_seconds=0.2)  # fmt: skip
    with serve(trouble) as serving:
        yield serving


def next_day(serving: Serving, name: str, is_troubled: bool) -> None:
    """New articles, and some of the old ones rewritten; not where it is chance which copy of a page came first."""
    if not is_troubled:
        serving.press.print_edition(2)
        for gold in serving.press.gold(name)[::7]:
            serving.press.correct(gold.url)


def what_is_kept(place: Workplace, name: str) -> dict[str, Any]:
    """Everything that must not depend on whether the crawl was killed; of several copies of a page, any may be kept."""
    runs = Runs(place.data / name / "state.sqlite")
    golds = {gold.url: gold for gold in place.serving.press.gold(name)}
    same_as = {url: gold.same_as or url for url, gold in golds.items()}
    port = place.serving.press.bases[name]
    with closing(sqlite3.connect(place.data / "duplicates.sqlite")) as index:
        indexed = [url for (url,) in index.execute("SELECT url FROM documents")]
    documents = place.documents(name)
    return {
        "runs": [(run.id, run.reason) for run in runs.runs()],
        "counts": [
            sum((Counter({(row.kind, row.outcome, row.cause): row.count}) for row in runs.report(run.id)), Counter())
            for run in runs.runs()
        ],
        "tallies": [runs.tallies(run.id) for run in runs.runs()],
        "documents": Counter((same_as[d["url"]].removeprefix(port), said(d, golds[d["url"]])) for d in documents),
        "pages": Counter(same_as.get(page.url, page.url).removeprefix(port) for page in pages_of(place.data / name)),
        "indexed": Counter(same_as[url].removeprefix(port) for url in indexed),
    }


def said(document: dict[str, Any], gold: Gold) -> str:
    """A text in short, if it is an earlier one of its page; for copies of a page say the same in other words."""
    text: str = document["text"]
    return "what is printed" if text == gold.body else hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], dict[str, Any]]:
    """What crawls keep that nobody kills."""
    kept = {}
    for name, is_troubled in {(Round(seed).name, Round(seed).is_troubled) for seed in range(ROUNDS)}:
        with printed(is_troubled) as serving:
            place = workplace(tmp_path_factory.mktemp("unharmed"), serving)
            assert place.crawl(name, *SETTINGS).returncode == 0
            next_day(serving, name, is_troubled)
            assert place.crawl(name, *SETTINGS, *REVISIT).returncode == 0
            kept[name, is_troubled] = what_is_kept(place, name)
    return kept


def kill_at_random(place: Workplace, name: str, arguments: tuple[str, ...], chance: random.Random) -> None:
    """Begin a crawl and kill it: some time after its start, or after so many requests and a moment more."""
    requests = place.serving.press.requests
    before, wait = len(requests), chance.uniform(0.3, 4.0)
    wanted = 0 if chance.random() < 0.3 else chance.randint(1, 45)
    moment = chance.uniform(0, 0.6) if wanted else wait
    running = subprocess.Popen(
        place.command(name, *arguments), cwd=ROOT, env=place.environment(), stderr=subprocess.DEVNULL
    )
    patience = time.monotonic() + PATIENCE_SECONDS
    while len(requests) < before + wanted and running.poll() is None:
        assert time.monotonic() < patience, "the crawl does not get on"
        time.sleep(0.002)
    time.sleep(moment)
    running.kill()
    running.wait()


def is_finished(place: Workplace, name: str, run: int) -> bool:
    """Whether a run came to its end, killed as it was."""
    state = place.data / name / "state.sqlite"
    try:
        return any(known.id == run and known.finished for known in Runs(state).runs())
    except Exception:  # noqa: BLE001 - killed before there was a state
        return False


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_killed_and_resumed(
    tmp_path: Path, seed: int, unharmed: dict[tuple[str, bool], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every article once, every counter as if nothing had happened; archive, documents and index agree at any time."""
    wanted, chance = Round(seed), random.Random(seed)
    with printed(wanted.is_troubled) as serving:
        place = workplace(tmp_path, serving)
        monkeypatch.setenv("CORPUSBOT_SITE_CONFIGS", str(place.site_files))
        phases = (KILLS_OF_THE_FIRST_CRAWL, ()), (KILLS_A_ROUND - KILLS_OF_THE_FIRST_CRAWL, REVISIT)
        for run, (kills, arguments) in enumerate(phases, 1):
            if arguments:
                next_day(serving, wanted.name, wanted.is_troubled)
            for _ in range(kills):
                if not is_finished(place, wanted.name, run):
                    kill_at_random(place, wanted.name, (*SETTINGS, *arguments), chance)
                    assert_sound(place, wanted.name)
            if not is_finished(place, wanted.name, run):
                done = place.crawl(wanted.name, *SETTINGS, *arguments)
                assert done.returncode == 0, done.stderr[-4000:]
            assert_sound(place, wanted.name)
        assert what_is_kept(place, wanted.name) == unharmed[wanted.name, wanted.is_troubled]


def assert_sound(place: Workplace, name: str) -> None:
    """All that the state stands by agrees, also right after a kill."""
    if (place.data / name / "state.sqlite").exists():
        wrong = [check for check in verify(place.data, name).checks if check.wrong]
        assert wrong == []
