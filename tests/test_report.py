"""The report of a run, made of a known state."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from corpusbot.report import RunReport, as_json, as_text, exit_status, reason_of, run_report, write_report
from corpusbot.store.frontier import Frontier, Incident, Link, Outcome, Runs

DAY = "2024-03-31"
INDEX = "https://a.example/cultura/"
DONE, GONE = Outcome("done"), Outcome("failed", "http_404", "Ignoring non-200 response", 404)
SHORT = Outcome("dropped", "too_short", "12 words,\nwanted 30")


def link(url: str, kind: str = "article", section: str = "Cultura") -> Link:
    """A link as the spider makes it."""
    return Link(url, kind, place={"index": section, "section": section, "day": DAY}, again=kind != "article")


COUNTED = [
    *[("found by", "rules")] * 3, ("passed over", "rules: nothing"), ("passed over", "rules: too short"),
    ("passed over", "gist: not sure"), ("found by", "gist"), ("none passed the gate", "rules"),
    *[("kind", "article")] * 4, ("kind", "gallery"),
]  # fmt: skip


def state(
    folder: Path,
    ends: Iterable[tuple[Link, Outcome]],
    waiting: int = 0,
    ended: bool = True,
    counted: Iterable[tuple[str, str]] = (),
) -> RunReport:
    """The report of a run in which these links came to these ends, and so many others still wait."""
    path = folder / "state.sqlite"
    with Frontier(path) as frontier:
        run = frontier.begin_run({"limit": "9"})
        for one, outcome in ends:
            frontier.add([one])
            lease = frontier.lease()
            assert lease is not None
            frontier.acknowledge(lease.id, outcome)
        frontier.tally(counted)
        frontier.add(link(f"https://a.example/waiting/{number}") for number in range(waiting))
        if ended:
            frontier.finish_run("finished")
    return run_report("muestra", Runs(path), run, 61.4, {"clean_page": 1.0, "extract_article": 3.0})


def usual(folder: Path) -> RunReport:
    """A run with something of everything."""
    articles = [link(f"https://a.example/{number}") for number in range(4)]
    sport = link("https://a.example/sport/1", section="Deportes")
    ends = [(link(INDEX, "page"), Outcome("done", None, "5 links match"))]
    ends += [(link("https://a.example/rss", "feed"), GONE)]
    ends += [(article, DONE) for article in articles[:3]] + [(articles[3], SHORT), (sport, GONE)]
    return state(folder, ends, waiting=2)


def test_pages_asked_again_are_told(tmp_path: Path) -> None:
    """How many, how many had changed or were withdrawn, and what was due and is left; nothing due is all well."""
    counted = [("revisits", "asked again")] * 5 + [("revisits", "changed")] * 2 + [("revisits", "withdrawn")]
    report = state(tmp_path, [(link("https://a.example/1"), DONE)], counted=[*counted, ("revisits", "left")])
    text = as_text(report)
    assert "       5 asked again\n       2 of them changed\n       1 of them withdrawn (404, 410)\n" in text
    assert "       1 due and left for another run\n" in text
    assert json.loads(as_json(report))["revisits"] == {"asked again": 5, "changed": 2, "left": 1, "withdrawn": 1}
    asleep = state(tmp_path / "asleep", [], counted=[("revisits", "index pages not due")])
    assert exit_status(asleep) == 0
    assert "Found by" not in as_text(asleep)


def test_the_text(tmp_path: Path) -> None:
    """Numbers first, then sections and days, then what is missing and why, with an example of each."""
    assert as_text(usual(tmp_path)) == """\
muestra, run 1: 7 pages asked for in 61 s (finished)
       3 documents
       2 index pages, feeds and sitemaps
       1 dropped
       2 failed
       2 waiting for the next run

section   day              done  unchanged    dropped     failed
Cultura   2024-03-31          3          0          1          0
Deportes  2024-03-31          0          0          0          1

Not in the corpus, by cause
       2 failed   http_404               https://a.example/rss
       1 dropped  too_short              https://a.example/3

Time by stage: extract_article 75%, clean_page 25%
"""


def test_the_json(tmp_path: Path) -> None:
    """For programs: all numbers, and every address that was asked for in vain."""
    told = json.loads(as_json(usual(tmp_path)))
    assert told["counts"] == {"done": 4, "failed": 2, "dropped": 1}
    assert (told["waiting"], told["seconds"], told["run"]["arguments"]) == (2, 61.4, {"limit": "9"})
    assert {(one["url"], one["cause"]) for one in told["incidents"]} == {
        ("https://a.example/rss", "http_404"),
        ("https://a.example/3", "too_short"),
        ("https://a.example/sport/1", "http_404"),
    }
    assert told["stages"] == {"clean_page": 1.0, "extract_article": 3.0}


def test_who_found_the_bodies(tmp_path: Path) -> None:
    """How often each extractor was taken, and passed over for which reason; and what the pages were."""
    report = state(tmp_path, [(link("https://a.example/1"), DONE)], counted=COUNTED)
    assert """
Found by: rules 3, gist 1
None passed the gate: rules 1
Passed over: gist: not sure 1; rules: nothing 1, too short 1
Kinds: article 4, gallery 1
""" in as_text(report)
    told = json.loads(as_json(report))
    assert told["found_by"] == {"rules": 3, "gist": 1}
    assert told["none_passed_the_gate"] == {"rules": 1}
    assert told["passed_over"] == {"rules": {"nothing": 1, "too short": 1}, "gist": {"not sure": 1}}
    assert told["kinds"] == {"article": 4, "gallery": 1}


def test_the_files(tmp_path: Path) -> None:
    """Text and JSON lie side by side; the text ends with every incident on a line of its own."""
    path = write_report(usual(tmp_path), tmp_path / "reports")
    assert sorted(file.name for file in path.parent.iterdir()) == ["run-00001.json", "run-00001.txt"]
    lines = path.read_text(encoding="utf-8").partition("Every one of them\n")[2].splitlines()
    assert "dropped\ttoo_short\t12 words, wanted 30\thttps://a.example/3" in lines
    assert len(lines) == 3


def test_index_pages_that_led_nowhere(tmp_path: Path) -> None:
    """An index page none of whose links matches is not a failure, but is told: mostly its newspaper was redesigned."""
    report = state(tmp_path, [(link(INDEX, "page"), Outcome("done", "no_links", "0 links match"))])
    assert f"Index pages none of whose links matches a link pattern\n  {INDEX}\n" in as_text(report)
    assert json.loads(as_json(report))["fruitless"] == [INDEX]
    assert exit_status(report) == 0


@pytest.mark.parametrize(
    ("ends", "ended", "status"),
    [
        ([(link(INDEX, "page"), DONE)], True, 0),
        ([(link(INDEX, "page"), DONE), (link("https://a.example/1"), GONE)], True, 0),
        ([(link("https://a.example/1"), DONE)], True, 0),
        ([(link(INDEX, "page"), GONE)], True, 2),
        ([(link(INDEX, "sitemap"), GONE), (link("https://a.example/1"), DONE)], True, 2),
        ([], True, 2),
        ([(link(INDEX, "page"), DONE)], False, 2),
    ],
)
def test_exit_status(tmp_path: Path, ends: list[tuple[Link, Outcome]], ended: bool, status: int) -> None:
    """2 if an index page could not be had, if nothing was asked for, or if the run's end could not be written."""
    assert exit_status(state(tmp_path, ends, ended=ended)) == status


def test_a_run_without_articles(tmp_path: Path) -> None:
    """No empty table."""
    text = as_text(state(tmp_path, [(link(INDEX, "page"), Outcome("unchanged"))]))
    assert "section" not in text
    assert "1 unchanged" in text


@pytest.mark.parametrize(
    ("cause", "detail", "reason"),
    [
        ("http_404", "Ignoring non-200 response", "http_404"),
        ("too_short", "12 words", "too_short (12 words)"),
        ("timeout", None, "timeout"),
        (None, None, "failed"),
    ],
)
def test_reasons(cause: str | None, detail: str | None, reason: str) -> None:
    """In a few words; Scrapy's remark on HTTP statuses says nothing more."""
    assert reason_of(Incident("u", "article", "failed", cause, detail, None, None)) == reason
