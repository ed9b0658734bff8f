"""Worker processes for work that is not a crawl's: all cores busy, results in the order of the jobs."""

from __future__ import annotations

import pickle
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Self

from corpusbot.model import Drop
from corpusbot.worker import Answer, Job, Stage, begun, message_of

JOBS_AHEAD = 8  # to a worker; tuned on bench/line.py
WINDOW = 32  # jobs to a worker that may wait for an earlier one's result


@dataclass(slots=True)
class _Worker:
    """A process, the connection to it, and the jobs that it was sent, by number."""

    process: subprocess.Popen[bytes]
    connection: Connection
    asked: deque[int] = field(default_factory=deque)


class Pool:
    """So many workers; one that dies over a job is replaced, and that job's result is a drop."""

    def __init__(self, number: int, seconds_per_job: int, environment: Mapping[str, str]) -> None:
        self._seconds = seconds_per_job
        self._environment = environment
        self._workers = [self._new_worker() for _ in range(number)]
        self._sent: dict[int, bytes] = {}

    def results(self, stage: Stage, items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Each item with what the stage made of it, in order; RuntimeError with the traceback if the stage failed."""
        todo, next_number, next_result = enumerate(items), 0, 0
        waiting: dict[int, Any] = {}
        answers: dict[int, Answer] = {}
        is_more = True
        while True:
            while is_more and next_number - next_result < WINDOW * len(self._workers) and (worker := self._free()):
                found = next(todo, None)
                if found is None:
                    is_more = False
                    break
                next_number = found[0] + 1
                waiting[found[0]] = found[1]
                self._send(worker, found[0], message_of(found[0], Job(stage, found[1])))
            while next_result in answers:
                yield waiting.pop(next_result), _result(answers.pop(next_result))
                next_result += 1
            if not is_more and next_result == next_number:
                return
            answers.update(self._heard())

    def _free(self) -> _Worker | None:
        worker = min(self._workers, key=lambda worker: len(worker.asked))
        return worker if len(worker.asked) < JOBS_AHEAD else None

    def _send(self, worker: _Worker, number: int, message: bytes) -> None:
        self._sent[number] = message
        worker.asked.append(number)
        with suppress(OSError):  # it died: its end is heard, and the job sent to its successor
            worker.connection.send_bytes(message)

    def _heard(self) -> Iterator[tuple[int, Answer]]:
        """The answers that have come, and those of workers that died."""
        ready = wait([worker.connection for worker in self._workers if worker.asked])
        for place, worker in enumerate(self._workers):
            if worker.connection in ready:
                try:
                    number, answer = worker.connection.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    yield from self._replaced(place)
                    continue
                worker.asked.remove(number)
                del self._sent[number]
                yield number, answer

    def _replaced(self, place: int) -> Iterator[tuple[int, Answer]]:
        """The job that a worker died over; the ones at its door go to its successor."""
        before = self._workers[place]
        _end(before)
        after = self._workers[place] = self._new_worker()
        guilty = before.asked.popleft()
        del self._sent[guilty]
        yield guilty, Answer(Drop("worker_died", f"it took more than {self._seconds} s, or ended its process"), None, 0)
        for number in before.asked:
            self._send(after, number, self._sent[number])

    def _new_worker(self) -> _Worker:
        return _Worker(*begun(self._seconds, self._environment))

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            _end(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _result(answer: Answer) -> Any:
    if answer.error:
        raise RuntimeError(answer.error)
    return answer.result


def _end(worker: _Worker) -> None:
    worker.connection.close()
    worker.process.kill()
    worker.process.wait()
