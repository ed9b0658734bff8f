"""corpusbot/store/frontier.py: nothing is asked twice, nothing is lost, and memory does not grow with it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.addresses import key_of
from corpusbot.sqlite_file import run_statements
from corpusbot.store import schema
from corpusbot.store.frontier import Frontier, Lease, Link, Outcome, Runs, StateError, Validators
from corpusbot.store.schema import StateBusyError

HOST = "https://h.es"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the state of a site is kept."""
    return tmp_path / "site" / "state.sqlite"


@pytest.fixture
def frontier(path: Path) -> Iterator[Frontier]:
    """An open frontier with a run begun."""
    with Frontier(path) as opened:
        opened.begin_run()
        yield opened


def leases(frontier: Frontier, most: int = 10_000) -> list[Lease]:
    """Everything that is given out, up to a number."""
    found: list[Lease] = []
    while len(found) < most and (lease := frontier.lease()) is not None:
        found.append(lease)
    return found


def urls(frontier: Frontier) -> list[str]:
    """The addresses of everything given out."""
    return [lease.link.url for lease in leases(frontier)]


def test_links_are_remembered_once(frontier: Frontier) -> None:
    """A link is new once, however it is spelt, before and after it is written."""
    assert frontier.add([Link(f"{HOST}/a"), Link(f"{HOST}/a#x"), Link(f"{HOST}/b")]) == 2
    assert frontier.add([Link(f"{HOST}/a?utm_source=x")]) == 0
    frontier.commit()
    assert frontier.add([Link(f"{HOST}/b"), Link(f"{HOST}/c")]) == 1
    assert frontier.knows(f"{HOST}/c#y")
    assert not frontier.knows(f"{HOST}/d")
    assert frontier.pending == 3


def test_many_links_in_one_call(frontier: Frontier) -> None:
    """More links than one statement looks up are looked up all the same."""
    many = [Link(f"{HOST}/{number}") for number in range(1300)]
    assert frontier.add(many) == 1300
    frontier.commit()
    assert frontier.add([*many, Link(f"{HOST}/new")]) == 1


def test_order_is_priority_then_discovery(frontier: Frontier) -> None:
    """Links come by priority and then in the order they were found, also those found in between."""
    frontier.add([Link(f"{HOST}/{n}") for n in range(3)])
    frontier.add([Link("https://other.es/first", priority=5)])
    assert urls_of(leases(frontier, 2)) == ["https://other.es/first", f"{HOST}/0"]
    frontier.add([Link(f"{HOST}/urgent", priority=1), Link(f"{HOST}/later", priority=-1), Link(f"{HOST}/3")])
    expected = [f"{HOST}/{name}" for name in ("urgent", "1", "2", "3", "later")]
    assert urls(frontier) == expected


def urls_of(found: list[Lease]) -> list[str]:
    """Their addresses."""
    return [lease.link.url for lease in found]


def test_full_hosts_are_passed_over(frontier: Frontier) -> None:
    """A host with enough to do keeps no other host waiting, and is not forgotten."""
    frontier.add([Link(f"{HOST}/{n}", priority=9) for n in range(500)] + [Link("https://other.es/")])
    lease = frontier.lease(full={"h.es"})
    assert lease is not None
    assert lease.host == "other.es"
    assert frontier.lease(full={"h.es"}) is None
    assert frontier.pending == 500
    assert len(leases(frontier)) == 500


def test_many_hosts(frontier: Frontier) -> None:
    """With more hosts than rows in memory every link still comes, once."""
    frontier.add([Link(f"https://h{n % 3000}.es/{n}") for n in range(6000)])
    found = urls(frontier)
    assert len(found) == len(set(found)) == 6000


def test_place_and_kind_come_back(frontier: Frontier) -> None:
    """What the spider said of a link is what it gets back."""
    place = {"section": "España", "day": "2026-01-02", "page": 2}
    frontier.add([Link(f"{HOST}/a", "index", 3, place)])
    lease = frontier.lease()
    assert lease is not None
    assert (lease.link.kind, lease.link.priority, lease.link.place) == ("index", 3, place)


def test_what_was_in_flight_is_pending_again(path: Path) -> None:
    """Leases that nobody acknowledged come again when the frontier is opened anew."""
    with Frontier(path) as first:
        first.begin_run()
        first.add([Link(f"{HOST}/{n}") for n in range(5)])
        done = leases(first, 3)[0]
        first.acknowledge(done.id, Outcome())
        copy_of(first)  # the file as a killed process would leave it
    restore(path)
    with Frontier(path) as second:
        assert second.recovered == 2
        assert second.begin_run().resumed
        assert urls(second) == [f"{HOST}/{n}" for n in range(1, 5)]


def copy_of(frontier: Frontier) -> None:
    """Commit, and keep the database as it is now."""
    frontier.commit()
    source = sqlite3.connect(frontier.path)
    target = sqlite3.connect(frontier.path.with_name("killed.sqlite"))
    source.backup(target)
    target.close()
    source.close()


def restore(path: Path) -> None:
    """Put the kept database in the place of the present one."""
    for name in ("state.sqlite-wal", "state.sqlite-shm"):
        path.with_name(name).unlink(missing_ok=True)
    os.replace(path.with_name("killed.sqlite"), path)


def test_a_clean_close_leaves_nothing_in_flight(path: Path) -> None:
    """Links given out when a crawl is stopped properly are given back, not recovered."""
    with Frontier(path) as first:
        first.add([Link(f"{HOST}/a")])
        first.lease()
    with Frontier(path) as second:
        assert (second.recovered, second.pending) == (0, 1)


def test_again_asks_once_in_each_run(path: Path) -> None:
    """An index page is asked for in every run, once; also if the run was interrupted."""
    index = Link(f"{HOST}/", "index", again=True)
    for _ in range(2):
        with Frontier(path) as frontier:
            frontier.begin_run()
            assert frontier.add([index]) == 1
            assert frontier.add([index]) == 0
            lease = frontier.lease()
            assert lease is not None
            frontier.acknowledge(lease.id, Outcome())
            assert frontier.add([index]) == 0
            frontier.finish_run("finished")
    with Frontier(path) as frontier:
        frontier.begin_run()
        assert frontier.add([Link(index.url, "index")]) == 0


def test_failed_links_are_tried_in_three_runs(path: Path) -> None:
    """A failed address comes again in later runs until it has failed three times; a gone one does not."""
    asked = []
    for run in range(5):
        with Frontier(path) as frontier:
            frontier.begin_run()
            if not run:
                frontier.add([Link(f"{HOST}/slow"), Link(f"{HOST}/gone")])
            found = leases(frontier)
            asked.append(urls_of(found))
            for lease in found:
                cause = "timeout" if "slow" in lease.link.url else "http_404"
                frontier.acknowledge(lease.id, Outcome("failed", cause))
            assert frontier.lease() is None
            frontier.finish_run("finished")
    assert asked == [[f"{HOST}/slow", f"{HOST}/gone"], [f"{HOST}/slow"], [f"{HOST}/slow"], [], []]


def test_validators_come_with_the_link(path: Path) -> None:
    """How to ask whether a page has changed is known in the next run, and only once it was acknowledged."""
    seen = Validators('"e1"', "Thu, 01 Jan 2026 00:00:00 GMT", "d1")
    with Frontier(path) as frontier:
        frontier.begin_run()
        frontier.add([Link(f"{HOST}/a")])
        lease = frontier.lease()
        assert lease is not None
        assert frontier.validators(f"{HOST}/a") is None
        frontier.acknowledge(lease.id, Outcome(status=200), seen)
        frontier.finish_run("finished")
    with Frontier(path) as frontier:
        frontier.begin_run()
        frontier.add([Link(f"{HOST}/a", again=True)])
        again = frontier.lease()
        assert again is not None
        known = again.link.validators
        assert known is not None
        assert (known.etag, known.modified, known.digest, known.status) == (*astuple3(seen), 200)
        frontier.acknowledge(again.id, Outcome("unchanged", status=304), Validators())
        unchanged = frontier.validators(f"{HOST}/a")
        assert unchanged is not None
        assert (unchanged.etag, unchanged.status) == ('"e1"', 304)


def astuple3(seen: Validators) -> tuple[str | None, str | None, str | None]:
    """The first three of its fields."""
    return seen.etag, seen.modified, seen.digest


def test_files_and_acknowledgements_are_committed_together(path: Path) -> None:
    """The length of a file is what it was when its pages were acknowledged, whatever was written since."""
    written = {"a.jsonl": 0}
    with Frontier(path) as frontier:
        frontier.begin_run()
        frontier.add([Link(f"{HOST}/a"), Link(f"{HOST}/b")])
        end = frontier.before_commit(lambda: written)
        first, second = leases(frontier)
        frontier.take_in_hand(first.id)
        frontier.when_acknowledged(lambda: written.update({"a.jsonl": 100}))
        frontier.commit()
        assert frontier.file_length("a.jsonl") == 0
        frontier.acknowledge(first.id, Outcome())
        frontier.commit()
        assert frontier.file_length("a.jsonl") == 100
        frontier.take_in_hand(second.id)
        frontier.when_acknowledged(lambda: written.update({"a.jsonl": 200}))
        frontier.release(second.id)
        end()
        frontier.take_in_hand(None)
    with Frontier(path) as frontier:
        assert frontier.file_length("a.jsonl") == 100
        assert frontier.pending == 1


def test_no_commit_between_writing_and_acknowledging(frontier: Frontier) -> None:
    """While a page has documents written and is not acknowledged, nothing is committed by itself."""
    frontier.add([Link(f"{HOST}/a")])
    lease = frontier.lease()
    assert lease is not None
    frontier.hold(lease.id)
    assert not frontier.commit_if_settled()
    frontier.add([Link("https://other.es/")])
    assert frontier.lease() is None
    frontier.acknowledge(lease.id, Outcome())
    assert Runs(frontier.path).totals(1)["done"] == 1  # what was put off is done at once
    assert frontier.commit_if_settled()
    assert frontier.lease() is not None


def test_a_failed_commit_loses_nothing(frontier: Frontier) -> None:
    """If files cannot be flushed nothing is written, and all of it is with the next commit."""
    frontier.add([Link(f"{HOST}/a")])
    full = True

    def hook() -> dict[str, int]:
        if full:
            raise OSError("no space left")
        return {"a": 1}

    frontier.before_commit(hook)
    with pytest.raises(OSError, match="no space left"):
        frontier.commit()
    full = False
    frontier.commit()
    assert urls(frontier) == [f"{HOST}/a"]


def test_report_counts_by_section_day_and_cause(frontier: Frontier) -> None:
    """The report tells what was asked, obtained, dropped and not obtained, by section and day."""
    place = {"section": "S", "day": "2026-01-02"}
    frontier.add([Link(f"{HOST}/{n}", place=place) for n in range(4)] + [Link(f"{HOST}/never")])
    outcomes = [Outcome(), Outcome("dropped", "too_short"), Outcome("failed", "timeout", "30 s"), Outcome("unchanged")]
    for lease, outcome in zip(leases(frontier, 4), outcomes, strict=True):
        frontier.acknowledge(lease.id, outcome)
    frontier.note(f"{HOST}/0", Outcome("dropped", "keyword"), place)
    frontier.commit()
    runs = Runs(frontier.path)
    assert frontier.run is not None
    counted = {(row.outcome, row.cause, row.kind): row.count for row in runs.report(frontier.run.id)}
    assert counted == {
        ("done", None, "page"): 1,
        ("dropped", "too_short", "page"): 1,
        ("failed", "timeout", "page"): 1,
        ("unchanged", None, "page"): 1,
        ("dropped", "keyword", "item"): 1,
    }
    assert {(row.section, row.day) for row in runs.report(frontier.run.id)} == {("S", "2026-01-02")}
    assert [(i.url, i.cause, i.detail) for i in runs.incidents(frontier.run.id, ["failed"])] == [
        (f"{HOST}/2", "timeout", "30 s")
    ]
    assert runs.totals(frontier.run.id) == {"done": 1, "unchanged": 1, "dropped": 2, "failed": 1, "waiting": 1}


def test_runs_are_kept(path: Path) -> None:
    """Each run has its number, its arguments and the reason of its end."""
    for reason in ("finished", "shutdown"):
        with Frontier(path) as frontier:
            frontier.begin_run({"since": "2026-01-01"})
            frontier.finish_run(reason)
    found = Runs(path).runs()
    assert [(run.id, run.reason, run.arguments) for run in found] == [
        (1, "finished", {"since": "2026-01-01"}),
        (2, "shutdown", {"since": "2026-01-01"}),
    ]


def test_tallies_are_written_with_the_page_that_they_are_of(path: Path) -> None:
    """A page that was in hand when the crawl died is counted once in all; tallies of several sittings add up."""
    counted = [("found by", "gist"), ("passed over", "rules: nothing")]
    for sitting in range(3):
        frontier = Frontier(path).open()
        run = frontier.begin_run()
        frontier.add([Link(f"{HOST}/1"), Link(f"{HOST}/2")])
        for lease in leases(frontier):
            frontier.take_in_hand(lease.id)
            frontier.tally(counted)
            if sitting == 1 and lease.link.url.endswith("1"):
                frontier.acknowledge(lease.id, Outcome("done"))
        frontier.commit()
        if sitting == 2:
            for lease in list(frontier._leases.values()):
                frontier.acknowledge(lease.id, Outcome("dropped", "too_short"))
        frontier.take_in_hand(None)
        frontier.close()  # what is not acknowledged is forgotten, as by a crash
    assert Runs(path).tallies(run.id) == {"found by": {"gist": 2}, "passed over": {"rules: nothing": 2}}
    assert Runs(path).tallies(run.id + 1) == {}


def test_a_state_of_an_earlier_release_is_taken_over(path: Path) -> None:
    """Read as it is, without tallies; the next crawl gives it their table, and loses nothing."""
    path.parent.mkdir()
    with sqlite3.connect(path) as earlier:
        run_statements(earlier, schema._FIRST_TABLES)
        earlier.execute(f"PRAGMA application_id = {schema.KIND.application_id}")
        earlier.execute("PRAGMA user_version = 1")
        earlier.execute("INSERT INTO runs VALUES(1, '2026-01-01T00:00:00+00:00', NULL, NULL, '{}')")
        row = (key_of(f"{HOST}/1"), f"{HOST}/1", "h.es", "article", 0, "{}", 0, 1)
        names = "key, url, host, kind, priority, place, state, run"
        earlier.execute(f"INSERT INTO links({names}) VALUES(?, ?, ?, ?, ?, ?, ?, ?)", row)
    earlier.close()
    assert Runs(path).tallies(1) == {}
    with Frontier(path) as frontier:
        run = frontier.begin_run()
        frontier.tally([("found by", "gist")])
        assert [lease.link.url for lease in leases(frontier)] == [f"{HOST}/1"]
    assert Runs(path).tallies(run.id) == {"found by": {"gist": 1}}


def test_foreign_files_are_refused(path: Path) -> None:
    """A file that is no database, somebody else's, or of a later release is refused with a way out."""
    path.parent.mkdir()
    path.write_bytes(b"not a database at all, but long enough to be taken for one" * 20)
    with pytest.raises(StateError, match=r"not the state of a crawl.*move it away"):
        Frontier(path).open()
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE something(a)")
    other.close()
    with pytest.raises(StateError, match="not the state of a crawl"):
        Frontier(path).open()
    path.unlink()
    Frontier(path).open().close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(StateError, match=r"schema 99 .*newer corpusbot.*Update"):
        Frontier(path).open()


def test_one_crawl_of_a_site_at_a_time(path: Path) -> None:
    """A second crawl is told who holds the state; reading is possible meanwhile."""
    with Frontier(path) as frontier:
        frontier.begin_run()
        with pytest.raises(StateBusyError, match=f"process {os.getpid()}"):
            Frontier(path).open()
        assert len(Runs(path).runs()) == 1
    Frontier(path).open().close()


def test_a_closed_frontier_says_so(path: Path) -> None:
    """Using a frontier that is not open is an error, not an empty answer that would truncate a file."""
    with pytest.raises(StateError, match=r"not open. Call open\(\)"):
        Frontier(path).file_length("a.jsonl")
    with pytest.raises(StateError, match="no such file"):
        Runs(path).runs()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["add", "lease", "done", "fail", "release", "commit", "reopen"]), max_size=40))
def test_every_link_is_acknowledged_once(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """Whatever the order of things, each link is given out until it is acknowledged, and never after."""
    path = tmp_path_factory.mktemp("law") / "state.sqlite"
    frontier = Frontier(path).open()
    frontier.begin_run()
    added, ended, out = 0, set(), []
    for step in steps:
        if step == "add":
            frontier.add([Link(f"https://h{added % 3}.es/{added + n}", priority=n % 2) for n in range(3)])
            added += 3
        elif step == "lease" and (lease := frontier.lease()):
            assert lease.link.url not in ended
            out.append(lease)
        elif step in ("done", "fail") and out:
            lease = out.pop()
            frontier.acknowledge(lease.id, Outcome("done" if step == "done" else "failed"))
            ended.add(lease.link.url)
        elif step == "release" and out:
            frontier.release(out.pop().id)
        elif step == "commit":
            frontier.commit()
        elif step == "reopen":
            frontier.close()
            frontier, out = Frontier(path).open(), []
            frontier.begin_run()
    assert frontier.pending == added - len(ended) - len(out)
    rest = urls(frontier)
    assert len(rest) == len(set(rest)) == added - len(ended) - len(out)
    frontier.close()


_MEMORY = """
import resource, sys
from pathlib import Path
from corpusbot.store.frontier import Frontier, Link, Outcome
path = Path(sys.argv[1])
def rss():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20
if sys.argv[2] == "fill":
    with Frontier(path) as frontier:
        for start in range(0, 300_000, 1000):
            frontier.add([Link(f"https://h.es/2026/01/02/article-{n}.html") for n in range(start, start + 1000)])
else:
    before = rss()
    with Frontier(path) as frontier:
        assert frontier.pending == 300_000
        for _ in range(20_000):
            lease = frontier.lease()
            frontier.acknowledge(lease.id, Outcome())
        print(rss() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_is_flat_in_the_number_of_links(path: Path) -> None:
    """A frontier of 300,000 pending links is opened and worked on within 40 MB."""
    command = [sys.executable, "-c", _MEMORY, str(path)]
    subprocess.run([*command, "fill"], check=True, timeout=120)
    done = subprocess.run([*command, "use"], check=True, timeout=120, capture_output=True, text=True)
    assert float(done.stdout) < 40


_KILLED = """
import os, signal, sys
from pathlib import Path
from corpusbot.store.frontier import Frontier, Link, Outcome
frontier = Frontier(Path(sys.argv[1])).open()
frontier.begin_run()
frontier.add([Link(f"https://h.es/{n}") for n in range(10)])
for _ in range(3):
    frontier.acknowledge(frontier.lease().id, Outcome())
frontier.lease()
frontier.commit()
frontier.acknowledge(frontier.lease().id, Outcome())
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_after_kill_only_the_last_moments_are_repeated(path: Path) -> None:
    """What was committed stands after SIGKILL; what was in flight or not committed is pending."""
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(path)], check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    with Frontier(path) as frontier:
        assert frontier.begin_run().resumed
        assert frontier.recovered == 1
        assert urls(frontier) == [f"{HOST}/{n}" for n in range(3, 10)]
