"""What of a page all readers of its metadata look at: gathered once, read by each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, tzinfo
from urllib.parse import urlsplit

from lxml import etree
from lxml.html import HtmlElement

from corpusbot.dom.jsonld import JsonObject
from corpusbot.metadata.article_object import article_object
from corpusbot.metadata.dates import moment, zone_of
from corpusbot.metadata.findings import Found
from corpusbot.metadata.landmarks import Landmarks
from corpusbot.metadata.zones import offset_in, zone_by_host
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig

# Countries that write the month before the day.
MONTH_FIRST = frozenset(("US", "PH", "FM", "PW"))
MOST_MARKED = 2_000
LONGEST_CONTENT = 10_000
# Where a page tells its offset from UTC for certain, though not always beside the date that is wanted.
_DATED_METAS = ("article:modified_time", "article:published_time", "og:updated_time", "datemodified", "datepublished")
_DATED_KEYS = ("datePublished", "dateModified", "dateCreated", "uploadDate")
_OWN_NAMES = ("og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "publisher", "sitename")
_DUBLIN_CORE = re.compile(r"^dc(?:terms)?[.:]")
_MARKED = etree.XPath("//*[@itemprop or (@property and not(self::meta))]")
# The words of RDFa for what microdata calls otherwise.
_RDFA = {
    "title": "headline", "creator": "author", "issued": "datePublished", "date": "datePublished",
    "created": "datePublished", "modified": "dateModified",
}  # fmt: skip


class Marked:
    """The elements that `itemprop` or `property` marks, by the name that it gives; looked for when first asked for."""

    def __init__(self, tree: HtmlElement) -> None:
        self._tree = tree
        self._by_name: dict[str, list[HtmlElement]] | None = None

    def __call__(self, name: str) -> list[HtmlElement]:
        """The elements of that name, in page order."""
        if self._by_name is None:
            self._by_name = {}
            for element in _MARKED(self._tree)[:MOST_MARKED]:
                for own in _names(element):
                    self._by_name.setdefault(own, []).append(element)
        return self._by_name.get(name, [])


def _names(element: HtmlElement) -> set[str]:
    """The names that an element is marked with."""
    marks = (element.get("itemprop") or "").split()
    if element.tag != "meta":
        for mark in (element.get("property") or "").split():
            prefix, _, own = mark.rpartition(":")
            if prefix in ("", "schema", "dc", "dcterms", "http://schema.org/"):
                marks.append(_RDFA.get(own, own))
    return set(marks)


@dataclass(frozen=True, slots=True)
class Facts:
    """A page's tree, its META and LINK tags by name, its article's JSON-LD, and how its newspaper writes dates.

    `zone_from` says what told the zone, where the site file did not.
    """

    tree: HtmlElement
    url: str
    marked: Marked
    landmarks: Landmarks
    metas: Mapping[str, list[str]] = field(default_factory=dict)
    links: Mapping[str, list[str]] = field(default_factory=dict)
    article: JsonObject = field(default_factory=dict)
    objects: tuple[JsonObject, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    site_name: str | None = None
    zone: tzinfo = UTC
    zone_from: str = ""
    month_first: bool = False
    fetched_on: date | None = None

    def meta(self, *names: str) -> tuple[str, str] | None:
        """The first of these META tags that has a content: its name and content."""
        return next(((name, self.metas[name][0]) for name in names if name in self.metas), None)

    def dated(self, value: object, origin: str) -> Found | None:
        """The moment that a value names, and whose zone it was read in where it names none; None if it is none."""
        read = moment(value, self.zone, self.month_first)
        if read is None:
            return None
        return Found(read, f"{origin} ({self.zone_from})" if read.tzinfo is self.zone and self.zone_from else origin)

    @property
    def own_names(self) -> tuple[str, ...]:
        """What the site calls itself, as far as its file and the page say."""
        said = (self.metas[name][0] for name in _OWN_NAMES if name in self.metas)
        publisher = self.article.get("publisher")
        listed = publisher if isinstance(publisher, list) else [publisher]
        named = (item.get("name") if isinstance(item, dict) else item for item in listed[:5])
        return tuple(name.strip() for name in (self.site_name, *said, *named) if isinstance(name, str) and name.strip())

    @property
    def host(self) -> str:
        """The page's host in lower case, or nothing."""
        return host_of(self.url)


def facts_of(clean: CleanPage, site: SiteConfig) -> Facts:
    """The facts of a page of a site."""
    metas, links = _metas_and_links(clean.tree)
    article = article_object(clean.jsonld, clean.page.url) or {}
    zone, zone_from = _zone(site, clean.page.url, metas, article)
    language = (clean.tree.get("lang") or "").lower()
    return Facts(
        tree=clean.tree,
        url=clean.page.url,
        marked=Marked(clean.tree),
        landmarks=Landmarks(clean.tree),
        metas=metas,
        links=links,
        article=article,
        objects=clean.jsonld,
        headers=clean.page.headers,
        site_name=site.name,
        zone=zone,
        zone_from=zone_from,
        month_first=site.country in MONTH_FIRST if site.country else _writes_month_first(language, zone_from),
        fetched_on=clean.page.fetched_at.date(),
    )


def _writes_month_first(language: str, zone_from: str) -> bool:
    """Whether dates are likely to be American: the language says so, or is English of no country."""
    return language in ("en-us", "en_us") or (language == "en" and not zone_from.startswith("zone of ."))


def host_of(url: str) -> str:
    """The host of an address in lower case; nothing if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def metas_of(tree: HtmlElement) -> dict[str, list[str]]:
    """The contents of the META tags by their name, property or itemprop, in lower case; empty ones are none."""
    return _metas_and_links(tree)[0]


def _metas_and_links(tree: HtmlElement) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The contents of the META tags by name, and the addresses of the LINK tags by what they lead to."""
    metas: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {}
    for element in tree.iter("meta", "link"):
        if element.tag == "link":
            address = (element.get("href") or "").strip()
            for kind in (element.get("rel") or "").lower().split() if address else ():
                links.setdefault(kind, []).append(address)
        else:
            _add_meta(metas, element)
    return metas, links


def _add_meta(metas: dict[str, list[str]], meta: HtmlElement) -> None:
    content = (meta.get("content") or "").strip()[:LONGEST_CONTENT]
    if not content:
        return
    keys = {meta.get(key) for key in ("name", "itemprop", "http-equiv")}
    keys.update((meta.get("property") or "").split())
    for key in keys:
        name = _DUBLIN_CORE.sub("dc.", key.strip().lower()) if key else ""
        if name:
            metas.setdefault(name, []).append(content)


def _zone(
    site: SiteConfig, url: str, metas: Mapping[str, list[str]], article: JsonObject
) -> tuple[tzinfo, str]:
    """The zone of dates that name none, and what told it if the site file does not: the host's country, other dates."""
    if site.timezone and site.timezone != "UTC":
        return zone_of(site.timezone), ""
    host = host_of(url)
    name = zone_by_host(host)
    if name:
        return zone_of(name), f"zone of .{host.rpartition('.')[2]}"
    for value in (*(article.get(key) for key in _DATED_KEYS), *(metas[key][0] for key in _DATED_METAS if key in metas)):
        offset = offset_in(value)
        if offset is not None:
            return offset, "zone of another date"
    return zone_of(site.timezone), ""
