"""All near-duplicates among some documents, whatever the order in which they come, and however many they are.

The keys of all documents are sorted together, so that documents with a key in common stand side by side; that is done
a part of the keys at a time, and what is more than memory holds waits on the disk. Three times all keys are gone
through: for the texts that one newspaper prints nearly the same again, which count as one when it is asked what recurs
in the newspaper; for the pairs that share what does not recur; and for what a text has in common with unrelated ones
only, as a teaser or a set phrase, which is left out of the reckoning.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup import fingerprint
from corpusbot.dedup.entry import FEWEST_WORDS
from corpusbot.dedup.exact import CHECKSUM_BYTES
from corpusbot.dedup.groups import Groups
from corpusbot.dedup.likeness import (
    COMMON,
    FEWEST_OF_LITTLE,
    FEWEST_SHARED,
    MOST_TWINS,
    RECURRING,
    RELATED,
    STEPS,
    TWIN,
)
from corpusbot.dedup.search import NEAR_CONTAINMENT, USUAL, Search, bits_set
from corpusbot.dedup.shared import Held, Tallied, held, pair_codes, shared_pairs
from corpusbot.dedup.spill import Spill
from corpusbot.model import Fingerprint

_KEYS = np.dtype([("key", "<u8"), ("document", "<u4")])
Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]
Tell = Callable[[str, int], None]  # is told what is counted, and how many there are by now


class Pair(NamedTuple):
    """Two documents, the share of the shorter one's runs of words that the other has, and `exact` or `near`."""

    one: str
    other: str
    similarity: float
    kind: str


class Alike(NamedTuple):
    """The places of two documents that share enough, and how much that is."""

    one: int
    other: int
    similarity: float


def near_duplicates(
    documents: Iterable[tuple[str, str, str]], containment: float = NEAR_CONTAINMENT
) -> Iterator[Pair]:
    """The pairs of duplicates among documents, each given as its id, its text and who printed it.

    >>> text = " ".join(map(str, range(50)))
    >>> list(near_duplicates([("a", text, "gaceta"), ("b", text + " fin", "eco"), ("c", "algo", "eco")]))
    [Pair(one='a', other='b', similarity=1.0, kind='near')]
    """
    names: list[str] = []
    with Discovery(Search(containment=containment), fewest_words=1) as discovery:
        for name, text, source in documents:
            names.append(name)
            discovery.add(fingerprint(text), source)
        for one, other, similarity in discovery.pairs():
            kind = "exact" if discovery.are_exact(one, other) else "near"
            yield Pair(names[one], names[other], similarity, kind)


@dataclass(frozen=True, slots=True)
class Recurring:
    """What a newspaper's pages share: how many runs of words, as sampled, and their share of all its runs."""

    site: str
    documents: int
    keys: int
    share: float


class Discovery:
    """Documents that are compared with one another once all of them are there; shorter ones, exactly only."""

    def __init__(
        self, search: Search = USUAL, tell: Tell = lambda what, number: None, fewest_words: int = FEWEST_WORDS
    ) -> None:
        self._fewest_words = fewest_words
        self._search = search
        self._tell = tell
        self._names: dict[str, int] = {}
        self._steps, self._sites, self._simhashes = array("B"), array("L"), array("Q")
        self._checksums = bytearray()
        self._keys = Spill(_KEYS, "key")
        self._left_out = LeftOut()

    def add(self, print_of: Fingerprint, site: str) -> None:
        """One document more; its place is how many there were before."""
        place = len(self._steps)
        self._steps.append(print_of.step)
        self._sites.append(self._names.setdefault(site, len(self._names)))
        self._simhashes.append(print_of.simhash)
        self._checksums += bytes.fromhex(print_of.checksum) if print_of.words else bytes(CHECKSUM_BYTES)
        keys = np.frombuffer(print_of.keys if print_of.words >= self._fewest_words else b"", np.uint64)
        self._keys.put(keys, np.full(len(keys), place))
        self._tell("documents read", place + 1)

    def pairs(self) -> Iterator[Alike]:
        """All that share enough, in no order."""
        if not self._steps:
            return
        steps, sites = np.array(self._steps, np.int64), np.array(self._sites, np.int64)
        counts, own = Counts(steps), []
        self._tell("documents compared", len(steps))
        twins = self._twins(steps, sites)
        self._left_out = LeftOut(len(self._names))
        with Tallied() as tallied:
            for part in self._parts(steps):
                recurs = part.holders_in(sites, twins) >= RECURRING
                self._left_out.add(part, sites[part.documents], recurs)
                mine = ~(recurs | (part.holders() > COMMON))
                own.append(np.packbits(mine))
                counts.add(part.where(mine))
                shared_pairs(part.where(mine), COMMON, tallied)
            yield from self._near(steps, own, counts, tallied)
        yield from self._exact(counts)

    def are_exact(self, one: int, other: int) -> bool:
        """Whether two documents have the same words."""
        return self._checksum(one) == self._checksum(other)

    def recurring(self) -> list[Recurring]:
        """What was left out of each newspaper's texts; after the pairs were asked for."""
        documents = np.bincount(np.array(self._sites, np.int64), minlength=len(self._names))
        named = sorted(self._names.items())
        return [Recurring(name, int(documents[site]), *self._left_out.of(site)) for name, site in named]

    def __enter__(self) -> Discovery:
        return self

    def __exit__(self, *_: object) -> None:
        self._keys.close()

    def _parts(self, steps: Numbers) -> Iterator[Held]:
        for rows in self._keys.parts():
            yield held(rows["key"], rows["document"].astype(np.int64), steps)

    def _twins(self, steps: Numbers, sites: Numbers) -> Numbers:
        """For each document the first of those of its newspaper that are nearly the same; itself, if there is none."""
        counts, groups = Counts(steps), Groups(len(steps))
        with Tallied() as tallied:
            for part in self._parts(steps):
                there = part.where(part.holders_in(sites) <= MOST_TWINS)
                counts.add(there)
                shared_pairs(there.by_site(sites), MOST_TWINS, tallied)
            for one, other, number in tallied.pairs(FEWEST_SHARED):
                groups.join(one, other, number >= TWIN * counts.smaller(one, other))
        twins = groups.named()
        return np.where(np.bincount(twins, minlength=len(twins))[twins] > MOST_TWINS, np.arange(len(twins)), twins)

    def _near(self, steps: Numbers, own: list[NDArray[np.uint8]], counts: Counts, tallied: Tallied) -> Iterator[Alike]:
        """The pairs that share enough of what is their own and of nobody else."""
        one, other, number = (np.concatenate(column) for column in zip(*_related(counts, tallied), strict=True))
        related = np.sort(np.concatenate((_codes(one, other, number, counts), _codes(other, one, number, counts))))
        for part, mine in zip(self._parts(steps), own, strict=True):
            there = part.where(np.unpackbits(mine, count=len(part.keys)).astype(np.bool_))
            counts.take(there.where((there.holders() > 1) & ~there.has_one_of(related)))
        similarity = np.minimum(1.0, number / np.maximum(counts.smaller(one, other), 1))
        simhashes = np.array(self._simhashes, np.uint64)
        near = self._search.are_near(similarity, bits_set(simhashes[one] ^ simhashes[other]))
        yield from map(Alike, one[near].tolist(), other[near].tolist(), similarity[near].tolist())

    def _exact(self, counts: Counts) -> Iterator[Alike]:
        """Those of the same words that have no keys to be found by."""
        known: dict[bytes, int] = {}
        for place in np.flatnonzero(counts.at_first == 0).tolist():
            checksum = self._checksum(place)
            first = known.setdefault(checksum, place) if any(checksum) else place
            if first != place:
                yield Alike(first, place, 1.0)

    def _checksum(self, place: int) -> bytes:
        return bytes(self._checksums[place * CHECKSUM_BYTES : (place + 1) * CHECKSUM_BYTES])


class LeftOut:
    """How many keys recur in each newspaper, and how much of its texts that is."""

    def __init__(self, sites: int = 0) -> None:
        self._different, self._left, self._all = np.zeros((3, sites), np.int64)

    def add(self, part: Held, sites: Numbers, recurs: Marks) -> None:
        """Count these keys, with the newspaper of each and whether it recurs there."""
        number = len(self._all)
        different = np.unique(part.groups[recurs] * number + sites[recurs]) % max(number, 1)
        self._different += np.bincount(different, minlength=number)
        self._left += np.bincount(sites[recurs], minlength=number)
        self._all += np.bincount(sites, minlength=number)

    def of(self, site: int) -> tuple[int, float]:
        """The number of different ones, and their share of all; none if nothing was counted."""
        if not len(self._all) or not self._all[site]:
            return 0, 0.0
        return int(self._different[site]), float(self._left[site] / self._all[site])


class Counts:
    """How many keys each document has, by step."""

    def __init__(self, steps: Numbers) -> None:
        self._steps = steps
        self._by_step = np.zeros((len(STEPS), len(steps)), np.int64)
        self._taken = np.zeros_like(self._by_step[0])

    @property
    def at_first(self) -> Numbers:
        """All that were there, before any was taken away."""
        found: Numbers = self._by_step[0] + self._taken
        return found

    def add(self, part: Held) -> None:
        """Count these keys."""
        self._by_step += self._counted(part)

    def take(self, part: Held) -> None:
        """Do not count these keys after all."""
        counted = self._counted(part)
        self._by_step -= counted
        self._taken += counted[0]

    def smaller(self, one: Numbers, other: Numbers) -> Numbers:
        """The number of the one that has less, at the coarser of both steps."""
        return np.minimum(self.of(one, other), self.of(other, one))

    def larger(self, one: Numbers, other: Numbers) -> Numbers:
        """The number of the one that has more, at the coarser of both steps."""
        return np.maximum(self.of(one, other), self.of(other, one))

    def of(self, one: Numbers, other: Numbers) -> Numbers:
        """The number of the one, at the coarser of both steps."""
        found: Numbers = self._by_step[np.searchsorted(STEPS, np.maximum(self._steps[one], self._steps[other])), one]
        return found

    def _counted(self, part: Held) -> Numbers:
        number = len(self._steps)
        return np.stack(
            [np.bincount(part.documents[part.keys % np.uint64(step) == 0], minlength=number) for step in STEPS]
        )


def _related(counts: Counts, tallied: Tallied) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """The pairs that share enough to be told from chance: the ones, the others, how many keys."""
    for one, other, number in tallied.pairs(1):
        smaller = counts.smaller(one, other)
        good = ((number >= FEWEST_SHARED) | (number == smaller)) & (number >= RELATED * smaller)
        good &= (number >= FEWEST_OF_LITTLE) | (number >= RELATED * counts.larger(one, other)) | (number == smaller)
        yield one[good], other[good], number[good]


def _codes(one: Numbers, other: Numbers, number: Numbers, counts: Counts) -> Numbers:
    """The pairs of which the first is related to the second: much of it is there."""
    good = number >= RELATED * counts.of(one, other)
    return pair_codes(one[good], other[good])
