"""A page's text as a tree, by lxml's HTML parser: whatever is wrong with it, in one pass and bounded time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement

from corpusbot.dom.unread import without_unread

# libxml2 stops reading at 2048; a tree this deep is no page that somebody laid out.
DEEPEST = 1000
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_CONTROL = bytes([*range(9), *range(14, 32), 127])
_TO_SPACE = bytes.maketrans(b"\x0b\x0c", b"  ")
# Twenty times those of the largest page in `make eval-extract`'s sets; the rest of the page is not read.
MOST_TAGS = 400_000
# What follows </body> or </html> belongs to the page, as in browsers; libxml2 would leave it out.
_ENDS = re.compile(rb"</(?:body|html)>", re.IGNORECASE)
# Looking up each attribute of a tag among all others takes libxml2 minutes where they are so many.
LONGEST_TAG = 50_000
MOST_ATTRIBUTES = 2_000
_LONG_TAG = re.compile(rb"<[a-zA-Z][^<>]{%d,}+>" % LONGEST_TAG)
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^>]*>")
# lxml.html's own parser asks Python for the class of each element, which takes longer than to walk the tree.
_ELEMENTS = etree.ElementDefaultClassLookup(element=HtmlElement)
_OF_HEAD = frozenset(("title", "meta", "link", "script", "style", "base", "noscript", "template", "object"))


def parsed(markup: str | bytes, scripts: bool = True) -> HtmlElement | None:
    """The tree of a page, its text or that in UTF-8, without comments and the like; None if there is nothing in it.

    Without `scripts` those that are no data are left out, and with them style sheets and drawings.
    """
    source = markup if isinstance(markup, bytes) else markup.encode("utf-8", "replace")
    # Where nothing else is on a page, its scripts are what it has.
    source = _plain((not scripts and without_unread(source).strip()) or _ENDS.sub(b"", source))
    tree, complete = _tree(source)
    if not complete:
        tree, _ = _tree(shallow(source.decode("utf-8", "replace")).encode())
    if tree is not None:
        _end_head(tree)
    return tree


def _end_head(tree: HtmlElement) -> None:
    """Moves what no head holds into the body, as browsers do; libxml2 knows no ARTICLE that would end the head."""
    head, body = tree.find("head"), tree.find("body")
    children = list(head) if head is not None else []
    first = next((place for place, child in enumerate(children) if child.tag not in _OF_HEAD), None)
    if first is None:
        return
    if body is None:
        body = etree.SubElement(tree, "body")
    elif body.text:
        children[-1].tail = (children[-1].tail or "") + body.text
        body.text = None
    body[:0] = children[first:]


def fragment(markup: str) -> HtmlElement | None:
    """The tree of a piece of HTML, as it stands in a JSON object or comes out of a style sheet."""
    return parsed(f"<div>{markup}</div>") if markup.strip() else None


def shallow(markup: str) -> str:
    """The markup without the tags that are nested deeper than any page has them; their text stays."""
    depth = 0

    def kept(found: re.Match[str]) -> str:
        nonlocal depth
        if found[2].lower() in _VOID:
            return found[0]
        depth += -1 if found[1] else 1
        return found[0] if depth + bool(found[1]) <= DEEPEST else " "

    return _TAG.sub(kept, markup)


def _tree(source: bytes) -> tuple[HtmlElement | None, bool]:
    """The tree, and whether the parser read to the end."""
    parser: etree.HTMLParser[HtmlElement] = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    parser.set_element_class_lookup(_ELEMENTS)
    try:
        tree: HtmlElement = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:  # nothing that could be made a tree
        return None, True
    fatal = parser.error_log.filter_from_fatals()
    return tree, not any("depth" in error.message for error in fatal)  # its number differs by release


def _plain(source: bytes) -> bytes:
    """The page without the characters that no text has, and no larger than one is read."""
    source = source.translate(_TO_SPACE, _CONTROL)
    if len(source) > MOST_TAGS and source.count(b"<") > MOST_TAGS:
        source = b"<".join(source.split(b"<", MOST_TAGS + 1)[:-1])
    kept: list[bytes] = []
    end = 0
    for start in _long_tags(source):
        if found := _LONG_TAG.match(source, start):
            kept += source[end:start], _bare_tag(found)
            end = found.end()
    return b"".join((*kept, source[end:])) if kept else source


def _long_tags(source: bytes) -> Iterator[int]:
    """Where tags may begin that are longer than any should be; looks at few of the bytes."""
    place = 0
    while place + LONGEST_TAG < len(source):
        last = source.rfind(b"<", place, place + LONGEST_TAG)
        if last < 0:  # for so long no other tag begins
            if place and source.find(b">", place, place + LONGEST_TAG) < 0:
                yield place - 1
            last = source.find(b"<", place)
            if last < 0:
                return
        place = last + 1


def _bare_tag(found: re.Match[bytes]) -> bytes:
    """A tag without its attributes if they are too many; one that holds a picture's data may be as long."""
    tag = found[0]
    return tag if tag.count(b"=") + tag.count(b" ") < MOST_ATTRIBUTES else tag[:1] + tag[1:50].split()[0] + b">"
