"""The worker processes that all heavy stages share: started once, bounded, ended with the crawl."""

from __future__ import annotations

import asyncio
import logging
import pickle
import subprocess
import weakref
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from scrapy import signals

from corpusbot.model import Drop
from corpusbot.worker import Answer, Bench, Held, Job, Stage, assigned, begun, cores, message_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

# So many jobs are under way to a worker that it never waits for the next one. Tuned on bench/line.py: with 1 the
# cores were 76% busy, with 2 84%, with 4 89%, with 8 91%.
JOBS_AHEAD = 8


class StageError(RuntimeError):
    """A stage failed in a worker; the text is the worker's traceback."""


class Workers:
    """Runs stages off the reactor; with none, in the crawl's own process."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Workers:
        """The extension, as Scrapy asks for it."""
        settings = crawler.settings
        wanted = settings.get("CORPUSBOT_WORKERS")
        number = cores() if wanted is None else int(wanted)
        workers = cls(number, settings.getint("CORPUSBOT_PAGE_TIMEOUT"), crawler.stats)
        crawler.signals.connect(workers.close, signals.engine_stopped)
        return workers

    def __init__(self, number: int, page_timeout: int, stats: StatsCollector | None = None) -> None:
        self._stats = stats
        self._workers: list[Worker] = [WorkerProcess(place, page_timeout) for place in range(number)]
        self._workers = self._workers or [Worker(0)]

    async def run(self, stage: Stage, item: Any) -> Any:
        """The stage's result for the item; a held page goes to the worker that has it."""
        if isinstance(item, Held):
            worker = self._workers[item.worker]
        else:
            worker = min(self._workers, key=lambda worker: worker.waiting)
        answer = await worker.run(stage, item)
        self._count(stage, answer.seconds)
        if answer.error:
            raise StageError(answer.error)
        return answer.result

    def _count(self, stage: Stage, seconds: float) -> None:
        if self._stats is not None:
            self._stats.inc_value(f"stage_seconds/{stage.__name__}", seconds)  # type: ignore[arg-type]

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.close()


class Worker:
    """Does the stages here and now, in the crawl's own process; what it holds and nobody wants is forgotten."""

    def __init__(self, place: int) -> None:
        self._place = place
        self._bench = Bench()
        self._unwanted: list[int] = []
        self.waiting = 0

    async def run(self, stage: Stage, item: Any) -> Answer:
        """The answer; a page that is held is known from then on as this worker's."""
        self.waiting += 1
        try:
            answer = await self._answer(stage, item)
        finally:
            self.waiting -= 1
        if not isinstance(answer.result, Held):
            return answer
        held = assigned(answer.result, self._place)
        # A page that a custom stage drops in between is never asked for again: tell the worker.
        weakref.finalize(held, self._unwanted.append, held.number)
        return Answer(held, None, answer.seconds)

    async def _answer(self, stage: Stage, item: Any) -> Answer:
        return self._bench.answer(self._job(stage, item))

    def _job(self, stage: Stage, item: Any) -> Job:
        unwanted = tuple(self._unwanted)
        self._unwanted.clear()
        return Job(stage, item, unwanted)

    def close(self) -> None:
        """Nothing to end."""


class WorkerProcess(Worker):
    """A worker in a process of its own, which has one job at work and the next ones at the door."""

    def __init__(self, place: int, page_timeout: int) -> None:
        super().__init__(place)
        self._timeout = page_timeout
        self._doors = asyncio.Semaphore(JOBS_AHEAD)
        self._asked: dict[int, tuple[str, asyncio.Future[Answer | None]]] = {}
        self._numbers = count()
        self._watch: asyncio.TimerHandle | None = None
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None

    async def _answer(self, stage: Stage, item: Any) -> Answer:
        """The worker's answer; a worker that dies or takes too long drops the page and is replaced."""
        async with self._doors:
            while (answer := await self._asked_for(stage, item)) is None:
                if isinstance(item, Held):
                    return Answer(Drop("worker_died", "the worker that had the page was replaced"), None, 0.0)
        return answer

    async def _asked_for(self, stage: Stage, item: Any) -> Answer | None:
        """The answer to a job; None if the worker was replaced over another page before it came to this one."""
        number = next(self._numbers)
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._send(number, self._job(stage, item))
        self._asked[number] = stage.__name__, future
        if len(self._asked) == 1:
            self._begin_watch()
        return await future

    def _send(self, number: int, job: Job) -> None:
        """Send a job; a worker that died idle is replaced, and the page not to blame."""
        message = message_of(number, job)
        try:
            self._started().send_bytes(message)
        except OSError:
            self._replace("worker_died")
            self._started().send_bytes(message)

    def _heard(self) -> None:
        """An answer has come, or the end of the worker."""
        assert self._connection is not None
        try:
            number, answer = self._connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self._replace("worker_died")
            return
        _, future = self._asked.pop(number)
        self._begin_watch()
        if not future.done():  # else nobody waits for it any more
            future.set_result(answer)

    def _begin_watch(self) -> None:
        """Give the job at work its time; the next one's begins when this one's answer has come."""
        if self._watch is not None:
            self._watch.cancel()
        loop = asyncio.get_running_loop()
        self._watch = loop.call_later(self._timeout, self._replace, "took_too_long") if self._asked else None

    def _replace(self, reason: str) -> None:
        """End the worker over the job at work, which is dropped; those at the door ask its successor."""
        asked, self._asked = self._asked, {}
        self.close()
        for place, (stage, future) in enumerate(asked.values()):
            if not future.done():
                detail = f"{stage}: over {self._timeout} s" if reason == "took_too_long" else f"in {stage}"
                future.set_result(None if place else Answer(Drop(reason, detail), None, 0.0))
        logger.warning("A worker is replaced: %s", reason)

    def _started(self) -> Connection:
        if self._connection is None:
            self._process, self._connection = begun(self._timeout + 5)
            asyncio.get_running_loop().add_reader(self._connection.fileno(), self._heard)
        return self._connection

    def close(self) -> None:
        """End the process; it holds nothing that is not asked for again."""
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        if self._connection is not None:
            with suppress(RuntimeError):  # the loop may be gone before the crawl's last component
                asyncio.get_running_loop().remove_reader(self._connection.fileno())
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
