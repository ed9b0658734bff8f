"""When pages are due, by their kind and by what visits to them have told.

Each page has a clock that its changes are counted on. That of an index page runs as ours does. An article's slows as it
ages: it is corrected in its first hours rather than in its second month, so that one stretch of its clock is half a day
at first, and later as many days as it is old. On its clock a page changes at a steady rate, and `freshness.py` holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import expm1, inf, log1p, log2
from struct import pack, unpack

from corpusbot.freshness import Interval, change_rate, interval_of, worth_of_visit
from corpusbot.freshness_told import NOTHING_TOLD, SECONDS_PER_DAY, Told

# A page that changed at every moment would be asked this often; all other intervals follow from it.
SHORTEST_MINUTES = 20
WORTH = (SHORTEST_MINUTES / 1440) ** 2 / 2
REREAD_DAYS = 180
SAID_TO_HAVE_CHANGED = 0  # when a page is due that a sitemap or feed says has changed: at once
MOST_FALSE_HINTS = 2  # after so many in a row, what is said of a page no longer counts
MOST_INTERVALS = 32
MOST_BELIEVED = 4.0  # how many times more or less often than usual what is said of a page may make it be
SECONDS_AFTER_FAILURE = 900
LONGEST_AFTER_FAILURE = 7 * SECONDS_PER_DAY
SECONDS_AFTER_GONE = SECONDS_PER_DAY


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual of a kind of pages, before a page's own visits tell more: so many changes in so many days.

    `weight` is what a day of its age counts, `slowing` the days after which its clock runs at half its speed.
    """

    changes: float
    days: float
    weight: float = 1.0
    slowing: float = inf
    longest: float = inf

    def ticks(self, days: float) -> float:
        """What a page's clock shows when it is so many days old."""
        return days if self.slowing == inf else self.slowing * log1p(max(days, 0.0) / self.slowing)

    def days_at(self, ticks: float) -> float:
        """How old a page is when its clock shows this."""
        return ticks if self.slowing == inf else self.slowing * expm1(min(ticks / self.slowing, 50.0))


# Guesses that few visits correct, but for the weights: news count as twenty corrections.
INDEXES = {
    "page": Usual(changes=1.0, days=1 / 6, longest=7.0),
    "feed": Usual(changes=1.0, days=1 / 12, longest=7.0),
    "sitemap": Usual(changes=1.0, days=1 / 4, longest=7.0),
}
ARTICLE = Usual(changes=0.3, days=1.0, weight=0.05, slowing=0.25)


@dataclass(frozen=True, slots=True)
class Visits:
    """What visits to a page have told; times in seconds since 1970, the rate in changes a day of its clock.

    `history` are the intervals on its clock, four bytes each, those without a change below nought and added up.
    """

    count: int
    changes: int
    first: int
    last: int
    born: int
    rate: float
    due: int | None
    last_changed: int | None = None
    history: bytes = b""
    fresh_seconds: int | None = None
    usual_seconds: int | None = None
    lastmod: int | None = None
    false_hints: int = 0


class Schedule:
    """Says when a page is to be asked again, and what a visit is worth."""

    def __init__(self, reread_days: float = REREAD_DAYS) -> None:
        self._reread_days = reread_days
        self._firsts = {usual: _first(usual, None) for usual in (*INDEXES.values(), ARTICLE)}

    def first(self, kind: str, now: float, born: float | None = None, told: Told = NOTHING_TOLD) -> Visits:
        """What is known after the first visit to a page."""
        usual, moment = usual_of(kind), int(now)
        born = moment if born is None else min(int(born), moment)
        if told.usual_seconds is None:
            rate, interval = self._firsts[usual]
        else:
            rate, interval = _first(usual, told.usual_seconds)
        due = self._due(usual, moment, born, interval, told.fresh_seconds)
        return Visits(
            1, 0, moment, moment, born, rate, due,
            fresh_seconds=told.fresh_seconds, usual_seconds=told.usual_seconds,
        )  # fmt: skip

    def again(self, kind: str, known: Visits, now: float, changed: bool | None, told: Told = NOTHING_TOLD) -> Visits:
        """What is known after one more visit; `changed` is None where it could not tell."""
        usual, moment = usual_of(kind), int(now)
        history = known.history
        if changed is not None:
            history = _longer(history, self._elapsed(usual, known, now), changed)
        usual_seconds = told.usual_seconds or known.usual_seconds
        said = known.due == SAID_TO_HAVE_CHANGED
        rate = change_rate(_intervals(history), *_expected(usual, usual_seconds))
        born, interval = min(known.born, moment), _interval(usual, rate)
        return replace(
            known,
            count=known.count + 1,
            changes=known.changes + bool(changed),
            last=moment,
            born=born,
            rate=rate,
            due=self._due(usual, moment, born, interval, told.fresh_seconds),
            last_changed=moment if changed else known.last_changed,
            history=history,
            fresh_seconds=told.fresh_seconds,
            usual_seconds=usual_seconds,
            false_hints=0 if changed else known.false_hints + said,
        )

    def worth(self, kind: str, known: Visits, now: float) -> float:
        """What a visit now is worth, in days of age for as many days; an index page's count as they are."""
        usual = usual_of(kind)
        elapsed = self._elapsed(usual, known, now)
        if known.last > now:
            return WORTH  # our clock was put back: nobody knows how long ago that was
        if known.due == SAID_TO_HAVE_CHANGED:
            return usual.weight * elapsed**2 / 2  # as of one that changes at every moment
        return usual.weight * worth_of_visit(known.rate, elapsed)

    def worth_of_index(self, rate: float | None, seconds: float) -> float:
        """What it is worth to ask for an index page, so long after the last visit."""
        return worth_of_visit(rate or 0.0, seconds / SECONDS_PER_DAY) if seconds > 0 else WORTH

    def rank(self, worth: float) -> int:
        """The order of what is due, as a whole number: 0 for what has just become due, 10 more for twice the worth."""
        return max(0, round(10 * log2(worth / WORTH))) if worth > 0 else 0

    def is_due(self, due: int | None, last: float, now: float) -> bool:
        """Whether a page's time has come; a visit in the future is that of a clock that was wrong."""
        return due is not None and (due <= now or last > now)

    def is_too_old(self, known: Visits, now: float) -> bool:
        """Whether an article is no longer asked for again, though it was to be, by what was wanted then."""
        if known.due == SAID_TO_HAVE_CHANGED:
            return self._reread_days <= 0
        return now - known.born > self._reread_days * SECONDS_PER_DAY

    def after_failure(self, attempts: int, now: float) -> int:
        """When to ask for a known page that could not be had, by how often it could not."""
        return int(now + min(SECONDS_AFTER_FAILURE * 4 ** min(attempts, 9), LONGEST_AFTER_FAILURE))

    def after_gone(self, was_gone: bool, now: float) -> int | None:
        """When to ask for a page that is gone: once more, as a server may err."""
        return None if was_gone else int(now + SECONDS_AFTER_GONE)

    def _elapsed(self, usual: Usual, known: Visits, now: float) -> float:
        """The time since the last visit on the page's clock; none if our clock was put back."""
        age = (now - known.born) / SECONDS_PER_DAY
        return max(0.0, usual.ticks(age) - usual.ticks((known.last - known.born) / SECONDS_PER_DAY))

    def _due(self, usual: Usual, last: int, born: int, interval: float, fresh_seconds: int | None) -> int | None:
        """When the page's clock will have gone on by the interval; None if it will be too old by then."""
        age = (last - born) / SECONDS_PER_DAY
        age_then = usual.days_at(usual.ticks(age) + interval)
        if usual is ARTICLE and age_then > self._reread_days:
            return None
        waited = max((age_then - age) * SECONDS_PER_DAY, fresh_seconds or 0)
        return int(last + max(1.0, waited))


def usual_of(kind: str) -> Usual:
    """What is usual of pages of a kind; all that is no index page, feed or sitemap is an article."""
    return INDEXES.get(kind, ARTICLE)


def _first(usual: Usual, told_seconds: int | None) -> tuple[float, float]:
    """The rate of a page that was visited once, and the interval until the next visit."""
    changes, days = _expected(usual, told_seconds)
    return changes / days, _interval(usual, changes / days)


def _interval(usual: Usual, rate: float) -> float:
    return interval_of(rate, WORTH / usual.weight, usual.longest)


def _expected(usual: Usual, told_seconds: int | None) -> tuple[float, float]:
    """The changes and days that count as seen before the first visit; what is said of the page moves them a bit."""
    if told_seconds is None:
        return usual.changes, usual.days
    usually = usual.days / usual.changes
    days = min(max(told_seconds / SECONDS_PER_DAY, usually / MOST_BELIEVED), usually * MOST_BELIEVED)
    return usual.changes, usual.changes * days


def _longer(history: bytes, days: float, changed: bool) -> bytes:
    """A history with one interval more, of a length that does not grow for ever."""
    if days <= 0:
        return history
    numbers = list(unpack(f"<{len(history) // 4}f", history))
    if not changed and numbers and numbers[-1] < 0:
        numbers[-1] -= days  # intervals without a change add up without loss
    else:
        numbers.append(days if changed else -days)
    numbers = numbers[-MOST_INTERVALS:]
    return pack(f"<{len(numbers)}f", *numbers)


def _intervals(history: bytes) -> list[Interval]:
    return [Interval(abs(days), days > 0) for days in unpack(f"<{len(history) // 4}f", history)]
