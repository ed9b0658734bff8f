"""Duplicates: what is left of a text to know it again by, and the index of all that a corpus holds."""

from __future__ import annotations

from corpusbot.dedup.exact import checksum
from corpusbot.dedup.grams import gram_hashes, sampled, words_of
from corpusbot.dedup.simhash import simhash_of_words
from corpusbot.model import Fingerprint


def fingerprint(text: str) -> Fingerprint:
    """What a text is known again by."""
    words = words_of(text)
    keys, step = sampled(gram_hashes(words.hashes))
    return Fingerprint(checksum(text), simhash_of_words(words), len(words.hashes), keys.tobytes(), step)
