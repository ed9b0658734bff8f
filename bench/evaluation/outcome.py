"""What an evaluation comes to: readings, scores, the pages that were read worst, and the report on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.evaluation.grids import Grid
from bench.evaluation.page_table import Poor, most_behind, of_pages, pairs, worst
from bench.evaluation.readers import Reader
from bench.evaluation.readings import Readings
from bench.evaluation.report_html import Report
from bench.evaluation.scores import Reading, Score, scored
from bench.evaluation.summary import grids
from bench.evaluation.views import View
from bench.extraction_sets import Sample


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pages by their keys, and for each extractor its readings and scores; the subject is the one that matters."""

    golds: Mapping[str, Sample]
    readings: Mapping[str, Mapping[str, Reading]]
    scores: Mapping[str, Sequence[Score]]
    subject: str
    rivals: tuple[str, ...]

    def tables(self) -> tuple[Grid, ...]:
        """All tables of figures."""
        return tuple(grids(self.scores, self.subject, self.rivals))

    def lists(self, number: int) -> list[tuple[Grid, list[Poor]]]:
        """The pages to look at: so many of the worst, and so many on which a peer did better."""
        found = pairs(self.scores, self.subject, self.rivals)
        lists = [(f"The worst pages of {self.subject}", worst(found, number))]
        if self.rivals:
            lists.append(("Pages on which a peer is furthest ahead", most_behind(found, number)))
        return [(of_pages(title, poor), poor) for title, poor in lists]

    def report(self, tables: tuple[Grid, ...], number: int, said: str) -> Report:
        """All that the HTML report shows."""
        lists = self.lists(number)
        shown = {poor.ours.key: poor for _, listed in lists for poor in listed}
        names = {key: f"page-{place}" for place, key in enumerate(shown, 1)}
        return Report(
            title="How well the extractors read",
            said=said,
            by_system=self.scores,
            subject=self.subject,
            rivals=self.rivals,
            grids=tables,
            lists=tuple((grid, tuple(names[poor.ours.key] for poor in listed)) for grid, listed in lists),
            views=tuple(self._views(shown, names)),
        )

    def _views(self, shown: Mapping[tuple[str, str], Poor], names: Mapping[tuple[str, str], str]) -> Iterator[View]:
        places = {(gold.collection, gold.id): key for key, gold in self.golds.items()}
        for key, poor in shown.items():
            page = places[key]
            best = self.readings[poor.best.extractor][page].text if poor.best else ""
            yield View(names[key], poor, self.golds[page], self.readings[self.subject][page].text, best)


def outcome(
    readers: Sequence[Reader], readings: Readings, golds: Mapping[str, Sample], words_only: bool = False
) -> Outcome:
    """All pages read by all readers and scored; the first reader is the one that matters."""
    found = {reader.name: readings.of(reader, golds) for reader in readers}
    scores = {
        name: [scored(name, gold, own[key], words_only) for key, gold in golds.items()] for name, own in found.items()
    }
    return Outcome(golds, found, scores, readers[0].name, tuple(one.name for one in readers if not one.is_ours))
