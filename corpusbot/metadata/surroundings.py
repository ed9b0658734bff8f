"""What stands beside the article and not in it: other articles, comments, menus, captions; and where it begins."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lxml import etree
from lxml.html import HtmlElement

from corpusbot.dom.text import folded

# How far above an element what tells its surroundings may stand.
HIGHEST = 40
# A headline and what stands around it, in elements; further down is the text.
NEAR = 60
LONGEST_LINE = 120

_APART_TAGS = frozenset(("nav", "footer", "figure", "figcaption", "form", "blockquote"))
_APART = re.compile(
    r"(?<![a-z])(?:comments?|commentlist|respond|disqus|related|recommend\w*|teasers?"
    r"|newsletter|most-?(?:read|popular|viewed)|more-?(?:from|on|stories|articles)|read-?(?:next|more|also)|trending"
    r"|popular|footer|menu|navigation|navbar|carousel|slider|captions?|gallery|relacionad\w*|comentarios?|destacad\w*"
    r"|masleid\w*|ultimas|advert\w*|sponsored|outbrain|taboola|see-?also|card-?list|up-?next|latest)(?![a-z])",
    re.IGNORECASE,
)
# Beside an article there may also be what is about it: its author, its date.
_BESIDE = re.compile(r"(?<![a-z])(?:promo|sidebar|side-bar|widget)(?![a-z])", re.IGNORECASE)
_HEADINGS = etree.XPath("//h1")
_AFTER = etree.XPath("following::*[position() <= $most]")


def headline_of(tree: HtmlElement) -> HtmlElement | None:
    """The page's first heading that has any text."""
    return next(filter(has_text, _HEADINGS(tree)), None)


def stands_apart(element: HtmlElement, around: Collection[HtmlElement] = (), also_beside: bool = True) -> bool:
    """Whether an element is part of something that is not the article itself.

    What is `around` the headline is around the article. Not `also_beside` lets pass what stands in a sidebar.
    """
    for above in _above(element):
        if above in around:
            return False
        if above.tag in _APART_TAGS or (also_beside and above.tag == "aside"):
            return True
        if above.tag == "article":
            return any(other.tag == "article" for other in around)  # the headline stands in another one
        if above.tag in ("body", "html", "main"):
            return False
        mark = f"{above.get('class') or ''} {above.get('id') or ''}"
        if len(mark) > 1 and (_APART.search(mark) or (also_beside and _BESIDE.search(mark))):
            return True
    return False


def _above(element: HtmlElement) -> Iterator[HtmlElement]:
    """The element and those that it stands in, up to some height."""
    here: HtmlElement | None = element
    for _ in range(HIGHEST):
        if here is None:
            return
        yield here
        here = here.getparent()


def has_text(element: HtmlElement) -> bool:
    """Whether there is anything to read in an element."""
    return any(text.strip() for text in element.itertext())


def lines_near(heading: HtmlElement | None) -> Iterator[tuple[HtmlElement, str]]:
    """The elements that follow the headline, with the short line that they hold or, if longer, begin with."""
    if heading is None:
        return
    seen: set[str] = set()
    around = set(heading.iterancestors())
    for element in _AFTER(heading, most=NEAR):
        text = short_text(element) or folded((element.text or "")[:LONGEST_LINE])
        if text and text not in seen and not stands_apart(element, around):
            seen.add(text)
            yield element, text


def short_text(element: HtmlElement, longest: int = LONGEST_LINE) -> str:
    """An element's text on one line; nothing if it is longer than a line."""
    pieces: list[str] = []
    length = 0
    for text in element.itertext():
        length += len(text.strip())
        if length > longest:
            return ""
        pieces.append(text)
    return folded(" ".join(pieces))


def pieces_of(element: HtmlElement, longest: int) -> list[tuple[str, HtmlElement]]:
    """The texts of an element one by one, each with the tag it stands in; none if longer than that together."""
    pieces: list[tuple[str, HtmlElement]] = []
    length = 0
    for inner in element.iter():
        above = inner.getparent()
        for text, holder in ((inner.text, inner), (inner.tail if inner is not element else None, above)):
            if text and holder is not None and not text.isspace() and inner.tag not in ("script", "style", "select"):
                pieces.append((folded(text), holder))
                length += len(pieces[-1][0])
        if length > longest:
            return []
    return pieces
