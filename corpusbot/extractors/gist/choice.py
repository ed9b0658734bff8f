"""From scores to a choice of runs: those that together make the best expected F1."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.features import Floats

Preference = Literal["precision", "balanced", "recall"]
# How far below the best threshold to go, and where it must not be below on a page that is well understood:
# tuned by cross-validation on the sets of `make eval-extract`.
BIAS = {"precision": 1.0, "balanced": 0.9, "recall": 0.45}
FIRM = {"precision": 0.7, "balanced": 0.5, "recall": 0.0}
SURE = 0.8  # so much F1 is expected of a page that is well understood
HIGHEST = 0.95


def best_threshold(scores: Floats, lengths: Floats) -> tuple[float, float]:
    """The score from which on runs are to be kept for the best expected F1, and that F1."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum((scores * lengths)[order], dtype=np.float64)
    taken = np.cumsum(lengths[order], dtype=np.float64)
    expected = 2 * right / np.maximum(taken + right[-1], 1e-9)
    best = int(np.argmax(expected))
    return float(scores[order[best]]), float(expected[best])


def chosen(scores: Floats, lengths: Floats, prefer: Preference = "balanced") -> tuple[NDArray[np.bool_], float]:
    """Which runs to keep, at least one, and how sure that is."""
    threshold, expected = best_threshold(scores, lengths)
    wanted = max(threshold * BIAS[prefer], FIRM[prefer] if expected >= SURE else 0.0)
    limit = min(wanted, max(HIGHEST, threshold), float(scores.max()))
    return scores >= limit, expected
