"""What no reader of a tree would see, cut out of the page's bytes: the parser then has half as much to read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

# Scripts and style sheets, which the parser reads as they stand up to their end tags; drawings; and comments, in which
# there are none of these. What follows </body> or </html> belongs to the page, as in browsers: libxml2 would drop it.
_MARK = re.compile(rb"<(?:/(?:(script|style|svg)|(?:body|html)>)|(script|style|svg)[>\s]|(!--))", re.IGNORECASE)
_CLOSING, _OPENING, _COMMENT = 1, 2, 3
_Mark = tuple[int, int | None, bytes]


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
    marks = [(found.start(), found.lastindex, found[found.lastindex or 0].lower()) for found in _MARK.finditer(source)]
    end = 0
    unclosed: set[bytes] = set()
    for place, (start, kind, name) in enumerate(marks):
        if start < end:  # in a comment, or in the last element
            continue
        if kind is None:
            yield start, source.find(b">", start) + 1
        elif kind == _COMMENT:
            end = source.find(b"-->", start) + 3
        elif kind == _OPENING and name not in unclosed:
            close, between = _closing(marks, place)
            if close is None:
                unclosed.add(name)
                continue
            end = source.find(b">", close) + 1
            # Of two that begin before the end tag, one stands in a comment, an attribute or a script's text.
            tag = source[start : source.find(b">", start, close) + 1]
            if end and not between and _can_go(tag) and not _in_tag(source, start):
                yield start, end


def _closing(marks: Sequence[_Mark], place: int) -> tuple[int | None, int]:
    """Where the next end tag of a mark's name is, and how many elements of that name begin before it."""
    name, between = marks[place][2], 0
    for start, kind, other in islice(marks, place + 1, None):
        if other == name:
            if kind == _CLOSING:
                return start, between
            between += 1
    return None, between


def _in_tag(source: bytes, place: int) -> bool:
    """Whether a place seems to be in an attribute."""
    return source.rfind(b"<", 0, place) > source.rfind(b">", 0, place)


def _can_go(tag: bytes) -> bool:
    """Whether an element with such a tag is read by nobody: it is no data nor in data, and the tag is whole."""
    is_whole = tag[-2:] not in (b"/>", b"") and tag.count(b'"') % 2 == tag.count(b"'") % 2 == 0
    return is_whole and b"\\" not in tag and b"json" not in tag.lower()
