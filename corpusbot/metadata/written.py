"""The date of publication by htmldate, which reads whatever looks like one: the last resort."""

from __future__ import annotations

import warnings
from datetime import datetime

from lxml import etree

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

FORMAT = "%Y-%m-%d"
# It goes through all of a page many times, in which a page of a million tags would take minutes.
MOST_ELEMENTS = 20_000
_COUNT = etree.XPath("count(//*)")


def date_by_htmldate(facts: Facts) -> Found | None:
    """The day that the page was written, as the page's text and address suggest."""
    if _COUNT(facts.tree) > MOST_ELEMENTS:
        return None
    from htmldate import find_date  # slow to import, seldom needed

    # A bound of its own: without one, it is the day on which the program happens to run.
    latest = facts.fetched_on.strftime(FORMAT) if facts.fetched_on else None
    with warnings.catch_warnings():
        # Zones that dateutil does not know are none of a page's business: only the day is asked for.
        warnings.simplefilter("ignore")
        day = find_date(
            facts.tree, extensive_search=False, original_date=True, outputformat=FORMAT, url=facts.url, max_date=latest
        )
    read = datetime.strptime(day, FORMAT).replace(tzinfo=facts.zone) if day else None
    return Found(read, "htmldate") if read else None
