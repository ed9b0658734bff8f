"""Simhash (Charikar 2002): texts that share most of their words get numbers that share most of their bits.

Each feature of a text is hashed; each bit of the simhash is the sign of a sum to which every feature adds its
weight where its own bit is 1 and takes it away where it is 0. The weight of a feature is its frequency.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.grams import Hashes, Words, gram_hashes, words_of
from corpusbot.dedup.words import folded_words

BITS = 64
# Tuned on 1,086 texts of bench/extraction and 1,000 made-up stories. Words alone call many pairs of different
# news near-duplicates, for half of their weight is in the commonest words; pairs of words alone lose too many
# texts that were merely edited. Both, less the short words, find 99% of the texts of which 1% was changed and
# no false pair at a distance of 6.
WORDS_PER_SHINGLE = 2
SHORTEST_WORD = 4

Features: TypeAlias = Callable[[str], Iterable[str]]
Hash: TypeAlias = Callable[[str], int]


def simhash(text: str, bits: int = BITS, features: Features | None = None, hashed: Hash | None = None) -> int:
    """The simhash of a text; the features are its longer words and its pairs of words unless others are given.

    >>> distance(simhash("uno dos tres cuatro cinco"), simhash("¡Uno, dos, tres, cuatro, cinco!"))
    0
    """
    if bits % 8 or not 8 <= bits <= 512:
        raise ValueError(f"bits: a multiple of 8 from 8 to 512 is wanted, not {bits}")
    if features is None and hashed is None:
        return simhash_of_words(words_of(text), bits)
    found = list(features(text) if features else folded_words(text))
    width = bits // 8
    digests = b"".join(hashed(one).to_bytes(width, "big") if hashed else _digest(one, width) for one in found)
    return _signs(np.frombuffer(digests, np.uint8).reshape(len(found), width))


def simhash_of_words(words: Words, bits: int = BITS) -> int:
    """The simhash of words that are hashed already."""
    hashes = usual_features(words)
    lanes = [hashes * np.uint64(2 * lane + 1) for lane in range(-(-bits // 64))]
    digests = np.stack(lanes, axis=1).astype(">u8").view(np.uint8).reshape(len(hashes), 8 * len(lanes))
    return _signs(digests[:, : bits // 8])


def usual_features(words: Words) -> Hashes:
    """The hashes of the words of some length, and of all pairs of neighbours."""
    pairs = gram_hashes(words.hashes, WORDS_PER_SHINGLE)
    return np.concatenate((words.hashes[words.lengths >= SHORTEST_WORD], pairs))


def distance(a: int, b: int) -> int:
    """How many bits differ."""
    return (a ^ b).bit_count()


def _digest(feature: str, width: int) -> bytes:
    return hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=width).digest()


def _signs(digests: NDArray[np.uint8]) -> int:
    """A number whose bits say which bits are 1 in more than half of the digests."""
    ones = np.unpackbits(digests, axis=1).sum(axis=0, dtype=np.int64)
    return int.from_bytes(np.packbits(2 * ones > len(digests)).tobytes(), "big")
