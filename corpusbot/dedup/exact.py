"""Exact duplicates: a checksum of a text's words, so that layout and typography do not matter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from corpusbot.dedup.words import folded_words

CHECKSUM_BYTES = 16


def checksum(text: str) -> str:
    """128 bits in hexadecimal, the same for texts of the same words in the same order.

    >>> checksum("¡Gol, gol!") == checksum("gol\\nGOL")
    True
    """
    return checksum_of_words(folded_words(text))


def checksum_of_words(words: Iterable[str]) -> str:
    """The checksum of words that are folded already."""
    joined = " ".join(words).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=CHECKSUM_BYTES).hexdigest()
