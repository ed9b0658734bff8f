"""When to look again: the estimates against what they estimate."""

import math
import random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.freshness import Interval, change_rate, expected_age, interval_of, worth_of_visit

RATES = st.floats(1e-4, 1e3)
DAYS = st.floats(1e-3, 1e3)


@pytest.mark.parametrize("rate", [0.05, 0.5, 3.0])
def test_rates_are_found_from_irregular_visits(rate):
    """A visit tells only that there was a change since the last; many visits tell the rate all the same."""
    dice = random.Random(1)
    days = [dice.uniform(0.1, 2) / rate for _ in range(2_000)]
    visits = [Interval(each, dice.random() < 1 - math.exp(-rate * each)) for each in days]
    assert change_rate(visits) == pytest.approx(rate, rel=0.1)


def test_the_age_is_the_mean_of_what_happens():
    """Changes drawn by chance leave what we have as old as is expected."""
    dice = random.Random(2)
    ages = [max(0.0, 5 - dice.expovariate(0.4)) for _ in range(40_000)]
    assert mean(ages) == pytest.approx(expected_age(0.4, 5), rel=0.02)


@given(RATES, DAYS)
def test_ages_are_never_more_than_the_days(rate, days):
    """What was had so many days ago is no older, and a visit later is worth more."""
    assert 0 <= expected_age(rate, days) <= days
    assert 0 <= worth_of_visit(rate, days) < worth_of_visit(rate, 2 * days)


@given(RATES, DAYS)
def test_intervals_are_worth_what_was_asked(rate, days):
    """The day on which a visit is worth so much is found from its worth."""
    assert interval_of(rate, worth_of_visit(rate, days)) == pytest.approx(days, rel=1e-3)


@given(st.lists(st.tuples(DAYS, st.booleans()), max_size=20))
def test_any_visits_give_a_rate(visits):
    """Whatever was seen, the rate is a number above nought; one more change makes it no less."""
    seen = [Interval(days, changed) for days, changed in visits]
    rate = change_rate(seen)
    assert 0 < rate < math.inf
    assert change_rate([*seen, Interval(1.0, True)]) >= rate * 0.999 or rate > 1


def test_the_longest_interval():
    """A page that never changes is looked at again all the same."""
    assert interval_of(0.0, 1.0, longest=30) == 30
    assert interval_of(1e-9, 1.0, longest=30) == 30
