"""The worker processes: what becomes of a page whose stage hangs, dies or fails, and of the workers themselves."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from corpusbot.model import Body, Drop, Page
from corpusbot.worker import Held
from pipelines.workers import StageError, Workers
from tests import slow_stages as stages
from tests.sample_crawl import ROOT

BOTH = pytest.mark.parametrize("number", [0, 2])


def page(number: int = 1) -> Page:
    """A page of a newspaper that there is."""
    return Page("elpais", f"https://elpais.com/{number}", Body(b"<p>x"), datetime(2024, 3, 1, tzinfo=UTC))


def done_by(number: int, work: Callable[[Workers], Awaitable[Any]], seconds: int = 20) -> Any:
    """What comes of work with so many worker processes."""

    async def whole() -> Any:
        with closing(Workers(number, seconds)) as workers:
            return await work(workers)

    return asyncio.run(whole())


def alive(process: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@BOTH
def test_a_stage_and_its_site(number: int) -> None:
    """The result comes back; the site's configuration is read where the stage runs."""
    assert done_by(number, lambda workers: workers.run(stages.title, page())) == "El País: https://elpais.com/1"


@BOTH
def test_a_clean_page_stays_where_it_was_made(number: int) -> None:
    """What comes back is its number; the next stage finds the tree."""

    async def work(workers: Workers) -> tuple[Any, Any]:
        held = await workers.run(stages.cleaned, page())
        return held, await workers.run(stages.text_of, held)

    held, text = done_by(number, work)
    assert isinstance(held, Held)
    assert text == "text"


@BOTH
def test_held_pages_are_forgotten(number: int) -> None:
    """A page that a stage in between drops is not kept for ever in the worker."""

    async def work(workers: Workers) -> int:
        for each in range(4):
            await workers.run(stages.cleaned, page(each))  # what comes of it is thrown away
        return int(await workers.run(stages.held_pages, page()))

    assert done_by(number and 1, work) == 0


@BOTH
def test_a_stage_that_fails(number: int) -> None:
    """The error has the worker's own traceback, and the worker goes on."""

    async def work(workers: Workers) -> tuple[str, str]:
        with pytest.raises(StageError) as caught:
            await workers.run(stages.fail, page())
        return str(caught.value), await workers.run(stages.title, page(2))

    text, title = done_by(number, work)
    assert "ZeroDivisionError: in https://elpais.com/1" in text
    assert "slow_stages.py" in text
    assert title.endswith("/2")


def test_a_stage_that_hangs() -> None:
    """It is ended after the time for a page, and its page dropped; other pages go on meanwhile."""

    async def work(workers: Workers) -> tuple[Any, list[str], float, str]:
        await asyncio.gather(*(workers.run(stages.process, page(each)) for each in range(2)))
        hanging = asyncio.ensure_future(workers.run(stages.hang, page()))
        await asyncio.sleep(0)
        started = time.monotonic()
        titles = [await workers.run(stages.title, page(each)) for each in range(5)]
        spent = time.monotonic() - started
        return await hanging, titles, spent, await workers.run(stages.title, page())

    drop, titles, spent, after = done_by(2, work, seconds=2)
    assert drop == Drop("took_too_long", "hang: over 2 s")
    assert len(titles) == 5
    assert spent < 1.5
    assert after.startswith("El País")


def test_pages_in_line_behind_one_that_hangs() -> None:
    """The page behind it in the same worker is done by the worker that comes in its place."""

    async def work(workers: Workers) -> list[Any]:
        return list(await asyncio.gather(workers.run(stages.hang, page()), workers.run(stages.title, page(2))))

    drop, title = done_by(1, work, seconds=4)  # a new worker's start is part of its first page's time
    assert drop.reason == "took_too_long"
    assert title.endswith("/2")


def test_a_worker_that_dies() -> None:
    """Its page is dropped and another worker takes its place; pages that it held are dropped when asked for."""

    async def work(workers: Workers) -> tuple[Any, Any, Any]:
        held = await workers.run(stages.cleaned, page())
        died = await workers.run(stages.die, page(2))
        return died, await workers.run(stages.text_of, held), await workers.run(stages.title, page(3))

    died, lost, title = done_by(1, work)
    assert died == Drop("worker_died", "in die")
    assert lost.reason == "worker_died"
    assert title.endswith("/3")


def test_a_worker_that_was_killed_idle() -> None:
    """The next page is not to blame: it goes to the worker that comes in its place."""

    async def work(workers: Workers) -> tuple[int, int]:
        first = await workers.run(stages.process, page())
        os.kill(first, signal.SIGKILL)
        await asyncio.sleep(0.2)
        return first, await workers.run(stages.process, page(2))

    first, second = done_by(1, work)
    assert first != second


def test_a_result_that_cannot_be_sent() -> None:
    """It is an error of the stage, told as such, and the worker goes on."""

    async def work(workers: Workers) -> str:
        with pytest.raises(StageError, match="unsendable"):
            await workers.run(stages.unsendable, page())
        return str(await workers.run(stages.title, page(2)))

    assert done_by(1, work).endswith("/2")


def test_a_job_that_is_cancelled() -> None:
    """Its late answer is not taken for that of the next page."""

    async def work(workers: Workers) -> str:
        await workers.run(stages.process, page())
        hanging = asyncio.ensure_future(workers.run(stages.process, page()))
        await asyncio.sleep(0)
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        return str(await workers.run(stages.title, page(2)))

    assert done_by(1, work).endswith("/2")


def test_closing_ends_the_processes() -> None:
    """When the crawl ends, no worker is left."""

    async def work(workers: Workers) -> list[int]:
        return list(await asyncio.gather(*(workers.run(stages.process, page(each)) for each in range(2))))

    processes = done_by(2, work)
    assert len(set(processes)) == 2
    assert not any(map(alive, processes))


CRAWL = """
import asyncio
from pipelines.workers import Workers
from tests import slow_stages as stages
from tests.test_pipelines_workers import page

async def crawl():
    workers = Workers(2, 30)
    print(*await asyncio.gather(*(workers.run(stages.process, page(n)) for n in range(2))), flush=True)
    await asyncio.sleep(60)

asyncio.run(crawl())
"""


@pytest.fixture
def crawl() -> Iterator[subprocess.Popen[str]]:
    """A process that has two workers and waits to be killed."""
    running = subprocess.Popen([sys.executable, "-c", CRAWL], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    yield running
    running.kill()
    running.communicate()


def test_workers_die_with_the_crawl(crawl: subprocess.Popen[str]) -> None:
    """However the crawl ends, SIGKILL included, its workers end by themselves."""
    assert crawl.stdout is not None
    processes = [int(word) for word in crawl.stdout.readline().split()]
    assert len(processes) == 2
    assert all(map(alive, processes))
    crawl.kill()
    crawl.wait()
    deadline = time.monotonic() + 5
    while any(map(alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, processes))
