"""How old a corpus is by three ways to spend the same number of requests: a simulation with known rates of change.

`uniform` asks for each page as often as for any other, `proportional` each as often as it changes; `crawl` asks as a
run with `-a revisit=due` does, by the same code (corpusbot/freshness_visits.py): the page whose visit is worth most.
Where rates are `known`, a policy is told them. Where they are `learnt`, it begins without knowledge and visits tell
only that a page has changed since the last one, as in a crawl. In `steady`, pages change at rates spread as those of
news pages are, from front pages to articles that nobody touches again. In `articles`, they are articles that are
printed day by day and corrected ever more seldom; there age counts on a page's own clock, as the crawl counts it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import accumulate
from typing import Any

from corpusbot.freshness_told import SECONDS_PER_DAY
from corpusbot.freshness_visits import Schedule, Visits, usual_of

SPREAD = ((0.05, 24.0), (0.15, 2.0), (0.3, 0.2), (0.5, 0.01))  # share of the pages, median changes a day
HOURS, MINUTES = 24, 1_440
CORRECTIONS = 0.3  # of an article, in a day of its clock; half of that is usual, half the article's own
WORLDS = {"steady": "page", "articles": "article"}
REQUESTS = {"steady": (24, 120, 480), "articles": (4, 12, 48)}  # a day, for a hundred pages
Policy = Callable[["Watched", float], float]


@dataclass(slots=True)
class Watched:
    """A page with its true rate of change on its clock, and what its visits told."""

    kind: str
    rate: float
    born: float
    known: Visits
    changed: float = math.inf  # the first change since the last visit, on the page's clock
    is_told: bool = False

    def clock(self, now: float) -> float:
        """What the page's clock shows."""
        return usual_of(self.kind).ticks(now - self.born)

    @property
    def guess(self) -> float:
        """The rate that a policy goes by."""
        return self.rate if self.is_told else self.known.rate


def by_uniform(page: Watched, now: float) -> float:
    """The page that waits longest."""
    return now * SECONDS_PER_DAY - page.known.last


def by_change(page: Watched, now: float) -> float:
    """The page with the most changes to be expected."""
    return page.guess * (page.clock(now) - page.clock(page.known.last / SECONDS_PER_DAY))


class ByWorth:
    """The page whose visit is worth most, by the crawl's own schedule."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule

    def __call__(self, page: Watched, now: float) -> float:
        """What a visit is worth, in the crawl's eyes."""
        known = replace(page.known, rate=page.rate) if page.is_told else page.known
        return self._schedule.worth(page.kind, known, now * SECONDS_PER_DAY)


@dataclass(frozen=True, slots=True)
class Trial:
    """What is simulated: which world, how many pages and days, how many requests a day."""

    world: str
    pages: int
    days: int
    requests: int
    is_told: bool
    seed: int


def policies(schedule: Schedule) -> Mapping[str, Policy]:
    """The ways to choose a page."""
    return {"uniform": by_uniform, "proportional": by_change, "crawl": ByWorth(schedule)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate and print; 1 if the crawl's way is not the best."""
    parser = argparse.ArgumentParser(prog="python -m bench.freshness", description=__doc__)
    parser.add_argument("--pages", type=int, default=600, help="(%(default)s)")
    parser.add_argument("--days", type=int, default=30, help="of which the second half is measured (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--format", choices=("table", "json"), default="table", help="(%(default)s)")
    options = parser.parse_args(arguments)
    is_best = True
    if options.format == "table":
        print(f"{options.pages:,} pages, {options.days} days: mean age in minutes, by requests a day")
        print(f"world     requests rates  {'uniform':>10} {'proportional':>13} {'crawl':>9}  crawl / best other")
    for world in WORLDS:
        for requests in (share * options.pages // 100 for share in REQUESTS[world]):
            for is_told in (True, False):
                trial = Trial(world, options.pages, options.days, requests, is_told, options.seed)
                found = row(trial)
                is_best = is_best and found["ratio"] < 1
                print(json.dumps(found) if options.format == "json" else line(found), flush=True)
    return 0 if is_best else 1


def row(trial: Trial) -> dict[str, Any]:
    """The mean age by each policy, in minutes."""
    schedule = Schedule(reread_days=100_000)
    ages = {name: MINUTES * mean_age(policy, trial, schedule) for name, policy in policies(schedule).items()}
    ratio = ages["crawl"] / min(ages["uniform"], ages["proportional"])
    rates = "known" if trial.is_told else "learnt"
    return {"world": trial.world, "requests": trial.requests, "rates": rates, **ages, "ratio": ratio}


def line(found: Mapping[str, Any]) -> str:
    """A row of the table."""
    ages = f"{found['uniform']:>10.3f} {found['proportional']:>13.3f} {found['crawl']:>9.3f}"
    return f"{found['world']:9} {found['requests']:>8} {found['rates']:7} {ages}  {found['ratio']:.2f}"


def mean_age(policy: Policy, trial: Trial, schedule: Schedule) -> float:
    """The mean age over pages and hours, measured before each hour's visits, each on its page's clock."""
    dice = random.Random(trial.seed)
    pages = [_page(dice, trial, schedule) for _ in range(trial.pages)]
    hours = trial.days * HOURS
    total, measured = 0.0, 0
    for hour in range(1, hours + 1):
        now = hour / HOURS
        out = [page for page in pages if page.born < now]
        if hour > hours // 2:
            total += sum(max(0.0, page.clock(now) - page.changed) for page in out)
            measured += len(out)
        for page in nlargest(trial.requests // HOURS, out, key=lambda one: policy(one, now)):
            _visit(page, now, schedule, dice)
    return total / measured


def _page(dice: random.Random, trial: Trial, schedule: Schedule) -> Watched:
    """A page, visited for the first time when it is printed: steady ones at the beginning, articles at all times."""
    if trial.world == "steady":
        born, rate = 0.0, _spread_rate(dice)
    else:
        born, rate = dice.uniform(-trial.days, trial.days), CORRECTIONS * dice.gammavariate(0.5, 2)
    kind = WORLDS[trial.world]
    known = schedule.first(kind, born * SECONDS_PER_DAY)
    return Watched(kind, max(rate, 1e-9), born, known, _next_change(dice, rate, 0.0), trial.is_told)


def _spread_rate(dice: random.Random) -> float:
    draw = dice.random()
    borders = accumulate(share for share, _ in SPREAD)
    median = next(median for border, (_, median) in zip(borders, SPREAD, strict=True) if draw <= border)
    return median * math.exp(dice.gauss(0, 0.7))


def _next_change(dice: random.Random, rate: float, after: float) -> float:
    return after + dice.expovariate(max(rate, 1e-9))


def _visit(page: Watched, now: float, schedule: Schedule, dice: random.Random) -> None:
    clock = page.clock(now)
    page.known = schedule.again(page.kind, page.known, now * SECONDS_PER_DAY, page.changed <= clock)
    page.changed = _next_change(dice, page.rate, clock)


if __name__ == "__main__":
    sys.exit(main())
