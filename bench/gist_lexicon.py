"""What words of attributes and of short runs say of content: learnt from lessons, one vote for each domain."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from bench.gist_lessons import Lesson
from corpusbot.extractors.gist.features import Draft, Floats, Lexicon

# A word is learnt if so many domains use it, so that none of them is known by its own words.
LEAST_DOMAINS = {"attributes": 3, "texts": 4}
Counts = dict[str, dict[str, list[float]]]


def lexicon_of(lessons: Iterable[Lesson]) -> Lexicon:
    """How much words speak for content; each domain that uses a word has one vote."""
    attributes: Counts = defaultdict(dict)
    texts: Counts = defaultdict(dict)
    for lesson in lessons:
        if lesson.weights.any():
            _count_attributes(lesson, attributes)
            for words, label, weight in zip(lesson.draft.said, lesson.labels, lesson.weights, strict=True):
                if weight > 0:
                    _vote(texts, words, lesson.domain, float(label), 1 - float(label))
    return Lexicon(
        _odds(attributes, LEAST_DOMAINS["attributes"]),
        _odds(texts, LEAST_DOMAINS["texts"]),
    )


def _count_attributes(lesson: Lesson, counts: Counts) -> None:
    """A region's words are as good as the runs in it."""
    draft = lesson.draft
    good = _over(lesson.weights * lesson.labels, draft)
    bad = _over(lesson.weights * (1 - lesson.labels), draft)
    for name, right, wrong in zip(draft.names.tolist(), good.tolist(), bad.tolist(), strict=True):
        if right + wrong > 0:
            _vote(counts, draft.called[name], lesson.domain, right, wrong)


def _over(values: Floats, draft: Draft) -> NDArray[np.float64]:
    summed = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(summed[draft.lasts] - summed[draft.firsts])


def _vote(counts: Counts, words: Collection[str], domain: str, right: float, wrong: float) -> None:
    for word in words:
        entry = counts[word].setdefault(domain, [0.0, 0.0])
        entry[0] += right
        entry[1] += wrong


def _odds(counts: Counts, least: int) -> dict[str, float]:
    """The logarithm of the odds that what a word names is content."""
    found = {}
    for word, domains in counts.items():
        if len(domains) >= least:
            shares = [right / (right + wrong) for right, wrong in domains.values() if right + wrong > 0]
            found[word] = round(math.log((sum(shares) + 0.5) / (len(shares) - sum(shares) + 0.5)), 2)
    return found
