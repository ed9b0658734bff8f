"""What no reader of a tree would see, cut out of the page's bytes: the parser then has half as much to read."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Scripts and style sheets, which the parser reads as they stand up to their end tags; drawings; and comments, in which
# there are none of these. What follows </body> or </html> belongs to the page, as in browsers: libxml2 would drop it.
_MARK = re.compile(rb"<(?:(script|style|svg)[>\s]|(!--)|/(?:body|html)>)", re.IGNORECASE)
# The next tag of a name: its end tag or one more of it.
_NEXT = {
    name: re.compile(rb"<(?:(/)%s|%s[>\s])" % (name, name), re.IGNORECASE) for name in (b"script", b"style", b"svg")
}


def without_unread(source: bytes) -> bytes:
    """The page without </body>, </html>, style sheets, drawings, and scripts that are no data.

    An element that may end elsewhere than it seems to stays.
    """
    kept, end = [], 0
    for start, stop in _unread(source):
        kept.append(source[end:start])
        end = stop
    kept.append(source[end:])
    return b"".join(kept)


def _unread(source: bytes) -> Iterator[tuple[int, int]]:
    """From where to where something can be cut out."""
    place = 0
    unclosed: set[bytes] = set()
    while found := _MARK.search(source, place):
        start, place = found.span()
        name = (found[1] or b"").lower()
        if found[2]:
            place = max(place, source.find(b"-->", start) + 3)
        elif not name:
            yield start, place
        elif name not in unclosed:
            close, is_next = _closing(source, name, place)
            if close < 0:
                unclosed.add(name)
                continue
            tag = source[start : source.find(b">", start, close) + 1]
            place = source.find(b">", close) + 1 or close
            # Of two that begin before the end tag, one stands in a comment, an attribute or a script's text.
            if is_next and place > close and _can_go(tag) and not _in_tag(source, start):
                yield start, place


def _closing(source: bytes, name: bytes, place: int) -> tuple[int, bool]:
    """Where the next end tag of a name is, and whether no other element of that name begins before it."""
    is_next = True
    for found in _NEXT[name].finditer(source, place):
        if found[1]:
            return found.start(), is_next
        is_next = False
    return -1, False


def _in_tag(source: bytes, place: int) -> bool:
    """Whether a place seems to be in an attribute."""
    return source.rfind(b"<", 0, place) > source.rfind(b">", 0, place)


def _can_go(tag: bytes) -> bool:
    """Whether an element with such a tag is read by nobody: it is no data nor in data, and the tag is whole."""
    is_whole = tag[-2:] not in (b"/>", b"") and tag.count(b'"') % 2 == tag.count(b"'") % 2 == 0
    return is_whole and b"\\" not in tag and b"json" not in tag.lower()
