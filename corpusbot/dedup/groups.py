"""Things that are joined two by two, and the groups that come of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class Groups:
    """Groups of numbers; each is named by the first of its members, in whatever order they were joined."""

    def __init__(self, number: int) -> None:
        self._parents = np.arange(number)

    def join(self, one: Numbers, other: Numbers, wanted: NDArray[np.bool_]) -> None:
        """Join those pairs that are wanted."""
        for first, second in zip(one[wanted].tolist(), other[wanted].tolist(), strict=True):
            self.join_two(first, second)

    def join_two(self, one: int, other: int) -> None:
        """Make the groups of two one."""
        first, second = sorted((self.of(one), self.of(other)))
        self._parents[second] = first

    def of(self, place: int) -> int:
        """The name of the group that one is in."""
        parents = self._parents
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = int(parents[place])
        return place

    def named(self) -> Numbers:
        """The names of all."""
        parents = self._parents
        while True:
            found = parents[parents]
            if (found == parents).all():
                return found
            parents = found
