"""Running text: what a reader sees of a piece of a page, in blocks that no sentence crosses.

Tags inside the flow vanish and add no space, so that no word is broken; tags that break it end a block. A line
break (BR) is a break inside a block, and ends it when doubled; all other white space is one space. The cells of
a table of data are one block, ` | ` between them; a table that only lays out the page is read cell by cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from lxml import etree
from lxml.etree import _Element as Element

from corpusbot.dom.spelling import END, START
from corpusbot.model import Block

KIND_OF = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    "blockquote": "quote",
    **dict.fromkeys(("figcaption", "caption"), "caption"),
}
# These break the flow and leave the kind of what is around them.
PLAIN_BREAKS = frozenset(
    (
        "address", "article", "aside", "body", "center", "details", "dialog", "dir", "div", "dl",
        "fieldset", "figure", "footer", "form", "frameset", "header", "hgroup", "hr", "html", "legend",
        "main", "menu", "nav", "ol", "optgroup", "p", "pre", "section", "summary", "table", "tbody", "td",
        "tfoot", "th", "thead", "tr", "ul",
    )
)  # fmt: skip
BREAKS = PLAIN_BREAKS | KIND_OF.keys()
# Nothing in these is text of the page; controls of forms say what to press, not what is the case.
SILENT = frozenset(
    (
        "applet", "audio", "button", "canvas", "datalist", "embed", "head", "iframe", "input", "map",
        "meter", "noframes", "noscript", "object", "progress", "script", "select", "style", "svg",
        "template", "textarea", "video",
    )
)  # fmt: skip
CELL_MARK = " | "
VOID = frozenset(("br", "hr", "img", "wbr", "input", "meta", "link"))

# A line break, until white space is folded; no tree holds this character.
_BREAK = "\x00"
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


def blocks(
    elements: Iterable[Element], keep: frozenset[str] = frozenset(), without: Collection[Element] = ()
) -> list[Block]:
    """The text of some elements; tags in `keep` are written through, elements in `without` are left out."""
    writer = _Writer(keep)
    hidden = frozenset(without)
    for element in elements:
        if element not in hidden:
            _write(element, writer, hidden)
    return writer.blocks


def text_of(element: Element, without: Collection[Element] = ()) -> str:
    """The text of an element, a line for each of its blocks."""
    if element.tag in SILENT:
        return folded(element.text or "")
    return "\n".join(block.text for block in blocks([element], without=without))


def folded(text: str) -> str:
    """The text with each run of white space as one space, and no control characters."""
    text = " ".join(text.split())
    return text if text.isprintable() else _CONTROL.sub("", text)


def outermost(elements: Iterable[Element]) -> list[Element]:
    """The elements that stand in none of the others."""
    chosen = list(dict.fromkeys(elements))
    if len(chosen) < 2:
        return chosen
    known = set(chosen)
    inside: dict[Element, bool] = {}
    return [element for element in chosen if not _is_inside(element, known, inside)]


def _is_inside(element: Element, known: set[Element], inside: dict[Element, bool]) -> bool:
    """Whether an ancestor is known; the answer for every ancestor passed is noted, which keeps it linear."""
    path: list[Element] = []
    parent = element.getparent()
    while parent is not None and parent not in known and parent not in inside:
        path.append(parent)
        parent = parent.getparent()
    answer = parent is not None and (parent in known or inside[parent])
    inside.update(dict.fromkeys(path, answer))
    return answer


class _Writer:
    """Blocks as they grow: what has been read of the one at hand, and the kinds of those around it."""

    def __init__(self, keep: frozenset[str]) -> None:
        self.keep = keep
        self.blocks: list[Block] = []
        self.pieces: list[str] = []
        self.kinds = ["paragraph"]
        self.row: Element | None = None
        self.cells = 0

    def flush(self) -> None:
        """Ends the block at hand."""
        if not self.pieces:
            return
        text = "".join(self.pieces)
        self.pieces.clear()
        if _BREAK not in text:
            text = folded(text)
            if text:
                self.blocks.append(Block(text, self.kinds[-1]))
            return
        for paragraph in _paragraphs(text):
            self.blocks.append(Block(paragraph, self.kinds[-1]))

    def parted(self) -> None:
        """Ends the block at hand, or just the word where the block is a row of a table."""
        if self.row is None:
            self.flush()
        else:
            self.pieces.append(" ")


def _paragraphs(text: str) -> list[str]:
    """The text between doubled line breaks; single ones stay as ends of line."""
    lines = [folded(line) for line in text.split(_BREAK)]
    return [part for part in re.split("\n{2,}", "\n".join(lines).strip("\n")) if part]


def _write(root: Element, writer: _Writer, hidden: frozenset[Element]) -> None:
    """Reads one element; without recursion, since pages nest as deep as they like."""
    walk = etree.iterwalk(root, events=("start", "end"))
    pieces = writer.pieces
    for event, element in walk:
        tag = str(element.tag)
        if event == "end":
            if tag not in SILENT and element not in hidden:
                _end(element, tag, writer)
            if element is not root and element.tail:
                pieces.append(element.tail)
            continue
        if tag in SILENT or element in hidden:
            walk.skip_subtree()
            continue
        _start(element, tag, writer)
        if element.text:
            pieces.append(element.text.replace("\n", _BREAK) if tag == "pre" else element.text)
    writer.flush()


def _start(element: Element, tag: str, writer: _Writer) -> None:
    if tag in BREAKS:
        if tag in ("td", "th") and writer.row is not None:
            writer.pieces.append(CELL_MARK if writer.cells else "")
            writer.cells += 1
        else:
            writer.parted()
        writer.kinds.append(KIND_OF.get(tag, writer.kinds[-1]))
        if tag == "tr" and is_data_row(element):
            writer.row, writer.cells, writer.kinds[-1] = element, 0, "row"
    if tag in writer.keep:
        writer.pieces.append(element.get(START) or _plain_start(element, tag))
    elif tag == "br":
        writer.pieces.append(_BREAK if writer.row is None else " ")


def _end(element: Element, tag: str, writer: _Writer) -> None:
    if tag in writer.keep:
        writer.pieces.append(_end_tag(element, tag))
    if tag not in BREAKS:
        return
    if element is writer.row:
        writer.row = None
        writer.flush()
    elif tag not in ("td", "th"):
        writer.parted()
    elif writer.row is None:
        writer.flush()
    writer.kinds.pop()


def _end_tag(element: Element, tag: str) -> str:
    """The end tag that the source has; a tag whose source is not known is closed unless it holds nothing."""
    if element.get(START) is not None:
        return element.get(END) or ""
    return "" if tag in VOID else f"</{tag}>"


def _plain_start(element: Element, tag: str) -> str:
    """The start tag of an element whose source is not known."""
    return "<" + " ".join([tag, *(f'{name}="{value}"' for name, value in element.items())]) + ">"


def is_data_row(row: Element) -> bool:
    """Whether a row of a table holds data: several cells, each with one short run of text."""
    cells = 0
    in_cell = 0
    walk = etree.iterwalk(row, events=("start",))
    for _, element in walk:
        tag = element.tag
        if tag in ("td", "th"):
            cells += 1
            in_cell = 0
        elif tag in BREAKS and element is not row:
            in_cell += 1
            if in_cell > 1 or tag not in ("p", "div"):
                return False
        elif tag == "br" and (following := element.getnext()) is not None and following.tag == "br":
            return False
    return cells > 1
