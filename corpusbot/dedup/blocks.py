"""Simhashes cut into blocks: two that differ in few bits differ in very few in at least one block."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

BLOCKS = 4
BLOCK_BITS = 16
# A block within 2 bits is one of 137; at 3 bits it would be one of 697, and each look-up slow.
GREATEST_DISTANCE = 11

_BLOCK = (1 << BLOCK_BITS) - 1


def blocks_of(simhash: int) -> tuple[int, ...]:
    """The four quarters of a 64-bit simhash.

    >>> [hex(block) for block in blocks_of(0x0123456789ABCDEF)]
    ['0xcdef', '0x89ab', '0x4567', '0x123']
    """
    return tuple(simhash >> place * BLOCK_BITS & _BLOCK for place in range(BLOCKS))


def neighbours(block: int, distance: int) -> list[int]:
    """The blocks of which one is in every simhash that is so near, by the pigeonhole principle.

    >>> len(neighbours(0, 3)), len(neighbours(0, 6))
    (1, 17)
    """
    return [block ^ mask for mask in _masks(distance // BLOCKS)]


@lru_cache(maxsize=4)
def _masks(radius: int) -> tuple[int, ...]:
    """All blocks with at most so many bits set."""
    return tuple(
        sum(1 << bit for bit in chosen)
        for number in range(radius + 1)
        for chosen in combinations(range(BLOCK_BITS), number)
    )
