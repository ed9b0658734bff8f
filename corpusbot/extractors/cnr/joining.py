"""CNR's second algorithm: the best nodes, joined upwards where they are siblings, and the best of what results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.cnr.knobs import Knobs, Ties
from corpusbot.extractors.cnr.nodes import TEXT, Nodes

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def main_node(nodes: Nodes, knobs: Knobs, gone: Sequence[bool] | None = None) -> int | None:
    """The main block's place among the nodes; None if none has text. What is gone is no block, nor part of one."""
    gone = gone or [False] * len(nodes)
    ratios = np.array(nodes.ratios())
    ranked = _ranked(nodes, knobs, gone)
    relevant = np.array([number for number in ranked if nodes.lengths[number] and not nodes.hollow[number]], np.int64)
    if not len(relevant):
        return None
    curve = ratios[relevant if knobs.of == "text" else ranked]
    best = _best(relevant, ratios[relevant], curve, knobs)
    blocks = joined(nodes, best, knobs, gone, knobs.joining_floor * float(curve.mean()))
    return _fullest(nodes, blocks, best, knobs)


def _ranked(nodes: Nodes, knobs: Knobs, gone: Sequence[bool]) -> list[int]:
    """The nodes that are ranked; a text node's ratio is never worse than that of the element around it."""
    texts = knobs.ranked == "all"
    return [number for number, tag in enumerate(nodes.tags) if (texts or tag != TEXT) and not gone[number]]


def _best(numbers: Numbers, ratios: Floats, curve: Floats, knobs: Knobs) -> Numbers:
    """The best nodes of a page: a share of them, or those that stand out from its curve."""
    if knobs.share is None:
        least = min(float(curve.mean() + knobs.above * curve.std()), float(ratios.max()))
        return numbers[ratios >= least]
    wanted = min(max(1, round(len(curve) * knobs.share)), len(numbers))
    least = float(np.partition(ratios, len(ratios) - wanted)[len(ratios) - wanted])
    better, equal = numbers[ratios > least], numbers[ratios == least]
    if knobs.ties == "none" and len(better) and len(better) + len(equal) > wanted:
        return better
    return np.union1d(better, _of_equals(equal, wanted - len(better), knobs.ties))


def _of_equals(equal: Numbers, wanted: int, ties: Ties) -> Numbers:
    """Which of the nodes on the border count as the best; all of them where `none` would leave no node at all."""
    if ties == "first":
        return equal[:wanted]
    return equal[len(equal) - wanted :] if ties == "last" else equal


def joined(
    nodes: Nodes, best: Iterable[int], knobs: Knobs, gone: Sequence[bool] | None = None, floor: float = 0.0
) -> list[int]:
    """The blocks that some nodes join into: none stands in another, and no parent has enough of them."""
    parents, ratios, needed = nodes.parents, nodes.ratios(), _needed(nodes, knobs)
    chosen, children = [False] * len(nodes), [0] * len(nodes)
    for number in best:
        chosen[number] = True
    # Children come after their parents, so one pass back joins whatever can be joined, however often.
    for number in range(len(nodes) - 1, -1, -1):
        if children[number] >= needed[number] and ratios[number] >= floor and not (gone and gone[number]):
            chosen[number] = True
        if chosen[number] and number:
            children[parents[number]] += 1
    return _topmost(nodes, chosen)


def _needed(nodes: Nodes, knobs: Knobs) -> list[float]:
    """How many of a node's children must be in the list for it to take their place."""
    if not knobs.joining_share:
        return [float(knobs.joining)] * len(nodes)
    with_text = [0] * len(nodes)
    for number in range(1, len(nodes)):
        if nodes.lengths[number] and (knobs.ranked == "all" or nodes.tags[number] != TEXT):
            with_text[nodes.parents[number]] += 1
    return [max(float(knobs.joining), knobs.joining_share * count) for count in with_text]


def _topmost(nodes: Nodes, chosen: Sequence[bool]) -> list[int]:
    """The chosen nodes that stand in no other one."""
    found: list[int] = []
    number = 0
    while number < len(nodes):
        if chosen[number]:
            found.append(number)
            number = nodes.lasts[number]
        number += 1
    return found


def _fullest(nodes: Nodes, blocks: Sequence[int], best: Numbers, knobs: Knobs) -> int:
    """The block with most text, or with most of the best nodes; the first where there are several."""
    if knobs.final == "text":
        return max(blocks, key=lambda block: nodes.lengths[block])

    def relevant(block: int) -> tuple[int, int]:
        first, last = np.searchsorted(best, (block, nodes.lasts[block] + 1))
        return int(last - first), nodes.lengths[block]

    return max(blocks, key=relevant)
