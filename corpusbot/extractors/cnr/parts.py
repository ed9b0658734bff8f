"""Parts of a page by CNR: the main block, the next best ones by repetition, and the menus by hyperlinks per node.

>>> from corpusbot.dom.parse import parsed
>>> tree = parsed("<body><ul><li><a href=1>Uno</a><li><a href=2>Dos</a></ul><p>Un texto. <b>Otro.</b> Y más.</p>")
>>> print(blocks_of(tree)[0])
tag:P prop:6 path:1
>>> print(menus_of(tree)[0])
tag:UL prop:1 path:0
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml.etree import _Element as Element

from corpusbot.extractors.cnr.joining import main_node
from corpusbot.extractors.cnr.knobs import HOLLOW, MENUS, Knobs
from corpusbot.extractors.cnr.nodes import Nodes, measured, measured_links

# A menu is found by what is in it, whether or not it says that it is one.
WITHOUT_LINKS = HOLLOW - {"nav", "menu", "footer", "label"}
LEAST_LINKS = 2  # fewer are no menu


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a page: what it is, its ratio, and the way to it from BODY, by places among siblings.

    White space is no sibling, so that the way does not hang on the layout of the source. A text node has the tag
    `#text` and the element that its text is in, or that it follows if it is a tail.
    """

    element: Element
    tag: str
    weight: int
    length: int
    path: tuple[int, ...]
    is_tail: bool = False

    @property
    def ratio(self) -> float:
        """Characters, or links, per node."""
        return self.length / self.weight if self.weight else 0.0

    def __str__(self) -> str:
        path = "-".join(map(str, self.path))
        return f"tag:{self.tag.upper()} prop:{round(self.ratio, 2):g} path:{path}"


def nodes_of(tree: Element, hollow: frozenset[str] = HOLLOW, spaces: bool = False) -> list[Node]:
    """All nodes with text, the best ratio first; where several are alike, as they come."""
    nodes = measured(tree, hollow, spaces)
    ratios = nodes.ratios()
    there = [number for number, length in enumerate(nodes.lengths) if length]
    there.sort(key=lambda number: -ratios[number])
    return [_node(nodes, number) for number in there]


def blocks_of(
    tree: Element,
    top: int = 1,
    knobs: Knobs = Knobs(),  # noqa: B008  # it is frozen
    hollow: frozenset[str] = HOLLOW,
    spaces: bool = False,
) -> list[Node]:
    """The main block, and the next best ones, each found as if those before it were not there; at most `top`."""
    nodes = measured(tree, hollow, spaces)
    return [_node(nodes, number) for number in repeated(nodes, top, knobs)]


def menus_of(tree: Element, top: int = 1, knobs: Knobs = MENUS) -> list[Node]:
    """The parts of the page with most hyperlinks for their nodes, the one with most of them first."""
    nodes = measured_links(tree, WITHOUT_LINKS)
    return [node for number in repeated(nodes, top, knobs) if (node := _node(nodes, number)).length >= LEAST_LINKS]


def repeated(nodes: Nodes, top: int, knobs: Knobs) -> list[int]:
    """The best block, then the best of what is left when it is taken away, and so on; sums above them change.

    What stands around a block that was found is no block any more: the rest of the page would often be the next one.
    """
    found: list[int] = []
    gone = [False] * len(nodes)
    while len(found) < top and (block := main_node(nodes, knobs, gone)) is not None:
        found.append(block)
        after = nodes.lasts[block] + 1
        gone[block:after] = [True] * (after - block)
        above = nodes.parents[block]
        while above >= 0:
            gone[above] = True
            nodes.weights[above] -= nodes.weights[block]
            nodes.lengths[above] -= nodes.lengths[block]
            above = nodes.parents[above]
    return found


def _node(nodes: Nodes, number: int) -> Node:
    """A node by its place; the page's own parent of BODY is not on the way."""
    path: list[int] = []
    at = number
    while nodes.parents[at] >= 0 and nodes.tags[at] != "body":
        path.append(nodes.places[at])
        at = nodes.parents[at]
    return Node(
        nodes.elements[number], nodes.tags[number], nodes.weights[number], nodes.lengths[number],
        tuple(reversed(path)), nodes.tails[number],
    )  # fmt: skip
