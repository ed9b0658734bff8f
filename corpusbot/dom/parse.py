"""A page's text as a tree, by lxml's HTML parser: whatever is wrong with it, in one pass and bounded time."""

from __future__ import annotations

import re

from lxml import etree
from lxml.html import HtmlElement, HTMLParser

# libxml2 stops reading at 2048; a tree this deep is no page that somebody laid out.
DEEPEST = 1000
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_CONTROL = bytes([*range(9), *range(14, 32), 127])
_TO_SPACE = bytes.maketrans(b"\x0b\x0c", b"  ")
# What follows </body> or </html> belongs to the page, as in browsers; libxml2 would leave it out.
_ENDS = (b"</body>", b"</html>", b"</BODY>", b"</HTML>")
# Looking up each attribute of a tag among all others takes libxml2 minutes where they are so many.
LONGEST_TAG = 50_000
MOST_ATTRIBUTES = 2_000
_LONG_TAG = re.compile(rb"<[a-zA-Z][^<>]{%d,}>" % LONGEST_TAG)
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^>]*>")


def parsed(markup: str) -> HtmlElement | None:
    """The tree of a page, without its comments and processing instructions; None if there is nothing in it."""
    tree, complete = _tree(markup)
    if not complete:
        tree, _ = _tree(shallow(markup))
    return tree


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


def _tree(markup: str) -> tuple[HtmlElement | None, bool]:
    """The tree, and whether the parser read to the end."""
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    source = _plain(markup)
    try:
        tree = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:  # nothing that could be made a tree
        return None, True
    depth_errors = source.count(b"<") > DEEPEST and any(
        "depth" in error.message for error in parser.error_log.filter_from_fatals()  # its number differs by release
    )
    return tree, not depth_errors


def _plain(markup: str) -> bytes:
    """The page as UTF-8 without the characters that no text has."""
    source = markup.encode("utf-8", "replace").translate(_TO_SPACE, _CONTROL)
    if any(len(piece) > LONGEST_TAG for piece in source.split(b"<")):
        source = _LONG_TAG.sub(_bare_tag, source)
    for end in _ENDS:
        source = source.replace(end, b"")
    return source


def _bare_tag(found: re.Match[bytes]) -> bytes:
    """A tag without its attributes if they are too many; one that holds a picture's data may be as long."""
    tag = found[0]
    return tag if tag.count(b"=") + tag.count(b" ") < MOST_ATTRIBUTES else tag[:1] + tag[1:50].split()[0] + b">"
