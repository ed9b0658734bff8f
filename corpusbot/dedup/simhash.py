"""Simhash (Charikar 2002): texts that share most of their words get numbers that share most of their bits.

Each feature of a text is hashed; each bit of the simhash is the sign of a sum to which every feature adds its
weight where its own bit is 1 and takes it away where it is 0. The weight of a feature is its frequency.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.fast import fast_simhash
from corpusbot.dedup.grams import Hashes, Words, gram_hashes, words_of
from corpusbot.dedup.words import folded_words

BITS = 64
# Tuned on 1,086 texts of bench/extraction and 1,000 made-up stories. Words alone call many pairs of different
# news near-duplicates, for half of their weight is in the commonest words; pairs of words alone lose too many
# texts that were merely edited. Both, less the short words, find 99% of the texts of which 1% was changed and
# no false pair at a distance of 6.
WORDS_PER_SHINGLE = 2
SHORTEST_WORD = 4

Features: TypeAlias = Callable[[str], Iterable[str] | Mapping[str, float]]
Hash: TypeAlias = Callable[[str], int]
Weights: TypeAlias = NDArray[np.float64]
MOST_BITS = 512


def simhash(
    text: str, bits: int = BITS, features: Features | int | None = None, hashed: Hash | None = None
) -> int:
    """The simhash of a text; the features are its longer words and its pairs of words unless others are given.

    Others are a number of words, whose runs they are then, or a function that tells a text's features, those that
    are repeated several times, or each with its weight; `hashed` gives each feature a number of so many bits.

    >>> distance(simhash("uno dos tres cuatro cinco"), simhash("¡Uno, dos, tres, cuatro, cinco!"))
    0
    >>> simhash("uno dos", features=str.split) == simhash("", features=lambda _: {"uno": 0.5, "dos": 0.5})
    True
    """
    if bits % 8 or not 8 <= bits <= MOST_BITS:
        raise ValueError(f"bits: a multiple of 8 from 8 to {MOST_BITS} is wanted, not {bits}")
    if bits == BITS and features is None and hashed is None:
        quick = fast_simhash(text)
        if quick is not None:
            return quick
    if hashed is None and not callable(features):
        words = words_of(text)
        return simhash_of_words(words, bits) if features is None else _of_hashes(_runs(words, features), bits)
    width = bits // 8
    found = features(text) if callable(features) else _spelt_runs(text, features or 1)
    weights = np.array(list(found.values()), np.float64) if isinstance(found, Mapping) else None
    digests = [hashed(one).to_bytes(width, "big") if hashed else _digest(one, width) for one in found]
    return _signs(np.frombuffer(b"".join(digests), np.uint8).reshape(len(digests), width), weights)


def simhash_of_words(words: Words, bits: int = BITS) -> int:
    """The simhash of words that are hashed already."""
    return _of_hashes(usual_features(words), bits)


def usual_features(words: Words) -> Hashes:
    """The hashes of the words of some length, and of all pairs of neighbours."""
    pairs = gram_hashes(words.hashes, WORDS_PER_SHINGLE)
    return np.concatenate((words.hashes[words.lengths >= SHORTEST_WORD], pairs))


def distance(a: int, b: int) -> int:
    """How many bits differ."""
    return (a ^ b).bit_count()


def _runs(words: Words, size: int) -> Hashes:
    if size < 1:
        raise ValueError(f"features: a number of words from 1 on is wanted, not {size}")
    return words.hashes if size == 1 else gram_hashes(words.hashes, size)


def _spelt_runs(text: str, size: int) -> list[str]:
    words = folded_words(text)
    return [" ".join(words[place : place + size]) for place in range(max(1, len(words) - size + 1)) if words]


def _of_hashes(hashes: Hashes, bits: int) -> int:
    """The simhash of features of 64 bits, which are made longer where more are wanted."""
    lanes = [hashes * np.uint64(2 * lane + 1) if lane else hashes for lane in range(-(-bits // 64))]
    digests = np.stack(lanes, axis=1).astype(">u8").view(np.uint8).reshape(len(hashes), 8 * len(lanes))
    return _signs(digests[:, : bits // 8])


def _digest(feature: str, width: int) -> bytes:
    return hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=width).digest()


def _signs(digests: NDArray[np.uint8], weights: Weights | None = None) -> int:
    """A number whose bits say which bits are 1 in digests of more than half of the weight.

    How often each byte has which value is counted first: then the bits of 256 values are added, not of all digests.
    """
    number, width = digests.shape
    values = (digests + 256 * np.arange(width)).ravel()
    each = None if weights is None else np.repeat(weights, width)
    ones = np.bincount(values, each, 256 * width).reshape(width, 256) @ _bits_of_bytes()
    total = number if weights is None else weights.sum()
    return int.from_bytes(np.packbits(2 * ones > total).tobytes(), "big")


@lru_cache(maxsize=1)
def _bits_of_bytes() -> Weights:
    return np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)
