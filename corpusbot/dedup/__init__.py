"""Duplicates: what is left of a text to know it again by, and the index of all that a corpus holds."""

from __future__ import annotations

from corpusbot.dedup.exact import checksum, checksum_of_letters
from corpusbot.dedup.fast import fast_fingerprint
from corpusbot.dedup.grams import gram_hashes, sampled, words_of_letters
from corpusbot.dedup.letters import letters_of
from corpusbot.dedup.simhash import simhash_of_words
from corpusbot.model import Fingerprint

__all__ = ["checksum", "fingerprint", "plain_fingerprint"]


def fingerprint(text: str) -> Fingerprint:
    """What a text is known again by; with numba, if it is installed, several times as fast."""
    return fast_fingerprint(text) or plain_fingerprint(text)


def plain_fingerprint(text: str) -> Fingerprint:
    """The same without numba."""
    letters = letters_of(text)
    words = words_of_letters(letters)
    keys, step = sampled(gram_hashes(words.hashes))
    return Fingerprint(checksum_of_letters(letters), simhash_of_words(words), len(words.hashes), keys.tobytes(), step)
