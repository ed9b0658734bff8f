"""Moments as newspapers write them, as aware datetimes: ISO, RFC 2822, seconds since 1970, words of many languages."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

FIRST_YEAR, LAST_YEAR = 1600, 2200
LONGEST = 400

_MONTH_NAMES = (
    "january jan enero ene januar jänner jän janvier janv gennaio gen janeiro gener januari xaneiro xan urtarrila"
    " urtarrilaren stycznia styczeń ianuarie ocak января",
    "february feb febrero februar februari février févr fevr febbraio fevereiro fev febrer februarie februari febreiro"
    " otsaila otsailaren lutego luty şubat февраля",
    "march mar marzo märz mär mrz mars março marco març maart marts martxoa martxoaren marca marzec martie mart марта",
    "april apr abril abr avril avr aprile apirila apirilaren kwietnia kwiecień aprilie nisan апреля",
    "may mayo mai maggio mag maio maig mei maj maiatza maiatzaren maja mayıs мая",
    "june jun junio juni juin giugno giu junho juny xuño xun ekaina ekainaren czerwca czerwiec iunie haziran июня",
    "july jul julio juli juillet juil luglio lug julho juliol xullo xul uztaila uztailaren lipca lipiec iulie temmuz"
    " июля",
    "august aug agosto ago août aout agost augustus augusti abuztua abuztuaren sierpnia sierpień ağustos августа",
    "september sep sept septiembre setiembre set septembre settembre setembro setembre iraila irailaren września"
    " wrzesień septembrie eylül сентября",
    "october oct octubre oktober okt octobre ottobre ott outubro out urria urriaren października październik"
    " octombrie ekim октября",
    "november nov noviembre novembre novembro azaroa azaroaren listopada listopad noiembrie kasım ноября",
    "december dec diciembre dic dezember dez décembre déc dicembre dezembro desembre des desember decembro abendua"
    " abenduaren grudnia grudzień decembrie aralık декабря",
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 1, "IST": 5.5, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2,
    "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
    "PDT": -7, "BRT": -3, "ART": -3,
}  # fmt: skip

_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?)?(?!\d)")
_DAY_NAMED = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|°)?[\s-]*(?:de\s+|d['’])?\s*([^\W\d_]{3,})\.?,?[\s-]*(?:de\s+|del\s+)?(\d{4})"
)
_NAMED_DAY = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:at\s+)?(\d{4})")
# 2024ko martxoaren 14a; 2024年3月14日, and the same in Korean.
_YEAR_NAMED = re.compile(r"(?<!\d)(\d{4})(?:ko|\.\s?urteko)\s+([^\W\d_]{3,})\s+(\d{1,2})")
_YEAR_MARKED = re.compile(r"(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)")
_EPOCH = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d+)?")
_TIME = re.compile(
    r"(?<!\d)(\d{1,2})\s?[:.hH]\s?([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)?(?!\d)\s*([aApP]\.?\s?[mM]\b\.?)?\s*"
    r"((?:UTC|GMT)?\s?[+-]\d{2}:?(?:[0-5]\d)?(?!\d)|[A-Z]{1,4}\b)?"
)
_OFFSET = re.compile(r"(?:UTC|GMT)?\s?([+-])(\d{2}):?(\d{2})?")


@lru_cache(maxsize=500)
def zone_of(name: str | None) -> tzinfo:
    """The time zone of that name, or else UTC."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def moment(value: object, zone: tzinfo = UTC, month_first: bool = False) -> datetime | None:
    """The moment that a text or number names, in `zone` where it names none itself; None if it names none.

    >>> moment("12 de octubre de 2024, 10:30 h").isoformat()
    '2024-10-12T10:30:00+00:00'
    """
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=zone)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value).strip()[:LONGEST]
    epoch = _EPOCH.fullmatch(text)
    if epoch:
        return datetime.fromtimestamp(int(epoch[1]), UTC)
    return _iso(text, zone) or _compact(text, zone) or _written(text, zone, month_first)


def _iso(text: str, zone: tzinfo) -> datetime | None:
    """The common case, by Python's own reader."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not FIRST_YEAR <= read.year <= LAST_YEAR:
        return None
    return read if read.tzinfo else read.replace(tzinfo=zone)


def _compact(text: str, zone: tzinfo) -> datetime | None:
    """20241015T082257, where no other date stands in the text."""
    found = _COMPACT.search(text)
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    return _made((year, month, day), (hour, minute, second), _zone_in(text[found.end() :].strip()) or zone)


def _written(text: str, zone: tzinfo, month_first: bool) -> datetime | None:
    """A date as people write it, and the time of day beside it."""
    place = _date_in(text, month_first)
    if place is None:
        return None
    day, start, end = place
    time = _TIME.search(text, end) or _TIME.search(text[:start])
    if time is None:
        return _made(day, (0, 0, 0), zone)
    hour = int(time[1]) % 12 + (12 if time[4][0] in "pP" else 0) if time[4] else int(time[1])
    clock = (hour, int(time[2]), int(time[3] or 0))
    return _made(day, clock, _zone_in(time[5] or "") or zone) or _made(day, (0, 0, 0), zone)


def _date_in(text: str, month_first: bool) -> tuple[tuple[int, int, int], int, int] | None:
    """The first date in a text, and where it stands."""
    found = _YEAR_FIRST.search(text) or _YEAR_MARKED.search(text)
    if found:
        return (int(found[1]), int(found[2]), int(found[3])), found.start(), found.end()
    for found in _DAY_NAMED.finditer(text):
        if found[2].lower() in _MONTHS:
            return (int(found[3]), _MONTHS[found[2].lower()], int(found[1])), found.start(), found.end()
    for found in _YEAR_NAMED.finditer(text):
        if found[2].lower() in _MONTHS:
            return (int(found[1]), _MONTHS[found[2].lower()], int(found[3])), found.start(), found.end()
    for found in _NAMED_DAY.finditer(text):
        if found[1].lower() in _MONTHS:
            return (int(found[3]), _MONTHS[found[1].lower()], int(found[2])), found.start(), found.end()
    found = _NUMBERS.search(text)
    return (_from_numbers(found, month_first), found.start(), found.end()) if found else None


def _from_numbers(found: re.Match[str], month_first: bool) -> tuple[int, int, int]:
    """15/10/2024, or 10/15/2024 where that is usual or nothing else is possible."""
    day, month, year = (int(part) for part in found.groups())
    if (month_first and day <= 12) or month > 12:
        day, month = month, day
    return year + 2000 if year < 100 else year, month, day


def _zone_in(text: str) -> tzinfo | None:
    """The zone that a text begins with."""
    name = re.match(r"[A-Z]+(?![+-])", text)
    if name and name[0] in _ZONES:
        return timezone(timedelta(hours=_ZONES[name[0]]))
    offset = _OFFSET.match(text)
    if not offset or int(offset[2]) > 14:
        return None
    minutes = int(offset[2]) * 60 + int(offset[3] or 0)
    return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))


def _made(day: tuple[int, int, int], clock: tuple[int, int, int], zone: tzinfo) -> datetime | None:
    """The moment, unless there is no such day or hour."""
    if not FIRST_YEAR <= day[0] <= LAST_YEAR:
        return None
    try:
        return datetime(*day, *clock, tzinfo=zone)
    except ValueError:
        return None
