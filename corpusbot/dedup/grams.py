"""Runs of words as numbers: all words of a text are hashed at once, then all runs of five of them.

A word's hash is a sum over its characters, each times a power of one odd number; sums over any range are the
difference of two running totals, so that no loop goes over words or characters. In scripts without spaces, each
character is a word of its own.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

WORDS_PER_GRAM = 5  # tuned with make bench-duplicates: four join texts made of one template, six lose edited ones
# Half as many keys cost 2 points of F1 on pages with their boilerplate, none on clean text: make bench-duplicates.
MOST_KEYS = 128
GREATEST_STEP = 8
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_PLANE = 0x10000
_GAP, _LETTER, _WORD = range(3)
# Thai to Burmese, Khmer, kana, Chinese characters: what is written without spaces.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x323AF),
)  # fmt: skip
_STYLES = range(0xFE00, 0xFE10)  # variation selectors: how an emoji looks, no part of a word


class Words(NamedTuple):
    """The words of a text, in order: their hashes and their lengths."""

    hashes: Hashes
    lengths: NDArray[np.int64]


def words_of(text: str) -> Words:
    """The words of a text; case, punctuation, white space and ways to write an accent do not matter."""
    folded = text.casefold()
    if not unicodedata.is_normalized("NFKC", folded):
        folded = unicodedata.normalize("NFKC", folded)
    codes = np.frombuffer(folded.encode("utf-32-le", "surrogatepass"), np.uint32)
    begins, ends = _words(_roles(codes))
    powers, inverses = _powers(1 << max(16, len(codes).bit_length()))
    totals = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum((codes + np.uint64(1)) * powers[: len(codes)], out=totals[1:])
    return Words(_mixed((totals[ends] - totals[begins]) * inverses[begins]), ends - begins)


def gram_hashes(words: Hashes, size: int = WORDS_PER_GRAM) -> Hashes:
    """The hash of each run of so many words, in order; of a text that has not so many, the one run there is."""
    size = min(size, len(words))
    number = len(words) - size + 1 if size else 0
    found = np.zeros(number, np.uint64)
    for place in range(size):
        found *= np.uint64(_BASE)
        found += words[place : place + number]
    return _mixed(found)


def sampled(grams: Hashes, most: int = MOST_KEYS, greatest_step: int = GREATEST_STEP) -> tuple[Hashes, int]:
    """The different grams that are 0 modulo a step, sorted; and the step, a power of 2 that leaves about so many."""
    step = 1
    while len(grams) > most * step and step < greatest_step:
        step *= 2
    return np.unique(grams[grams % np.uint64(step) == 0]), step


def _words(roles: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where words begin, and where they end."""
    around = np.concatenate(([_GAP], roles, [_GAP])).astype(np.uint8)
    before, after = around[:-1], around[1:]
    # Between letters there is no edge; a character that is a word of its own has one on either side.
    edge = (before != after) | (after == _WORD)
    return np.flatnonzero(edge & (after != _GAP)), np.flatnonzero(edge & (before != _GAP))


def _roles(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Whether each character stands between words, in one, or is one."""
    roles = _role_of()[np.minimum(codes, _PLANE - 1)]
    for place in np.flatnonzero(codes >= _PLANE):
        roles[place] = _role(int(codes[place]))
    return roles


@lru_cache(maxsize=1)
def _role_of() -> NDArray[np.uint8]:
    """The roles of the characters of the basic plane."""
    letters = "".join(map(chr, range(_PLANE)))
    roles = np.fromiter((letter.isalnum() for letter in letters), np.uint8, _PLANE)
    roles[[code for code in np.flatnonzero(roles == _GAP).tolist() if _role(code)]] = _LETTER
    for first, last in _UNSPACED:
        roles[first : last + 1] *= _WORD
    return np.minimum(roles, _WORD)


def _role(code: int) -> int:
    letter = chr(code)
    is_mark = unicodedata.category(letter)[0] == "M" and code not in _STYLES
    if not letter.isalnum() and not is_mark:
        return _GAP
    return _WORD if any(first <= code <= last for first, last in _UNSPACED) else _LETTER


@lru_cache(maxsize=4)
def _powers(number: int) -> tuple[Hashes, Hashes]:
    """The first powers of the base, and of its inverse modulo 2 to the 64."""
    steps = np.ones((2, number), np.uint64)
    steps[0, 1:], steps[1, 1:] = _BASE, _INVERSE
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
