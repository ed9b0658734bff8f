"""From scores to a choice of runs: those that together make the best expected F1.

Two things can be meant by ten comments of which each is content with a probability of 0.4. If each were drawn by
itself, four of them would be content, and taking all ten would be the best guess. But a page's gold has all of its
comments or none; so would one draw for the whole page have it, and then to take none is best. Runs stand and fall
together more than apart: of the next article, of a list of teasers, of comments.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.features import Floats

Preference = Literal["precision", "balanced", "recall"]
# How far below the best threshold to go, and where it must not be below on a page that is well understood:
# tuned by cross-validation on the sets of `make eval-extract`, as is how much the one draw for all counts.
BIAS = {"precision": 1.0, "balanced": 0.9, "recall": 0.45}
FIRM = {"precision": 0.7, "balanced": 0.55, "recall": 0.0}
SURE = 0.8  # so much F1 is expected of a page that is well understood
HIGHEST = 0.95
TOGETHER = 0.9
STEPS = 128  # thresholds that are tried, so that a page's size does not matter
DRAWS = 16


def best_threshold(scores: Floats, lengths: Floats) -> tuple[float, float]:
    """The score from which on runs are to be kept for the best expected F1, and that F1: were each drawn by itself.

    The second judgement asks for it; the choice knows better.
    """
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum((scores * lengths)[order], dtype=np.float64)
    taken = np.cumsum(lengths[order], dtype=np.float64)
    expected = 2 * right / np.maximum(taken + right[-1], 1e-9)
    best = int(np.argmax(expected))
    return float(scores[order[best]]), float(expected[best])


def best_together(scores: Floats, lengths: Floats) -> tuple[float, float]:
    """The same, were nearly always one draw for all runs: where it is low, more is content, the likeliest first."""
    steps = STEPS - 1 - np.minimum((scores * STEPS).astype(np.int64), STEPS - 1)
    # For each threshold, from the highest down: the length of what is taken, and how much of it is content.
    taken = np.cumsum(np.bincount(steps, lengths, STEPS))
    right = np.cumsum(np.bincount(steps, scores * lengths, STEPS))
    apart = right / np.maximum(taken + right[-1], 1e-9)
    content = taken[STEPS // DRAWS // 2 :: STEPS // DRAWS]
    both = np.maximum(taken[:, None] + content, 1e-9)
    together = (np.minimum(taken[:, None], content) / both).mean(axis=1)
    expected = 2 * (TOGETHER * together + (1 - TOGETHER) * apart)
    best = int(np.argmax(expected))
    return (STEPS - 1 - best) / STEPS, float(expected[best])


def chosen(scores: Floats, lengths: Floats, prefer: Preference = "balanced") -> tuple[NDArray[np.bool_], float]:
    """Which runs to keep, at least one, and how sure that is."""
    threshold, expected = best_together(scores, lengths)
    wanted = max(threshold * BIAS[prefer], FIRM[prefer] if expected >= SURE else 0.0)
    limit = min(wanted, max(HIGHEST, threshold), float(scores.max()))
    return scores >= limit, expected
