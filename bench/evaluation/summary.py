"""The tables of an evaluation, made from the scores of all extractors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import mean

from bench.evaluation.figures import Figure, What, figure
from bench.evaluation.grids import Grid
from bench.evaluation.groups import BySystem, Groups, ahead, best_of, by_kind, by_language, by_set
from bench.evaluation.scores import Score

INTERVALS = "In brackets, where the figure lies in 95 of 100 draws of as many sites."
BOTH: tuple[What, What] = ("precision", "recall")
CONFIDENCES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)


def grids(by_system: BySystem, subject: str, rivals: Sequence[str]) -> Iterator[Grid]:
    """All tables, the most important first."""
    yield of_f1(by_system)
    if subject in by_system and rivals:
        yield of_lead(by_system, subject, rivals)
    yield of_precision_and_recall(by_system)
    for title, grouped in (("by language, articles only", by_language), ("by kind of page, wcxb", by_kind)):
        yield of_groups(f"F1 {title}", by_system, grouped)
        if subject in by_system:
            yield of_subject(f"{subject} {title}", grouped(by_system[subject]))
    yield of_trouble(by_system)
    if sure := [score for score in by_system.get(subject, ()) if score.confidence is not None]:
        yield of_confidence(subject, sure)


def of_f1(by_system: BySystem) -> Grid:
    """F1 of each extractor on each set, the pages and sites of a set in its head."""
    groups = {name: by_set(scores) for name, scores in by_system.items()}
    sets = _names(groups)
    sizes = {name: figure(next(iter(groups.values()))[name]) for name in sets}
    head = ("extractor", *(f"{name} ({sizes[name].pages} of {sizes[name].sites} sites)" for name in sets))
    rows = tuple((name, *(_interval(figure(own[group])) for group in sets)) for name, own in groups.items())
    note = "Mean word F1 over pages; evaldata: F1 of the sums of phrases; without spaces: by characters. "
    return Grid("F1 by set", head, rows, note + INTERVALS)


def of_lead(by_system: BySystem, subject: str, rivals: Sequence[str]) -> Grid:
    """How far ours is ahead of the best peer on each set, and how sure that is."""
    rows = []
    for group in by_set(by_system[subject]):
        peer = best_of(group, rivals, by_system)
        if peer:
            lead = ahead(group, subject, peer, by_system)
            interval = f"{lead.value:+.4f} ({lead.least:+.3f} to {lead.most:+.3f})"
            rows.append((group, peer, interval, f"{lead.p_better:.3f}"))
    note = f"In what share of the draws of sites {subject} is ahead: p. Both are drawn together."
    head = ("set", "best peer", "ahead by", f"p({subject} better)")
    return Grid(f"{subject} and the best peer", head, tuple(rows), note)


def of_precision_and_recall(by_system: BySystem) -> Grid:
    """Both for each extractor on each set."""
    groups = {name: by_set(scores) for name, scores in by_system.items()}
    sets = _names(groups)
    rows = tuple(
        (name, *(" / ".join(f"{figure(own[group], what).value:.3f}" for what in BOTH) for group in sets))
        for name, own in groups.items()
    )
    return Grid("Precision / recall by set", ("extractor", *sets), rows)


def of_groups(title: str, by_system: BySystem, grouped: Callable[[Sequence[Score]], Groups]) -> Grid:
    """F1 of each extractor in each group; a row for each group, which may be many."""
    groups = {name: grouped(scores) for name, scores in by_system.items()}
    first = next(iter(groups.values()))
    rows = tuple(
        (group, str(len(first[group])), *(f"{figure(own[group]).value:.3f}" for own in groups.values()))
        for group in _names(groups)
    )
    return Grid(title, ("", "pages", *groups), rows)


def of_subject(title: str, groups: Groups) -> Grid:
    """Ours in each group: F1 with its interval, precision and recall."""
    rows = []
    for group, own in groups.items():
        f1 = figure(own)
        both = (f"{figure(own, what).value:.3f}" for what in BOTH)
        rows.append((group, str(f1.pages), str(f1.sites), _interval(f1), *both))
    return Grid(title, ("", "pages", "sites", "F1", *BOTH), tuple(rows))


def of_trouble(by_system: BySystem) -> Grid:
    """Pages on which nothing was found, and pages on which an error was raised."""
    rows = tuple(
        (
            name,
            str(sum(score.is_empty for score in scores)),
            str(sum(score.trouble != "" for score in scores)),
            next((score.trouble for score in scores if score.trouble), ""),
        )
        for name, scores in by_system.items()
    )
    return Grid("Pages that gave nothing", ("extractor", "nothing found", "raised", "such as"), rows)


def of_confidence(subject: str, scores: Sequence[Score]) -> Grid:
    """What an extractor says of itself beside what is so; a page's phrases are too few for an F1 of its own."""
    by_text = [(score.confidence or 0.0, score.f1) for score in scores if score.measure != "phrases"]
    rows = []
    for least, most in pairwise(CONFIDENCES):
        own = [pair for pair in by_text if least <= pair[0] < most]
        if own:
            said, is_so = (mean(column) for column in zip(*own, strict=True))
            rows.append((f"{least:.2f} to {min(most, 1):.2f}", str(len(own)), f"{said:.3f}", f"{is_so:.3f}"))
    return Grid(f"Confidence of {subject}", ("confidence", "pages", "mean confidence", "mean F1"), tuple(rows))


def _names(groups: Mapping[str, Groups]) -> list[str]:
    return list(next(iter(groups.values()))) if groups else []


def _interval(found: Figure) -> str:
    return f"{found.value:.4f} ({found.least:.3f}–{found.most:.3f})"
