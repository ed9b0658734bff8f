"""CNR, characters per node: the main block of a page by its structure alone (seed 003).

Every node gets a weight (1 for a text node and for a node without content, such as a link or a picture; else the sum
of its children's), the length of its text without white space, and the ratio of the two. The nodes with the best
ratios are joined upwards where they are siblings, and of the blocks that result the one with most text is the page's
main block. docs/explanation/cnr.md tells what each option is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from lxml.etree import _Element as Element

from corpusbot.dom.text import BREAKS, blocks, folded
from corpusbot.extractors.cnr.joining import main_node
from corpusbot.extractors.cnr.knobs import HOLLOW, PREFERRED, Base, Final, Knobs, Preference, Ranked, Ties, hollow_tags
from corpusbot.extractors.cnr.nodes import TEXT, Nodes, measured
from corpusbot.extractors.cnr.parts import Node, blocks_of, menus_of, nodes_of
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import Block, CleanPage
from corpusbot.sites import SiteConfig
from corpusbot.sites.options import Between, OptionError

__all__ = ["Knobs", "Node", "blocks_of", "extract", "menus_of", "nodes_of"]

# What is left out of the main block's text where all the text in it is in links and other hollow nodes.
UNREAD = (BREAKS | HOLLOW) - {"a", "label", "form"}


def extract(
    clean: CleanPage,
    site: SiteConfig,
    *,
    prefer: Preference = "balanced",
    share: Annotated[float | None, Between(0, 1)] = None,
    above: Annotated[float | None, Between(-10, 10)] = None,
    of: Base = "text",
    ranked: Ranked = "elements",
    ties: Ties = "first",
    spaces: bool = False,
    hollow: tuple[str, ...] = (),
    joining: int | None = None,
    joining_share: Annotated[float, Between(0, 1)] = 0.0,
    joining_floor: Annotated[float, Between(0, 100)] = 0.0,
    final: Final = "text",
    whole: bool = False,
) -> Findings | None:
    """The text of the main block, without what in it is nothing but links unless the whole of it is wanted."""
    preferred = PREFERRED[prefer]
    knobs = Knobs(
        share=share,
        above=preferred.above if above is None else above,
        of=of,
        ranked=ranked,
        ties=ties,
        joining=joining or preferred.joining,
        joining_share=joining_share,
        joining_floor=joining_floor,
        final=final,
    )
    nodes = measured(clean.tree, hollow_tags(hollow), spaces)
    main = main_node(nodes, knobs)
    found = () if main is None else tuple(_text(nodes, main, whole))
    return findings_of({"body": Found(found, "cnr")}) if found else None


def check(share: float | None, above: float | None, joining: int | None, hollow: tuple[str, ...], **_: object) -> None:
    """Raises OptionError for options that say nothing together, or nothing at all."""
    if share is not None and above is not None:
        raise OptionError("share, above: the best nodes are a share of all or those above the mean; leave one out")
    if joining is not None and joining < 1:
        raise OptionError(f"joining: 1 or more is wanted, not {joining}")
    for change in hollow:
        if change.startswith("-") and change[1:].lower() not in HOLLOW:
            raise OptionError(f"hollow: '{change[1:]}' is not on the list. It holds {', '.join(sorted(HOLLOW))}")


def _text(nodes: Nodes, main: int, whole: bool) -> Iterator[Block]:
    """The blocks of text in a node."""
    element = nodes.elements[main]
    if nodes.tags[main] == TEXT:
        text = folded((element.tail if nodes.tails[main] else element.text) or "")
        yield from (Block(text),) if text else ()
    else:
        yield from blocks([element], without=() if whole else _textless(nodes, main))


def _textless(nodes: Nodes, main: int) -> set[Element]:
    """The elements in a node that have no text of their own."""
    inside = range(main + 1, nodes.lasts[main] + 1)
    return {nodes.elements[n] for n in inside if not nodes.lengths[n] and nodes.tags[n] in UNREAD}
