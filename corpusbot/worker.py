"""A process that does the heavy stages: it reads jobs from its one connection and answers them in order.

The tree of a parsed page never leaves the process that made it: what goes back is a `Held`
number, and the next stage is sent to the same process.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from corpusbot.model import CleanPage, Drop
from corpusbot.sites import SiteConfig
from corpusbot.stages import Shelf

Stage = Callable[[Any, SiteConfig], Any]
NUMBER_BYTES = 8

# Not `-m corpusbot.worker`: its answers would then be of a module named __main__.
_COMMAND = "from corpusbot.worker import main; main()"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Held:
    """A clean page that stays in a worker: which page it is, and its number there."""

    site: str
    url: str
    number: int
    worker: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """One stage to do on one item; `forget` are held pages that nobody wants any more."""

    stage: Stage
    item: Any
    forget: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job: its result or the text of its error, and the CPU seconds it took."""

    result: Any
    error: str | None
    seconds: float


class Bench:
    """The place a worker works at: site configurations read once and the trees it holds."""

    def __init__(self) -> None:
        self._sites = Shelf()
        self._held: dict[int, CleanPage] = {}
        self._made = os.getpid() << 32  # no number of a worker that was replaced is used again

    def answer(self, job: Job) -> Answer:
        """Do a job; an error in a stage is told, and the worker goes on."""
        for number in job.forget:
            self._held.pop(number, None)
        started = time.process_time()  # what else the machine does is no cost of the stage
        try:
            result, error = self._done(job), None
        except Exception:  # noqa: BLE001 - the border of the process: the parent raises it again
            result, error = None, traceback.format_exc()
        return Answer(result, error, time.process_time() - started)

    def _done(self, job: Job) -> Any:
        item = self._held.pop(job.item.number, None) if isinstance(job.item, Held) else job.item
        if item is None:
            return Drop("worker_died", "the worker that had the page was replaced")
        result = job.stage(item, self._sites[item.page.site if isinstance(item, CleanPage) else item.site])
        return self._kept(result) if isinstance(result, CleanPage) else result

    def _kept(self, clean: CleanPage) -> Held:
        self._made += 1
        self._held[self._made] = clean
        return Held(clean.page.site, clean.page.url, self._made)


def assigned(held: Held, worker: int) -> Held:
    """A held page together with the worker that has it."""
    return replace(held, worker=worker)


def serve(connection: Connection, seconds_per_job: int) -> None:
    """Answer jobs until the other end goes away, as it does when the crawl dies."""
    bench = Bench()
    # Read apart from the work: with both ends waiting to send, neither would ever read.
    jobs: SimpleQueue[tuple[int, Job | str] | None] = SimpleQueue()
    Thread(target=_read, args=(connection, jobs), daemon=True).start()
    while (asked := jobs.get()) is not None:
        number, job = asked
        if isinstance(job, str):
            answer = Answer(None, job, 0.0)
        else:
            signal.alarm(seconds_per_job)
            answer = bench.answer(job)
            signal.alarm(0)
        try:
            _send(connection, number, answer)
        except OSError:
            return


def _read(connection: Connection, jobs: SimpleQueue[tuple[int, Job | str] | None]) -> None:
    """Put the jobs in line as they come; None at the end, and the traceback of a job that cannot be read."""
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            jobs.put(None)
            return
        number = int.from_bytes(message[:NUMBER_BYTES], "big")
        try:
            jobs.put((number, pickle.loads(message[NUMBER_BYTES:])))  # noqa: S301 - the crawl's own
        except Exception:  # noqa: BLE001 - a stage of a module that cannot be imported here; the message is read
            jobs.put((number, traceback.format_exc()))


def _send(connection: Connection, number: int, answer: Answer) -> None:
    try:
        connection.send((number, answer))
    except (pickle.PicklingError, TypeError, AttributeError):  # a result that no other process can have
        connection.send((number, Answer(None, traceback.format_exc(), answer.seconds)))


def message_of(number: int, job: Job) -> bytes:
    """A job as it is sent: its number stands apart, to be read even where the job cannot be."""
    return number.to_bytes(NUMBER_BYTES, "big") + pickle.dumps(job)


def begun(seconds_per_job: int, environment: Mapping[str, str] = {}) -> tuple[subprocess.Popen[bytes], Connection]:
    """A worker in a process of its own, and the connection to it; these variables are its own."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [sys.executable, "-c", _COMMAND, str(theirs.fileno()), str(seconds_per_job)],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        # An egg's path and a project run uninstalled are on our path only.
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path), **environment},
    )
    theirs.close()
    return process, Connection(ours.detach())


def cores() -> int:
    """The cores that this process may use; all of the machine's where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    """Serve on the connection whose file descriptor is the first argument; the crawl starts it so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the crawl's to handle
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
