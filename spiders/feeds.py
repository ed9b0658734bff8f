"""RSS and Atom feeds, read with feedparser."""

from __future__ import annotations

import calendar
from datetime import UTC, datetime
from io import BytesIO
from time import struct_time
from typing import Any

import feedparser

from spiders.sitemaps import Entry


def feed_entries(body: bytes, url: str) -> list[Entry]:
    """The entries of a feed, newest first as they stand; a broken feed gives what can be read of it."""
    # A file object: given bytes, feedparser would try them as an address or a file name first.
    feed = feedparser.parse(BytesIO(body), response_headers={"content-location": url}, sanitize_html=False)
    return [entry for entry in map(_entry, feed.entries) if entry is not None]


def _entry(told: Any) -> Entry | None:
    # FeedBurner and its kin keep the article's own address in a field of theirs.
    link = told.get("feedburner_origlink") or told.get("link") or ""
    if not link.startswith(("http://", "https://")):
        return None
    # Membership first: feedparser warns when it gives the one time for the other.
    times = (told[name] for name in ("updated_parsed", "published_parsed") if name in told)
    return Entry(link, _moment(next(times, None)), told.get("title"))


def _moment(parsed: struct_time | None) -> datetime | None:
    return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None
