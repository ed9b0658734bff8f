"""The fast way to a fingerprint, where the extra `fast` (numba) is installed; the same bits as the plain way.

numba is loaded with the first text, and what it compiled is kept on the disk. Without it, nothing here finds
anything, and the plain way is taken.
"""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.exact import checksum_of_bytes
from corpusbot.dedup.grams import powers_for
from corpusbot.dedup.letters import codes_of, folded, look_ups
from corpusbot.model import Fingerprint


@lru_cache(maxsize=1)
def compiled_loops() -> ModuleType | None:
    """The loops that numba compiles; None without numba, or where it does not work."""
    try:
        from corpusbot.dedup import loops
    except (ImportError, RuntimeError):  # RuntimeError: there is no folder for what it compiles
        return None
    return loops


class _Read(NamedTuple):
    """A text's words: their hashes and lengths, and the words in UTF-8."""

    loops: Any
    hashes: NDArray[np.uint64]
    lengths: NDArray[np.int64]
    joined: NDArray[np.uint8]


def fast_fingerprint(text: str) -> Fingerprint | None:
    """What a text is known again by; None without numba, or for a text with letters that are not in the tables."""
    read = _read(text)
    if read is None:
        return None
    keys, step, simhash = read.loops.keys_and_simhash(read.hashes, read.lengths)
    return Fingerprint(checksum_of_bytes(read.joined.data), int(simhash), len(read.hashes), keys.tobytes(), int(step))


def fast_simhash(text: str) -> int | None:
    """The 64 bits of its usual features; None as above."""
    read = _read(text, joins=False)
    return None if read is None else int(read.loops.simhash_of(read.hashes, read.lengths))


def _read(text: str, joins: bool = True) -> _Read | None:
    loops = compiled_loops()
    if loops is None:
        return None
    tables = look_ups()
    codes = codes_of(text)
    *found, is_plain = loops.words_of_codes(codes, tables.raw, *powers_for(len(codes)), joins)
    if not is_plain:
        codes = codes_of(folded(text))
        *found, is_plain = loops.words_of_codes(codes, tables.marked, *powers_for(len(codes)), joins)
    return _Read(loops, *found) if is_plain else None
