"""RSS and Atom feeds, read with feedparser."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from time import struct_time
from typing import Any

import feedparser

from corpusbot.freshness_told import Told, told_by_feed
from spiders.sitemaps import Entry


@dataclass(frozen=True, slots=True)
class Feed:
    """The entries of a feed, newest first as they stand, and what it says of how often to ask for it."""

    entries: tuple[Entry, ...]
    told: Told


def read_feed(body: bytes, url: str) -> Feed:
    """A feed; a broken one gives what can be read of it."""
    # A file object: given bytes, feedparser would try them as an address or a file name first.
    feed = feedparser.parse(BytesIO(body), response_headers={"content-location": url}, sanitize_html=False)
    told = told_by_feed(*(feed.feed.get(name) for name in ("ttl", "sy_updateperiod", "sy_updatefrequency")))
    return Feed(tuple(entry for entry in map(_entry, feed.entries) if entry is not None), told)


def _entry(told: Any) -> Entry | None:
    # FeedBurner and its kin keep the article's own address in a field of theirs.
    link = told.get("feedburner_origlink") or told.get("link") or ""
    if not link.startswith(("http://", "https://")):
        return None
    # Membership first: feedparser warns when it gives the one time for the other.
    updated = _moment(told["updated_parsed"]) if "updated_parsed" in told else None
    published = _moment(told["published_parsed"]) if "published_parsed" in told else None
    return Entry(link, updated or published, told.get("title"), modified=updated)


def _moment(parsed: struct_time | None) -> datetime | None:
    return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None
