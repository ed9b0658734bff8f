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
from corpusbot.model import Body, Page, header_pairs
from corpusbot.sites import Index, LinkPattern, SiteConfig
from corpusbot.sites.variables import filled
from corpusbot.store.frontier import Due, Link, Links, Outcome
from spiders.feeds import read_feed
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
        self._asked = self._articles_asked = 0
        # A target that is written anew has to be given every article again.
        self._again = self.plan.revisit == "all" or not self.site.target.append
        self._if_due = self.plan.revisit == "due"

    async def start(self) -> AsyncIterator[Any]:
        """The pages that the run begins with."""
        if self.plan.only:
            yield Links(self.link_to(url, again=True) for url in self.plan.only)
            return
        yield Links(
            self._index_link(start.url, start.index.kind, INDEX_PRIORITY, index_place(start.index, start.day))
            for start in entrances(self.site, self.plan)
        )
        if self._robots:
            yield Links(await self._robots_sitemaps(self._robots))
        if self._if_due:
            yield Due(self.plan.budget, self.plan.section)

    def _index_link(self, url: str, kind: str, priority: int, place: dict[str, Any], modified: Any = None) -> Link:
        """The link to an index page, feed or sitemap: asked in every run, or where that counts if it is due."""
        return Link(url, kind, priority, place, again=True, if_due=self._if_due, lastmod=_seconds(modified))

    async def _robots_sitemaps(self, index: Index) -> list[Link]:
        """The sitemaps that robots.txt names."""
        politeness = self.crawler.get_downloader_middleware(Politeness)
        robots = await politeness.robots(index.url) if politeness else None
        place = index_place(index, self.plan.today)
        found = of_site(robots.sitemaps if robots else (), self._hosts)
        return [self._index_link(url, "sitemap", INDEX_PRIORITY, place) for url in found]

    # -- requests

    def request_for(self, link: Link) -> Request:
        """The request that asks for a link; its validators make it a conditional one."""
        is_article = link.kind == "article"
        self._asked += 1
        self._articles_asked += is_article
        return Request(
            link.url,
            callback=self.parse,
            errback=self.failed,
            headers={} if self._must_be_whole(link) else _conditions(link),
            priority=link.priority,
            dont_filter=link.again,
            meta={"link": link, "handle_httpstatus_list": [304]},
        )

    @property
    def has_asked_enough(self) -> bool:
        """Whether the run's limit of articles or of pages is reached; what is left waits for the next run."""
        limit, budget = self.plan.limit, self.plan.budget
        return (limit is not None and self._articles_asked >= limit) or (budget is not None and self._asked >= budget)

    def _must_be_whole(self, link: Link) -> bool:
        """Whether a page is needed though it may not have changed: to write it anew, or to find all of its links."""
        return not self.site.target.append or (self._again and link.kind != "article")

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
            if self._is_known(response, link):
                yield Outcome("unchanged")
            else:
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
            feed = read_feed(response.body, response.url)
            response.meta["told"] = feed.told
            yield from self._entry_links(feed.entries, index, link)
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
            yield self._index_link(following, "page", INDEX_PRIORITY - number, place)

    def _sitemap_links(self, response: Response, index: Index, link: Link) -> Iterator[Link]:
        entries = sitemap_entries(response.body)
        since = self.plan.since or _days_back(self.plan.today, index.recent)
        chosen = list(fresh(entries, since, self.plan.until))
        depth = int(link.place.get("depth", 0)) + 1
        if depth <= DEEPEST_SITEMAP:
            place = {**link.place, "depth": depth}
            nested = (entry for entry in chosen if entry.is_sitemap and any(of_site([entry.url], self._hosts)))
            for entry in nested:
                yield self._index_link(entry.url, "sitemap", INDEX_PRIORITY - depth, place, entry.modified)
        yield from self._entry_links((entry for entry in chosen if not entry.is_sitemap), index, link)

    def _entry_links(self, entries: Iterable[Entry], index: Index, link: Link) -> Iterator[Link]:
        for entry in entries:
            day = entry.changed.date() if entry.changed else date.fromisoformat(link.place["day"])
            pattern = self._matching(entry.url, index, day)
            if pattern and any(of_site([entry.url], self._hosts)) and self._wanted(index):
                place = article_place(index, pattern, day, link.url, entry.title)
                yield Link(
                    untracked(entry.url), "article", 0, place, again=self._again,
                    lastmod=_seconds(entry.modified), usual_seconds=entry.usual_seconds,
                )  # fmt: skip

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
        return bool(link.validators and link.validators.digest == digest and not self._must_be_whole(link))

    def _page(self, response: Response, link: Link) -> Page:
        return Page(
            site=self.site.id,
            url=response.url,
            body=Body(response.body),
            fetched_at=datetime.now(UTC),
            headers=tuple(header_pairs(response.headers.items())),
            status=response.status,
            asked_url=link.url,
            place=place_of(link.place),
            visits=1 if link.validators and self.site.target.append else 0,
            sent=response.meta.get("sent", ()),
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


def _seconds(moment: datetime | None) -> int | None:
    return int(moment.timestamp()) if moment else None


def _days_back(today: date, recent: int | None) -> date | None:
    return today - timedelta(days=recent) if recent else None
