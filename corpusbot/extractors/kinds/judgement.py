"""Article, collection or something else: a small model's judgement, and the measures that spoke for it most.

The model is a sum: each measure of a page gives each kind some points, by a table learnt from real pages. So a
look-up for each measure is all there is to do, and the reasons can be read off the sum.
"""

from __future__ import annotations

import gzip
import json
import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from typing import Any

from corpusbot.extractors.kinds.measures import measures_of
from corpusbot.extractors.kinds.names import TYPES
from corpusbot.extractors.kinds.reasons import told
from corpusbot.extractors.kinds.signs import SOME_TEXT, Signs
from corpusbot.model import Kind

FILE = "model.json.gz"
LEARNT = ("article", "collection", "other")
# Points for an article, as logarithms of odds, for what the pages that the model learnt from hardly show: a body that
# a site's own rules found is nearly always one (20 to 1), news with some text mostly, a home page or one without any
# text hardly ever. On the sets of `python -m bench.eval_kinds`, no newspaper's article is lost by them, and one won.
BY_RULE = 3.0
NEWS = 2.0
HOME = -2.5
NO_TEXT = -3.0
HARDLY_ANY = 80  # characters, fewer than the shortest brief has
REASONS = 3


@dataclass(frozen=True, slots=True)
class Judge:
    """The points to begin with, and for each measure the borders between its values and the points in each range."""

    base: tuple[float, ...]
    borders: Mapping[str, Sequence[float]]
    points: Mapping[str, Sequence[Sequence[float]]]

    def points_of(self, measures: Mapping[str, float]) -> dict[str, Sequence[float]]:
        """The points that each measure of a page gives each kind."""
        return {
            name: self.points[name][bisect_left(borders, measures[name])] for name, borders in self.borders.items()
        }

    def shares(self, points: Mapping[str, Sequence[float]], article: float = 0.0) -> list[float]:
        """How likely each kind is, `article` being points for it that come from elsewhere."""
        sums = [base + sum(kind) for base, kind in zip(self.base, zip(*points.values(), strict=True), strict=True)]
        sums[0] += article
        most = max(sums)
        odds = [math.exp(one - most) for one in sums]
        total = sum(odds)
        return [one / total for one in odds]


def judged(signs: Signs, judge: Judge | None = None) -> Kind:
    """The kind of a page that no rule knows, by the model that ships or another."""
    judge = judge or shipped_judge()
    measures = measures_of(signs)
    points = judge.points_of(measures)
    shares = judge.shares(points, _beside(signs))
    best = max(range(len(shares)), key=shares.__getitem__)
    reasons = list(islice(told(LEARNT[best], signs, measures, _speaking_for(points, best)), REASONS))
    if signs.by_rule and best == 0:
        reasons.insert(0, "the site's own rules found its text")
    if best != 0:
        reasons[:0] = ["a home page"] * signs.is_home + ["hardly any text"] * (signs.body_length < HARDLY_ANY)
    reasons = reasons or [f"{signs.body_length} characters of text"]
    return Kind(LEARNT[best], round(shares[best], 3), ", ".join(reasons[:REASONS]))


def _beside(signs: Signs) -> float:
    """The points for an article that come from beside the model."""
    if signs.by_rule and sum(signs.paragraphs) >= SOME_TEXT:
        return BY_RULE
    if signs.is_sure_article:
        return NEWS if TYPES["ld_news"] & signs.types else 0.0
    return (HOME if signs.is_home else 0.0) + (NO_TEXT if signs.body_length < HARDLY_ANY else 0.0)


def _speaking_for(points: Mapping[str, Sequence[float]], kind: int) -> Iterator[str]:
    """The measures that speak for a kind rather than for the others, the strongest first."""
    lead = [(own[kind] - (sum(own) - own[kind]) / (len(own) - 1), name) for name, own in points.items()]
    yield from (name for _, name in sorted([one for one in lead if one[0] > 0], reverse=True))


def judge_of(data: Mapping[str, Any]) -> Judge:
    """The judge that some data describe."""
    return Judge(tuple(data["base"]), data["borders"], data["points"])


@lru_cache(maxsize=1)
def shipped_judge() -> Judge:
    """The judge that comes with the program, which `python -m bench.train_kinds` makes."""
    packed = files("corpusbot.extractors.kinds").joinpath(FILE).read_bytes()
    return judge_of(json.loads(gzip.decompress(packed)))
