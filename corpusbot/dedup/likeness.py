"""How much of a text is in others: the share of its sampled runs of words that they have too.

A run of words that several documents of one newspaper have is the newspaper's, as menus and set phrases are: it is
left out for this newspaper. What is left of the shorter of two texts, and is in the other, is their containment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.entry import Known
from corpusbot.dedup.grams import GREATEST_STEP, Hashes
from corpusbot.dedup.postings import SITE_BITS, Hits

# Documents of one newspaper with the same run of words; with 2 it would be left out of articles brought up to date,
# with 4 the first pages of a newspaper look alike for longer: make bench-duplicates.
RECURRING = 3
# A run of words in so many documents of the corpus is a set phrase.
COMMON = 100
# Texts of one newspaper that share so much are one text, which its newspaper printed again.
TWIN = 0.9
STEPS = tuple(1 << place for place in range(GREATEST_STEP.bit_length()))
FEWEST_SHARED = 4
MOST_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """A text's own keys, and the step that they were chosen by."""

    keys: Hashes
    step: int


def own_keys(keys: Hashes, site: int, hits: Hits) -> tuple[Hashes, Hits]:
    """The keys that are the text's and not its newspaper's, and the hits that say something."""
    pairs = hits.places << SITE_BITS | hits.sites
    _, back, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    recurs = counts[back] >= RECURRING
    common = np.bincount(hits.places, minlength=len(keys)) > COMMON
    common[hits.places[recurs & (hits.sites == site)]] = True
    good = ~recurs & ~common[hits.places]
    return keys[~common], Hits(hits.places[good], hits.sites[good], hits.documents[good])


def counts_of(keys: Hashes) -> tuple[int, ...]:
    """How many keys there are at each step: coarser samples are part of finer ones."""
    return tuple(int(np.count_nonzero(keys % np.uint64(step) == 0)) for step in STEPS)


def candidates(hits: Hits) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The documents with most hits, and the places of the keys that each shares."""
    order = np.argsort(hits.documents, kind="stable")
    numbers, first, counts = np.unique(hits.documents[order], return_index=True, return_counts=True)
    for place in np.argsort(-counts, kind="stable")[:MOST_CANDIDATES]:
        yield int(numbers[place]), hits.places[order[first[place] : first[place] + counts[place]]]


def containment(own: Sample, shared: Hashes, known: Known) -> float:
    """The share of the smaller sample that the other has too, at the coarser of both steps."""
    coarser = max(own.step, known.entry.fingerprint.step)
    number = int(np.count_nonzero(shared % np.uint64(coarser) == 0))
    place = STEPS.index(coarser)
    smaller = min(counts_of(own.keys)[place], known.counts[place])
    # Of a handful of keys that may be shared by chance, all must be.
    is_enough = number >= FEWEST_SHARED or number == smaller
    return min(1.0, number / smaller) if smaller and is_enough else 0.0
