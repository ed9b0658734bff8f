"""The variables of a site file, and the days that they run over.

A name stands between two `$`, of which the second may be left out: `$YYYY$$MM$$DD$`, `$DD$N0`, `$DD`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

DAY_VARIABLES = ("YYYY", "YY", "MM", "DD")
ADDRESS_VARIABLES = (*DAY_VARIABLES, "PAGE")
TEXT_VARIABLES = (*DAY_VARIABLES, "URL", "SITE", "SECTION")
MEANINGS = {
    "YYYY": "the year of the day asked for, as 2024",
    "YY": "its last two digits, as 24",
    "MM": "the month, as 05",
    "DD": "the day of the month, as 09",
    "PAGE": "the number of the page of an index, from 1 to `pages`",
    "URL": "the page's address",
    "SITE": "the newspaper's `name`",
    "SECTION": "the `section` of the link pattern or index that the page was found by",
}

_NAME = "|".join(MEANINGS)
# In `$YYYY$MM$DD` the second `$` opens MM and does not close YYYY: nobody means the letters "MM" there.
_VARIABLE = re.compile(rf"\$({_NAME})(?![A-Z_])(?:\$(?!(?:{_NAME})(?![A-Z_])))?")
_MEANT = re.compile(r"\$([A-Z_]+|[A-Za-z_]+(?=\$))")


def filled(text: str, day: date, *, url: str = "", site: str = "", section: str = "", page: int | None = None) -> str:
    """The text with its variables' values; one that has no value leaves nothing."""
    values = _day_values(day) | {"URL": url, "SITE": site, "SECTION": section}
    values["PAGE"] = "" if page is None else str(page)
    return _VARIABLE.sub(lambda found: values[found[1]], text)


def filled_pattern(text: str, day: date) -> str:
    """The regular expression with its day filled in; a `$` that opens no variable still means the end."""
    values = _day_values(day)
    return _VARIABLE.sub(lambda found: re.escape(values.get(found[1], "")), text)


def variables_in(text: str) -> list[str]:
    """The names of all that looks like a variable, known or not."""
    # Known ones are blanked out first: what is left over after them looks like nothing that is known.
    known = [found[1] for found in _VARIABLE.finditer(text)]
    return known + [found[1] for found in _MEANT.finditer(_VARIABLE.sub(" ", text))]


def days(first: date, last: date) -> Iterator[date]:
    """Every day from the first to the last, both included."""
    if last < first:
        raise ValueError(f"from {first} to {last}: the first day is after the last")
    return (first + timedelta(n) for n in range((last - first).days + 1))


def _day_values(day: date) -> dict[str, str]:
    """The values of a day, with their zeros: strftime's %Y has none in the years before 1000."""
    year = f"{day.year:04d}"
    return {"YYYY": year, "YY": year[-2:], "MM": f"{day.month:02d}", "DD": f"{day.day:02d}"}
