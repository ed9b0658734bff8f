"""CETR: content by the ratio of text to tags, line by line, smoothed, then cut or clustered (Weninger, Hsu and Han).

A line of prose has many characters for each of its tags, a line of a menu few. Along the page these ratios are a
histogram with hills where the text is. It is smoothed, so that a short line among long ones is not lost, and then
either cut where it is lower than so many standard deviations, or clustered: each line is a point, of its ratio and of
how much the ratio changes after it; one centre is fixed at nought, and what lies nearest to that one is no content.

Lines of the source mean nothing on a page whose source is one line. So a line here is a run of text with the tags
before it, what a tidy source would have as one; `lines: source` takes them as they are.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from lxml import etree
from lxml.etree import _Element as Element
from numpy.typing import NDArray

from corpusbot.dom.text import CELL_MARK, SILENT
from corpusbot.extractors.runs import Flags, Floats, Runs, kept_by
from corpusbot.metadata.findings import Findings
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig
from corpusbot.sites.options import Between, OptionError

ROUNDS = 50
MOST_CLUSTERS = 20


def extract(
    clean: CleanPage,
    site: SiteConfig,
    *,
    by: Literal["clusters", "threshold"] = "clusters",
    lines: Literal["runs", "source"] = "runs",
    radius: int = 4,
    clusters: int = 2,
    ahead: int = 3,
    threshold: Annotated[float, Between(0, 100)] = 1.0,
    links: bool = False,
) -> Findings | None:
    """The runs on the lines that are content; `links` tells whether text in links counts as text.

    The radius of smoothing and the number of clusters are tuned on the dev sets of bench/extraction.
    """

    def judge(runs: Runs) -> Flags:
        if lines == "source":
            ratios, runs_on = source_lines(clean.tree, links)
        else:
            ratios = (runs.characters - (0 if links else runs.linked)) / np.maximum(runs.tags + 2 * runs.anchors, 1)
        hills = smoothed(ratios, radius)
        kept = hills >= threshold * hills.std() if by == "threshold" else clustered(hills, radius, ahead, clusters)
        found = kept if lines == "runs" else _mostly_on(runs, kept, runs_on)
        return found & (links | (runs.linked < runs.characters))

    return kept_by(judge, clean, "cetr")


def check(radius: int, clusters: int, ahead: int, **_: object) -> None:
    """Raises OptionError for numbers that mean nothing."""
    for name, value, least, most in (
        ("radius", radius, 0, 100), ("clusters", clusters, 2, MOST_CLUSTERS), ("ahead", ahead, 1, 100),
    ):  # fmt: skip
        if not least <= value <= most:
            raise OptionError(f"{name}: a whole number from {least} to {most} is wanted, not {value}")


def smoothed(values: Floats, radius: int) -> Floats:
    """Each value as the mean of those around it, the near ones counting most (a Gaussian of that radius)."""
    if not radius:
        return values
    kernel = np.exp(-(np.arange(-radius, radius + 1) ** 2) / (2 * radius**2))
    return np.convolve(np.pad(values, radius), kernel / kernel.sum(), "valid")


def clustered(hills: Floats, radius: int, ahead: int, clusters: int) -> Flags:
    """Which lines are not in the cluster at nought, by their ratio and how much it changes in the next lines."""
    sums = np.concatenate([[0.0], np.cumsum(hills)])
    following = np.arange(len(hills)) + 1
    after = np.minimum(following + ahead, len(hills))
    means = (sums[after] - sums[following]) / np.maximum(after - following, 1)
    points = np.column_stack([hills, smoothed(np.abs(means - hills), radius)])
    return _nearest(points, clusters) > 0


def _nearest(points: Floats, clusters: int) -> NDArray[np.intp]:
    """The cluster of each point; the first one's centre stays at nought, the others begin spread over the points."""
    by_size = points[np.argsort(np.hypot(points[:, 0], points[:, 1]), kind="stable")]
    places = np.linspace(0, len(points) - 1, clusters).astype(np.int64)[1:]
    centres = np.vstack([np.zeros(2), by_size[places]])
    found = np.full(len(points), -1, np.intp)
    for _ in range(ROUNDS):
        nearest = np.argmin([((points - centre) ** 2).sum(axis=1) for centre in centres], axis=0)
        if (nearest == found).all():
            break
        found = nearest
        for cluster in range(1, clusters):
            if (found == cluster).any():
                centres[cluster] = points[found == cluster].mean(axis=0)
    return found


def source_lines(tree: Element, links: bool) -> tuple[Floats, NDArray[np.int64]]:
    """The ratio of each line of the source, and how many characters of text there are before it, and in all."""
    lines = _Lines(links)
    walk = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        lines.tags[-1] += 1
        if event == "start":
            lines.in_links += tag == "a"
            if tag not in SILENT and tag.__class__ is str:
                lines.add(element.text)
            else:
                walk.skip_subtree()
        else:
            lines.in_links -= tag == "a"
            lines.add(element.tail if element is not tree else None)
    ratios = np.array(lines.texts, np.float64) / np.maximum(lines.tags, 1)
    return ratios, np.array([*lines.starts, lines.position], np.int64)


class _Lines:
    """The lines of the source as they are read."""

    def __init__(self, links: bool) -> None:
        self.links = links
        self.in_links = 0
        self.position = 0
        self.tags, self.texts, self.starts = [0], [0], [0]

    def add(self, text: str | None) -> None:
        """Text, which may end lines."""
        for number, line in enumerate((text or "").split("\n")):
            if number:
                self.tags.append(0)
                self.texts.append(0)
                self.starts.append(self.position)
            length = len("".join(line.split()))
            self.position += length
            self.texts[-1] += length if self.links or not self.in_links else 0


def _mostly_on(runs: Runs, kept: Flags, starts: NDArray[np.int64]) -> Flags:
    """Which runs have most of their characters on lines that are kept: both count the same characters in order."""
    lengths = [
        len("".join((run.text.replace(CELL_MARK, " ") if run.kind == "row" else run.text).split()))
        for run in runs.outline.runs
    ]
    ends = np.cumsum([0, *lengths])
    on_kept = np.concatenate([[0], np.cumsum(np.diff(starts) * kept)])
    # Several lines without text begin at one place: the last of them is the one that counts.
    places, last = np.unique(starts[::-1], return_index=True)
    shares = np.interp(ends, places, on_kept[::-1][last])
    kept_runs: Flags = np.diff(shares) * 2 > np.diff(ends)
    return kept_runs
