"""What the state keeps of visits, and which known pages it gives out again; with a clock that a test moves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from corpusbot.addresses import key_of
from corpusbot.freshness_told import NOTHING_TOLD, Told
from corpusbot.sqlite_file import run_statements
from corpusbot.store import schema
from corpusbot.store.frontier import Due, Frontier, Lease, Link, Outcome, Runs, Validators

HOST = "https://h.es"
DAY, HOUR, MINUTE = 86_400, 3_600, 60
BEGINNING = 1_800_000_000
FRONT = Link(f"{HOST}/", "page", 100, again=True, if_due=True)
GONE = Outcome("failed", "http_410", None, 410)


@dataclass(slots=True)
class State:
    """The state of a site, opened for one run after the other."""

    path: Path
    now: float = BEGINNING
    gone: list[tuple[str, int, datetime]] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)

    def open(self) -> Frontier:
        """The frontier of a new run."""
        frontier = Frontier(self.path, clock=lambda: self.now).open()
        frontier.when_gone(lambda url, status, moment: self.gone.append((url, status, moment)))
        frontier.when_unchanged(lambda url, moment: self.unchanged.append(url))
        frontier.begin_run()
        return frontier

    def run(self, *links: Link, due: Due | None = None, ends: Outcome | None = None, **more: object) -> list[str]:
        """A run that begins with these links; the paths that it asks for."""
        frontier = self.open()
        frontier.add(links)
        if due is not None:
            frontier.ask_due(due)
        asked = []
        while (lease := frontier.lease()) is not None:
            asked.append(lease.link.url.removeprefix(HOST))
            self.end(frontier, lease, ends or Outcome(status=200), **more)
        frontier.finish_run("finished")
        frontier.close()
        return asked

    def end(self, frontier: Frontier, lease: Lease, outcome: Outcome, told: Told = NOTHING_TOLD, **_: object) -> None:
        """Acknowledge a page; a document is written of an article that is done."""
        kept = outcome.name in ("done", "unchanged")
        if outcome.name == "done" and lease.link.kind == "article":
            frontier.hold(lease.id)
        frontier.acknowledge(lease.id, outcome, Validators() if kept else None, told)

    def row(self, path: str) -> dict[str, object]:
        """The table's row of an address."""
        with closing(sqlite3.connect(self.path)) as database:
            database.row_factory = sqlite3.Row
            return dict(database.execute("SELECT * FROM links WHERE url = ?", (HOST + path,)).fetchone())

    def counts(self) -> dict[str, int]:
        """What the last run counted of pages asked again."""
        runs = Runs(self.path)
        return runs.tallies(runs.runs()[-1].id).get("revisits", {})


@pytest.fixture
def state(tmp_path: Path) -> State:
    """An empty state."""
    return State(tmp_path / "site" / "state.sqlite")


def article(path: str, lastmod: int | None = None, **place: str) -> Link:
    """A link to an article."""
    return Link(HOST + path, "article", place=place, lastmod=lastmod)


def test_what_is_kept_of_visits(state: State) -> None:
    """How many, how many with a change, when first, last and last changed; and when the next is due."""
    state.run(article("/a"))
    first = state.row("/a")
    assert (first["visits"], first["changes"], first["first_visited"], first["last_changed"]) == (1, 0, state.now, None)
    assert BEGINNING + 10 * HOUR < int(str(first["due"])) < BEGINNING + 14 * HOUR
    state.now += DAY
    assert state.run(due=Due()) == ["/a"]
    then = state.row("/a")
    assert (then["visits"], then["changes"], then["last_changed"]) == (2, 1, state.now)
    assert float(str(then["rate"])) > float(str(first["rate"]))
    state.now += 10 * DAY
    assert state.run(due=Due(), ends=Outcome("unchanged", status=304)) == ["/a"]
    last = state.row("/a")
    assert (last["visits"], last["changes"], last["first_visited"]) == (3, 1, BEGINNING)
    assert state.unchanged == [f"{HOST}/a"]


def test_what_was_never_a_document_is_not_asked_again(state: State) -> None:
    """Pages that were dropped or could not be had are none of those that are due."""
    state.run(article("/short"), ends=Outcome("dropped", "too_short"))
    state.run(article("/gone"), ends=GONE)
    state.now += 100 * DAY
    assert state.run(due=Due()) == []
    assert state.gone == []


def test_articles_of_past_days_are_old_from_the_first(state: State) -> None:
    """One that was found among those of a day long ago is not read again; one of last week in a while."""
    old = datetime.fromtimestamp(BEGINNING - 400 * DAY, UTC).date().isoformat()
    week = datetime.fromtimestamp(BEGINNING - 8 * DAY, UTC).date().isoformat()
    state.run(article("/old", day=old), article("/week", day=week))
    assert state.row("/old")["due"] is None
    assert int(str(state.row("/week")["due"])) > BEGINNING + 10 * DAY


def test_index_pages_are_asked_as_often_as_they_bring_news(state: State) -> None:
    """Asked whether they are due every ten minutes of two days: the lively one is, the sleepy one seldom."""
    fronts = {path: Link(HOST + path, "page", 100, again=True, if_due=True) for path in ("/lively", "/sleepy")}
    asked = dict.fromkeys(fronts, 0)
    for _ in range(2 * 24 * 6):
        frontier = state.open()
        frontier.add(fronts.values())
        while (lease := frontier.lease()) is not None:
            path = lease.link.url.removeprefix(HOST)
            if path in asked:
                asked[path] += 1
                news = int(state.now // (20 * MINUTE)) if path == "/lively" else 0
                frontier.add([article(f"{path}/{news}")], found_on=lease.id)
            state.end(frontier, lease, Outcome())
        frontier.finish_run("finished")
        frontier.close()
        state.now += 10 * MINUTE
    assert asked["/lively"] >= 80
    assert 12 < asked["/sleepy"] <= 32


def test_a_sitemap_of_sitemaps_is_no_sleeper(state: State) -> None:
    """It never brings news itself and is asked as often as is usual, and whole, for what it leads to."""
    root = Link(f"{HOST}/root.xml", "sitemap", 100, again=True, if_due=True)
    leaf = Link(f"{HOST}/leaf.xml", "sitemap", 99, again=True, if_due=True)
    for _ in range(30):
        state.now += 1.1 * HOUR
        frontier = state.open()
        frontier.add([root])
        lease = frontier.lease()
        assert lease is not None
        assert lease.link.validators is None or lease.link.validators.etag is None
        frontier.add([leaf], found_on=lease.id)
        frontier.acknowledge(lease.id, Outcome(), Validators('"etag"'))
        frontier.finish_run("finished")
        frontier.close()


def test_the_order_of_what_is_due(state: State) -> None:
    """Index pages, then what is new, then what is known: the changing one before the others, at most so many."""
    state.run(FRONT, *(article(f"/{name}") for name in "abc"))
    state.now += DAY
    frontier = state.open()
    frontier.ask_due(Due())
    while (lease := frontier.lease()) is not None:
        ends = Outcome("done" if lease.link.url.endswith("b") else "unchanged")
        state.end(frontier, lease, ends)
    frontier.finish_run("finished")
    frontier.close()
    state.now += 20 * DAY
    frontier = state.open()
    frontier.add([FRONT])
    frontier.ask_due(Due(most=2))
    front = frontier.lease()
    assert front is not None
    assert frontier.lease() is None, "known articles wait for what the front page may bring"
    assert frontier.has_more
    frontier.add([article("/new")], found_on=front.id)
    state.end(frontier, front, Outcome())
    asked = []
    while (lease := frontier.lease()) is not None:
        asked.append(lease.link.url.removeprefix(HOST))
        state.end(frontier, lease, Outcome("unchanged"))
    assert asked[:2] == ["/new", "/b"]
    assert len(asked) == 3
    frontier.finish_run("finished")
    frontier.close()
    assert state.counts() == {"asked again": 2, "left": 1}


def test_what_is_left_is_not_asked_by_other_runs(state: State) -> None:
    """After a stop, and after a crash, pages that were to be asked again are what they were before."""
    state.run(article("/a"), article("/b"))
    state.now += DAY
    frontier = state.open()
    frontier.ask_due(Due())
    lease = frontier.lease()
    assert lease is not None
    frontier.commit()
    # As after SIGKILL: one is out, one waits, and nobody says anything more.
    assert frontier._lock is not None
    frontier._db.close()
    frontier._lock.close()
    again = state.open()
    assert again.pending == 0
    assert again.lease() is None
    again.ask_due(Due())
    assert {one.link.url for one in iter(again.lease, None)} == {f"{HOST}/a", f"{HOST}/b"}
    again.close()


def test_pages_that_are_gone(state: State) -> None:
    """Who wants to know is told; the page is asked for once more after a day, and then no more."""
    state.run(article("/a"))
    state.now += DAY
    assert state.run(due=Due(), ends=GONE) == ["/a"]
    moment = datetime.fromtimestamp(state.now, UTC)
    assert state.gone == [(f"{HOST}/a", 410, moment)]
    assert state.counts() == {"asked again": 1, "withdrawn": 1}
    row = state.row("/a")
    assert (row["outcome"], row["cause"], row["status"]) == ("withdrawn", "http_410", 410)
    state.now += DAY / 2
    assert state.run(due=Due(), ends=GONE) == []
    state.now += DAY
    assert state.run(due=Due(), ends=GONE) == ["/a"]
    assert state.row("/a")["due"] is None
    assert state.counts() == {"asked again": 1}


def test_a_page_that_comes_back(state: State) -> None:
    """A server that erred is believed again, and who was told so hears that the page is there."""
    state.run(article("/a"))
    state.now += DAY
    state.run(due=Due(), ends=Outcome("failed", "http_404", None, 404))
    state.now += 2 * DAY
    state.run(due=Due(), ends=Outcome("unchanged", status=304))
    assert state.unchanged == [f"{HOST}/a"]
    assert state.row("/a")["due"] is not None


def test_an_index_page_that_is_gone_is_a_failure(state: State) -> None:
    """It is no document, and nobody is told that one is withdrawn."""
    state.run(FRONT)
    state.now += DAY
    state.run(FRONT, ends=GONE)
    assert state.row("/")["outcome"] == "failed"
    assert state.gone == []


def test_failures_put_a_page_off_ever_longer(state: State) -> None:
    """A known page that cannot be had is not asked for in every run."""
    state.run(article("/a"))
    asked = []
    for _ in range(5 * 24):
        state.now += HOUR
        asked += [state.now] if state.run(due=Due(), ends=Outcome("failed", "timeout")) else []
    gaps = [int(later - earlier) // HOUR for earlier, later in pairwise(asked)]
    assert gaps == [1, 1, 4, 16, 64]


def test_a_document_that_is_one_no_more(state: State) -> None:
    """A known page that is dropped, as behind a wall, counts as a visit; it is not asked for in a loop."""
    state.run(article("/a"))
    state.now += DAY
    assert state.run(due=Due(), ends=Outcome("dropped", "paywalled")) == ["/a"]
    assert state.run(due=Due(), ends=Outcome("dropped", "paywalled")) == []


@pytest.mark.parametrize(
    ("kept", "told", "asked"), [(None, 10, True), (5, 10, True), (10, 10, False), (None, -10, False)]
)
def test_lastmod(state: State, kept: int | None, told: int, asked: bool) -> None:
    """A later time than was said before, or than the visit if nothing was, makes a page due at once."""
    before = None if kept is None else BEGINNING - 5 * DAY + kept
    state.run(article("/a", before))
    state.now += HOUR
    now = BEGINNING + told if kept is None else BEGINNING - 5 * DAY + told
    assert state.run(article("/a", now)) == [], "a run that asks for new pages only keeps in mind what it is told"
    assert (state.row("/a")["due"] == 0) == asked
    assert state.run(due=Due()) == (["/a"] if asked else [])


def test_what_is_said_wrongly_is_not_believed_for_ever(state: State) -> None:
    """After two false alarms what is said of a page does not count, until it is seen changed."""
    unchanged = Outcome("unchanged", status=304)
    asked = []
    state.run(article("/a", BEGINNING))
    for day in range(1, 5):
        state.now += MINUTE
        asked.append(bool(state.run(article("/a", BEGINNING + day * DAY), due=Due(), ends=unchanged)))
    assert asked == [True, True, False, False]
    state.now += DAY
    assert state.run(due=Due(), ends=Outcome("done")) == ["/a"]
    state.now += MINUTE
    assert state.run(article("/a", BEGINNING + 9 * DAY), due=Due()) == ["/a"]


def test_times_that_servers_give(state: State) -> None:
    """A page is not due as long as its server says that it is fresh."""
    state.run(FRONT, told=Told(fresh_seconds=6 * HOUR))
    state.now += 5 * HOUR
    assert state.run(FRONT) == []
    state.now += 2 * HOUR
    assert state.run(FRONT) == ["/"]


def test_a_clock_that_jumps_back(state: State) -> None:
    """Visits of the future make everything due once, no interval is negative, and nothing is asked in a loop."""
    state.now += 300 * DAY
    state.run(FRONT, article("/a"))
    state.now -= 300 * DAY
    assert state.run(FRONT, due=Due()) == ["/", "/a"]
    assert state.run(FRONT, due=Due()) == []
    row = state.row("/a")
    assert BEGINNING < int(str(row["due"])) < BEGINNING + DAY
    assert float(str(row["rate"])) > 0
    state.now += DAY
    assert state.run(FRONT, due=Due()) == ["/", "/a"]


def test_a_clock_that_jumps_back_within_a_run(state: State) -> None:
    """The run goes on and asks for each page once."""
    state.run(FRONT, article("/a"), article("/b"))
    state.now += DAY
    frontier = state.open()
    frontier.add([FRONT])
    frontier.ask_due(Due())
    asked = []
    while (lease := frontier.lease()) is not None:
        asked.append(lease.link.url.removeprefix(HOST))
        state.now -= 3 * DAY if asked[-1] != "/" else 0
        state.end(frontier, lease, Outcome())
    frontier.close()
    assert asked == ["/", "/a", "/b"]


@pytest.mark.parametrize("version", [1, 2])
def test_states_of_earlier_releases(state: State, version: int) -> None:
    """Their documents are due when they are twice as old as now, index pages at once, and nothing is lost."""
    state.path.parent.mkdir()
    visited = datetime.now(UTC).timestamp() - 9 * DAY
    text = datetime.fromtimestamp(visited, UTC).isoformat(timespec="seconds")
    with closing(sqlite3.connect(state.path)) as earlier, earlier:
        run_statements(earlier, schema._FIRST_TABLES)
        for step in schema.KIND.steps[: version - 1]:
            step(earlier)
        earlier.execute(f"PRAGMA application_id = {schema.KIND.application_id}")
        earlier.execute(f"PRAGMA user_version = {version}")
        known = [("/", "page", text), ("/a", "article", text), ("/b", "article", None)]
        for number, (path, kind, seen) in enumerate(known):
            row = (number + 1, key_of(HOST + path), HOST + path, "h.es", kind, 0, "{}", 2, 0, '"e"', seen)
            names = "id, key, url, host, kind, priority, place, state, run, etag, visited"
            earlier.execute(f"INSERT INTO links({names}) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    state.now = visited + 9 * DAY + HOUR
    assert state.run(FRONT, due=Due()) == ["/"]
    state.now = visited + 18 * DAY + HOUR
    assert state.run(due=Due()) == ["/a"]
    assert (state.row("/a")["visits"], state.row("/a")["first_visited"]) == (2, int(visited))
    assert state.row("/b")["due"] is None
