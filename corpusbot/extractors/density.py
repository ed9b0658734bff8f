"""Paragraphs by their density: long ones with few links are text, short ones are what their neighbours are.

Each run is one of four: *linked* (much of it in links), *short*, *middling* or *long*. Long ones are text and linked
ones are not. A middling one is text if the nearest one that is decided is a long one on either side; a short one if
that is so on both sides. A heading is text if text follows soon. At last, of groups of text that stand far apart, the
small ones are left out: they are teasers, comments and notices. No words of any language are needed.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.runs import Flags, Floats, Runs, kept_by
from corpusbot.metadata.findings import Findings
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig
from corpusbot.sites.options import Between, OptionError

LINKED, SHORT, MIDDLING, LONG = range(4)


def extract(
    clean: CleanPage,
    site: SiteConfig,
    *,
    short: int = 70,
    long: int = 110,
    links: Annotated[float, Between(0, 1)] = 0.35,
    heading: int = 200,
    apart: int = 4,
    least: Annotated[float, Between(0, 1)] = 0.3,
) -> Findings | None:
    """The runs that are text: fewer characters than `short` are short, as many as `long` are long.

    A heading may be so many characters away from its text; groups with more than `apart` runs between them are kept
    if they have the `least` share of the largest one's text. Tuned on the dev sets of bench/extraction.
    """

    def judge(runs: Runs) -> Flags:
        kept = by_neighbours(classes_of(runs, short, long, links)) & ~runs.of_kind("caption")
        kept |= _headings(runs, kept, heading) & (runs.link_density <= links)
        return large_groups(kept, runs.characters, apart, least)

    return kept_by(judge, clean, "density")


def check(short: int, long: int, heading: int, apart: int, **_: object) -> None:
    """Raises OptionError for numbers that mean nothing."""
    if not 0 <= short <= long:
        raise OptionError(f"short, long: 0 or more, and no less for long, is wanted, not {short} and {long}")
    for name, value in (("heading", heading), ("apart", apart)):
        if value < 0:
            raise OptionError(f"{name}: 0 or more is wanted, not {value}")


def classes_of(runs: Runs, short: int, long: int, links: float) -> NDArray[np.int64]:
    """What each run is by itself; a short one with any link is linked."""
    is_short = runs.characters < short
    found = np.where(runs.characters >= long, LONG, np.where(is_short, SHORT, MIDDLING))
    return np.where((runs.link_density > links) | (is_short & (runs.linked > 0)), LINKED, found)


def by_neighbours(classes: NDArray[np.int64]) -> Flags:
    """Which runs are text, each undecided one by the nearest on both sides that is decided."""
    decided = (classes == LONG) | (classes == LINKED)
    before = _last_decided(classes, decided) == LONG
    after = _last_decided(classes[::-1], decided[::-1])[::-1] == LONG
    middling, short = classes == MIDDLING, classes == SHORT
    kept: Flags = (classes == LONG) | (middling & (before | after)) | (short & before & after)
    return kept


def _last_decided(classes: NDArray[np.int64], decided: Flags) -> NDArray[np.int64]:
    """For each run the class of the last one that is decided; nothing comes before the first, as if it were linked."""
    places = np.maximum.accumulate(np.where(decided, np.arange(len(classes)), -1))
    return np.where(places >= 0, classes[places], LINKED)


def _headings(runs: Runs, kept: Flags, most: float) -> Flags:
    """The headings with text at most so many characters after them."""
    starts = np.cumsum(runs.characters) - runs.characters
    text = np.where(kept & ~runs.of_kind("heading"), starts, np.inf)
    next_text = np.minimum.accumulate(text[::-1])[::-1]
    near: Flags = next_text - (starts + runs.characters) <= most
    return runs.of_kind("heading") & near


def large_groups(kept: Flags, characters: Floats, apart: int, least: float) -> Flags:
    """What is kept, without the groups that stand apart and are small."""
    places = np.flatnonzero(kept)
    if not len(places):
        return kept
    groups = np.cumsum(np.diff(places, prepend=places[0]) > apart + 1)
    sizes = np.bincount(groups, characters[places])
    found = np.zeros(len(kept), np.bool_)
    found[places[sizes[groups] >= least * sizes.max()]] = True
    return found
