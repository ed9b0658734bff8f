"""The model: trees as plain arrays, evaluated for all runs of a page at once.

All trees are gone down at once, for all runs of a page: a level costs five operations on arrays. That is why
numpy is worth its place: the same in plain Python takes 20 times as long, and most of a page's time.
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

FILE = "model.json.gz"


@dataclass(frozen=True, slots=True)
class Model:
    """Names of the features, their usual values, lexicon, and the nodes of all trees, where a leaf is its own child."""

    features: tuple[str, ...]
    usual: Floats
    lexicon: Lexicon
    roots: NDArray[np.int32]
    split: NDArray[np.int32]
    border: Floats
    children: NDArray[np.int32]
    value: Floats
    depth: int

    def scores(self, columns: Sequence[Floats] | Floats) -> Floats:
        """The probability that each run is content; a column for each feature."""
        by_feature = np.ascontiguousarray(columns, dtype=np.float32)
        number = by_feature.shape[1]
        values = by_feature.ravel()
        own = np.arange(number, dtype=np.int32)[None, :]
        first = self.split * np.int32(number)
        node = np.repeat(self.roots[:, None], number, axis=1)
        for _ in range(self.depth):
            is_above = values.take(first.take(node) + own) > self.border.take(node)
            node = self.children.take(2 * node + is_above)
        total = self.value.take(node).sum(axis=0, dtype=np.float64)
        return np.asarray(1 / (1 + np.exp(-total)), np.float32)


def model_of(data: Mapping[str, Any]) -> Model:
    """The model that some data describe: for each tree its nodes as [feature, border, left, right] or a value."""
    roots: list[int] = []
    split: list[int] = []
    border: list[float] = []
    children: list[tuple[int, int]] = []
    value: list[float] = []
    for tree in data["trees"]:
        root = len(split)
        roots.append(root)
        for place, node in enumerate(tree):
            is_leaf = not isinstance(node, list)
            split.append(0 if is_leaf else node[0])
            border.append(float("inf") if is_leaf else node[1])
            children.append((root + place,) * 2 if is_leaf else (root + node[2], root + node[3]))
            value.append(node if is_leaf else 0.0)
    return Model(
        features=tuple(data["features"]),
        usual=np.array(data["usual"], np.float32),
        lexicon=Lexicon(data["attributes"], data["texts"]),
        roots=np.array(roots, np.int32),
        split=np.array(split, np.int32),
        border=np.array(border, np.float32),
        children=np.array(children, np.int32).ravel(),
        value=np.array(value, np.float32),
        depth=data["depth"],
    )


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """The model that comes with the program, which `make train` makes."""
    packed = files("corpusbot.extractors.gist").joinpath(FILE).read_bytes()
    return model_of(json.loads(gzip.decompress(packed)))


def packed(data: Mapping[str, Any]) -> bytes:
    """The data as the file that ships: the same bytes for the same data."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return gzip.compress(text.encode(), 9, mtime=0)
