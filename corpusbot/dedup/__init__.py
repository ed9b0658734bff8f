"""Duplicates: what is left of a text to know it again by, and the index of all that a corpus holds."""

from __future__ import annotations

from corpusbot.dedup.exact import checksum_of_words
from corpusbot.dedup.simhash import simhash_of_features, usual_features
from corpusbot.dedup.words import folded_words
from corpusbot.model import Fingerprint


def fingerprint(text: str) -> Fingerprint:
    """Checksum and simhash of a text, whose words are looked for once."""
    words = folded_words(text)
    return Fingerprint(checksum_of_words(words), simhash_of_features(usual_features(words)))
