"""The model: trees as plain arrays, evaluated for all runs of a page at once.

A tree is not gone down node by node. Every node is asked at once, by one subtraction of arrays; each that sends a
run to its right side rules out the leaves on its left, which are bits; and the first leaf that is not ruled out is
the run's. That takes a third of the time of going down, for which numpy must look up something at each step.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.features import Floats, Lexicon
from corpusbot.extractors.gist.texts import FORM

FILE = "model.json.gz"
MOST_LEAVES = 64
# So many numbers at a time stay in the cache of the processor.
_AT_ONCE = 120_000
_MOST_RUNS = 1_000
_SIGN = 31  # what a number below zero leaves if it is shifted so far: all bits set

Bits = NDArray[np.int32 | np.int64]


@dataclass(frozen=True, slots=True)
class Model:
    """Names of the features, their usual values, lexicon, and all trees: of each its nodes, and its leaves' values.

    The forms are those that features are made of. A node has a feature, a border, and the leaves that are ruled out
    where the feature is above the border. The second model judges anew what the first has judged; the reliability is
    what came of what was expected.
    """

    features: tuple[str, ...]
    forms: frozenset[str]
    usual: Floats
    lexicon: Lexicon
    split: NDArray[np.intp]
    border: Floats
    ruled_out: Bits
    values: Floats
    second: Model | None = None
    reliability: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0, 1.0), (0.0, 1.0))

    def confidence(self, expected: float) -> float:
        """The F1 that pages had in training of which so much was expected."""
        return float(np.interp(expected, *self.reliability))

    def scores(self, columns: Sequence[Floats] | Floats) -> Floats:
        """The probability that each run is content; a column for each feature."""
        by_feature = np.asarray(columns, dtype=np.float32)
        parts = [
            self._totals(np.ascontiguousarray(by_feature[:, start : start + _MOST_RUNS]))
            for start in range(0, by_feature.shape[1], _MOST_RUNS)
        ]
        return np.asarray(1 / (1 + np.exp(-np.concatenate(parts))), np.float32)

    def _totals(self, by_feature: Floats) -> NDArray[np.float64]:
        """The sum of all trees for each run."""
        nodes, trees = self.split.shape
        number = by_feature.shape[1]
        step = max(1, _AT_ONCE // max(1, nodes * number))
        leaves = [self._leaves(by_feature, start, start + step) for start in range(0, trees, step)]
        own = np.arange(trees)[:, None] * self.values.shape[1]
        found = self.values.take(np.concatenate(leaves) + own)
        return np.asarray(found.sum(axis=0, dtype=np.float64))

    def _leaves(self, by_feature: Floats, first: int, last: int) -> NDArray[np.int32]:
        """The number of the leaf that each run comes to, for some trees."""
        split = self.split[:, first:last]
        below = by_feature.take(split.ravel(), axis=0)
        np.subtract(self.border[:, first:last].reshape(-1, 1), below, out=below)
        above: Bits = below.view(np.int32)
        above >>= _SIGN
        if self.ruled_out.dtype == np.int64:
            above = above.astype(np.int64)
        above &= self.ruled_out[:, first:last].reshape(-1, 1)
        gone = np.bitwise_or.reduce(above.reshape(*split.shape, -1), axis=0)
        unsigned = gone.view(np.uint32 if gone.dtype == np.int32 else np.uint64)
        lowest = ~unsigned & (unsigned + 1)
        # Of a power of two, all that a float holds is its exponent.
        return np.asarray((lowest.astype(np.float32).view(np.int32) >> 23) - 127)


def model_of(data: Mapping[str, Any]) -> Model:
    """The model that some data describe: for each tree its nodes as [feature, border, left, right] or a value."""
    trees = [_tree(tree) for tree in data["trees"]]
    nodes, leaves = max(1, *(len(tree[0]) for tree in trees)), max(len(tree[1]) for tree in trees)
    if leaves > MOST_LEAVES:
        raise ValueError(f"A tree of the model has {leaves} leaves; {MOST_LEAVES} can be told apart")
    nothing = (0, float("inf"), 0)
    rows = np.array([tree[0] + [nothing] * (nodes - len(tree[0])) for tree in trees], object).transpose(1, 0, 2)
    further: dict[str, Any] = {"second": model_of(data["second"])} if "second" in data else {}
    if "reliability" in data:
        further["reliability"] = tuple(map(tuple, data["reliability"]))
    return Model(
        features=tuple(data["features"]),
        forms=frozenset(form for form in FORM if any(form in feature for feature in data["features"])),
        usual=np.array(data.get("usual", ()), np.float32),
        lexicon=Lexicon(data.get("attributes", {}), data.get("texts", {})),
        split=rows[:, :, 0].astype(np.intp),
        border=rows[:, :, 1].astype(np.float32) + np.float32(0),  # no zero below zero
        ruled_out=rows[:, :, 2].astype(np.int32 if leaves < 32 else np.int64),
        values=np.array([tree[1] + [0.0] * (leaves - len(tree[1])) for tree in trees], np.float32),
        **further,
    )


def _tree(tree: Sequence[Any]) -> tuple[list[tuple[int, float, int]], list[float]]:
    """The nodes of a tree with the leaves that each rules out, as bits, and the leaves' values from left to right."""
    nodes: list[tuple[int, float, int]] = []
    values: list[float] = []

    def read(place: int) -> int:
        """Reads a node; gives its leaves."""
        if not isinstance(tree[place], list):
            values.append(tree[place])
            return 1 << len(values) - 1
        feature, border, left, right = tree[place]
        on_left = read(left)
        nodes.append((feature, border, on_left))
        return on_left | read(right)

    read(0)
    return nodes, values


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """The model that comes with the program, which `make train` makes."""
    packed = files("corpusbot.extractors.gist").joinpath(FILE).read_bytes()
    return model_of(json.loads(gzip.decompress(packed)))


def packed(data: Mapping[str, Any]) -> bytes:
    """The data as the file that ships: the same bytes for the same data."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return gzip.compress(text.encode(), 9, mtime=0)
