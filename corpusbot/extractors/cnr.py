"""CNR, characters per node: the main block of a page by its structure alone (seed 003).

Every element gets a weight (the number of its text nodes and hollow nodes), the length of its text without white
space, and the ratio of the two. The best tenth of the elements by that ratio are joined upwards where they are
siblings, and of the blocks that result the one with most text is the page's main block.

Two choices where the seed leaves room. Text that is nothing but white space is no node, so that the layout of the
source does not count. And the nodes that are ranked are elements: a text node always has a better ratio than what
is around it, and would fill the list with nodes that have no siblings to be joined with.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lxml.html import HtmlElement

from corpusbot.dom.text import BREAKS, blocks
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig

SHARE = 0.10
# Nodes that count as nothing: without text of their own, for finding one's way, or wholly irrelevant.
HOLLOW = frozenset(
    (
        "a", "nav", "menu", "img", "picture", "figure", "svg", "video", "audio", "canvas", "map", "script",
        "style", "noscript", "template", "iframe", "object", "embed", "applet", "head", "title", "meta",
        "link", "base", "button", "input", "select", "option", "textarea", "label", "form", "hr", "br",
        "wbr", "source", "track",
    )
)  # fmt: skip
# What is left out of the main block's text where all the text in it is in links and other hollow nodes.
UNREAD = (BREAKS | HOLLOW) - {"a", "label", "form"}


@dataclass(frozen=True, slots=True)
class Ratio:
    """An element with its weight, the length of its text, and its characters per node."""

    element: HtmlElement
    weight: int
    length: int
    parent: int

    @property
    def ratio(self) -> float:
        """Characters per node."""
        return self.length / self.weight if self.weight else 0.0


def extract(clean: CleanPage, site: SiteConfig) -> Findings | None:
    """The text of the main block, without what in it has no text of its own."""
    measured = ratios(clean.tree)
    main = _fullest(measured, candidates(measured))
    if main is None:
        return None
    textless = {ratio.element for ratio in measured if not ratio.length and ratio.element.tag in UNREAD}
    found = tuple(blocks([main], without=textless))
    return findings_of({"body": Found(found, "cnr")}) if found else None


def ratios(tree: HtmlElement, without: Collection[HtmlElement] = ()) -> list[Ratio]:
    """Every element in document order; hollow ones, those in `without` and what is inside them count as nothing."""
    hidden = frozenset(without)
    elements: list[HtmlElement] = []
    parents: list[int] = []
    weights: list[int] = []
    lengths: list[int] = []
    waiting: list[tuple[HtmlElement, int]] = [(tree, -1)]
    while waiting:
        element, parent = waiting.pop()
        number = len(elements)
        hollow = element.tag in HOLLOW or element in hidden
        length = 0 if hollow else _length(element.text)
        elements.append(element)
        parents.append(parent)
        weights.append(1 if hollow else int(length > 0))
        lengths.append(length)
        if parent >= 0 and (tail := _length(element.tail)):
            weights[parent] += 1
            lengths[parent] += tail
        if not hollow:
            waiting += [(child, number) for child in reversed(element)]
    for number in range(len(elements) - 1, 0, -1):
        weights[parents[number]] += weights[number]
        lengths[parents[number]] += lengths[number]
    return [Ratio(*parts) for parts in zip(elements, weights, lengths, parents, strict=True)]


def main_block(
    tree: HtmlElement, share: float = SHARE, without: Collection[HtmlElement] = ()
) -> HtmlElement | None:
    """The block with most text; None if the page has no text. To find the next best one, leave this one out."""
    measured = ratios(tree, without)
    return _fullest(measured, candidates(measured, share))


def _fullest(measured: list[Ratio], chosen: list[int]) -> HtmlElement | None:
    """Of some blocks the one with most text, the first where there are several."""
    best = max(chosen, key=lambda number: measured[number].length, default=None)
    return measured[best].element if best is not None else None


def candidates(measured: list[Ratio], share: float = SHARE) -> list[int]:
    """The blocks that the best elements join into, by their places in the list."""
    wanted = max(1, round(len(measured) * share))
    with_text = [number for number, ratio in enumerate(measured) if ratio.length]
    best = set(sorted(with_text, key=lambda number: -measured[number].ratio)[:wanted])
    chosen, joined = [False] * len(measured), [0] * len(measured)
    # Children come after their parents in the list, so this one pass upwards joins whatever can be joined.
    for number in range(len(measured) - 1, -1, -1):
        chosen[number] = number in best or joined[number] > 1
        if chosen[number] and measured[number].parent >= 0:
            joined[measured[number].parent] += 1
    return _topmost(measured, chosen)


def _topmost(measured: list[Ratio], chosen: list[bool]) -> list[int]:
    """The chosen elements that are inside no other one."""
    inside = [False] * len(measured)
    for number, ratio in enumerate(measured):
        parent = ratio.parent
        inside[number] = parent >= 0 and (inside[parent] or chosen[parent])
    return [number for number, is_chosen in enumerate(chosen) if is_chosen and not inside[number]]


def _length(text: str | None) -> int:
    """The number of characters that are no white space."""
    return len("".join(text.split())) if text else 0
