"""Keys side by side with all documents that have them: who shares them, and how many each two share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.spill import Spill

_PAIRS = np.dtype([("code", "<u8"), ("number", "<u4")])
_BITS = 31  # of a document's place in a pair
Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Held:
    """Some keys, each with a document that has it and the number of its group; the groups stand together.

    A group are the keys that are the same, or the same and of one newspaper.
    """

    keys: NDArray[np.uint64]
    documents: Numbers
    groups: Numbers
    steps: Numbers

    def where(self, good: Marks) -> Held:
        """Some of them."""
        return Held(self.keys[good], self.documents[good], self.groups[good], self.steps)

    def holders(self) -> Numbers:
        """How many there are in each one's group."""
        return np.bincount(self.groups, minlength=1)[self.groups] if len(self.groups) else self.groups

    def holders_in(self, sites: Numbers, twins: Numbers | None = None) -> Numbers:
        """How many documents of its newspaper have each key; those that are twins count as one."""
        found = np.ones(len(self.keys), np.int64)
        several = np.flatnonzero(self.holders() > 1)
        if len(several):
            pairs = self.groups[several] * (int(sites.max()) + 1) + sites[self.documents[several]]
            _, own = np.unique(pairs, return_inverse=True)
            if twins is None:
                found[several] = np.bincount(own)[own]
            else:
                different = np.unique(own * len(twins) + twins[self.documents[several]]) // len(twins)
                found[several] = np.bincount(different)[own]
        return found

    def by_site(self, sites: Numbers) -> Held:
        """With the same keys of different newspapers in groups of their own."""
        codes = self.groups * (int(sites.max()) + 1) + sites[self.documents]
        order = np.argsort(codes, kind="stable")
        _, groups = np.unique(codes[order], return_inverse=True)
        return Held(self.keys[order], self.documents[order], groups, self.steps)

    def has_one_of(self, related: Numbers) -> Marks:
        """Whether each one's key is in a document, too, that its own is related to; these pairs' codes are sorted."""
        found = np.zeros(len(self.keys), np.bool_)
        if len(related):
            for here, there in self.neighbours(int(self.holders().max(initial=1))):
                for one, other in ((here, there), (there, here)):
                    codes = pair_codes(self.documents[one], self.documents[other])
                    place = np.minimum(np.searchsorted(related, codes), len(related) - 1)
                    found[one] |= related[place] == codes
        return found

    def neighbours(self, most: int) -> Iterator[tuple[Numbers, Numbers]]:
        """The places of all pairs within groups, whose members are not more."""
        for offset in range(1, most):
            same = np.flatnonzero(self.groups[offset:] == self.groups[:-offset])
            if not len(same):
                return
            yield same, same + offset


class Tallied:
    """Pairs of documents, and how many keys each pair shares."""

    def __init__(self) -> None:
        self._spill = Spill(_PAIRS, "code")

    def add(self, one: Numbers, other: Numbers) -> None:
        """Count each of these pairs once."""
        codes, number = np.unique(pair_codes(one, other), return_counts=True)
        self._spill.put(codes, number)

    def pairs(self, fewest: int) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        """All that share at least so many keys: the one, the other, how many; a part at a time."""
        for rows in self._spill.parts():
            codes, back = np.unique(rows["code"].astype(np.int64), return_inverse=True)
            number = np.bincount(back, rows["number"], minlength=len(codes)).astype(np.int64)
            good = number >= fewest
            codes = codes[good]
            yield codes >> _BITS, codes & ((1 << _BITS) - 1), number[good]

    def __enter__(self) -> Tallied:
        return self

    def __exit__(self, *_: object) -> None:
        self._spill.close()


def pair_codes(one: Numbers, other: Numbers) -> Numbers:
    """Pairs of documents as numbers."""
    return one << _BITS | other


def held(keys: NDArray[Any], documents: Numbers, steps: Numbers) -> Held:
    """Keys in their order, each with its group."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    groups = np.cumsum(np.concatenate(([0], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, np.int64)
    return Held(keys, documents[order], groups.astype(np.int64), steps)


def shared_pairs(part: Held, most: int, tallied: Tallied) -> None:
    """Count all pairs of documents that have a key in common, if it belongs to the coarser of their samples."""
    several = part.where(part.holders() > 1)
    ones, others = [], []
    for here, there in several.neighbours(most + 1):
        one, other = several.documents[here], several.documents[there]
        coarser = np.maximum(part.steps[one], part.steps[other]).astype(np.uint64)
        good = several.keys[here] % coarser == 0
        ones.append(np.minimum(one, other)[good])
        others.append(np.maximum(one, other)[good])
    if ones:
        tallied.add(np.concatenate(ones), np.concatenate(others))
