"""Figures of many pages with what chance may do to them: a bootstrap over sites.

Pages of one site are made alike and are read alike, so whole sites are drawn, not pages: intervals are wider and
honest. Two extractors are compared on the same draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bench.evaluation.scores import Score

What = Literal["f1", "precision", "recall"]
Floats = NDArray[np.float64]
RESAMPLES = 2_000
SEED = 1
SHARE_WITHIN = 0.95


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and where it lies in 95 of 100 draws."""

    value: float
    least: float
    most: float
    pages: int
    sites: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one extractor is ahead of another, and in what share of the draws it is."""

    value: float
    least: float
    most: float
    p_better: float


def figure(scores: Sequence[Score], what: What = "f1") -> Figure:
    """The mean over pages; of phrases, of which pages have a handful each, the figure of the sums."""
    above, below, sites = _by_site(scores, what)
    drawn = _drawn(above, below)
    least, most = _interval(drawn)
    return Figure(_ratio(above.sum(), below.sum()), least, most, len(scores), len(sites))


def difference(ours: Sequence[Score], theirs: Sequence[Score]) -> Difference:
    """What the first is ahead by in F1, on the same pages and the same draws."""
    if [score.key for score in ours] != [score.key for score in theirs]:
        raise ValueError("two extractors are compared on the same pages in the same order, and these are not")
    own, other = _by_site(ours, "f1"), _by_site(theirs, "f1")
    drawn = _drawn(own[0], own[1]) - _drawn(other[0], other[1])
    least, most = _interval(drawn)
    value = _ratio(own[0].sum(), own[1].sum()) - _ratio(other[0].sum(), other[1].sum())
    return Difference(value, least, most, float((drawn > 0).mean() + (drawn == 0).mean() / 2))


def _by_site(scores: Sequence[Score], what: What) -> tuple[Floats, Floats, list[str]]:
    """For each site what is above the line of the fraction and what is below it."""
    sites = sorted({score.domain for score in scores})
    place = {site: number for number, site in enumerate(sites)}
    sums = np.zeros((2, len(sites)))
    for score in scores:
        sums[:, place[score.domain]] += _parts(score, what)
    return sums[0], sums[1], sites


def _parts(score: Score, what: What) -> tuple[float, float]:
    if score.measure != "phrases":
        return float(getattr(score, what)), 1.0
    if what == "precision":
        return score.right, score.right + score.wrong
    if what == "recall":
        return score.right, score.right + score.missed
    return 2 * score.right, 2 * score.right + score.wrong + score.missed


def _drawn(above: Floats, below: Floats) -> Floats:
    """The figure in each draw."""
    draws = _draws(len(above))
    upper, lower = draws @ above, draws @ below
    return np.divide(upper, lower, out=np.ones(RESAMPLES), where=lower > 0)


@lru_cache(maxsize=32)
def _draws(sites: int) -> Floats:
    """How often each site is drawn in each draw; so many sites are always drawn in the same way."""
    return np.random.default_rng(SEED).multinomial(sites, np.full(sites, 1 / sites), size=RESAMPLES).astype(np.float64)


def _ratio(upper: float, lower: float) -> float:
    return float(upper / lower) if lower else 1.0


def _interval(drawn: Floats) -> tuple[float, float]:
    outside = (1 - SHARE_WITHIN) / 2
    least, most = np.quantile(drawn, [outside, 1 - outside])
    return float(least), float(most)
