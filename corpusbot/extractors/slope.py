"""The document slope curve: the part of the page with most words in it and most tags outside of it (textbook, 3.8).

Read the page as a row of tokens, words and tags, and draw how many tags there have been against how many tokens: the
main text is where the curve is flat. Its ends i and j are those for which the tags before i, the words from i to j
and the tags after j are most together. Compared with no part at all, a word inside gains 1 and a tag inside
loses 1: so this is the part of a row of numbers with the greatest sum, which one pass finds.

One part is too little for a page with several. The windowed form slides a window along and keeps what stands where
the curve rises much more slowly than it does on the whole.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from corpusbot.extractors.runs import Flags, Floats, Runs, kept_by
from corpusbot.metadata.findings import Findings
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig
from corpusbot.sites.options import Between, check_not_negative


def extract(
    clean: CleanPage,
    site: SiteConfig,
    *,
    tag: Annotated[float, Between(0, 100)] = 1.0,
    linked: Annotated[float, Between(-100, 1)] = -1.0,
    window: int = 0,
    low: Annotated[float, Between(0, 1)] = 0.7,
) -> Findings | None:
    """The runs of the flat part: what a tag costs, and what a word in a link is worth, where another is worth 1.

    With a window, of so many runs, all whose slope is `low` times the page's or less. The defaults are tuned on the
    dev sets of bench/extraction.
    """
    if window:
        return kept_by(lambda runs: in_low_windows(runs, tag, window, low), clean, "slope")
    return kept_by(lambda runs: in_flat_part(runs, tag, linked), clean, "slope")


def check(window: int, **_: object) -> None:
    """Raises OptionError for a window that is none."""
    check_not_negative(window=window)


def in_flat_part(runs: Runs, tag: float, linked: float) -> Flags:
    """The runs between the best i and j; both are ends of runs, since no run with more words than links is cut."""
    values = np.zeros(2 * len(runs.words))
    values[::2] = -tag * runs.tags
    values[1::2] = runs.words * (1 + (linked - 1) * runs.link_density) - 2 * tag * runs.anchors
    first, last = greatest_sum(values)
    places = np.arange(1, len(values), 2)
    inside: Flags = (first <= places) & (places <= last)
    return inside


def greatest_sum(values: Floats) -> tuple[int, int]:
    """The first and last place of the part with the greatest sum, in linear time; there must be some value."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    least = np.minimum.accumulate(sums[:-1])
    last = int(np.argmax(sums[1:] - least))
    return int(np.argmin(sums[: last + 1])), last


def in_low_windows(runs: Runs, tag: float, window: int, low: float) -> Flags:
    """The runs in the middle of windows in which few of the tokens are tags."""
    tags = tag * (runs.tags + 2 * runs.anchors)
    slopes = _sums(tags, window) / np.maximum(_sums(tags + runs.words, window), 1)
    flat: Flags = slopes <= low * tags.sum() / max(float((tags + runs.words).sum()), 1.0)
    return flat & (runs.linked < runs.characters)


def _sums(values: Floats, window: int) -> Floats:
    """The sum of each window."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    after = np.minimum(places + window // 2 + 1, len(values))
    found: Floats = sums[after] - sums[np.maximum(places - window // 2, 0)]
    return found
