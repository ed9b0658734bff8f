"""One walk over the tree: the runs of text between the tags that break the flow, and the regions they stand in.

The runs are the blocks of corpusbot.dom.text, with what the model asks about each: how many of its characters are
in links, how many nodes it is spread over (CNR's weight), and in which region it stands. Regions are numbered in
document order, and so are runs; a region's runs are therefore a range, and sums over it two look-ups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from lxml.etree import _Element as Element

from corpusbot.dom.text import BREAKS, CELL_MARK, KIND_OF, SILENT, folded, is_data_row

# What a tag counts as in CNR where it has no text of its own.
HOLLOW = frozenset(("img", "picture", "label", "option", "source", "track", "wbr"))
EMPHASIS = frozenset(("b", "strong", "i", "em", "small"))
# Tags in the flow that mean something here; the others are let pass.
TOLD = HOLLOW | EMPHASIS | {"a", "br"}
# Runs that are judged together: four times as many as the largest page has that people made.
MOST_RUNS = 10_000
_BREAK = "\x00"  # a line break, until white space is folded; no tree holds this character


class Run(NamedTuple):
    """A run of text: its kind, its region, characters in links, links, nodes, and characters in emphasis."""

    text: str
    kind: str
    region: int
    linked: float
    anchors: float
    weight: float
    emphasised: float


@dataclass(slots=True)
class Outline:
    """The runs of a page and its regions: parent, tag, attributes, and the range of runs of each."""

    runs: list[Run] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    lasts: list[int] = field(default_factory=list)


def outlined(root: Element) -> Outline:
    """The outline of a tree; without recursion, since pages nest as deep as they like."""
    walk = _Walk()
    stack: list[tuple[Iterator[Element], Element, str]] = []
    children: Iterator[Element] = iter((root,))
    while True:
        for element in children:
            tag = element.tag
            if tag in SILENT or tag.__class__ is not str:
                walk.weight += 1
            else:
                walk.start(element, tag)
                if len(element):
                    stack.append((children, element, tag))
                    children = iter(element)
                    break
                walk.end(tag)
            if (tail := element.tail) and element is not root:
                walk.add(tail)
        else:
            if not stack:
                return walk.outline
            children, element, tag = stack.pop()
            walk.end(tag)
            if stack and (tail := element.tail):
                walk.add(tail)


def parts_of(outline: Outline, most: int = MOST_RUNS) -> Iterator[Outline]:
    """The outline, in parts if it is larger than any page of text, so that memory is bounded; each has its regions."""
    if len(outline.runs) <= most:
        yield outline
        return
    parents, firsts, lasts = np.array(outline.parents), np.array(outline.firsts), np.array(outline.lasts)
    for start in range(0, len(outline.runs), most):
        runs = outline.runs[start : start + most]
        stop = start + len(runs)
        places = np.flatnonzero((firsts < stop) & (lasts > start))
        number = np.full(len(parents) + 1, -1)  # the last one for the root's parent
        number[places] = np.arange(len(places))
        yield Outline(
            runs=[run._replace(region=int(number[run.region])) for run in runs],
            parents=number[parents[places]].tolist(),
            tags=[outline.tags[place] for place in places],
            elements=[outline.elements[place] for place in places],
            firsts=(np.maximum(firsts[places], start) - start).tolist(),
            lasts=(np.minimum(lasts[places], stop) - start).tolist(),
        )


class _Walk:
    """The outline as it grows, and what has been read of the run at hand."""

    def __init__(self) -> None:
        self.outline = Outline()
        self.pieces: list[str] = []
        self.kinds = ["paragraph"]
        self.region = -1
        self.row = -1
        self.cells = 0
        self.in_links = self.in_emphasis = 0
        self.said = False  # whether the run at hand has some text
        self.bare = True  # whether it has none since the last line break
        self.linked = self.anchors = self.weight = self.emphasised = 0

    def add(self, text: str) -> None:
        """Text of the run at hand."""
        if text.isspace():
            if self.said:
                self.pieces.append(" ")
            return
        self.pieces.append(text)
        self.said, self.bare = True, False
        if self.in_links:
            self.linked += len(text.strip())
        else:
            self.weight += 1
        if self.in_emphasis:
            self.emphasised += len(text.strip())

    def start(self, element: Element, tag: str) -> None:
        """An element begins, with the text before its first child."""
        if tag in BREAKS:
            self.open(element, tag)
        elif tag in TOLD:
            self.begin(tag)
        if text := element.text:
            self.add(text if tag != "pre" else text.replace("\n", _BREAK))

    def begin(self, tag: str) -> None:
        """Something in the flow begins."""
        if tag == "a":
            self.in_links += 1
            self.anchors += 1
            self.weight += 1
        elif tag == "br":
            self._break()
        elif tag in EMPHASIS:
            self.in_emphasis += 1
        else:
            self.weight += 1

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in BREAKS:
            self._close(tag)
        elif tag == "a":
            self.in_links -= 1
        elif tag in EMPHASIS:
            self.in_emphasis -= 1

    def open(self, element: Element, tag: str) -> None:
        """A region begins."""
        outline = self.outline
        if tag in ("td", "th") and self.row >= 0:
            self.pieces.append(CELL_MARK if self.cells else "")
            self.said = self.said or self.cells > 0
            self.cells += 1
        elif self.said:
            self._part()
        number = len(outline.tags)
        outline.parents.append(self.region)
        outline.tags.append(tag)
        outline.elements.append(element)
        outline.firsts.append(len(outline.runs))
        outline.lasts.append(0)
        self.region = number
        self.kinds.append(KIND_OF.get(tag, self.kinds[-1]))
        if tag == "tr" and is_data_row(element):
            self.row, self.cells, self.kinds[-1] = number, 0, "row"

    def _close(self, tag: str) -> None:
        if self.region == self.row:
            self.row = -1
            self.flush()
        elif self.said and (self.row < 0 or tag not in ("td", "th")):
            self._part()
        self.kinds.pop()
        self.outline.lasts[self.region] = len(self.outline.runs)
        self.region = self.outline.parents[self.region]

    def _part(self) -> None:
        """Ends the run at hand, or just the word where it is a row of a table."""
        if self.row < 0:
            self.flush()
        else:
            self.pieces.append(" ")

    def _break(self) -> None:
        """A line break; the second in a row ends the run."""
        if self.row >= 0:
            self.pieces.append(" ")
        elif not self.said:
            return
        elif self.bare:
            self.flush()
        else:
            self.pieces.append(_BREAK)
            self.bare = True

    def flush(self) -> None:
        """Ends the run at hand."""
        text = "".join(self.pieces)
        self.pieces.clear()
        self.said, self.bare = False, True
        text = "\n".join(filter(None, map(folded, text.split(_BREAK)))) if _BREAK in text else folded(text)
        if text:
            # The row's own region: its cells' are closed when the run ends.
            where = max(self.region, 0)
            counts = (self.linked, self.anchors, self.weight, self.emphasised)
            self.outline.runs.append(Run(text, self.kinds[-1], where, *counts))
            self.linked = self.anchors = self.weight = self.emphasised = 0
