"""Which of the documents that share something with a text share enough: a first look, and for some a second one.

A document's own keys were counted when it came. The second look, at what shares something but not enough, counts them
by what is known by now: more of them may be its newspaper's, or in texts that are unrelated to it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from corpusbot.dedup.entry import Entry
from corpusbot.dedup.facts import Facts
from corpusbot.dedup.grams import Hashes
from corpusbot.dedup.likeness import (
    FEWEST_OF_LITTLE,
    FEWEST_SHARED,
    MOST_SECOND_LOOKS,
    RELATED,
    STEPS,
    UNLEARNT,
    Sample,
    candidates,
    containment,
    counts_of,
    own_keys,
    sample_of,
    without_foreign,
)
from corpusbot.dedup.numbers import Numbers
from corpusbot.dedup.postings import Hits, Postings
from corpusbot.dedup.search import Search


class Judging:
    """Judges texts by the postings; is told a document's whole sample, and whether a newspaper's boilerplate shows."""

    def __init__(
        self,
        postings: Postings,
        numbers: Numbers,
        keys_of: Callable[[int], Hashes],
        is_learnt: Callable[[int], bool],
    ) -> None:
        self._postings = postings
        self._numbers = numbers
        self._keys_of = keys_of
        self._is_learnt = is_learnt

    def likes(self, entry: Entry, own: Hashes, hits: Hits, search: Search) -> dict[int, float]:
        """The documents that share enough, by number, and how much of the shorter text that is."""
        sample, site = sample_of(own, entry.fingerprint.step), self._numbers.known_site(entry.site)
        stricter: Sample | None = None
        likes, looks = {}, 0
        # A few keys in common can make two texts alike only if one of them has no more.
        are_short = partial(self._postings.are_short, fewest=FEWEST_SHARED)
        for number, places in candidates(hits, are_short if sample.counts[-1] >= FEWEST_SHARED else None):
            facts = self._postings.facts_of(number)
            if facts is None:
                continue
            like = containment(sample, entry.keys[places], facts)
            is_near = search.is_near(like, entry.fingerprint.simhash, facts.simhash)
            if not is_near and looks < MOST_SECOND_LOOKS and _deserves(len(places), sample, facts):
                looks += 1
                stricter = stricter or sample_of(without_foreign(own, entry.keys, hits), entry.fingerprint.step)
                like = containment(stricter, entry.keys[places], self._facts_now(number, facts))
                is_near = search.is_near(like, entry.fingerprint.simhash, facts.simhash)
            if is_near and (facts.site != site or like >= UNLEARNT or self._is_learnt(site)):
                likes[number] = like
        return likes

    def _facts_now(self, number: int, facts: Facts) -> Facts:
        """The facts of a document by what is known by now."""
        keys = self._keys_of(number)
        if not len(keys):
            return facts
        own, hits = own_keys(keys, facts.site, self._postings.find(keys).without(self._numbers.forgotten))
        counts = counts_of(without_foreign(own, keys, hits.where(hits.documents != number)))
        return facts._replace(counts=tuple(map(min, facts.counts, counts)))


def _deserves(shared: int, sample: Sample, facts: Facts) -> bool:
    """Whether so much is shared that the texts may be related; a little of both may be a teaser."""
    if shared < FEWEST_SHARED or shared < RELATED * len(sample.keys):
        return False
    place = STEPS.index(max(sample.step, facts.step))
    return shared >= FEWEST_OF_LITTLE or shared >= RELATED * max(sample.counts[place], facts.counts[place])
