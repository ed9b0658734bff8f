"""How old a corpus is by three ways to spend the same number of requests: a simulation with known rates of change.

`uniform`: each page as often as any other. `proportional`: each as often as it changes. `worth`: always the page
whose visit is worth most (corpusbot/freshness.py). Rates are spread as those of news pages are: index pages that
change every hour, articles that are corrected in their first days, and many that never change again. In `known`, a
policy is told the rates; in `learnt`, it knows what visits have told, as a crawler does.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import accumulate

from corpusbot.freshness import Interval, change_rate, worth_of_visit

SPREAD = ((0.05, 24.0), (0.15, 2.0), (0.3, 0.2), (0.5, 0.01))  # share of the pages, median changes a day
HOURS = 24
MOST_INTERVALS = 30
# What a policy thinks of a page, by its rate and the days since the last visit: the highest is visited.
POLICIES: Mapping[str, Callable[[float, float], float]] = {
    "uniform": lambda rate, days: days,
    "proportional": lambda rate, days: rate * days,
    "worth": worth_of_visit,
}


@dataclass(slots=True)
class Watched:
    """A page with its true rate, its first change since the last visit, and what visits told."""

    rate: float
    guess: float
    changed: float
    visited: float = 0.0
    told: list[Interval] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.freshness", description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000, help="(%(default)s)")
    parser.add_argument("--days", type=int, default=40, help="of which the second half is measured (%(default)s)")
    parser.add_argument("--requests", type=int, nargs="+", default=[240, 1_200, 4_800], help="a day (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    options = parser.parse_args(arguments)
    print(f"{options.pages:,} pages, {options.days} days: mean age in days, by requests a day")
    for requests in options.requests:
        for knows in ("known", "learnt"):
            ages = {
                name: mean_age(policy, knows == "known", options, requests) for name, policy in POLICIES.items()
            }
            others = min(ages["uniform"], ages["proportional"])
            told = "  ".join(f"{name} {age:.4f}" for name, age in ages.items())
            ratio = ages["worth"] / others
            print(f"{requests:>6}  rates {knows:<7} {told}  worth / best other {ratio:.2f}", flush=True)
    return 0


def mean_age(
    policy: Callable[[float, float], float], known: bool, options: argparse.Namespace, requests: int
) -> float:
    """The mean age over pages and hours, measured before each hour's visits."""
    dice = random.Random(options.seed)
    pages = [_page(dice, known) for _ in range(options.pages)]
    hours: int = options.days * HOURS
    total = 0.0
    for hour in range(1, hours + 1):
        now = hour / HOURS
        if hour > hours // 2:
            total += sum(now - page.changed for page in pages if page.changed < now)
        for page in nlargest(requests // HOURS, pages, key=lambda one: policy(one.guess, now - one.visited)):
            _visit(page, now, known, dice)
    return total / len(pages) / (hours - hours // 2)


def _page(dice: random.Random, known: bool) -> Watched:
    draw = dice.random()
    borders = accumulate(share for share, _ in SPREAD)
    median = next(median for border, (_, median) in zip(borders, SPREAD, strict=True) if draw <= border)
    rate = median * math.exp(dice.gauss(0, 0.7))
    return Watched(rate, rate if known else change_rate([]), dice.expovariate(rate))


def _visit(page: Watched, now: float, known: bool, dice: random.Random) -> None:
    page.told.append(Interval(now - page.visited, page.changed <= now))
    page.visited, page.changed = now, now + dice.expovariate(page.rate)
    if not known:
        page.guess = change_rate(page.told[-MOST_INTERVALS:])


if __name__ == "__main__":
    sys.exit(main())
