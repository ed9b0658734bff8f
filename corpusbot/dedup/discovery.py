"""All near-duplicates among some documents, whatever the order in which they come.

The keys of all documents are sorted together, so that documents with a key in common stand side by side. First
the texts of one newspaper that are nearly the same are found, which count as one when it is asked what recurs in
the newspaper; then all pairs that share enough of what does not recur.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup import fingerprint
from corpusbot.dedup.index import NEAR_CONTAINMENT
from corpusbot.dedup.likeness import COMMON, FEWEST_SHARED, RECURRING, STEPS, TWIN
from corpusbot.model import Fingerprint

MOST_TWINS = 8
Numbers = NDArray[np.int64]


class Pair(NamedTuple):
    """Two documents, the share of the shorter one's runs of words that the other has, and `exact` or `near`."""

    one: str
    other: str
    similarity: float
    kind: str


def near_duplicates(
    documents: Iterable[tuple[str, str, str]], containment: float = NEAR_CONTAINMENT
) -> Iterator[Pair]:
    """The pairs of duplicates among documents, each given as its id, its text and who printed it.

    >>> text = " ".join(map(str, range(50)))
    >>> list(near_duplicates([("a", text, "gaceta"), ("b", text + " fin", "eco"), ("c", "algo", "eco")]))
    [Pair(one='a', other='b', similarity=1.0, kind='near')]
    """
    names: list[str] = []
    prints: list[Fingerprint] = []
    sources: dict[str, int] = {}
    owners: list[int] = []
    for name, text, source in documents:
        names.append(name)
        prints.append(fingerprint(text))
        owners.append(sources.setdefault(source, len(sources)))
    for one, other, similarity in pairs_among(prints, np.array(owners), containment):
        kind = "exact" if prints[one].checksum == prints[other].checksum else "near"
        yield Pair(names[one], names[other], similarity, kind)


def pairs_among(
    prints: Sequence[Fingerprint], sites: Numbers, containment: float = NEAR_CONTAINMENT
) -> Iterator[tuple[int, int, float]]:
    """The places of those that share enough, and how much that is."""
    table = _table(prints)
    twins = np.arange(len(prints))
    for one, other, similarity in _shared(table, sites):
        if sites[one] == sites[other] and similarity >= TWIN:
            twins[other] = twins[one]
    # So many alike are no versions of one text, but pages on which there is little else than boilerplate.
    twins = np.where(np.bincount(twins, minlength=len(twins))[twins] > MOST_TWINS, np.arange(len(twins)), twins)
    own = table.where(~_recurs(table, sites, twins))
    for one, other, similarity in _shared(own, sites):
        if similarity >= containment:
            yield one, other, similarity
    yield from _exact(prints, own)


@dataclass(frozen=True, slots=True)
class _Table:
    """The keys of all documents, sorted, with the document of each, and the documents' steps."""

    keys: NDArray[np.uint64]
    documents: Numbers
    steps: Numbers

    def where(self, good: NDArray[np.bool_]) -> _Table:
        """A part of the keys."""
        return _Table(self.keys[good], self.documents[good], self.steps)

    def counts(self) -> Numbers:
        """How many keys each document has, by step."""
        number = len(self.steps)
        rows = [
            np.bincount(self.documents[self.keys % np.uint64(step) == 0], minlength=number) for step in STEPS
        ]
        return np.stack(rows)


def _table(prints: Sequence[Fingerprint]) -> _Table:
    parts = [np.frombuffer(one.keys, np.uint64) for one in prints]
    keys = np.concatenate([np.zeros(0, np.uint64), *parts])
    documents = np.repeat(np.arange(len(prints)), [len(part) for part in parts])
    order = np.argsort(keys, kind="stable")
    return _Table(keys[order], documents[order], np.array([one.step for one in prints]))


def _recurs(table: _Table, sites: Numbers, twins: Numbers) -> NDArray[np.bool_]:
    """Which keys recur in their document's newspaper, or are common in the corpus; twins count once."""
    _, key = np.unique(table.keys, return_inverse=True)
    group = key * (int(sites.max(initial=0)) + 1) + sites[table.documents]
    different = np.unique(np.stack((group, twins[table.documents])), axis=1)[0]
    values, counts = np.unique(different, return_counts=True)
    recurring = counts[np.searchsorted(values, group)] >= RECURRING
    return recurring | (np.bincount(key)[key] > COMMON)


def _shared(table: _Table, sites: Numbers) -> Iterator[tuple[int, int, float]]:
    """All pairs with keys in common, and how much of the smaller sample these are."""
    number = len(table.steps)
    codes, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for offset in range(1, COMMON):
        same = np.flatnonzero(table.keys[offset:] == table.keys[:-offset])
        if not len(same):
            break
        one, other = table.documents[same], table.documents[same + offset]
        coarser = np.maximum(table.steps[one], table.steps[other]).astype(np.uint64)
        there = table.keys[same] % coarser == 0
        found = np.minimum(one, other)[there] * number + np.maximum(one, other)[there]
        codes, back = np.unique(np.concatenate((codes, found)), return_inverse=True)
        counts = np.bincount(back, np.concatenate((counts, np.ones(len(found))))).astype(np.int64)
    one, other = codes // max(number, 1), codes % max(number, 1)
    by_step = table.counts()
    place = np.searchsorted(STEPS, np.maximum(table.steps[one], table.steps[other]))
    smaller = np.minimum(by_step[place, one], by_step[place, other])
    enough = (counts >= FEWEST_SHARED) | (counts == smaller)
    for row in np.flatnonzero(enough):
        yield int(one[row]), int(other[row]), float(counts[row] / smaller[row])


def _exact(prints: Sequence[Fingerprint], own: _Table) -> Iterator[tuple[int, int, float]]:
    """Those of the same words that have no keys to be found by."""
    known: dict[str, int] = {}
    has_keys = own.counts()[0] > 0
    for place, one in enumerate(prints):
        if one.words and not has_keys[place]:
            first = known.setdefault(one.checksum, place)
            if first != place:
                yield first, place, 1.0
