"""What a body is, by what is in it: a page, or something else that was served as one."""

from __future__ import annotations

import re

HEAD_BYTES = 4096

_MAGIC = (
    (b"%PDF-", "PDF"),
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"BM\x00", "bitmap"),
    (b"RIFF", "WebP image or sound"),
    (b"ID3", "sound"),
    (b"OggS", "sound"),
    (b"\x00\x00\x01\x00", "icon"),
    (b"\x1f\x8b\x08", "gzip data that was not unpacked"),
    (b"PK\x03\x04", "ZIP or Office file"),
    (b"\xd0\xcf\x11\xe0", "old Office file"),
    (b"{\\rtf", "RTF"),
    (b"wOF", "font"),
)
_MP4 = re.compile(rb".{4}ftyp", re.DOTALL)
_JSON = re.compile(rb'\s*(?:\{\s*(?:"|\}\s*$)|\[\s*(?:[\[{"\d]|\]\s*$))')
# A feed's root, after what may stand before it: declaration, style sheet, comments, document type.
_XML_KIND = re.compile(
    rb"(?:\s|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE\b[^>]*>)*"
    rb"<(rss|feed|rdf:RDF|urlset|sitemapindex|opml|svg|wsdl|Error)\b",
    re.IGNORECASE,
)
_CONTROL = bytes([*range(9), 11, *range(14, 27), *range(28, 32)])
_TEXT_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
MOST_CONTROL = 0.1


def other_kind(body: bytes) -> str | None:
    """What the body is if it is no HTML; None if it may be read as a page."""
    head = body[:HEAD_BYTES]
    magic = next((kind for mark, kind in _MAGIC if head.startswith(mark)), None)
    if magic or _MP4.match(head):
        return magic or "video"
    head = head.removeprefix(b"\xef\xbb\xbf")
    if _JSON.match(head):
        return "JSON"
    xml = _XML_KIND.match(head)
    if xml:
        return f"<{xml[1].decode()}> document"
    if _is_binary(head):
        return "binary data"
    return None if b"<" in body else "text without a tag"


def _is_binary(head: bytes) -> bool:
    """Whether much of it is control characters, as no text is (UTF-16 apart, half of which is zeros)."""
    if head.startswith(_TEXT_BOMS) or head[:4].count(b"\0") == 2:
        return False
    control = len(head) - len(head.translate(None, _CONTROL))
    return control > MOST_CONTROL * len(head)
