"""How much of a text is in others: the share of its sampled runs of words that they have too.

A run of words that several documents of one newspaper have is the newspaper's, as menus and set phrases are: it is
left out for this newspaper. What is left of the shorter of two texts, and is in the other, is their containment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.facts import Facts
from corpusbot.dedup.grams import GREATEST_STEP, Hashes
from corpusbot.dedup.postings import SITE_BITS, Hits
from corpusbot.model import Fingerprint

# Documents of one newspaper with the same run of words; with 2 it would be left out of articles brought up to date,
# with 4 the first pages of a newspaper look alike for longer: make bench-duplicates.
RECURRING = 3
# A run of words in so many documents of the corpus is a set phrase.
COMMON = 100
# While a newspaper has fewer documents than that, its boilerplate is not known: only texts that share so much are one.
UNLEARNT = 0.95
# Texts of one newspaper that share so much are one text, which its newspaper printed again.
TWIN = 0.9
# So many alike are no versions of one text, but pages on which there is little else than boilerplate.
MOST_TWINS = 8
# A text that shares less with another is unrelated to it; with a tenth, texts of one template become related to
# nobody and are then joined by what little is left: make bench-duplicates.
RELATED = 0.05
STEPS = tuple(1 << place for place in range(GREATEST_STEP.bit_length()))
FEWEST_SHARED = 4
# Where they are next to nothing of the longer text, so few may be a teaser in both.
FEWEST_OF_LITTLE = 8
MOST_CANDIDATES = 50
MOST_SECOND_LOOKS = 10


class Sample(NamedTuple):
    """A text's own keys, the step that they were chosen by, and how many there are of each step."""

    keys: Hashes
    step: int
    counts: tuple[int, ...]


def sample_of(keys: Hashes, step: int) -> Sample:
    """The sample that these keys are."""
    return Sample(keys, step, counts_of(keys))


def own_keys(keys: Hashes, site: int, hits: Hits) -> tuple[Hashes, Hits]:
    """The keys that are the text's and not its newspaper's, and the hits that say something."""
    if len(hits.places) < RECURRING:
        return keys, hits
    pairs = hits.places << SITE_BITS | hits.sites
    order = np.argsort(pairs, kind="stable")
    ordered = pairs[order]
    _, counts = _runs(ordered)
    recurs = np.empty(len(ordered), np.bool_)
    recurs[order] = np.repeat(counts >= RECURRING, counts)
    common = np.bincount(hits.places, minlength=len(keys)) > COMMON
    common[hits.places[recurs & (hits.sites == site)]] = True
    return keys[~common], hits.where(~recurs & ~common[hits.places])


def without_foreign(own: Hashes, keys: Hashes, hits: Hits) -> Hashes:
    """A text's own keys, less those that only texts unrelated to it have as well, as a teaser or a set phrase."""
    _, back, counts = np.unique(hits.documents, return_inverse=True, return_counts=True)
    is_related = counts[back] >= RELATED * len(own)
    foreign = np.bincount(hits.places, minlength=len(keys)) > 0
    foreign[hits.places[is_related]] = False
    return own[~np.isin(own, keys[foreign])]


def counts_of(keys: Hashes) -> tuple[int, ...]:
    """How many keys there are at each step: coarser samples are part of finer ones."""
    lowest = (keys & np.uint64(GREATEST_STEP - 1)).astype(np.int64)
    by_rest = np.bincount(lowest, minlength=GREATEST_STEP).tolist()
    return tuple([sum(by_rest[::step]) for step in STEPS])


def candidates(
    hits: Hits, are_short: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The documents with most hits, and the places of the keys that each shares.

    If it is said which documents are short, those that are not, and share next to nothing, are left out.
    """
    if not len(hits.documents):
        return
    order = np.argsort(hits.documents, kind="stable")
    documents = hits.documents[order]
    first, counts = _runs(documents)
    chosen = np.argsort(-counts, kind="stable")[:MOST_CANDIDATES]
    if are_short is not None:
        chosen = chosen[(counts[chosen] >= FEWEST_SHARED) | are_short(documents[first[chosen]])]
    places, begins = hits.places[order], first[chosen]
    for number, begin, count in zip(documents[begins].tolist(), begins.tolist(), counts[chosen].tolist(), strict=True):
        yield number, places[begin : begin + count]


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """The share of the shorter of two texts that is in the other, boilerplate and all."""
    step = np.uint64(max(one.step, other.step))
    first, second = (np.frombuffer(print_of.keys, np.uint64) for print_of in (one, other))
    first, second = first[first % step == 0], second[second % step == 0]
    smaller = min(len(first), len(second))
    return len(np.intersect1d(first, second)) / smaller if smaller else 0.0


def containment(own: Sample, shared: Hashes, known: Facts) -> float:
    """The share of the smaller sample that the other has too, at the coarser of both steps."""
    coarser = max(own.step, known.step)
    number = int(np.count_nonzero(shared & np.uint64(coarser - 1) == 0))
    place = STEPS.index(coarser)
    smaller = min(own.counts[place], known.counts[place])
    # Of a handful of keys that may be shared by chance, all must be.
    is_enough = number >= FEWEST_SHARED or number == smaller
    return min(1.0, number / smaller) if smaller and is_enough else 0.0


def _runs(ordered: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each value begins, and how often it is there."""
    borders = np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, [len(ordered)]))
    return borders[:-1], borders[1:] - borders[:-1]
