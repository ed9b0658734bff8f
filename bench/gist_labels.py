"""Labels: which runs of a page are in its gold text, by aligning the words of both."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.extraction_sets import Sample

SHINGLE = 4
LEAST_SHARE = 0.5
NEAR = 60  # words before the first match, or after the last
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words that are counted; of writing without spaces, characters."""
    return _WORD.findall(text.lower())


def labels_of(texts: Sequence[str], sample: Sample) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Whether each run is content (1, 0), and how much it counts; a page counts 1 in all."""
    if sample.text is not None:
        return _by_text(texts, sample.text)
    return _by_phrases(texts, sample)


def _by_text(texts: Sequence[str], gold: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    parts = [words(text) for text in texts]
    wanted = words(gold)
    places = _shingle_places(wanted)
    labels = np.zeros(len(texts), np.float32)
    spans: list[tuple[int, int] | None] = [None] * len(texts)
    left = Counter({shingle: len(found) for shingle, found in places.items()})
    used: set[int] = set()  # words of the gold that some run matched
    for number, part in enumerate(parts):
        if len(part) >= SHINGLE + 1:
            share, at = _covered(part, places, left)
            labels[number] = share >= LEAST_SHARE
            if labels[number]:
                middle = at[len(at) // 2]
                spans[number] = (middle - len(part), middle + len(part))
                used.update(word for place in at for word in range(place, place + SHINGLE))
    _label_short(parts, wanted, spans, labels, used)
    counts = np.array([len(part) + 1.0 for part in parts], np.float32)
    return labels, counts / max(float((counts * labels).sum()), float(len(wanted)), 20.0)


def _shingle_places(wanted: list[str]) -> dict[tuple[str, ...], list[int]]:
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(wanted) - SHINGLE + 1):
        places[tuple(wanted[place : place + SHINGLE])].append(place)
    return places


def _covered(
    part: list[str], places: dict[tuple[str, ...], list[int]], left: Counter[tuple[str, ...]]
) -> tuple[float, list[int]]:
    """The share of a run's words that stand in the gold in the same order, and where; what is used is used up."""
    marked = [False] * len(part)
    at: list[int] = []
    for place in range(len(part) - SHINGLE + 1):
        shingle = tuple(part[place : place + SHINGLE])
        if left[shingle] > 0:
            found = places[shingle]
            at.append(found[len(found) - left[shingle]])
            left[shingle] -= 1
            marked[place : place + SHINGLE] = [True] * SHINGLE
    return sum(marked) / len(part), sorted(at)


def _label_short(
    parts: list[list[str]],
    wanted: list[str],
    spans: list[tuple[int, int] | None],
    labels: NDArray[np.float32],
    used: set[int],
) -> None:
    """A short run is content if its words stand in the gold near to what the runs around it matched."""
    index: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(wanted):
        index[word].append(place)
    before: list[tuple[int, int] | None] = []
    last: tuple[int, int] | None = None
    for span in spans:
        before.append(last)
        last = span or last
    following: tuple[int, int] | None = None
    for number in range(len(parts) - 1, -1, -1):
        part = parts[number]
        if 0 < len(part) <= SHINGLE:
            near = _near(part, wanted, index, before[number], following, used)
            if near is not None:
                used.update(range(near, near + len(part)))
                labels[number] = 1
        following = spans[number] or following


def _near(
    part: list[str],
    wanted: list[str],
    index: dict[str, list[int]],
    before: tuple[int, int] | None,
    following: tuple[int, int] | None,
    used: set[int],
) -> int | None:
    """Where in the gold a short run stands, between what was matched before it and after it."""
    lower = before[0] if before else (following[0] - NEAR if following else 0)
    upper = following[1] if following else before[1] + NEAR if before else len(wanted)
    for place in index.get(part[0], ()):
        here = range(place, place + len(part))
        if lower <= place <= upper and wanted[place : here.stop] == part and used.isdisjoint(here):
            return place
    return None


def _by_phrases(texts: Sequence[str], sample: Sample) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Runs that hold a wanted phrase are content, runs that hold an unwanted one are not; others do not count."""
    labels = np.zeros(len(texts), np.float32)
    weights = np.zeros(len(texts), np.float32)
    for phrases, label in ((sample.unwanted, 0), (sample.wanted, 1)):
        for phrase in phrases:
            holding = [number for number, text in enumerate(texts) if phrase in text]
            for number in holding:
                labels[number] = label
                weights[number] = 1 / max(1, len(holding))
    return labels, weights / max(float(weights.sum()), 1.0)
