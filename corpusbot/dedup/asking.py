"""Search: which documents of a corpus are like a given one, whether they were kept or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from corpusbot.dedup import fingerprint
from corpusbot.dedup.entry import Entry
from corpusbot.dedup.index import DuplicateIndex
from corpusbot.dedup.likeness import similarity
from corpusbot.dedup.search import Search

_NOW = datetime.max.replace(tzinfo=UTC)  # what is asked about is older than nothing


@dataclass(frozen=True, slots=True)
class Found:
    """A document or a dropped copy, how much of the shorter text it shares, and whether the words are the same."""

    entry: Entry
    similarity: float
    exact: bool
    kept: bool


def alike(index: DuplicateIndex, entry: Entry, least: float) -> list[Found]:
    """All that share at least so much with a text, the likest first."""
    search = Search(containment=least, distance=-1)
    near = {known.id: (known, like) for known, like in index.similar(entry, search)}
    match = index.find(entry, search)
    if match is not None and match.kind != "near_duplicate":
        near[match.known.id] = (match.known, 1.0)
    # Asked for by the address of a copy that was dropped, it should show what it was dropped for.
    near.pop(entry.id, None)
    found = [Found(known, like, known.checksum == entry.checksum, True) for known, like in near.values()]
    found += _dropped(index, entry, [*near, entry.id], least)
    return sorted(found, key=lambda one: (-one.similarity, one.entry.dated, one.entry.id))


def entry_of_text(text: str) -> Entry:
    """A text that is no document, to be asked about."""
    return Entry(id="", site="", url="", address="", fingerprint=fingerprint(text), published=None, first_seen=_NOW)


def _dropped(index: DuplicateIndex, entry: Entry, ids: list[str], least: float) -> Iterator[Found]:
    for repeat in index.repeats_of(ids):
        like = similarity(entry.fingerprint, repeat.entry.fingerprint)
        is_same = repeat.entry.checksum == entry.checksum
        if repeat.entry.id != entry.id and (is_same or like >= least):
            yield Found(repeat.entry, 1.0 if is_same else like, is_same, False)
