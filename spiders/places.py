"""A link's place as the frontier keeps it (plain JSON) and as a page carries it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from corpusbot.model import Place
from corpusbot.sites import Index, LinkPattern


def index_place(index: Index, day: date) -> dict[str, Any]:
    """The place of an index page, feed or sitemap."""
    return {"index": index.name, "section": index.section, "day": day.isoformat()}


def article_place(
    index: Index | None, pattern: LinkPattern | None, day: date, found_on: str | None, anchor: str | None
) -> dict[str, Any]:
    """The place of an article: the index and pattern that its link was found by."""
    section = (pattern.section if pattern else None) or (index.section if index else None)
    place = {
        "index": index.name if index else None,
        "link": pattern.name if pattern else None,
        "section": section,
        "day": day.isoformat(),
        "found_on": found_on,
        "anchor": anchor or None,
    }
    return {name: value for name, value in place.items() if value is not None}


def place_of(kept: Mapping[str, Any]) -> Place:
    """The place that a page carries down the line."""
    day = kept.get("day")
    return Place(
        index=kept.get("index"),
        link=kept.get("link"),
        section=kept.get("section"),
        day=date.fromisoformat(day) if day else None,
        found_on=kept.get("found_on"),
        anchor=kept.get("anchor"),
    )
