"""When pages are due, by their kind, their visits, and what is said of them."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.freshness import Trial, mean_age, policies
from corpusbot.freshness_told import MOST_SECONDS_FRESH, PERIODS, Told, told_by_feed, told_by_server
from corpusbot.freshness_visits import INDEXES, SAID_TO_HAVE_CHANGED, WORTH, Schedule, usual_of

DAY = 86_400
KINDS = [*INDEXES, "article"]


def later(kind, known, changed, days=None, schedule=None):
    """One visit more, when the page is due or so many days after the last one."""
    schedule = schedule or Schedule()
    return schedule.again(kind, known, known.due if days is None else known.last + days * DAY, changed)


def test_articles_are_read_again_ever_more_seldom():
    """Half a day old, then two days, a week, a month; the intervals grow with the article's age."""
    known = Schedule().first("article", 0)
    ages = []
    while known.due is not None:
        ages.append(known.due / DAY)
        known = later("article", known, False)
    assert [round(age, 1) for age in ages[:3]] == [0.5, 2.1, 8.1]
    assert 4 <= len(ages) <= 6
    assert all(older > 3 * younger for younger, older in pairwise(ages))


def test_a_correction_brings_the_next_visit_forward():
    """Who was corrected will be corrected again; after many visits without one that is forgotten."""
    first = Schedule().first("article", 0)
    corrected, still = later("article", first, True), later("article", first, False)
    assert corrected.due < still.due
    assert (corrected.changes, corrected.last_changed, still.last_changed) == (1, corrected.last, None)


@pytest.mark.parametrize("kind", INDEXES)
def test_index_pages_are_asked_as_they_bring_news(kind):
    """One with news at each visit is asked more often with each, up to a bound; one without less often."""
    schedule = Schedule()
    lively = sleepy = schedule.first(kind, 0)
    before = lively.due
    for _ in range(100):
        lively, sleepy = later(kind, lively, True), later(kind, sleepy, False)
    assert 20 * 60 <= lively.due - lively.last < before < sleepy.due - sleepy.last < 7 * DAY


def test_what_a_visit_could_not_tell():
    """It counts as a visit, and changes nothing of the rate."""
    first = Schedule().first("sitemap", 0)
    known = later("sitemap", first, None)
    assert (known.count, known.changes, known.rate) == (2, 0, pytest.approx(first.rate))


VISITS = st.tuples(st.floats(-400, 400), st.sampled_from([True, False, None]))


@given(st.sampled_from(KINDS), st.lists(VISITS, max_size=40))
def test_whatever_the_clock_does(kind, visits):
    """Visits at any time, also before the last one: rates and worths are numbers, and the next visit is to come."""
    schedule = Schedule()
    known = schedule.first(kind, 1000 * DAY)
    for days, changed in visits:
        now = max(0, known.last + days * DAY)
        assert schedule.worth(kind, known, now) >= 0
        known = schedule.again(kind, known, now, changed)
        assert 0 < known.rate < float("inf")
        assert known.due is None or known.due > known.last
        assert known.born <= known.last
    assert len(known.history) <= 128


@given(st.sampled_from(KINDS), st.floats(0.01, 100))
def test_a_page_is_due_when_a_visit_is_worth_it(kind, days):
    """Just then its worth is that which all pages are due at, so that they can be compared."""
    schedule = Schedule(100_000)
    known = schedule.again(kind, schedule.first(kind, 0), days * DAY, True)
    if known.due - known.last < usual_of(kind).longest * DAY - 1:
        assert schedule.worth(kind, known, known.due) == pytest.approx(WORTH, rel=0.01)
        assert schedule.rank(schedule.worth(kind, known, known.due)) == 0


def test_ranks_are_in_the_order_of_worth():
    """Ten more for twice the worth; what is not due has none."""
    schedule = Schedule()
    assert [schedule.rank(WORTH * times) for times in (0, 0.5, 1, 2, 4)] == [0, 0, 0, 10, 20]


def test_what_is_said_of_a_page_counts_within_limits():
    """`hourly` makes an article due earlier and `never` later, but neither at once nor not at all."""
    schedule = Schedule()
    usual = schedule.first("article", 0).due
    hourly = schedule.first("article", 0, told=Told(None, PERIODS["hourly"])).due
    never = schedule.first("article", 0, told=Told(None, PERIODS["never"])).due
    assert usual / 2 < hourly < usual < never < 3 * usual


def test_a_page_that_is_fresh_by_its_servers_word():
    """It is not due before."""
    assert Schedule().first("feed", 0, told=Told(fresh_seconds=7_200)).due == 7_200


def test_a_page_that_is_said_to_have_changed():
    """It is worth more than one that may have."""
    schedule = Schedule()
    known = schedule.first("article", 0)
    said = schedule.again("article", known, known.due, False)
    told = replace(said, due=SAID_TO_HAVE_CHANGED)
    assert schedule.worth("article", told, said.due) > schedule.worth("article", said, said.due)
    assert later("article", told, False, days=1).false_hints == 1
    assert later("article", told, True, days=1).false_hints == 0


def test_articles_that_are_not_wanted_again():
    """With no days at all none is due; with few, none after them."""
    assert Schedule(0).first("article", 0).due is None
    assert Schedule(1).first("article", 0).due is not None
    assert Schedule(1).first("article", 10 * DAY, born=0).due is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Cache-Control": "max-age=600"}, 600),
        ({"Cache-Control": "public, s-maxage=9, max-age=600", "Age": "590"}, 10),
        ({"Cache-Control": "max-age=600", "Age": "900"}, None),
        ({"Cache-Control": "max-age=31536000"}, MOST_SECONDS_FRESH),
        ({"Cache-Control": "no-store, max-age=600"}, None),
        ({"Cache-Control": "s-maxage=600"}, None),
        ({"Cache-Control": "max-age=ten"}, None),
        ({"Date": "Fri, 01 Mar 2024 10:00:00 GMT", "Expires": "Fri, 01 Mar 2024 10:10:00 GMT"}, 600),
        ({"Date": "Fri, 01 Mar 2024 10:00:00 GMT", "Expires": "Thu, 29 Feb 2024 10:10:00 GMT"}, None),
        ({"Expires": "0"}, None),
        ({"Expires": "-1"}, None),
        ({"Cache-Control": "max-age=60", "Expires": "Fri, 01 Mar 2030 10:10:00 GMT"}, 60),
    ],
)
def test_what_servers_say(headers, seconds):
    """Cache-Control before Expires, less the age that the answer has, and for a day at most."""
    assert told_by_server(headers.get) == seconds


@given(st.dictionaries(st.sampled_from(["Cache-Control", "Expires", "Date", "Age"]), st.text(max_size=40)))
def test_no_header_raises(headers):
    """Whatever a server sends, the answer is a time of a day at most, or none."""
    told = told_by_server(headers.get)
    assert told is None or 0 < told <= MOST_SECONDS_FRESH


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((None, None, None), Told()),
        (("60", None, None), Told(3_600)),
        (("x", "Daily", None), Told(None, DAY)),
        ((None, "hourly", "4"), Told(None, 900)),
        (("-5", "sometimes", "0"), Told()),
    ],
)
def test_what_feeds_say(said, told):
    """`ttl` in minutes, `sy:updatePeriod` with its frequency; nonsense says nothing."""
    assert told_by_feed(*said) == told


@pytest.mark.parametrize("world", ["steady", "articles"])
def test_the_crawls_way_leaves_pages_younger_than_others(world):
    """At the same number of requests, and without knowledge at the start: the simulation of `make bench-freshness`."""
    trial = Trial(world, pages=150, days=12, requests=180 if world == "steady" else 24, is_told=False, seed=3)
    schedule = Schedule(100_000)
    ages = {name: mean_age(policy, trial, schedule) for name, policy in policies(schedule).items()}
    assert ages["crawl"] < min(ages["uniform"], ages["proportional"])


def test_rates_are_learnt_by_the_crawls_own_visits():
    """A page's rate comes out of the visits that the schedule itself asks for."""
    dice, schedule, rate = random.Random(5), Schedule(), 12.0
    known, change = schedule.first("page", 0), dice.expovariate(rate)
    rates = []
    for _ in range(400):
        now = known.due / DAY
        known = later("page", known, change <= now)
        while change <= now:
            change += dice.expovariate(rate)
        rates.append(known.rate)
    assert sum(rates[100:]) / 300 == pytest.approx(rate, rel=0.4)
