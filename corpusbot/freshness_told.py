"""What servers, feeds and sitemaps say of how long a page stays the same; believed within limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SECONDS_PER_DAY = 86_400
MOST_SECONDS_FRESH = SECONDS_PER_DAY  # many servers say "for a year" of every page they have
PERIODS = {
    "always": 600,
    "hourly": 3_600,
    "daily": SECONDS_PER_DAY,
    "weekly": 7 * SECONDS_PER_DAY,
    "monthly": 30 * SECONDS_PER_DAY,
    "yearly": 365 * SECONDS_PER_DAY,
    "never": 3_650 * SECONDS_PER_DAY,
}
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,12})", re.IGNORECASE)
_NOT_KEPT = re.compile(r"no-cache|no-store", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """For how many seconds a page need not be asked again, and after how many it usually changes."""

    fresh_seconds: int | None = None
    usual_seconds: int | None = None


NOTHING_TOLD = Told()


def told_by_server(header: Callable[[str], str | None]) -> int | None:
    """The seconds for which a response stays fresh, by Cache-Control or Expires; None if it says nothing of use.

    >>> told_by_server({"Cache-Control": "public, max-age=300", "Age": "100"}.get)
    200
    >>> told_by_server({"Cache-Control": "no-cache, max-age=300"}.get)
    """
    control = header("Cache-Control") or ""
    if _NOT_KEPT.search(control):
        return None
    if found := _MAX_AGE.search(control):
        return believed(int(found[1]) - _seconds(header("Age")))
    expires = _moment(header("Expires"))
    return believed(expires - (_moment(header("Date")) or _now())) if expires else None


def told_by_feed(ttl: str | None, period: str | None, frequency: str | None) -> Told:
    """What a feed says: minutes to keep it (`ttl`), and how often it is brought up to date (`sy:updatePeriod`).

    >>> told_by_feed("15", "hourly", "2")
    Told(fresh_seconds=900, usual_seconds=1800)
    """
    seconds = PERIODS.get((period or "").strip().lower())
    times = max(1, _seconds(frequency))
    return Told(believed(60 * _seconds(ttl)), seconds // times if seconds else None)


def believed(seconds: float) -> int | None:
    """A time to stay fresh as we keep to it: no longer than a day.

    >>> believed(-5), believed(60), believed(10**9)
    (None, 60, 86400)
    """
    return min(int(seconds), MOST_SECONDS_FRESH) if seconds >= 1 else None


def _seconds(text: str | None) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0


def _moment(text: str | None) -> float | None:
    """The time that a header names; None if it names none, as `Expires: 0` and `-1` do."""
    try:
        moment = parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError, OverflowError):
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() if moment else None


def _now() -> float:
    return datetime.now(UTC).timestamp()
