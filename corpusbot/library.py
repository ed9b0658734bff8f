"""The library: what a page says, for programs that have the page already; `corpusbot.extract` leads here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, get_args

from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors import chain, gist
from corpusbot.extractors.gate import Answer
from corpusbot.extractors.gist.choice import Preference
from corpusbot.extractors.kinds import kind_of
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings
from corpusbot.metadata.generic import metadata_of
from corpusbot.model import Article, Block, Body, CleanPage, Drop, Kind, Page
from corpusbot.normalise import normalised, normalised_blocks, normalised_url
from corpusbot.sites.config import SiteConfig, Target
from corpusbot.sites.frozenmap import FrozenMap

PREFERENCES: Final = get_args(Preference)
# A page that nobody says when it was fetched: no date in it is too late, whatever day it is today.
UNDATED = datetime(9000, 1, 1, tzinfo=UTC)
FAILED = Kind("error", 1.0)
_UTF8 = (("Content-Type", "text/html; charset=utf-8"),)
# The site of a page that may be from anywhere.
_SITES: Final[Mapping[str, SiteConfig]] = {
    prefer: SiteConfig(
        id="", name="", home="", digest=prefer, target=Target("", ""),
        extractors=(("gist", FrozenMap({"prefer": prefer} if prefer != "balanced" else {})),), min_body=1,
    )
    for prefer in PREFERENCES
}  # fmt: skip


def extract(html: str | bytes, url: str | None = None, prefer: Preference = "balanced") -> Article:
    """The article of a page; one without text if the page has none, and then its `kind.reason` says why."""
    _check(html, url, prefer)
    return article_of(_page(html, _clean(url or "")), prefer)


def article_of(page: Page, prefer: Preference = "balanced") -> Article:
    """The same of a page with all that its server said of it."""
    site = _SITES[prefer]
    clean = clean_page(page, site)
    if isinstance(clean, Drop):
        return _told(_failed(Article("", page.url), clean), page)
    found = gist.extract(clean, site, prefer=prefer)
    body = normalised_blocks(found.body) if found else ()
    if found is None or not body:
        return _told(_without_text(clean), page)
    return ReadArticle.begun(normalised_url(page.url), body, found.confidence, partial(_completed, page, site, found))


class ReadArticle(Article):
    """An article whose text has been read, and of which the rest is looked for once somebody asks for any of it.

    The rest takes as long as the text. Until then the page's bytes are kept and not its tree, which is ten times
    as large: articles may be collected by the thousand.
    """

    __slots__ = ("_complete",)
    _complete: Callable[[], Article]

    @classmethod
    def begun(
        cls, url: str, body: tuple[Block, ...], confidence: float | None, complete: Callable[[], Article]
    ) -> ReadArticle:
        """The article as far as it has been read, and what completes it."""
        article = cls.__new__(cls)
        values = {"url": url, "body": body, "confidence": confidence, "_complete": complete}
        for name, value in values.items():
            object.__setattr__(article, name, value)
        return article

    def __getattr__(self, name: str) -> Any:
        """A field that is not there yet: all of them are looked for now."""
        if name not in _FIELDS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        whole = self._complete()
        for field in _FIELDS - _BEGUN:
            object.__setattr__(self, field, getattr(whole, field))
        return getattr(self, name)


_FIELDS = frozenset(field.name for field in fields(Article))
# The text that was read stays as it is: with its lead, which documents of a corpus have apart.
_BEGUN = frozenset(("url", "body", "confidence"))


def _completed(page: Page, site: SiteConfig, found: Findings) -> Article:
    """The whole article of a page whose text was found."""
    clean = clean_page(page, site)
    whole = chain.article_of([Answer("gist", found)], clean, site) if isinstance(clean, CleanPage) else clean
    assert isinstance(whole, Article), f"it had a text before: {whole}"
    return _told(normalised(whole), page)


def _told(article: Article, page: Page) -> Article:
    """The article without the moment and the encoding that nobody told."""
    if page.fetched_at == UNDATED:
        article = replace(article, fetched_at=None)
    return replace(article, encoding=None) if page.headers is _UTF8 else article


def _check(html: object, url: object, prefer: object) -> None:
    """Raises TypeError or ValueError for what can be no page, no address or no preference."""
    if not isinstance(html, (str, bytes)):
        raise TypeError(f"html: a str or bytes is wanted, not {type(html).__name__}")
    if not isinstance(url, (str, type(None))):
        raise TypeError(f"url: a str or None is wanted, not {type(url).__name__}")
    if prefer not in PREFERENCES:
        raise ValueError(f"No preference {prefer!r}. Available: {', '.join(PREFERENCES)}")


def _page(html: str | bytes, url: str) -> Page:
    """The page as if it had been fetched; of text that is decoded already nobody has to guess the encoding."""
    if isinstance(html, bytes):
        return Page("", url, Body(html), UNDATED)
    return Page("", url, Body(_clean(html.replace("\0", "")).encode()), UNDATED, headers=_UTF8)


def _clean(text: str) -> str:
    """The text without lone surrogates: those that pair are the character they stand for, the others U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _without_text(clean: CleanPage) -> Article:
    """What a page without text says about itself all the same."""
    found = metadata_of(facts_of(clean, _SITES["balanced"]))
    values = {name: getattr(found, name) for name in found.origins}
    article = Article("", clean.page.url, encoding=clean.encoding, origins=found.origins, **values)
    return _failed(normalised(article), Drop("no_text", "nothing that can be seen"), kind_of(clean, ()))


def _failed(article: Article, drop: Drop, kind: Kind = FAILED) -> Article:
    """An article without text: of the kind that the page is, unless that would be an article."""
    kind = FAILED if kind == "article" else kind
    return replace(article, body=(), kind=replace(kind, reason=str(drop)), confidence=0.0)
