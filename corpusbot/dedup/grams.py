"""Runs of words as numbers: all words of a text are hashed at once, then all runs of five of them.

A word's hash is a sum over its characters, each times a power of one odd number; sums over any range are the
difference of two running totals, so that no loop goes over words or characters. In scripts without spaces, each
character is a word of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.letters import GAP, SPACE, WORD, Codes, Letters, letters_of, roles_of

Hashes = NDArray[np.uint64]

WORDS_PER_GRAM = 5  # tuned with make bench-duplicates: four join texts made of one template, six lose edited ones
# Half as many keys cost 2 points of F1 on pages with their boilerplate, none on clean text: make bench-duplicates.
MOST_KEYS = 128
GREATEST_STEP = 8
BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(BASE, -1, 1 << 64)


class Words(NamedTuple):
    """The words of a text, in order: their hashes and their lengths."""

    hashes: Hashes
    lengths: NDArray[np.int64]


def words_of(text: str) -> Words:
    """The words of a text; case, punctuation, white space and ways to write an accent do not matter."""
    return words_of_letters(letters_of(text))


def words_of_letters(letters: Letters) -> Words:
    """The words of a text whose letters are folded."""
    codes = letters.codes
    begins, ends = _between_spaces(codes) if letters.are_plain else _words(roles_of(codes))
    powers, inverses = powers_for(len(codes))
    totals = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum((codes + np.uint64(1)) * powers[: len(codes)], out=totals[1:])
    return Words(_mixed((totals[ends] - totals[begins]) * inverses[begins]), ends - begins)


def gram_hashes(words: Hashes, size: int = WORDS_PER_GRAM) -> Hashes:
    """The hash of each run of so many words, in order; of a text that has not so many, the one run there is."""
    size = min(size, len(words))
    number = len(words) - size + 1 if size else 0
    found = np.zeros(number, np.uint64)
    for place in range(size):
        found *= np.uint64(BASE)
        found += words[place : place + number]
    return _mixed(found)


def sampled(grams: Hashes, most: int = MOST_KEYS, greatest_step: int = GREATEST_STEP) -> tuple[Hashes, int]:
    """The different grams that are 0 modulo a step, sorted; and the step, a power of 2 that leaves about so many."""
    step = 1
    while len(grams) > most * step and step < greatest_step:
        step *= 2
    keys = grams[grams & np.uint64(step - 1) == 0]
    keys.sort()
    return keys[np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)]], step


def _between_spaces(codes: Codes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where words begin, and where they end, in plain letters."""
    in_word = np.zeros(len(codes) + 2, np.bool_)
    np.not_equal(codes, SPACE, out=in_word[1:-1])
    edges = np.flatnonzero(in_word[1:] != in_word[:-1])
    return edges[::2], edges[1::2]


def _words(roles: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where words begin, and where they end."""
    around = np.concatenate(([GAP], roles, [GAP])).astype(np.uint8)
    before, after = around[:-1], around[1:]
    # Between letters there is no edge; a character that is a word of its own has one on either side.
    edge = (before != after) | (after == WORD)
    return np.flatnonzero(edge & (after != GAP)), np.flatnonzero(edge & (before != GAP))


def powers_for(length: int) -> tuple[Hashes, Hashes]:
    """The powers of the base, and of its inverse, that a text of so many characters takes."""
    return _powers(1 << max(16, length.bit_length()))


@lru_cache(maxsize=4)
def _powers(number: int) -> tuple[Hashes, Hashes]:
    """The first powers of the base, and of its inverse modulo 2 to the 64."""
    steps = np.ones((2, number), np.uint64)
    steps[0, 1:], steps[1, 1:] = BASE, _INVERSE
    powers, inverses = np.cumprod(steps, axis=1, dtype=np.uint64)
    return powers, inverses


def _mixed(hashes: Hashes) -> Hashes:
    """Each hash with every bit depending on all of its bits: the finisher of MurmurHash3."""
    found = hashes ^ (hashes >> np.uint64(33))
    found *= np.uint64(0xFF51AFD7ED558CCD)
    found ^= found >> np.uint64(33)
    found *= np.uint64(0xC4CEB9FE1A85EC53)
    found ^= found >> np.uint64(33)
    return found
