"""When to look at a page again: how often it changes, how old what we have of it is, and what a visit is worth.

Changes are taken to come by chance at a steady rate (a Poisson process). A visit tells only whether a page has
changed at least once since the last one. All times are in days, all rates are changes a day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, expm1, inf

# What is known of a page before it was ever visited twice, as if that many changes had been seen in so many days.
USUAL_CHANGES = 0.5
USUAL_DAYS = 1.0
_TOLERANCE = 1e-6
_MOST_STEPS = 100
_SMALL = 1e-3  # below this, differences of nearly equal numbers are replaced by the first terms of their series


@dataclass(frozen=True, slots=True)
class Interval:
    """The days between two visits, and whether the page had changed."""

    days: float
    changed: bool


def change_rate(
    visits: Iterable[Interval], usual_changes: float = USUAL_CHANGES, usual_days: float = USUAL_DAYS
) -> float:
    """The likeliest rate of change, given visits at any intervals and what is usual.

    It is the λ at which the days without a change balance what the days with one make likely: the sum of
    t / (e^λt - 1) over intervals with a change, and usual_changes / λ, equal the days of the intervals without one
    and usual_days. The difference falls ever more slowly as λ grows, so that Newton's steps from below reach it.

    >>> round(change_rate([], 1, 2), 3)
    0.5
    >>> often, seldom = [Interval(1, True)] * 9 + [Interval(1, False)], [Interval(1, False)] * 9
    >>> change_rate(seldom) < 0.1 < 1.5 < change_rate(often)
    True
    """
    still, moved = usual_days, []
    for one in visits:
        if one.changed and one.days > 0:
            moved.append(one.days)
        elif one.days > 0:
            still += one.days
    # t / (e^λt - 1) is more than 1 / λ - t / 2, so that the rate is no less than this.
    rate = (usual_changes + len(moved)) / (still + sum(moved) / 2)
    for _ in range(_MOST_STEPS):
        excess, slope = usual_changes / rate - still, usual_changes / rate**2
        for days in moved:
            pull = _pull(days, rate)
            excess += pull
            slope += pull * (days + pull)
        step = excess / slope
        rate += max(step, 0.0)
        if step <= _TOLERANCE * rate:
            break
    return rate


def expected_age(rate: float, days: float) -> float:
    """How old what was had some days ago is to be expected to be: the time since the first change that we missed.

    The integral of λ e^-λx (t - x) over x from 0 to t.

    >>> round(expected_age(1 / 7, 7), 3)
    2.575
    >>> expected_age(0, 7)
    0.0
    """
    reached = rate * days
    if reached < _SMALL:
        return days * reached / 2
    return days + expm1(-reached) / rate


def worth_of_visit(rate: float, days: float) -> float:
    """What a visit now is worth: who always visits the page of most worth has the least age for its visits.

    The age that visits at this interval cost at the margin, t·age(t) less the integral of the age so far.

    >>> worth_of_visit(1, 2) > worth_of_visit(1, 1) > 0
    True
    """
    reached = rate * days
    if reached < 0.05:
        return days**2 * reached * (1 / 3 - reached / 8 + reached**2 / 30)
    still = exp(-reached)
    return days**2 / 2 + days * still / rate - (1 - still) / rate**2


def interval_of(rate: float, worth: float, longest: float = inf) -> float:
    """The days until a visit to a page is worth so much; never more than the longest.

    >>> round(worth_of_visit(0.3, interval_of(0.3, 1.5)), 4)
    1.5
    """
    if rate <= 0 or worth_of_visit(rate, longest if longest < inf else 1e6) < worth:
        return longest
    lower, upper = 0.0, 1.0
    while worth_of_visit(rate, upper) < worth:
        lower, upper = upper, 2 * upper
    while upper - lower > _TOLERANCE * upper:
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if worth_of_visit(rate, middle) < worth else (lower, middle)
    return min((lower + upper) / 2, longest)


def _pull(days: float, rate: float) -> float:
    """What an interval with a change adds: t / (e^λt - 1)."""
    reached = rate * days
    return days / expm1(reached) if reached < 700 else 0.0
