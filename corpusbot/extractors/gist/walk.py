"""One walk over the tree: the runs of text between the tags that break the flow, and the regions they stand in.

The runs are the blocks of corpusbot.dom.text, with what the model asks about each: how many of its characters are
in links, how many nodes it is spread over (CNR's weight), and in which region it stands. Regions are numbered in
document order, and so are runs; a region's runs are therefore a range, and sums over it two look-ups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from lxml.etree import Comment, Entity, ProcessingInstruction
from lxml.etree import _Element as Element

from corpusbot.dom.text import BREAKS, CELL_MARK, KIND_OF, SILENT, folded, is_data_row
from corpusbot.model import CleanPage

# What a tag counts as in CNR where it has no text of its own.
HOLLOW = frozenset(("img", "picture", "label", "option", "source", "track", "wbr"))
EMPHASIS = frozenset(("b", "strong", "i", "em", "small"))
_CELLS = frozenset(("td", "th"))
# What tags do here; those in the flow that have no role are let pass.
_PASSED, _REGION, _LINK, _EMPHASIS, _HOLLOW, _LINE, _UNREAD = range(7)
_ROLES: Mapping[object, int] = {
    **dict.fromkeys(BREAKS, _REGION),
    **dict.fromkeys(EMPHASIS, _EMPHASIS),
    **dict.fromkeys(HOLLOW, _HOLLOW),
    # Comments and the like, which trees of other makers hold, have these functions in place of a tag.
    **dict.fromkeys((*SILENT, Comment, ProcessingInstruction, Entity), _UNREAD),
    "a": _LINK,
    "br": _LINE,
}
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


def outline_of(clean: CleanPage) -> Outline:
    """The outline of a page; all who want it share the one walk by `clean.once(outline_of)`."""
    return outlined(clean.tree)


def outlined(root: Element) -> Outline:  # noqa: C901  # calls from this loop for all tags would take half its time
    """The outline of a tree; without recursion, since pages nest as deep as they like."""
    walk = _Walk()
    pieces = walk.pieces
    links = emphasis = 0
    tag: Any
    stack: list[tuple[Iterator[Element], Element, Any, int]] = []
    children: Iterator[Element] = iter((root,))
    while True:
        element = next(children, None)
        if element is None:
            if not stack:
                return walk.outline
            children, element, tag, role = stack.pop()
        else:
            tag = element.tag
            role = _ROLES.get(tag, _PASSED)
            if role == _REGION:
                walk.open(element, tag)
            elif role == _LINK:
                links += 1
                walk.begin_link()
            elif role == _EMPHASIS:
                emphasis += 1
            elif role == _LINE:
                walk.break_line()
            elif role != _PASSED:
                walk.weight += 1
            if role != _UNREAD:
                # White space at the beginning of a run is none.
                if (text := element.text) and (pieces or not text.isspace()):
                    pieces.append(text if tag != "pre" else _lines(text))
                    if links or emphasis:
                        walk.mark(text, links > 0, emphasis > 0)
                if len(element):
                    stack.append((children, element, tag, role))
                    children = iter(element)
                    continue
        if role == _REGION:
            walk.close(tag)
        elif role == _LINK:
            links -= 1
        elif role == _EMPHASIS:
            emphasis -= 1
        if (text := element.tail) and (pieces or not text.isspace()) and element is not root:
            pieces.append(text)
            if links or emphasis:
                walk.mark(text, links > 0, emphasis > 0)


def _lines(text: str) -> str:
    """The text of a PRE, whose ends of line stay; never a mark alone, which would be read as that of a BR."""
    return text.replace("\n", _BREAK) if text != "\n" else f" {_BREAK}"


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

    __slots__ = ("anchors", "cells", "emphasised", "kinds", "linked", "outline", "pieces", "region", "row", "weight")

    def __init__(self) -> None:
        self.outline = Outline()
        self.pieces: list[str] = []
        self.kinds = ["paragraph"]
        self.region = -1
        self.row = -1
        self.cells = 0
        self.linked = self.anchors = self.weight = self.emphasised = 0

    def open(self, element: Element, tag: str) -> None:
        """A region begins."""
        if self.row >= 0 and tag in _CELLS:
            self.pieces.append(CELL_MARK if self.cells else "")
            self.cells += 1
            self.weight -= 1  # such a mark is no text
        elif self.pieces:
            self._part()
        outline = self.outline
        outline.parents.append(self.region)
        self.region = len(outline.tags)
        outline.tags.append(tag)
        outline.elements.append(element)
        outline.firsts.append(len(outline.runs))
        outline.lasts.append(0)
        kinds = self.kinds
        kinds.append(KIND_OF.get(tag) or kinds[-1])
        if tag == "tr" and is_data_row(element):
            self.row, self.cells, kinds[-1] = self.region, 0, "row"

    def close(self, tag: str) -> None:
        """A region ends."""
        region, outline = self.region, self.outline
        if region == self.row:
            self.row = -1
            self._flush()
        elif self.pieces and (self.row < 0 or tag not in _CELLS):
            self._part()
        self.kinds.pop()
        outline.lasts[region] = len(outline.runs)
        self.region = outline.parents[region]

    def begin_link(self) -> None:
        """A link begins: it counts, and not the text in it."""
        self.anchors += 1
        self.weight += 1

    def mark(self, text: str, in_link: bool, in_emphasis: bool) -> None:
        """The text just read is in a link or in emphasis."""
        size = len(text.strip())
        if size and in_link:
            self.linked += size
            self.weight -= 1
        if in_emphasis:
            self.emphasised += size

    def break_line(self) -> None:
        """A line break; the second in a row ends the run."""
        pieces = self.pieces
        if not pieces:
            return
        if self.row >= 0:
            pieces.append(" ")
            return
        while pieces[-1].isspace():
            pieces.pop()
        if pieces[-1] == _BREAK:
            self._flush()
        else:
            pieces.append(_BREAK)
            self.weight -= 1

    def _part(self) -> None:
        """Ends the run at hand, or just the word where it is a row of a table."""
        if self.row < 0:
            self._flush()
        else:
            self.pieces.append(" ")

    def _flush(self) -> None:
        """Ends the run at hand."""
        pieces = self.pieces
        if len(pieces) == 1:
            text = pieces[0]
            self.weight += 1
        else:
            text = "".join(pieces)
            self.weight += len(pieces) - sum(map(str.isspace, pieces))
        pieces.clear()
        line = " ".join(text.split())
        if not line.isprintable():  # nor is the mark of a line break
            line = "\n".join(filter(None, map(folded, text.split(_BREAK))))
        if line:
            # The row's own region: its cells' are closed when the run ends.
            where = self.region if self.region > 0 else 0
            kind = self.kinds[-1]
            run = Run(line, kind, where, self.linked, self.anchors, self.weight, self.emphasised)
            self.outline.runs.append(run)
            self.linked = self.anchors = self.weight = self.emphasised = 0
