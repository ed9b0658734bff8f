"""Loops that numba compiles: what grams.py, simhash.py and exact.py say of whole arrays, a letter at a time.

Only to be imported where numba is installed; tests hold that both ways give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup import grams
from corpusbot.dedup.letters import ACCENT, MARK, SPACE, Codes, Table
from corpusbot.dedup.simhash import SHORTEST_WORD, WORDS_PER_SHINGLE

Numbers = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., Any])

# numba takes the constants of a module as they are when it compiles; numbers with a sign would become floats.
_BASE = np.uint64(grams.BASE)
_SIZE, _MOST, _GREATEST = grams.WORDS_PER_GRAM, grams.MOST_KEYS, grams.GREATEST_STEP
_PAIR, _SHORTEST = WORDS_PER_SHINGLE, SHORTEST_WORD
_ONE, _NONE, _SHIFT = np.uint64(1), np.uint64(0), np.uint64(33)
_FIRST, _SECOND = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_PLANES = 32
_LETTERS, _ACCENT = np.uint32(MARK - 1), np.uint32(ACCENT)


def compiled(function: Function) -> Function:
    """The function, compiled when it is first called, and kept on the disk."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


@compiled
def _mixed(hash: Any) -> Any:
    hash ^= hash >> _SHIFT
    hash *= _FIRST
    hash ^= hash >> _SHIFT
    hash *= _SECOND
    return hash ^ (hash >> _SHIFT)


@compiled
def _joined(letters: Codes) -> NDArray[np.uint8]:
    """Letters of the basic plane in UTF-8."""
    joined = np.empty(3 * len(letters), np.uint8)
    end = 0
    for letter in letters:
        if letter < 0x80:
            joined[end] = letter
            end += 1
        elif letter < 0x800:
            joined[end], joined[end + 1] = 0xC0 | letter >> 6, 0x80 | letter & 0x3F
            end += 2
        else:
            joined[end] = 0xE0 | letter >> 12
            joined[end + 1], joined[end + 2] = 0x80 | letter >> 6 & 0x3F, 0x80 | letter & 0x3F
            end += 3
    return joined[:end]


@compiled
def words_of_codes(
    codes: Codes, table: Table, powers: Numbers, inverses: Numbers, joins: bool
) -> tuple[Numbers, NDArray[np.int64], NDArray[np.uint8], bool]:
    """The hashes and lengths of words, and the words in UTF-8; the last is False if a letter is not in the table.

    Where a word ends nobody can foretell: what is written there is written everywhere, and kept there only.
    """
    kept, number = np.empty(len(codes) + 1, np.uint32), 0
    edges, totals, count = np.empty(len(codes) + 2, np.int64), np.empty(len(codes) + 2, np.uint64), 0
    total, was_letter, was_kept, are_known = _NONE, False, False, True
    for place in range(len(codes)):
        code = codes[place]
        found = table[code] if code < len(table) else np.uint32(0)
        letter = found & _LETTERS
        are_known &= letter != 0
        is_letter = letter != SPACE
        edges[count], totals[count] = place, total
        count += is_letter != was_letter
        total += np.uint64(letter + 1) * powers[place]
        was_letter = is_letter
        is_kept = is_letter & ((found <= _LETTERS) | (was_kept & (found >= _ACCENT)))
        kept[number] = letter if is_kept else SPACE
        number += is_kept | was_kept  # one space after each word
        was_kept = is_kept
    edges[count], totals[count] = len(codes), total
    words = (count + was_letter) // 2
    hashes, lengths = np.empty(words, np.uint64), np.empty(words, np.int64)
    for word in range(words):
        begin = edges[2 * word]
        hashes[word] = _mixed((totals[2 * word + 1] - totals[2 * word]) * inverses[begin])
        lengths[word] = edges[2 * word + 1] - begin
    if number and not was_kept:
        number -= 1
    return hashes, lengths, _joined(kept[: number if joins else 0]), are_known


@compiled
def _gram(words: Numbers, place: int, size: int) -> Any:
    found = _NONE
    for offset in range(size):
        found = found * _BASE + words[place + offset]
    return _mixed(found)


@compiled
def _sample(words: Numbers) -> tuple[Numbers, int]:
    """The runs of five words that are kept, sorted, each once; and the step."""
    size = min(_SIZE, len(words))
    number = len(words) - size + 1 if size else 0
    step = 1
    while number > _MOST * step and step < _GREATEST:
        step *= 2
    keys = np.empty(number, np.uint64)
    kept = 0
    for place in range(number):
        key = _gram(words, place, size)
        keys[kept] = key
        kept += key & np.uint64(step - 1) == _NONE
    keys = np.sort(keys[:kept])
    different = 0
    for place in range(kept):
        if place == 0 or keys[place] != keys[place - 1]:
            keys[different] = keys[place]
            different += 1
    return keys[:different], step


@compiled
def _add(planes: Numbers, first: int, bits: Any) -> None:
    """Add 1 to the counters where a bit is set; plane n holds all counters' digits for 2 to the n."""
    place = first
    while bits:
        carried = planes[place] & bits
        planes[place] ^= bits
        bits = carried
        place += 1


@compiled
def _majority(planes: Numbers, number: int) -> Any:
    """The bits that are set in more than half of so many features."""
    signs = _NONE
    used = _PLANES
    while used and not planes[used - 1]:
        used -= 1
    for bit in range(64):
        count = 0
        for place in range(used):
            count += int(planes[place] >> np.uint64(bit) & _ONE) << place
        if 2 * count > number:
            signs |= _ONE << np.uint64(bit)
    return signs


@compiled
def _features(words: Numbers, lengths: NDArray[np.int64]) -> Numbers:
    """The words of some length, and all pairs of neighbours."""
    size = min(_PAIR, len(words))
    pairs = len(words) - size + 1 if size else 0
    found = np.empty(len(words) + pairs, np.uint64)
    number = 0
    for place in range(len(words)):
        found[number] = words[place]
        number += lengths[place] >= _SHORTEST
    for place in range(pairs):
        found[number] = _gram(words, place, size)
        number += 1
    return found[:number]


@compiled
def _simhash(features: Numbers) -> Any:
    """All 64 counters at once, as digits in planes; four features make one sum before it is carried on."""
    planes = np.zeros(_PLANES, np.uint64)
    ones, twos = _NONE, _NONE
    number = len(features)
    for place in range(0, number - 3, 4):
        a, b, c, d = features[place], features[place + 1], features[place + 2], features[place + 3]
        half = ones ^ a
        first = (ones & a) | (half & b)
        ones = half ^ b
        half = ones ^ c
        second = (ones & c) | (half & d)
        ones = half ^ d
        half = twos ^ first
        _add(planes, 2, (twos & first) | (half & second))
        twos = half ^ second
    for place in range(number - number % 4, number):
        _add(planes, 0, features[place])
    _add(planes, 0, ones)
    _add(planes, 1, twos)
    return _majority(planes, number)


@compiled
def keys_and_simhash(words: Numbers, lengths: NDArray[np.int64]) -> tuple[Numbers, int, Any]:
    """The sample of a text's runs of words, its step, and its simhash."""
    keys, step = _sample(words)
    return keys, step, _simhash(_features(words, lengths))


@compiled
def simhash_of(words: Numbers, lengths: NDArray[np.int64]) -> Any:
    """The simhash of a text's words."""
    return _simhash(_features(words, lengths))
