"""Sitemaps read as they come: indexes, gzip, the news extension, and XML that breaks off.

Scrapy's `Sitemap` drops the nested news elements and raises on a file without a root,
so only the idea of streaming the elements is shared with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from io import BytesIO

from dateutil import parser as dates
from lxml import etree

from corpusbot.freshness_told import PERIODS

MOST_ENTRIES = 50_000  # what the protocol allows in one file
MOST_BYTES = 50 * 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Entry:
    """An address that a sitemap or feed names, and what it says of it.

    `changed` is the best time there is, `modified` that of the last change and none else.
    """

    url: str
    changed: datetime | None = None
    title: str | None = None
    is_sitemap: bool = False
    modified: datetime | None = None
    usual_seconds: int | None = None


def sitemap_entries(body: bytes) -> list[Entry]:
    """The entries of a sitemap; a broken file gives those before the break."""
    entries: list[Entry] = []
    try:
        for element in _elements(unzipped(body)):
            if (entry := _entry(element)) is not None:
                entries.append(entry)
            element.clear()
            if len(entries) == MOST_ENTRIES:
                break
    except etree.XMLSyntaxError:  # no root at all, or beyond what libxml2 recovers: keep what came
        pass
    return entries


def unzipped(body: bytes) -> bytes:
    """The bytes of a file that may be gzipped; a bomb or a torn file ends at what is sound."""
    if not body.startswith(_GZIP_MAGIC):
        return body
    inflater = zlib.decompressobj(wbits=31)
    try:
        return inflater.decompress(body, MOST_BYTES)
    except zlib.error:
        return b""


def fresh(entries: Iterable[Entry], since: date | None, until: date | None) -> Iterator[Entry]:
    """The entries that may hold news of those days; what names no time may."""
    for entry in entries:
        day = entry.changed.date() if entry.changed else None
        too_old = since is not None and day is not None and day < since - timedelta(days=1)
        # A sitemap changed later may still list the days wanted; an article written later is not of them.
        too_new = until is not None and day is not None and day > until and not entry.is_sitemap
        if not too_old and not too_new:
            yield entry


def time_of(text: str | None) -> datetime | None:
    """A W3C or RFC 822 time, aware; UTC where none is named."""
    try:
        moment = dates.parse(text) if text else None
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _elements(body: bytes) -> Iterator[etree._Element]:
    events = etree.iterparse(
        BytesIO(body), events=("end",), recover=True, resolve_entities=False, no_network=True,
        load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip
    for _event, element in events:
        if _name(element) in {"url", "sitemap"}:
            yield element


def _entry(element: etree._Element) -> Entry | None:
    told = {_name(child): child.text.strip() for child in element.iter() if child.text and child.text.strip()}
    if not told.get("loc", "").startswith(("http://", "https://")):
        return None
    modified = time_of(told.get("lastmod"))
    return Entry(
        url=told["loc"],
        changed=time_of(told.get("publication_date")) or modified,
        title=told.get("title"),
        is_sitemap=_name(element) == "sitemap",
        modified=modified,
        usual_seconds=PERIODS.get(told.get("changefreq", "").lower()),
    )


def _name(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""
