"""What of a page tells its kind: what it says of itself, its address, and how its text is spread; gathered once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from urllib.parse import parse_qsl, urlsplit

from lxml.etree import _Element as Element

from corpusbot.dom.jsonld import JsonObject
from corpusbot.dom.text import folded
from corpusbot.extractors.gist.walk import Outline, Run, outline_of
from corpusbot.filters.words import word_count
from corpusbot.metadata.article_object import types_of
from corpusbot.model import Block, CleanPage

# A run of so many characters, with so few of them in links, is prose and not a label or a teaser.
LONG_RUN = 80
MOST_LINKED = 0.35
# A link of such a length leads to a page and tells its title; a shorter one is a menu's.
HEADLINE = (25, 200)
SOME_TEXT = 150
# Enough of each to tell by; broken pages have millions.
MOST_PICTURES = 300
MOST_HEADINGS = 5
LONGEST_BUTTON = 60
_PLAYERS = (
    b"<video", b"youtube.com/embed", b"youtube-nocookie.com/embed", b"player.vimeo.com", b"dailymotion.com/embed",
    b"dailymotion.com/player", b"jwplayer", b"brightcove", b"kaltura",
)  # fmt: skip
_HOME = re.compile(r"(?:/[a-z]{2}(?:[-_][a-z]{2})?)?(?:/(?:index|default|home|portada)(?:\.\w{3,5})?)?")
_TRACKING = ("utm_", "srsltid", "gclid", "fbclid", "ref")
_APART = frozenset(("a", "nav", "aside", "header", "footer"))
_DATE_NAMES = (
    "article:published_time", "og:article:published_time", "datepublished", "publish-date", "pubdate", "date",
)  # fmt: skip


@dataclass(frozen=True)
class Signs:
    """A page as its kind is told by: what its head says, its JSON-LD, its runs of text, and the body found."""

    clean: CleanPage
    body: Sequence[Block]
    title: str
    named: tuple[str, ...]
    headings: tuple[str, ...]
    metas: dict[str, str]
    types: frozenset[str]
    types_said: Mapping[str, str]
    by_rule: bool = False

    @cached_property
    def outline(self) -> Outline:
        """The outline of the page, which an extractor may have made already."""
        return self.clean.once(outline_of)

    @cached_property
    def og_type(self) -> str:
        """The type that OpenGraph gives, in lower case; empty if none."""
        return self.metas.get("og:type", "").lower()

    @cached_property
    def path(self) -> str:
        """The path of the page's address, in lower case, without a slash at its end; empty for a home page."""
        try:
            path = urlsplit(self.clean.page.url).path
        except ValueError:
            return ""
        return path.lower().rstrip("/")

    @cached_property
    def is_home(self) -> bool:
        """Whether the address is known, and is that of a home page, also one of a language: /, /es, /index.html."""
        try:
            parts = urlsplit(self.clean.page.url)
        except ValueError:
            return False
        asked = (name for name, _ in parse_qsl(parts.query) if not name.startswith(_TRACKING))
        return bool(parts.netloc) and bool(_HOME.fullmatch(self.path)) and not any(asked)

    @cached_property
    def runs(self) -> list[Run]:
        """The runs of text of the page."""
        return self.outline.runs

    @cached_property
    def prose(self) -> list[int]:
        """The lengths of the runs of the page that are prose."""
        return [size for run in self.runs if (size := len(run.text)) >= LONG_RUN and run.linked < MOST_LINKED * size]

    @cached_property
    def headlines(self) -> int:
        """How many runs are links that tell the title of another page."""
        return sum([is_headline(run) for run in self.runs if run.linked >= HEADLINE[0]])

    @cached_property
    def paragraphs(self) -> list[int]:
        """The lengths of the paragraphs of the body that was found, headings, items and captions apart."""
        return [len(block.text) for block in self.body if block.kind in ("paragraph", "quote")]

    @cached_property
    def body_length(self) -> int:
        """The characters of the body that was found."""
        return sum(len(block.text) for block in self.body)

    @cached_property
    def text_length(self) -> int:
        """The characters of the page."""
        return sum(len(run.text) for run in self.runs)

    @cached_property
    def unlinked_length(self) -> int:
        """The characters of the page that are in no link."""
        return int(sum(max(0.0, len(run.text) - run.linked) for run in self.runs))

    @cached_property
    def words(self) -> int:
        """The words of the body that was found."""
        return sum(word_count(block.text) for block in self.body)

    @cached_property
    def pictures(self) -> int:
        """How many pictures of the page lead nowhere and stand in no menu, margin or foot."""
        return sum(_is_shown(picture) for picture in islice(self.clean.tree.iter("img"), MOST_PICTURES))

    @cached_property
    def has_player(self) -> bool:
        """Whether a film can be played on the page; cleanup has taken players out of the tree."""
        return any(self.clean.page.body.find(player) >= 0 for player in _PLAYERS)

    def buttons(self) -> Iterator[str]:
        """What can be pressed on the page."""
        for element in self.clean.tree.iter("button", "a", "input"):
            text = element.get("value") if element.tag == "input" else _text(element)
            if text and not text.isspace():
                yield text[:LONGEST_BUTTON]

    @cached_property
    def is_sure_article(self) -> bool:
        """Whether the page says that it is an article, or a site's rules know it for one, and it has some text."""
        return (self.is_said_article or self.by_rule) and sum(self.paragraphs) >= SOME_TEXT

    @cached_property
    def is_said_article(self) -> bool:
        """Whether the page says that it is an article: in JSON-LD, or to OpenGraph with a date."""
        return self.says_article or ("article" in self.og_type and self.has_date)

    @cached_property
    def says_article(self) -> bool:
        """Whether JSON-LD holds an article."""
        return bool(self.article_types)

    @cached_property
    def article_types(self) -> list[str]:
        """The types of articles in JSON-LD, the most particular first."""
        found = [kind for kind in self.types if kind.endswith(("article", "blogposting")) and kind != "liveblogposting"]
        return sorted(found, key=lambda kind: (-len(kind), kind))

    @cached_property
    def says_product(self) -> bool:
        """Whether the page says that it offers a product."""
        return "product" in self.og_type or any(kind.startswith("product") for kind in self.types)

    @cached_property
    def has_date(self) -> bool:
        """Whether the page says when it was published."""
        return any(name in self.metas for name in _DATE_NAMES) or any(
            "datePublished" in item and not _is_page(item) for item in self.clean.jsonld
        )


def signs_of(clean: CleanPage, body: Sequence[Block], by_rule: bool = False) -> Signs:
    """The signs of a page."""
    title, named, metas, headings = _head(clean.tree.iter("title", "meta", "h1"))
    said = {kind.lower(): kind for item in clean.jsonld for kind in types_of(item)}
    return Signs(clean, body, title, named, headings, metas, frozenset(said), said, by_rule)


def _head(elements: Iterable[Element]) -> tuple[str, tuple[str, ...], dict[str, str], tuple[str, ...]]:
    """The title, the titles for other sites, the META tags by name (the first of each), and the H1s."""
    title = ""
    metas: dict[str, str] = {}
    headings: list[str] = []
    for element in elements:
        if element.tag == "meta":
            name = element.get("property") or element.get("name") or element.get("itemprop")
            content = element.get("content")
            if name and content and content.strip():
                metas.setdefault(name.lower(), content.strip())
        elif element.tag == "h1":
            headings.append(_text(element) if len(headings) < MOST_HEADINGS else "")
        else:
            title = title or folded(element.text or "")
    named = tuple(metas[name] for name in ("og:title", "twitter:title") if name in metas)
    return title, named, metas, tuple(filter(None, headings))


def is_headline(run: Run) -> bool:
    """Whether a run is a link that tells the title of another page."""
    return HEADLINE[0] <= len(run.text) <= HEADLINE[1] and run.linked > 0.8 * len(run.text)


def _text(element: Element) -> str:
    """The text of a heading or button, or how it begins: those of broken pages hold all that follows."""
    return folded("".join(islice(element.itertext(), 20)))


def _is_shown(picture: Element) -> bool:
    """Whether a picture leads nowhere and stands in no menu, margin or foot."""
    return not any(around.tag in _APART for around in picture.iterancestors())


def _is_page(item: JsonObject) -> bool:
    """Whether an object is about the page as such, whose dates many sites give for pages of any kind."""
    return any(kind.endswith(("Page", "WebSite")) for kind in types_of(item))
