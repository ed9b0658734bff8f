"""The worker processes that all heavy stages share: started once, bounded, ended with the crawl."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import socket
import subprocess
import sys
import weakref
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from scrapy import signals

from corpusbot.model import Drop
from corpusbot.worker import Answer, Bench, Held, Job, Stage, assigned

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

# Not `-m corpusbot.worker`: its answers would then be of a module named __main__.
_COMMAND = "from corpusbot.worker import main; main()"


class StageError(RuntimeError):
    """A stage failed in a worker; the text is the worker's traceback."""


class Workers:
    """Runs stages off the reactor; with none, in the crawl's own process."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Workers:
        """The extension, as Scrapy asks for it."""
        settings = crawler.settings
        wanted = settings.get("CORPUSBOT_WORKERS")
        number = _cores() if wanted is None else int(wanted)
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
    """A worker in a process of its own: the connection to it, and the jobs in line for it."""

    def __init__(self, place: int, page_timeout: int) -> None:
        super().__init__(place)
        self._timeout = page_timeout
        self._turn = asyncio.Lock()
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None

    async def _answer(self, stage: Stage, item: Any) -> Answer:
        """The worker's answer; a worker that dies or takes too long drops the page and is replaced."""
        async with self._turn:
            try:
                connection = self._sent(self._job(stage, item))
                await asyncio.wait_for(_readable(connection), self._timeout)
                answer = connection.recv()
            except TimeoutError:
                return self._replaced(Drop("took_too_long", f"{stage.__name__}: over {self._timeout} s"))
            except (EOFError, OSError, pickle.UnpicklingError):
                return self._replaced(Drop("worker_died", f"in {stage.__name__}"))
            except asyncio.CancelledError:
                self.close()  # its answer must not be taken for that of the next job
                raise
        assert isinstance(answer, Answer)
        return answer

    def _sent(self, job: Job) -> Connection:
        """The connection that a job is sent over; a worker that died idle is replaced, and the page not to blame."""
        connection = self._started()
        try:
            connection.send(job)
        except OSError:
            self.close()
            connection = self._started()
            connection.send(job)
        return connection

    def _started(self) -> Connection:
        if self._connection is None:
            ours, theirs = socket.socketpair()
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-c", _COMMAND, str(theirs.fileno()), str(self._timeout + 5)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # An egg's path and a project run uninstalled are on our path only.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
            )
            theirs.close()
            self._connection = Connection(ours.detach())
        return self._connection

    def _replaced(self, drop: Drop) -> Answer:
        logger.warning("A worker is replaced: %s", drop)
        self.close()
        return Answer(drop, None, 0.0)

    def close(self) -> None:
        """End the process; it holds nothing that is not asked for again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _cores() -> int:
    """The cores that this process may use; all of the machine's where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


async def _readable(connection: Connection) -> None:
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    descriptor = connection.fileno()  # once: the connection may be closed meanwhile

    def tell() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(descriptor, tell)
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)
