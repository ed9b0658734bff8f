"""The report: one file with tables, charts and side-by-side views, without scripts and nothing from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from pathlib import Path

from bench.evaluation.charts import Dot, dots
from bench.evaluation.figures import Figure, figure
from bench.evaluation.grids import Grid
from bench.evaluation.groups import BySystem, ahead, best_of, by_kind, by_set
from bench.evaluation.scores import Score
from bench.evaluation.views import View

STYLE = Path(__file__).with_name("report.css")
NUMERIC = frozenset("0123456789.,+-/ ")


@dataclass(frozen=True, slots=True)
class Report:
    """All that the report shows."""

    title: str
    said: str
    by_system: BySystem
    subject: str
    rivals: tuple[str, ...]
    grids: tuple[Grid, ...]
    lists: tuple[tuple[Grid, tuple[str, ...]], ...]
    views: tuple[View, ...]


def html_of(report: Report) -> str:
    """The whole file."""
    style = STYLE.read_text(encoding="utf-8")
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.title)}</title><style>{style}</style></head>"
    )
    contents = '<nav><a href="#charts">Charts</a> <a href="#tables">Tables</a> <a href="#list">Worst pages</a></nav>'
    parts = (*_charts(report), *_tables(report), *_lists(report), *(view.html() for view in report.views))
    top = f'<header><h1>{escape(report.title)}</h1><p class="said">{escape(report.said)}</p>{contents}</header>'
    return f"{head}<body>{top}<main>{''.join(parts)}</main></body></html>\n"


def _charts(report: Report) -> Iterator[str]:
    yield '<h2 id="charts">Charts</h2>'
    if report.subject in report.by_system and report.rivals:
        yield f'<h3>Ahead of the best peer, F1</h3><div class="charts">{_lead(report)}</div>'
    for title, grouping in (("F1 by set", by_set), ("F1 by kind of page, wcxb", by_kind)):
        groups = {name: grouping(scores) for name, scores in report.by_system.items()}
        names = list(next(iter(groups.values())))
        if names:
            charts = "".join(_chart(report, name, {one: own[name] for one, own in groups.items()}) for name in names)
            yield f'<h3>{escape(title)}</h3><div class="charts">{charts}</div>'
    note = "Dots: figures. Lines: where they lie in 95 of 100 draws of as many sites. Each chart has its own scale."
    yield f'<p class="said">{note}</p>'


def _lead(report: Report) -> str:
    rows = []
    for group in by_set(report.by_system[report.subject]):
        peer = best_of(group, report.rivals, report.by_system)
        if peer:
            lead = ahead(group, report.subject, peer, report.by_system)
            rows.append(Dot(group, lead.value, lead.least, lead.most, lead.least > 0))
    title = f"{report.subject} ahead of the best peer"
    said = f"{title}: a full dot where the whole line is on its side"
    return f"<figure>{dots(title, rows, 0.0, '+')}<figcaption>{escape(said)}</figcaption></figure>"


def _chart(report: Report, group: str, scores: Mapping[str, Sequence[Score]]) -> str:
    """All extractors on one group of pages, the best first."""
    figures = {name: figure(own) for name, own in scores.items()}
    order = sorted(figures, key=lambda name: -figures[name].value)
    rows = [_dot(name, figures[name], name == report.subject) for name in order]
    size = figures[order[0]]
    said = f"<strong>{escape(group)}</strong>, {size.pages} pages of {size.sites} sites"
    return f"<figure><figcaption>{said}</figcaption>{dots(f'F1 on {group}', rows)}</figure>"


def _dot(name: str, found: Figure, is_ours: bool) -> Dot:
    return Dot(name, found.value, found.least, found.most, is_ours)


def _tables(report: Report) -> Iterator[str]:
    yield '<h2 id="tables">Tables</h2>'
    yield from (_table(grid, report.subject) for grid in report.grids)


def _table(grid: Grid, subject: str, links: Sequence[str] = ()) -> str:
    """A table; the last cell of each row leads to the place that is named for it."""
    kinds = [_kind(column) for column in zip(*grid.rows, strict=True)] or [""] * len(grid.head)
    head = "".join(f'<th scope="col"{kind}>{_cell(cell)}</th>' for cell, kind in zip(grid.head, kinds, strict=True))
    rows = []
    for row, link in zip_longest(grid.rows, links[: len(grid.rows)]):
        cells = [f"<td{kind}>{_cell(cell)}</td>" for cell, kind in zip(row[1:], kinds[1:], strict=True)]
        if link:
            cells[-1] = f'<td><a href="#{link}">{escape(row[-1])}</a></td>'
        mark = ' class="ours"' if row[0] == subject else ""
        rows.append(f'<tr{mark}><th scope="row"{kinds[0]}>{escape(row[0])}</th>{"".join(cells)}</tr>')
    note = f'<p class="said">{escape(grid.note)}</p>' if grid.note else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<h3>{escape(grid.title)}</h3><div class="wide" tabindex="0">{table}</div>{note}'


def _cell(cell: str) -> str:
    """What stands in brackets under the rest: the interval of a figure, the size of a set."""
    value, bracket, interval = cell.partition(" (")
    if bracket:
        return f"{escape(value)}<br><small>{escape(interval.removesuffix(')'))}</small>"
    return escape(cell)


def _kind(column: Sequence[str]) -> str:
    """Columns of numbers are set to the right."""
    return ' class="number"' if all(set(cell.partition(" (")[0]) <= NUMERIC for cell in column) else ""


def _lists(report: Report) -> Iterator[str]:
    yield '<h2 id="list">Worst pages</h2>'
    yield '<p class="said">The last column leads to the page. What was missed is <mark class="missed">marked</mark> in '
    yield 'the gold, what was added is <mark class="added">marked</mark> in what was found, '
    yield 'and so are phrases that are <mark class="found">wanted</mark> and not <mark class="added">wanted</mark>.</p>'
    yield from (_table(grid, report.subject, links) for grid, links in report.lists)
