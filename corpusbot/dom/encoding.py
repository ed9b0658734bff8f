"""From bytes to characters: which encoding a page is really in, and which one it claims."""

from __future__ import annotations

import codecs
import re

from corpusbot.model import Encoding

# Browsers look for a META in the first kilobyte; pages with long scripts before it exist.
META_BYTES = 8192
SNIFFED_BYTES = 20_000

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What pages mean by these names, as https://encoding.spec.whatwg.org/ has it.
_MEANT = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-7": "utf-8",
}
_MISSPELT = {
    "utf8": "utf-8",
    "unicode": "utf-8",
    "x-sjis": "cp932",
    "ks_c_5601-1987": "cp949",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "iso-8859-8-i": "iso8859-8",
    "ansi": "cp1252",
    "iso-latin-1": "cp1252",
}
_NO_TEXT = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
# What a page in one of these languages is in, if it is not in UTF-8.
_USUAL = {
    "cp1250": ("bs", "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"),
    "cp1251": ("be", "bg", "mk", "ru", "sr", "uk"),
    "cp1252": ("ca", "da", "de", "en", "es", "eu", "fi", "fr", "gl", "is", "it", "nb", "nl", "no", "pt", "sv"),
    "cp1253": ("el",),
    "cp1254": ("tr", "az"),
    "cp1255": ("he",),
    "cp1256": ("ar", "fa", "ur"),
    "cp1257": ("et", "lt", "lv"),
}
_PLAUSIBLE = (*_USUAL, "koi8-r", "gb18030", "big5", "cp932", "euc-jp", "cp949", "cp874", "iso8859-2", "iso8859-7")
# Letters beyond ASCII are few in the languages of windows-1252 and most of the text in all others.
FEW = 0.25
_WIDER = frozenset(("cp1252", "iso8859-2", "iso8859-15"))  # the usual ones whose first half is ASCII
_LANG = re.compile(rb"""<html\s[^>]*?lang\s*=\s*["']?([a-zA-Z]{2})""", re.IGNORECASE)
_META = re.compile(rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_TAG = re.compile(rb"<[^<>]*>")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decoded(body: bytes, content_type: str | None = None) -> tuple[str, Encoding]:
    """The text of a page and how its encoding was found; bytes that fit no encoding become U+FFFD."""
    for bom, name in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(name, "replace"), Encoding(name, _declared(body, content_type), "bom")
    declared = _declared(body, content_type)
    text, used, source = (
        _as_wide(body)
        or _as_declared(body, content_type)
        or _as_utf8(body)
        or _sniffed(body)
        or (_in_cp1252(body), "cp1252", "fallback")
    )
    return text, Encoding(used, declared, source)


def in_utf8(body: bytes, text: str, encoding: Encoding) -> bytes | str:
    """The body itself where it is its text in UTF-8, which saves coding the text anew; otherwise the text."""
    is_read_as_it_is = encoding.source in ("http", "meta", "content") and body[-1:] < b"\x80"
    if is_read_as_it_is and (encoding.used == "utf-8" or (encoding.used in _WIDER and body.isascii())):
        return body
    return text


def meant(label: str) -> str | None:
    """The name of the codec that a page means by a label, or None if there is none."""
    label = label.strip().lower()
    try:
        name = codecs.lookup(_MISSPELT.get(label, label)).name
    except (LookupError, ValueError, UnicodeError):
        return None
    name = _MEANT.get(name, name)
    return name if _is_text_codec(name) else None


def _is_text_codec(name: str) -> bool:
    """Whether it is the encoding of a text: base64 or punycode are codecs too."""
    if name in _NO_TEXT:
        return False
    try:
        b"a".decode(name)
    except LookupError:
        return False
    except UnicodeError:
        pass
    return True


def _declared(body: bytes, content_type: str | None) -> str | None:
    """The label that the page names, as it spells it: the server's, or else its own."""
    return _http_label(content_type) or _meta_label(body)


def _http_label(content_type: str | None) -> str | None:
    found = _CHARSET.search(content_type or "")
    return found[1] if found else None


def _meta_label(body: bytes) -> str | None:
    head = body[:META_BYTES]
    # A commented META declares nothing.
    found = _XML.search(head) or _META.search(_COMMENT.sub(b"", head))
    return found[1].decode("ascii", "replace") if found else None


def _as_declared(body: bytes, content_type: str | None) -> tuple[str, str, str] | None:
    """The text in the first declared encoding that every byte fits."""
    for label, source in ((_http_label(content_type), "http"), (_meta_label(body), "meta")):
        name = meant(label) if label else None
        if name is None or (source == "meta" and name.startswith(("utf-16", "utf-32"))):
            continue  # a META that could be read as ASCII is not in UTF-16
        if name.startswith(("cp125", "iso8859")):
            return _single_byte(body, name, source)
        try:
            return body.decode(name), name, source
        except UnicodeError:
            continue
    return None


def _single_byte(body: bytes, name: str, source: str) -> tuple[str, str, str]:
    """Text of one byte a character; what reads as UTF-8 throughout is UTF-8 whatever it claims."""
    if not body.isascii():
        try:
            return body.decode("utf-8"), "utf-8", "content"
        except UnicodeDecodeError:
            pass
    return (_in_cp1252(body) if name == "cp1252" else body.decode(name, "replace")), name, source


def _in_cp1252(body: bytes) -> str:
    """Windows-1252, whose five empty places are left out rather than refused."""
    return body.decode("cp1252", "ignore")


def _as_utf8(body: bytes) -> tuple[str, str, str] | None:
    """UTF-8, with single stray bytes of windows-1252 read as such; None if they are the larger part."""
    if body.isascii():
        return body.decode("ascii"), "utf-8", "content"
    whole = _whole(body)
    try:
        return whole.decode("utf-8"), "utf-8", "content"
    except UnicodeDecodeError:
        text = whole.decode("utf-8", "surrogateescape")
    stray = len(_SURROGATE.findall(text))
    # Each good character beyond ASCII takes two bytes or more; each stray byte takes one.
    if len(text.encode("utf-8", "surrogateescape")) - len(text) < stray:
        return None
    return _SURROGATE.sub(_stray_character, text), "utf-8", "mixed"


def _whole(body: bytes) -> bytes:
    """The body without the first part of a character that was cut off at its end."""
    for back in range(1, 4):
        lead = body[-back] if len(body) >= back else 0
        if lead >= 0xC0:
            needs = 2 + (lead >= 0xE0) + (lead >= 0xF0)
            return body[:-back] if needs > back else body
        if lead < 0x80:
            break
    return body


def _stray_character(found: re.Match[str]) -> str:
    return bytes([ord(found[0]) - 0xDC00]).decode("cp1252", "replace")


def _as_wide(body: bytes) -> tuple[str, str, str] | None:
    """UTF-16 without a mark at its start: every second byte of its first tag is zero."""
    head = body[:64].lstrip(b" \r\n\t\0")
    if head[:4].count(b"\0") != 2:
        return None
    name = "utf-16-le" if body[1:2] == b"\0" else "utf-16-be"
    return body.decode(name, "replace"), name, "content"


def _sniffed(body: bytes) -> tuple[str, str, str] | None:
    """The encoding that the page's language or the characters themselves suggest."""
    name = _usual(body) or _western(body) or _likely(body)
    if name is None:
        return None
    return (_in_cp1252(body) if name == "cp1252" else body.decode(name, "replace")), name, "sniffed"


def _usual(body: bytes) -> str | None:
    """The usual encoding of the language that the page says it is in."""
    found = _LANG.search(body[:META_BYTES])
    language = found[1].decode().lower() if found else ""
    return next((name for name, languages in _USUAL.items() if language in languages), None)


def _western(body: bytes) -> str | None:
    """Windows-1252 where bytes beyond ASCII are but few among the letters."""
    sample = _sample(body)
    odd = len(sample) - len(sample.translate(None, bytes(range(128, 256))))
    letters = len(re.findall(rb"[A-Za-z]", sample))
    return "cp1252" if odd < FEW * (odd + letters) else None


def _likely(body: bytes) -> str | None:
    """The best guess of charset-normalizer among the encodings that pages come in."""
    from charset_normalizer import from_bytes  # slow to import, seldom needed

    best = from_bytes(_sample(body), cp_isolation=list(_PLAUSIBLE)).best()
    return meant(best.encoding) if best else None


def _sample(body: bytes) -> bytes:
    """The part of a page that says most about its encoding: its text from the first odd byte on."""
    odd = re.search(rb"[\x80-\xff]", body)
    start = max(0, odd.start() - 200) if odd else 0
    return _TAG.sub(b" ", body[start : start + 10 * SNIFFED_BYTES])[:SNIFFED_BYTES]
