"""The report: a whole and safe HTML file that shows the worst pages."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from bench.evaluation.charts import Dot, dots
from bench.evaluation.grids import Grid
from bench.evaluation.page_table import most_behind, pairs, worst
from bench.evaluation.report_html import html_of
from bench.evaluation.scores import Reading
from tests.bench_data import data_folder
from tests.test_bench_eval_extract import gold_of, half_of, outcome_of, reader

VOID = ("meta", "br", "line", "circle", "path")


class Checker(HTMLParser):
    """Sees that every element is closed, and gathers names, links and marks."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.names: set[str] = set()
        self.links: set[str] = set()
        self.outside: list[str] = []
        self.marked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open it."""
        known = dict(attrs)
        self.seen.append(tag)
        self.names.add(known.get("id") or "")
        if (known.get("href") or "").startswith("#"):
            self.links.add((known.get("href") or "")[1:])
        self.outside += [name for name in known if name == "src" or name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close it."""
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """What is marked."""
        if "mark" in self.open:
            self.marked.append(data)


def checked(html: str) -> Checker:
    """The file, read."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert not checker.open
    return checker


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report on an extractor that finds half, beside one that finds all."""
    folder = tmp_path_factory.mktemp("report")
    readers = reader("half", half_of, is_ours=True), reader("all", gold_of)
    found = outcome_of(data_folder(folder), folder, *readers)
    return html_of(found.report(found.tables(), 2, "Twenty pages."))


def test_it_is_whole(report: str) -> None:
    """Every element is closed, every link within it leads somewhere, and nothing is fetched or run."""
    checker = checked(report)
    assert checker.links <= checker.names
    assert {"page-1", "page-2", "list", "tables", "charts"} <= checker.names
    assert not checker.outside
    assert not {"script", "link", "img", "iframe"} & set(checker.seen)
    assert "prefers-color-scheme: dark" in report


def test_the_worst_pages_are_shown_with_what_was_missed(tmp_path: Path) -> None:
    """Words of the gold's second half are marked."""
    found = outcome_of(data_folder(tmp_path), tmp_path, reader("half", half_of, is_ours=True), reader("all", gold_of))
    poor = next(one for one in worst(pairs(found.scores, "half", ["all"]), 20) if one.ours.measure == "words")
    gold = next(page for page in found.golds.values() if page.id == poor.ours.page)
    shown = html_of(found.report(found.tables(), 20, ""))
    assert poor.ours.f1 < 0.8
    assert gold.url in shown
    assert (gold.text or "").split()[-1].strip(".") in " ".join(checked(shown).marked)


def test_what_pages_say_is_not_run(tmp_path: Path) -> None:
    """A page's text is text."""
    evil = "<script>alert(1)</script> & <b>bold"
    readers = reader("evil", lambda page: Reading(evil), is_ours=True), reader("all", gold_of)
    found = outcome_of(data_folder(tmp_path), tmp_path, *readers)
    html = html_of(found.report(found.tables(), 1, evil))
    assert "script" not in checked(html).seen
    assert "&lt;script&gt;alert" in html


def test_pages_are_sorted_by_how_bad_they_are(tmp_path: Path) -> None:
    """The least first; and those that another reads better by how much better it does."""
    found = outcome_of(data_folder(tmp_path), tmp_path, reader("half", half_of, is_ours=True), reader("all", gold_of))
    together = pairs(found.scores, "half", ["all"])
    least = [poor.ours.f1 for poor in worst(together, 20)]
    assert least == sorted(least)
    assert len(least) == 20
    behind = [poor.behind for poor in most_behind(together, 20)]
    assert behind == sorted(behind, reverse=True)
    assert min(behind) > 0
    assert most_behind(pairs(found.scores, "all", ["half"]), 20) == []


def test_a_report_without_peers_is_whole(tmp_path: Path) -> None:
    """Nothing to be compared with."""
    found = outcome_of(data_folder(tmp_path), tmp_path, reader("half", half_of, is_ours=True))
    assert {"charts", "page-1"} <= checked(html_of(found.report(found.tables(), 1, ""))).names


def test_a_chart_has_a_dot_for_each_figure() -> None:
    """What is far below the best stands at the edge, so that the others can be told apart."""
    chart = dots("F1", [Dot("ours", 0.95, 0.94, 0.96, True), Dot("other", 0.9, 0.88, 0.92), Dot("far", 0.1, 0, 0.2)])
    assert chart.count("<circle") == 2
    assert chart.count("<path") == 1
    checked(chart)


def test_a_line_at_zero_parts_better_from_worse() -> None:
    """Wherever the figures lie."""
    assert 'class="zero"' in dots("ahead", [Dot("aeb", 0.1, 0.05, 0.2)], 0.0, "+")
    assert "+0.100" in dots("ahead", [Dot("aeb", 0.1, 0.05, 0.2)], 0.0, "+")
    assert 'class="zero"' not in dots("F1", [Dot("aeb", 0.1, 0.05, 0.2)])


def test_an_empty_table_is_a_head() -> None:
    """As that of the pages that a peer reads better, if there are none."""
    from bench.evaluation.report_html import _table

    assert "<tbody></tbody>" in _table(Grid("None", ("a", "b"), ()), "gist")
