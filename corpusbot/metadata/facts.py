"""What of a page all readers of its metadata look at: gathered once, read by each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, tzinfo

from lxml.html import HtmlElement

from corpusbot.dom.jsonld import JsonObject
from corpusbot.metadata.article_object import article_object
from corpusbot.metadata.dates import zone_of
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig

# Countries that write the month before the day.
MONTH_FIRST = frozenset(("US", "PH", "FM", "PW"))


@dataclass(frozen=True, slots=True)
class Facts:
    """A page's tree, its META tags by name, its article's JSON-LD, and how its newspaper writes dates."""

    tree: HtmlElement
    url: str
    metas: Mapping[str, list[str]] = field(default_factory=dict)
    article: JsonObject = field(default_factory=dict)
    headers: tuple[tuple[str, str], ...] = ()
    site_name: str | None = None
    zone: tzinfo = UTC
    month_first: bool = False
    fetched_on: date | None = None

    def meta(self, *names: str) -> tuple[str, str] | None:
        """The first of these META tags that has a content: its name and content."""
        return next(((name, self.metas[name][0]) for name in names if name in self.metas), None)


def facts_of(clean: CleanPage, site: SiteConfig) -> Facts:
    """The facts of a page of a site."""
    return Facts(
        tree=clean.tree,
        url=clean.page.url,
        metas=metas_of(clean.tree),
        article=article_object(clean.jsonld, clean.page.url) or {},
        headers=clean.page.headers,
        site_name=site.name,
        zone=zone_of(site.timezone),
        month_first=site.country in MONTH_FIRST,
        fetched_on=clean.page.fetched_at.date(),
    )


def metas_of(tree: HtmlElement) -> dict[str, list[str]]:
    """The contents of the META tags by their name, property or itemprop, in lower case; empty ones are none."""
    metas: dict[str, list[str]] = {}
    for meta in tree.iter("meta"):
        content = (meta.get("content") or "").strip()
        if content:
            for name in {meta.get(key, "").strip().lower() for key in ("name", "property", "itemprop", "http-equiv")}:
                metas.setdefault(name, []).append(content)
    metas.pop("", None)
    return metas
