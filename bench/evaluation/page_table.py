"""The table of all pages, and those that were read least well."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.evaluation.grids import Grid
from bench.evaluation.groups import BySystem, set_of
from bench.evaluation.scores import Score
from bench.extraction_sets import Sample

COLUMNS = (
    "set", "page", "url", "site", "kind", "language", "extractor", "measure", "f1", "precision", "recall", "right",
    "wrong", "missed", "confidence", "trouble",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Poor:
    """A page that ours read badly, and the peer that read it best."""

    ours: Score
    best: Score | None

    @property
    def behind(self) -> float:
        """How far the best peer is ahead on this page."""
        return self.best.f1 - self.ours.f1 if self.best else 0.0


def write_csv(file: Path, by_system: BySystem, golds: Mapping[tuple[str, str], Sample]) -> None:
    """A row for each page and extractor."""
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(COLUMNS)
        for scores in by_system.values():
            rows.writerows(_row(score, golds[score.key].url) for score in scores)


def _row(score: Score, url: str) -> Iterator[object]:
    figures = (f"{value:.4f}" for value in (score.f1, score.precision, score.recall))
    sure = "" if score.confidence is None else f"{score.confidence:.3f}"
    said = (score.page_type, score.language, score.extractor, score.measure)
    yield from (set_of(score), score.page, url, score.domain, *said, *figures)
    yield from (score.right, score.wrong, score.missed, sure, score.trouble)


def pairs(by_system: BySystem, subject: str, rivals: Sequence[str]) -> list[Poor]:
    """Each page as ours read it, beside the peer that read it best."""
    others: dict[tuple[str, str], Score] = {}
    for name in rivals:
        for score in by_system[name]:
            if score.key not in others or score.f1 > others[score.key].f1:
                others[score.key] = score
    return [Poor(score, others.get(score.key)) for score in by_system[subject]]


def worst(found: Sequence[Poor], number: int) -> list[Poor]:
    """The pages with the least F1."""
    return sorted(found, key=lambda poor: (poor.ours.f1, poor.ours.key))[:number]


def most_behind(found: Sequence[Poor], number: int) -> list[Poor]:
    """The pages on which a peer shows that it can be done better."""
    ahead = [poor for poor in found if poor.behind > 0]
    return sorted(ahead, key=lambda poor: (-poor.behind, poor.ours.key))[:number]


def of_pages(title: str, found: Sequence[Poor]) -> Grid:
    """Pages with what ours and the best peer made of them."""
    rows = tuple(
        (
            f"{poor.ours.f1:.3f}",
            f"{poor.ours.precision:.3f}",
            f"{poor.ours.recall:.3f}",
            f"{poor.best.f1:.3f} {poor.best.extractor}" if poor.best else "-",
            set_of(poor.ours),
            poor.ours.page_type,
            poor.ours.page,
        )
        for poor in found
    )
    return Grid(title, ("F1", "precision", "recall", "best peer", "set", "kind", "page"), rows)
