"""Pages as they should not be: too deep, too long, cut short, mislabelled, broken, or no pages at all."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Mapping
from typing import Final

SENTENCE = "The council met on Tuesday evening, and after two hours of debate it approved the budget for the year. "
PARAGRAPH = f"<p>{SENTENCE * 3}</p>"
DAYS = ("Tuesday", "Wednesday", "Thursday", "Friday")  # a paragraph that repeats the one before it is left out
TEXT = "".join(PARAGRAPH.replace("Tuesday", day) for day in DAYS)
ARTICLE = f"<html><head><title>Budget</title></head><body><h1>Budget</h1>{TEXT}</body></html>"

Maker = Callable[[], str | bytes]
Growing = Callable[[int], str | bytes]


def _with(piece: str) -> str:
    """The article with something in front of its heading."""
    return ARTICLE.replace("<h1>", f"{piece}<h1>")


def _declared(charset: str, page: bytes) -> bytes:
    return page.replace(b"<title>", f"<meta charset={charset}><title>".encode())


# From which the text must be found, whatever else is wrong with them.
READABLE: Final[Mapping[str, Maker]] = {
    "null bytes": lambda: ARTICLE.replace("council", "coun\0cil").replace("<p>", "\0<p>\0"),
    "lone surrogates": lambda: ARTICLE.replace("debate", "deb\ud800ate\udfff"),
    "XHTML with a prologue": lambda: (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
        '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
        + ARTICLE.replace("<html>", '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en">')
    ),
    "XML that calls itself HTML": lambda: (
        f'<?xml version="1.0"?><html><x:a xmlns:x="urn:x">{TEXT}</x:a><b/><i/></html>'
    ),
    "no body": lambda: f"<title>Budget</title>{TEXT}",
    "no body but HTML's newer tags": lambda: f"<title>Budget</title><main><article>{TEXT}</article></main>",
    "duplicate attributes": lambda: ARTICLE.replace("<p>", '<p class=a class=b id=x id=y ID="z" class>'),
    "bidirectional and invisible characters": lambda: ARTICLE.replace("budget", "\u202ebud\u200bget\u2066\ufeff\u00ad"),
    "UTF-16 with a mark": lambda: ARTICLE.encode("utf-16"),
    "UTF-16 without a mark": lambda: ARTICLE.encode("utf-16-be"),
    "UTF-32 with a mark": lambda: ARTICLE.encode("utf-32"),
    "an encoding that there is not": lambda: _declared("x-klingon", ARTICLE.replace("council", "coüncil").encode()),
    "an encoding that it is not in": lambda: _declared("utf-8", ARTICLE.replace("after", "àfter").encode("cp1252")),
    "an encoding that is none": lambda: _declared("base64", ARTICLE.encode()),
    "a binary tail": lambda: ARTICLE.encode() + bytes(range(256)) * 100,
    "huge attributes": lambda: _with(f'<img src="data:image/png;base64,{"A" * 1_000_000}">'),
    "a tag of 100,000 attributes": lambda: _with(f"<b {' '.join(f'a{number}=1' for number in range(100_000))}>"),
    "a name as long as a book": lambda: _with(f"<{'x' * 1_000_000}>"),
    "entities that unfold": lambda: (
        "<!DOCTYPE html [<!ENTITY a 'ha'>"
        + "".join(f"<!ENTITY {new} '{f'&{old};' * 10}'>" for old, new in zip("abcdefgh", "bcdefghi", strict=True))
        + f"]>{ARTICLE.replace('Tuesday', '&i;')}"
    ),
    "references without end": lambda: _with("&amp" * 200_000 + "&#x110000;&#0;&#xD800;&x;"),
    "CDATA": lambda: _with("<![CDATA[ <p>hidden</p> ]]>"),
    "nothing is ever closed": lambda: (
        "<title>Budget</title><body><div><div><section><ul><li><b><i><a href=x>" + TEXT.replace("</p>", "")
    ),
    "everything is closed twice": lambda: ARTICLE.replace("</p>", "</p></p></div></td></a></body></html>"),
    "tags that overlap": lambda: ARTICLE.replace("<p>", "<b><p><i></b><a><a></i>"),
    "300,000 ends of tags": lambda: _with("</div>" * 300_000),
    "comments in comments": lambda: _with("<!-- <!-- --> --!> <!--> <!---> <! x> <? y ?>"),
    "a script that never ends a string": lambda: _with("<script>var a = '" + "\\'" * 500_000 + "</script>"),
    "JSON-LD of brackets": lambda: _with(f"<script type='application/ld+json'>{'[' * 200_000}</script>"),
    "JSON-LD of graphs in graphs": lambda: _with(
        '<script type="application/ld+json">{"a":' + '{"@graph":[' * 50_000 + "</script>"
    ),
    "JSON-LD of odd values": lambda: _with(
        '<script type="application/ld+json">[{"@type": "NewsArticle", "headline": {"a": 1e999}, '
        '"author": [[], 7, null], "datePublished": -1, "articleBody": ["\\ud800"], "url": {}, '
        '"keywords": {"@list": [NaN]}, "publisher": 1, "dateModified": "9999-99-99T99:99", '
        '"articleSection": [{}], "isAccessibleForFree": [], "inLanguage": {}}]</script>'
    ),
    "metadata of odd values": lambda: ARTICLE.replace(
        "<title>",
        '<meta property="article:published_time" content="99999999999-13-45T99:99:99+99:99"><meta name=author '
        f'content="{"x" * 100_000}"><meta property="og:url" content="http://["><link rel=canonical href="//[:::">'
        '<base href="x:y">'
        '<meta http-equiv=refresh content="0"><meta property="og:locale" content="\u202e"><title>',
    ),
    "white space without end": lambda: _with(" \t\n\u00a0" * 500_000),
}  # fmt: skip

# Which may be too much, or hold no text: an article without text and a reason are an answer too. Each is of a size.
GROWING: Final[Mapping[str, tuple[int, Growing]]] = {
    "so deep": (100_000, lambda size: "<div>" * size + TEXT + "</div>" * size),
    "so deep in the flow": (100_000, lambda size: "<b>" * size + SENTENCE * 9),
    "so deep in lists": (50_000, lambda size: "<ul><li>" * size + SENTENCE * 9),
    "so deep in tables": (33_000, lambda size: "<table><tr><td>" * size + SENTENCE * 9),
    "so deep of its own tags": (100_000, lambda size: "<x-y>" * size + SENTENCE * 9),
    "siblings": (1_000_000, lambda size: "<p>a" * size),
    "siblings in the flow": (1_000_000, lambda size: "<i>a</i>" * size),
    "empty tags": (1_000_000, lambda size: "<br>" * size),
    "words in one paragraph": (1_000_000, lambda size: f"<p>{'word ' * size}</p>"),
    "one line": (10_000_000, lambda size: f"<p>{'a' * size}</p>"),
    "one line without a tag": (10_000_000, lambda size: "a" * size + "<"),
    "openings": (10_000_000, lambda size: "<" * size),
    "ampersands": (1_000_000, lambda size: f"<p>{'&' * size}</p>"),
    "line ends": (10_000_000, lambda size: "<p>" + "\n" * size),
    "a long comment": (10_000_000, lambda size: "<!--" + "-" * size),
    "a long attribute": (10_000_000, lambda size: f'<p class="{"a " * (size // 2)}">{SENTENCE}</p>'),
    "a long script": (10_000_000, lambda size: f"<script>{'a.b(c);' * (size // 7)}</script><p>{SENTENCE}</p>"),
    "a long title": (10_000_000, lambda size: f"<title>{'a - b | ' * (size // 8)}</title><p>{SENTENCE}</p>"),
    "a long date": (1_000_000, lambda size: f"<time datetime='{'1' * size}'>{'2020-' * size}</time><p>{SENTENCE}"),
    "a long byline": (200_000, lambda size: f"<p class=author>By {'Ada and ' * size}</p><p>{SENTENCE}</p>"),
    "paragraphs": (20_000, lambda size: PARAGRAPH * size),
    "a table": (10_000, lambda size: f"<table>{'<tr>' + '<td>cell</td>' * 10 + '</tr>'}" * size),
    "a row of a table": (100_000, lambda size: f"<table><tr>{'<td>cell</td>' * size}</table>"),
    "links": (50_000, lambda size: "".join(f'<li><a href="/page/{page}">Page {page}</a>' for page in range(size))),
    "headings": (20_000, lambda size: "<h2>Heading</h2>" * size),
    "forms": (20_000, lambda size: "<form><input name=a><select><option>b</select>" * size),
    "pictures": (20_000, lambda size: "<figure><img src=a alt=b><figcaption>Picture</figcaption></figure>" * size),
    "scripts of JSON-LD": (50_000, lambda size: "<script type=application/ld+json>{}</script>" * size + SENTENCE),
    "META": (20_000, lambda size: '<meta property="og:title" content="a">' * size + PARAGRAPH),
    "unknown tags": (20_000, lambda size: "".join(f"<x{number}>word</x{number}>" for number in range(size))),
    "classes": (20_000, lambda size: "".join(f'<p class="c{number}">{SENTENCE[:40]}' for number in range(size))),
    "dates": (20_000, lambda size: "<p>Posted on 3 May 2024 by Ada</p>" * size),
    "articles": (10_000, lambda size: f"<article><h2><a href=x>Budget</a></h2>{SENTENCE[:50]}</article>" * size),
    "tag soup": (2_000, lambda size: "<td></p><li><//><p<p<<div <b>>x</3><table><a></table><form></tr><body>" * size),
    "no tags at all": (5_000, lambda size: "<<>< ><1><é><-->&<!><?><![>" * size),
    "a document type": (5_000, lambda size: "<!DOCTYPE html [" + "<!ENTITY % x '%x;%x;'>" * size),
    "all bytes": (4_000, lambda size: b"<p>" + bytes(range(256)) * size),
    "high bytes": (8_000, lambda size: b"<p>" + bytes(range(128, 256)) * size),
    "surrogates": (100_000, lambda size: "<p>" + "\ud800\udfff" * size),
    "marks of order": (10_000, lambda size: "<p>\ufeff" + "\ufffe\uffff" * size),
    "accents": (100_000, lambda size: "<p>a" + "\u0301\u0327" * size),
    "joiners": (200_000, lambda size: "<p>" + "\u200d\u200c" * size),
    "quotes": (100_000, lambda size: "<p>" + "\"'«“" * size),
    "references": (200_000, lambda size: "<p>" + "&amp;amp;" * size),
    "null bytes": (100_000, lambda size: b"\0" * size),
    "null bytes in tags": (100_000, lambda size: b"<\0p\0>\0" * size),
    "white space": (1_000_000, lambda size: " \n\t\r\f" * size),
}  # fmt: skip

# What is small and no page, or no more than the frame of one.
NO_PAGES: Final[Mapping[str, bytes]] = {
    "empty": b"",
    "a null byte": b"\0",
    "frameset": b"<html><frameset cols='1,2'><frame src=a><frame src=b><noframes>none</noframes></frameset>",
    "a document type": b"<!DOCTYPE html>",
    "an XML bomb": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "a feed": b"<?xml version='1.0'?><rss><channel><item><title>a</title></item></channel></rss>",
    "a PDF": b"%PDF-1.7\n1 0 obj <</Type /Catalog>>",
    "gzip": gzip.compress(ARTICLE.encode()),
    "deflated": zlib.compress(ARTICLE.encode()),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
    "half a tag": b"<",
    "half a comment": b"<!-",
    "an end": b"</html>",
    "a mark of order": b"\xef\xbb\xbf",
    "half a character": b"<p>\xe2\x82",
}
