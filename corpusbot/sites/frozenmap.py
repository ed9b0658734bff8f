"""A mapping that cannot change, so that a site can be hashed, shared and pickled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class FrozenMap(Mapping[str, V]):
    """A mapping that keeps its order, has a hash and survives pickling (a MappingProxyType does not)."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._values = dict(values)

    def __getitem__(self, key: str) -> V:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._values!r})"
