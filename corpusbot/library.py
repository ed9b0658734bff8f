"""The library: what a page says, for programs that have the page already; `corpusbot.extract` leads here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, get_args

from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors.chain import extract_article
from corpusbot.extractors.gist.choice import Preference
from corpusbot.extractors.kinds import kind_of
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.generic import metadata_of
from corpusbot.model import Article, Body, CleanPage, Drop, Kind, Page
from corpusbot.normalise import normalised
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
    article = article_of(_page(html, _clean(url or "")), prefer)
    return article if isinstance(html, bytes) else replace(article, encoding=None)


def article_of(page: Page, prefer: Preference = "balanced") -> Article:
    """The same of a page with all that its server said of it."""
    clean = clean_page(page, _SITES[prefer])
    article = _failed(Article("", page.url), clean) if isinstance(clean, Drop) else _of(clean, prefer)
    return replace(article, fetched_at=None) if page.fetched_at == UNDATED else article


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


def _of(clean: CleanPage, prefer: Preference) -> Article:
    """The article of a page that could be read."""
    found = extract_article(clean, _SITES[prefer])
    if isinstance(found, Drop):
        return _without_text(clean, found)
    article = normalised(found)
    return article if article.body else _failed(article, Drop("no_text", "nothing that can be seen"))


def _without_text(clean: CleanPage, drop: Drop) -> Article:
    """What a page without text says about itself all the same."""
    found = metadata_of(facts_of(clean, _SITES["balanced"]))
    values = {name: getattr(found, name) for name in found.origins}
    article = Article("", clean.page.url, encoding=clean.encoding, origins=found.origins, **values)
    return _failed(normalised(article), drop, kind_of(clean, ()))


def _failed(article: Article, drop: Drop, kind: Kind = FAILED) -> Article:
    """An article without text: of the kind that the page is, unless that would be an article."""
    kind = FAILED if kind == "article" else kind
    return replace(article, body=(), kind=replace(kind, reason=str(drop)), confidence=0.0)
