"""What a worker does with a job, without a process around it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import pytest

from corpusbot.model import Drop
from corpusbot.worker import NUMBER_BYTES, Answer, Bench, Held, Job, assigned, message_of, serve
from tests import slow_stages as stages
from tests.test_pipelines_workers import page


def test_an_answer() -> None:
    """The result, no error, and the time."""
    answer = Bench().answer(Job(stages.title, page()))
    assert (answer.result, answer.error) == ("El País: https://elpais.com/1", None)
    assert answer.seconds >= 0


def test_an_unknown_site_is_an_error_of_the_job() -> None:
    """The text says which site; the bench can go on."""
    bench = Bench()
    unknown = Held("nosuch", "u", 1)
    assert bench.answer(Job(stages.text_of, unknown)).result == Drop(
        "worker_died", "the worker that had the page was replaced"
    )
    held = bench.answer(Job(stages.cleaned, page())).result
    assert bench.answer(Job(stages.text_of, assigned(held, 3))).result == "text"


def test_a_held_page_is_given_out_once() -> None:
    """The tree is gone after the stage that used it: nothing piles up."""
    bench = Bench()
    held = bench.answer(Job(stages.cleaned, page())).result
    assert bench.answer(Job(stages.text_of, held)).result == "text"
    assert bench.answer(Job(stages.text_of, held)).result.reason == "worker_died"


def test_numbers_are_not_used_again() -> None:
    """Two pages have two numbers, and a page that is to be forgotten is."""
    bench = Bench()
    first, second = (bench.answer(Job(stages.cleaned, page(number))).result for number in (1, 2))
    assert first.number != second.number
    bench.answer(Job(stages.title, page(), forget=(first.number,)))
    assert isinstance(bench.answer(Job(stages.text_of, first)).result, Drop)
    assert bench.answer(Job(stages.text_of, second)).result == "text"


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """The crawl's end of a connection that a worker serves."""
    monkeypatch.setattr("signal.alarm", lambda seconds: 0)  # works in main threads only
    ours, theirs = Pipe()
    serving = threading.Thread(target=serve, args=(theirs, 5), daemon=True)
    serving.start()
    yield ours
    ours.close()
    serving.join(5)
    theirs.close()
    assert not serving.is_alive(), "a worker ends when the other end goes away"


def test_serving(connection: Connection) -> None:
    """Jobs are answered in their order, until the other end goes away."""
    for number in (1, 2):
        connection.send_bytes(message_of(number, Job(stages.title, page(number))))
    answers = [connection.recv()[1].result for _ in range(2)]
    assert answers == ["El País: https://elpais.com/1", "El País: https://elpais.com/2"]


def test_a_stage_that_cannot_be_imported(connection: Connection) -> None:
    """It is answered with the reason, and the next job is done."""
    connection.send_bytes((7).to_bytes(NUMBER_BYTES, "big") + b"cnosuch_module\nstage\n.")
    number, answer = connection.recv()
    assert number == 7
    assert isinstance(answer, Answer)
    assert "No module named 'nosuch_module'" in (answer.error or "")
    connection.send_bytes(message_of(8, Job(stages.title, page())))
    assert connection.recv()[1].error is None
