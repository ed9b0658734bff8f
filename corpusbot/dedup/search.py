"""How to look for duplicates: what makes two documents that share something the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.simhash import distance as bits_apart

NEAR_DISTANCE = 6
NEAR_CONTAINMENT = 0.5
NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class Search:
    """How to look: what share of a text must be in the other, or how many bits may differ; if others count."""

    distance: int = NEAR_DISTANCE
    containment: float = NEAR_CONTAINMENT
    across: bool = True

    def is_near(self, similarity: float, one: int, other: int) -> bool:
        """Whether two documents that share so much are near-duplicates; simhashes decide where it is nearly enough."""
        if similarity >= self.containment:
            return True
        return similarity >= self.containment * NEARLY and bits_apart(one, other) <= self.distance

    def are_near(self, similarity: NDArray[Any], apart: NDArray[Any]) -> NDArray[Any]:
        """The same of many at once."""
        return (similarity >= self.containment) | (
            (apart <= self.distance) & (similarity >= self.containment * NEARLY)
        )


USUAL = Search()


def bits_set(numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits of each are 1."""
    found: NDArray[np.int64] = np.unpackbits(numbers.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.int64)
    return found
