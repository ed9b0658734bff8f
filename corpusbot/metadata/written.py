"""The date of publication by htmldate, which reads whatever looks like one: the last resort."""

from __future__ import annotations

from datetime import datetime

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

FORMAT = "%Y-%m-%d"


def date_by_htmldate(facts: Facts) -> Found | None:
    """The day that the page was written, as the page's text and address suggest."""
    from htmldate import find_date  # slow to import, seldom needed

    day = find_date(facts.tree, extensive_search=False, original_date=True, outputformat=FORMAT, url=facts.url)
    read = datetime.strptime(day, FORMAT).replace(tzinfo=facts.zone) if day else None
    return Found(read, "htmldate") if read else None
