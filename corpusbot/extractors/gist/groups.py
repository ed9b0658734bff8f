"""What is like the run elsewhere on the page, and under which heading and in which article it stands.

Teasers, comments and products are many and made alike, and what comes after a heading is what the heading says;
a page that goes on with the next article has another H1 or ARTICLE for it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def alike(group: NDArray[np.int64], columns: Mapping[str, Floats], good: Floats, name: str) -> dict[str, Floats]:
    """How many runs are of the same group, and what they are like together."""
    length = columns["characters"]
    count = np.bincount(group)
    total = np.maximum(np.bincount(group, length), 1)
    found = {
        "count": count,
        "share": total / max(float(length.sum()), 1.0),
        "mean": total / count,
        "good": np.bincount(group, good) / total,
        "linked": np.bincount(group, columns["linked"]) / total,
        "ends": np.bincount(group, columns["ends_stop"]) / count,
    }
    return {f"{name}_{part}": values[group].astype(np.float32) for part, values in found.items()}


def under_headings(columns: Mapping[str, Floats], levels: Floats) -> dict[str, Floats]:
    """How far above the last heading is, its level, what its words speak for, and how many H1 came before."""
    number = len(levels)
    rank = np.arange(number)
    last = np.maximum.accumulate(np.where(levels > 0, rank, -1))
    there = last >= 0
    firsts = levels == 1
    return {
        "since_heading": np.where(there, rank - last, 99).astype(np.float32),
        "heading_level": np.where(there, levels[last], 0).astype(np.float32),
        "heading_said": np.where(there, columns["said_sum"][last], 0).astype(np.float32),
        "heading_linked": np.where(there, columns["link_density"][last], 0).astype(np.float32),
        "firsts_before": np.cumsum(firsts).astype(np.float32),
        "firsts": np.full(number, firsts.sum(), np.float32),
    }


def in_articles(outermost: NDArray[np.int64], good: Floats) -> dict[str, Floats]:
    """Which of the page's ARTICLEs the run is in, how many there are, and how much of the good text is in it."""
    number = len(good)
    inside = outermost >= 0
    numbers, group = np.unique(outermost, return_inverse=True)
    sums = np.bincount(group, good)
    own = np.where(inside, sums[group], 0)
    total = max(float(good.sum()), 1.0)
    # Articles are numbered in document order: how much good text articles before this one hold.
    before = np.cumsum(np.where(numbers >= 0, sums, 0)) - np.where(numbers >= 0, sums, 0)
    largest = float(np.where(numbers >= 0, sums, 0).max())
    return {
        "articles": np.full(number, int((numbers >= 0).sum()), np.float32),
        "article_place": np.where(inside, group, -1).astype(np.float32),
        "article_good": (own / total).astype(np.float32),
        "article_before": np.where(inside, before[group] / total, -1).astype(np.float32),
        "article_of_largest": np.where(inside, own / max(largest, 1.0), -1).astype(np.float32),
    }
