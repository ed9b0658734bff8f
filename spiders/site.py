"""The one spider behind every site file: index pages, feeds and sitemaps lead it to articles."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring
from scrapy import Request, Spider

from corpusbot.addresses import untracked
from corpusbot.model import Body, Page
from corpusbot.sites import Index, LinkPattern, SiteConfig
from corpusbot.sites.variables import filled
from corpusbot.store.frontier import Link, Links, Outcome
from spiders.feeds import feed_entries
from spiders.links import next_page, of_site, page_links, site_hosts
from spiders.places import article_place, index_place, place_of
from spiders.plan import Plan, entrances, plan_of, robots_index
from spiders.politeness import Politeness
from spiders.sitemaps import Entry, fresh, sitemap_entries

if TYPE_CHECKING:
    from scrapy.http import Response

INDEX_PRIORITY = 100  # index pages first, so that a bounded run takes the newest articles
DEEPEST_SITEMAP = 3


class SiteSpider(Spider):
    """Crawls the newspaper that its site file describes; `spiders.loader` makes a subclass of each."""

    site: SiteConfig

    def __init__(self, **arguments: str) -> None:
        super().__init__()
        # Scrapyd adds arguments of its own, which begin with an underscore.
        self.arguments = {name: value for name, value in arguments.items() if not name.startswith("_")}
        self.plan: Plan = plan_of(self.site, self.arguments, self._today())
        self._hosts = site_hosts([self.site.home, *(index.url for index in self.site.indexes)])
        self._robots = robots_index(self.site)
        self._indexes = (*self.site.indexes, *([self._robots] if self._robots else []))
        self._matched: Counter[str] = Counter()
        self._asked = 0
        # A target that is written anew has to be given every article again.
        self._again = self.plan.revisit or not self.site.target.append

    async def start(self) -> AsyncIterator[Any]:
        """The pages that the run begins with."""
        if self.plan.only:
            yield Links(self.link_to(url, again=True) for url in self.plan.only)
            return
        yield Links(
            Link(start.url, start.index.kind, INDEX_PRIORITY, index_place(start.index, start.day), again=True)
            for start in entrances(self.site, self.plan)
        )
        if self._robots:
            yield Links(await self._robots_sitemaps(self._robots))

    async def _robots_sitemaps(self, index: Index) -> list[Link]:
        """The sitemaps that robots.txt names."""
        politeness = self.crawler.get_downloader_middleware(Politeness)
        robots = await politeness.robots(index.url) if politeness else None
        place = index_place(index, self.plan.today)
        found = of_site(robots.sitemaps if robots else (), self._hosts)
        return [Link(url, "sitemap", INDEX_PRIORITY, place, again=True) for url in found]

    # -- requests

    def request_for(self, link: Link) -> Request:
        """The request that asks for a link; its validators make it a conditional one."""
        is_article = link.kind == "article"
        self._asked += is_article
        # To find the articles that are to be asked again, index pages must come whole.
        whole = not self.site.target.append or (self._again and not is_article)
        return Request(
            link.url,
            callback=self.parse,
            errback=self.failed,
            headers={} if whole else _conditions(link),
            priority=link.priority,
            dont_filter=link.again,
            meta={"link": link, "handle_httpstatus_list": [304]},
        )

    @property
    def has_asked_enough(self) -> bool:
        """Whether the run's limit of articles is reached; what is left waits for the next run."""
        return self.plan.limit is not None and self._asked >= self.plan.limit

    def failed(self, failure: Any) -> None:
        """A page that could not be had: its cause is in the frontier, and so in the run's report."""

    def link_to(self, url: str, again: bool = False) -> Link:
        """The link to an address that a user names, at the place that its pattern gives it."""
        for start in self.site.indexes:
            if filled(start.url, self.plan.today, page=1) == url:
                return Link(url, start.kind, INDEX_PRIORITY, index_place(start, self.plan.today), again)
        found = self._guessed(url)
        index, pattern = found if found else (None, None)
        return Link(url, "article", 0, article_place(index, pattern, self.plan.today, None, None), again)

    # -- responses

    def parse(self, response: Response) -> Iterator[Any]:
        """What a page gives: links, a page to extract, or both; nothing if it is unchanged."""
        link = response.meta.get("link") or self.link_to(response.url)
        if response.status == 304:
            return
        index = self._index(link)
        if index and link.kind in ("feed", "sitemap", "page"):
            yield from self._index_output(response, index, link)
        else:
            yield from self._article_output(response, link)

    def _index_output(self, response: Response, index: Index, link: Link) -> Iterator[Any]:
        if index.follow:
            before = self._matched[index.name]
            links = Links(self._index_links(response, index, link))
            yield links
            response.meta["incomplete"] = self._is_sample_full(index)
            if not index.extract:
                yield _links_told(links, self._matched[index.name] - before)
        if index.extract:
            yield self._page(response, link)

    def _index_links(self, response: Response, index: Index, link: Link) -> Iterator[Link]:
        if link.kind == "feed":
            yield from self._entry_links(feed_entries(response.body, response.url), index, link)
        elif link.kind == "sitemap":
            yield from self._sitemap_links(response, index, link)
        else:
            tree = _tree(response)
            links = list(self._article_links(tree, response.url, index, link))
            yield from links
            yield from self._next_index(tree, response.url, index, link, bool(links))

    def _article_output(self, response: Response, link: Link) -> Iterator[Any]:
        index = self._index(link)
        pattern = self._pattern(index, link)
        if index and pattern and pattern.follow:
            yield Links(self._article_links(_tree(response), response.url, index, link))
        if pattern is None or pattern.extract:
            yield Outcome("unchanged") if self._is_known(response, link) else self._page(response, link)

    # -- links

    def _article_links(self, tree: HtmlElement | None, url: str, index: Index, link: Link) -> Iterator[Link]:
        anchors = page_links(tree, url) if tree is not None else {}
        day = date.fromisoformat(link.place["day"])
        for address in of_site(anchors, self._hosts):
            pattern = self._matching(address, index, day)
            if pattern and self._wanted(index):
                place = article_place(index, pattern, day, url, anchors[address])
                yield Link(address, "article", 0, place, again=self._again)

    def _next_index(
        self, tree: HtmlElement | None, url: str, index: Index, link: Link, fruitful: bool
    ) -> Iterator[Link]:
        number = int(link.place.get("page", 1)) + 1
        if tree is None or number > index.pages or not fruitful or self._is_sample_full(index):
            return
        day = date.fromisoformat(link.place["day"])
        following = next_page(tree, url, index.next) if index.next else filled(index.url, day, page=number)
        if following and following != url and any(of_site([following], self._hosts)):
            place = {**link.place, "page": number}
            yield Link(following, "page", INDEX_PRIORITY - number, place, again=True)

    def _sitemap_links(self, response: Response, index: Index, link: Link) -> Iterator[Link]:
        entries = sitemap_entries(response.body)
        since = self.plan.since or _days_back(self.plan.today, index.recent)
        chosen = list(fresh(entries, since, self.plan.until))
        depth = int(link.place.get("depth", 0)) + 1
        if depth <= DEEPEST_SITEMAP:
            place = {**link.place, "depth": depth}
            nested = of_site((entry.url for entry in chosen if entry.is_sitemap), self._hosts)
            yield from (Link(url, "sitemap", INDEX_PRIORITY - depth, place, again=True) for url in nested)
        yield from self._entry_links((entry for entry in chosen if not entry.is_sitemap), index, link)

    def _entry_links(self, entries: Iterable[Entry], index: Index, link: Link) -> Iterator[Link]:
        for entry in entries:
            day = entry.changed.date() if entry.changed else date.fromisoformat(link.place["day"])
            pattern = self._matching(entry.url, index, day)
            if pattern and any(of_site([entry.url], self._hosts)) and self._wanted(index):
                place = article_place(index, pattern, day, link.url, entry.title)
                yield Link(untracked(entry.url), "article", 0, place, again=self._again)

    def _matching(self, url: str, index: Index, day: date) -> LinkPattern | None:
        if any(excluded.search(url) for excluded in self.site.excluded(day)):
            return None
        return next((pattern for pattern in index.links if pattern.regex(day).search(url)), None)

    def _wanted(self, index: Index) -> bool:
        """Whether the sample of this index is not full yet."""
        self._matched[index.name] += 1
        return self.plan.sample is None or self._matched[index.name] <= self.plan.sample

    def _is_sample_full(self, index: Index) -> bool:
        return self.plan.sample is not None and self._matched[index.name] > self.plan.sample

    # -- the site file

    def _index(self, link: Link) -> Index | None:
        name = link.place.get("index")
        return next((index for index in self._indexes if index.name == name), None)

    def _pattern(self, index: Index | None, link: Link) -> LinkPattern | None:
        name = link.place.get("link")
        return next((pattern for pattern in index.links if pattern.name == name), None) if index else None

    def _guessed(self, url: str) -> tuple[Index, LinkPattern] | None:
        for index in self.site.indexes:
            if pattern := self._matching(url, index, self.plan.today):
                return index, pattern
        return None

    def _today(self) -> date:
        zone = ZoneInfo(self.site.timezone) if self.site.timezone else UTC
        return datetime.now(zone).date()

    def _is_known(self, response: Response, link: Link) -> bool:
        """Whether a server that cannot answer 304 sent the very bytes that it sent before."""
        digest = response.meta["page_digest"] = hashlib.sha256(response.body).hexdigest()
        return bool(link.validators and link.validators.digest == digest and self.site.target.append)

    def _page(self, response: Response, link: Link) -> Page:
        return Page(
            site=self.site.id,
            url=response.url,
            body=Body(response.body),
            fetched_at=datetime.now(UTC),
            headers=tuple(_header_pairs(response)),
            status=response.status,
            asked_url=link.url,
            place=place_of(link.place),
            visits=1 if link.validators and self.site.target.append else 0,
        )


def _links_told(links: Links, articles: int) -> Outcome:
    """What is kept of an index page: how many of its links match; that none does is mostly a redesign's doing."""
    found = articles + sum(link.kind == "sitemap" for link in links.links)
    return Outcome("done", None if found else "no_links", f"{found} links match")


def _conditions(link: Link) -> dict[str, str]:
    """The headers that make a request conditional on a page's having changed."""
    known = link.validators
    conditions = {"If-None-Match": known.etag, "If-Modified-Since": known.modified} if known else {}
    return {name: value for name, value in conditions.items() if value}


def _tree(response: Response) -> HtmlElement | None:
    """The tree of an index page, None if it has none."""
    encoding = getattr(response, "encoding", None) or "utf-8"
    try:
        return document_fromstring(response.body, parser=HTMLParser(encoding=encoding, huge_tree=True))
    except (etree.ParserError, LookupError, ValueError):
        return None


def _header_pairs(response: Response) -> Iterator[tuple[str, str]]:
    for name, values in response.headers.items():
        for value in values:
            yield name.decode("latin-1"), value.decode("latin-1")


def _days_back(today: date, recent: int | None) -> date | None:
    return today - timedelta(days=recent) if recent else None
