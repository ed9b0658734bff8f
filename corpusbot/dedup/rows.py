"""Documents as rows of the index's tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from corpusbot.dedup.entry import Entry
from corpusbot.dedup.numbers import Numbers
from corpusbot.model import Fingerprint

ENTRY = "id, site, url, address, checksum, simhash, words, step, published, first_seen"


def row_of(entry: Entry, site: int) -> tuple[Any, ...]:
    """The columns of an entry; the whole sample of its keys stands in another one."""
    print_of = entry.fingerprint
    return (
        entry.id,
        site,
        entry.url,
        entry.address,
        entry.checksum,
        # SQLite's integers have a sign.
        print_of.simhash if print_of.simhash < 1 << 63 else print_of.simhash - (1 << 64),
        print_of.words,
        print_of.step,
        entry.published.isoformat() if entry.published else None,
        entry.first_seen.isoformat(),
    )


def entry_of_row(row: Sequence[Any], numbers: Numbers, keys: bytes | None = None) -> Entry:
    """The entry whose columns these are."""
    id, site, url, address, checksum, simhash, words, step, published, first_seen = row
    return Entry(
        id=id,
        site=numbers.name_of(site),
        url=url,
        address=address,
        fingerprint=Fingerprint(checksum, simhash % (1 << 64), words, keys or b"", step),
        published=datetime.fromisoformat(published) if published else None,
        first_seen=datetime.fromisoformat(first_seen),
    )
