"""CNR's first algorithm: the weight, the length and the ratio of every node, from the leaves up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lxml.etree import _Element as Element

from corpusbot.extractors.cnr.knobs import HOLLOW

TEXT = "#text"


class _Row(NamedTuple):
    """A node as it is read, before anything is summed."""

    element: Element
    tag: str
    parent: int
    place: int
    weight: int
    length: int
    is_tail: bool
    is_hollow: bool


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a tree in document order, a column for each thing that is known of them.

    A node's descendants are those from the next one to its last. A text node has the element that its text is in, or
    that it follows if it is a tail. What is inside of hollow nodes is not here.
    """

    elements: list[Element]
    tags: list[str]
    parents: list[int]
    places: list[int]
    weights: list[int]
    lengths: list[int]
    tails: list[bool]
    hollow: list[bool]
    lasts: list[int]

    def __len__(self) -> int:
        return len(self.tags)

    def ratios(self) -> list[float]:
        """Length by weight; nothing by nothing is nothing."""
        return [length / weight if weight else 0.0 for length, weight in zip(self.lengths, self.weights, strict=True)]


def measured(tree: Element, hollow: frozenset[str] = HOLLOW, spaces: bool = False) -> Nodes:
    """Characters per node; `spaces` tells whether text that is nothing but white space is a node."""
    return _nodes(_Walk(hollow, spaces).read(tree))


def measured_links(tree: Element, hollow: frozenset[str]) -> Nodes:
    """The ratio turned round: hyperlinks per node."""
    rows = _Walk(hollow, False).read(tree)
    return _nodes([row._replace(length=int(_is_link(row))) for row in rows])


def _is_link(row: _Row) -> bool:
    return row.tag == "a" and row.element.get("href") is not None


class _Walk:
    """The nodes as they are read; without recursion, since pages nest as deep as they like."""

    def __init__(self, hollow: frozenset[str], spaces: bool) -> None:
        self.hollow = hollow
        self.spaces = spaces
        self.rows: list[_Row] = []
        self.children: list[int] = []  # how many each node has so far

    def read(self, tree: Element) -> list[_Row]:
        """All nodes of the tree."""
        waiting: list[tuple[Iterator[Element], int, Element]] = []
        children: Iterator[Element] = iter((tree,))
        parent = -1
        while True:
            for element in children:
                number = self._element(element, parent)
                if not self.rows[number].is_hollow and len(element):
                    waiting.append((children, parent, element))
                    children, parent = iter(element), number
                    break
                self._tail(element, parent)
            else:
                if not waiting:
                    return self.rows
                children, parent, element = waiting.pop()
                self._tail(element, parent)

    def _element(self, element: Element, parent: int) -> int:
        """An element and the text that it begins with."""
        tag = element.tag
        is_hollow = tag.__class__ is not str or tag in self.hollow  # comments have no name
        number = len(self.rows)
        self._add(_Row(element, str(tag), parent, self._place(parent), int(is_hollow), 0, False, is_hollow))
        text = element.text
        if text and not is_hollow and ((length := len("".join(text.split()))) or self.spaces):
            self._add(_Row(element, TEXT, number, self._place(number), 1, length, False, False))
        return number

    def _tail(self, element: Element, parent: int) -> None:
        """The text after an element; what follows the tree's root is none of it."""
        text = element.tail
        if text and parent >= 0 and ((length := len("".join(text.split()))) or self.spaces):
            self._add(_Row(element, TEXT, parent, self._place(parent), 1, length, True, False))

    def _place(self, parent: int) -> int:
        """The next place among the parent's children."""
        if parent < 0:
            return 0
        self.children[parent] += 1
        return self.children[parent] - 1

    def _add(self, row: _Row) -> None:
        self.rows.append(row)
        self.children.append(0)


def _nodes(rows: list[_Row]) -> Nodes:
    """The columns of some rows, each node with its sums; parents come first, so one pass back does it."""
    elements, tags, parents, places, weights, lengths, tails, hollow = map(list, zip(*rows, strict=True))
    lasts = list(range(len(rows)))
    for number in range(len(rows) - 1, 0, -1):
        parent = parents[number]
        weights[parent] += weights[number]
        lengths[parent] += lengths[number]
        if lasts[parent] < lasts[number]:
            lasts[parent] = lasts[number]
    return Nodes(elements, tags, parents, places, weights, lengths, tails, hollow, lasts)
