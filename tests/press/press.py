"""The press: it knows both newspapers' present edition, answers for any address and remembers who asked."""

import re
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from tests.press import feeds
from tests.press.edition import Edition, Print, make_edition
from tests.press.feeds import Row
from tests.press.gold import Gold
from tests.press.hazards import BY_KIND, Scene
from tests.press.layout import (
    ArticleSheet,
    FrontSheet,
    article_page,
    copy_page,
    feed_path,
    front_page,
    padded,
)
from tests.press.newspaper import NEWSPAPERS, Newspaper
from tests.press.plan import Plan
from tests.press.reply import HTML, XML, Reply


@dataclass(frozen=True, slots=True)
class Visit:
    """One request as the press saw it; times are seconds of the monotonic clock."""

    newspaper: str
    method: str
    target: str
    status: int
    sent_bytes: int
    started: float
    ended: float
    user_agent: str


@dataclass(kw_only=True)
class Press(Plan):
    """Both newspapers; the options are those of `Plan`, and `edition` is the present one's number."""

    edition: int = 1
    bases: dict[str, str] = field(
        default_factory=lambda: {"gaceta": "http://gaceta.example", "courier": "http://courier.example"}
    )
    requests: list[Visit] = field(default_factory=list, init=False)
    state: int = field(default=0, init=False)
    _by_hand: frozenset[tuple[str, str]] = field(default=frozenset(), init=False)
    _editions: dict[str, Edition] = field(default_factory=dict, init=False)

    def newspaper_edition(self, name: str) -> Edition:
        """The present edition of a newspaper, drawn up on first need."""
        found = self._editions.get(name)
        if found is None:
            by_hand = frozenset(path for paper, path in self._by_hand if paper == name)
            found = make_edition(self, NEWSPAPERS[name], self.bases, self.edition, by_hand)
            self._editions[name] = found
        return found

    def print_edition(self, number: int) -> None:
        """Go over to the nth edition: one more day of articles for each, and some earlier ones corrected."""
        self.edition = number
        self._forget_pages()

    def correct(self, url: str) -> None:
        """Replace the story at an address by its corrected version, at the same address."""
        name = next(name for name, base in self.bases.items() if url.startswith(base + "/"))
        path = url.removeprefix(self.bases[name])
        if path not in self.newspaper_edition(name).by_path:
            raise KeyError(f"{url} is not printed by {name}; press.gold() lists what is")
        self._by_hand |= {(name, path)}
        self._forget_pages()

    def settle(self, bases: dict[str, str]) -> None:
        """Take the addresses that the two newspapers are found at."""
        self.bases = bases
        self._forget_pages()

    def _forget_pages(self) -> None:
        """Draw everything up anew; caches elsewhere look at `state`."""
        self._editions.clear()
        self.state += 1

    def gold(self, newspaper: str | None = None) -> list[Gold]:
        """What a correct crawler makes of every declared address of one newspaper or both."""
        names = [newspaper] if newspaper else list(NEWSPAPERS)
        return [row for name in names for row in self.newspaper_edition(name).gold(self.bases)]

    def paths(self, newspaper: str) -> list[str]:
        """The addresses of all sound articles of a newspaper, for benches to ask for."""
        return [item.path for item in self.newspaper_edition(newspaper).regular]

    def most_at_once(self, newspaper: str | None = None) -> int:
        """How many requests were under way at once, at most; with a latency this shows impoliteness."""
        visits = [visit for visit in self.requests if newspaper in (None, visit.newspaper)]
        # An end at the very moment of a start is no overlap: ends sort first.
        moments = sorted([(visit.started, 1) for visit in visits] + [(visit.ended, -1) for visit in visits])
        at_once = most = 0
        for _, change in moments:
            at_once += change
            most = max(most, at_once)
        return most

    def reply(self, newspaper: str, target: str) -> Reply:
        """The answer for an address: path and query, tracking parameters ignored."""
        edition = self.newspaper_edition(newspaper)
        split = urlsplit(target)
        item = edition.by_path.get(split.path)
        if item is not None:
            return self._print_reply(edition, item)
        found = _machine_reply(self, edition, split.path) or self._front_reply(edition, split.path, split.query)
        return found or _odd_reply(edition.paper, split.path)

    def _sheet(self, edition: Edition, item: Print) -> ArticleSheet:
        """What the page of a print is laid out from."""
        is_copy = item.kind in ("amp", "print")
        return ArticleSheet(
            paper=edition.paper,
            base=edition.base,
            path=item.path,
            story=edition.story(item),
            related=edition.related(item),
            most_read=edition.most_read(),
            is_walled=item.kind == "paywall",
            canonical=item.same_as[1] if is_copy and item.same_as else None,
        )

    def _print_reply(self, edition: Edition, item: Print) -> Reply:
        """The page at a print's address, with its trouble if it has one."""
        sheet = self._sheet(edition, item)
        if item.kind in BY_KIND:
            return BY_KIND[item.kind].reply(Scene(sheet, self, edition.regular[0].path))
        page = copy_page(sheet, item.kind) if item.kind in ("amp", "print") else article_page(sheet)
        return Reply(body=padded(page, edition.paper, self.padding, item.path).encode(), modified=sheet.story.modified)

    def _front_reply(self, edition: Edition, path: str, query: str) -> Reply | None:
        """The page of a front; None if there is no such front or it has no such page."""
        front, page = _front_and_page(edition.paper, path, query)
        items = edition.fronts.get(front)
        is_archive = front == edition.paper.archive
        if items is None and not is_archive:
            return None
        chosen = (items or [])[(page - 1) * self.per_page : page * self.per_page]
        if page < 1 or not (chosen or is_archive):
            return None
        # The home page has no second page: older articles are left to the sections and the archive.
        has_next = bool(front) and page * self.per_page < len(items or [])
        sheet = FrontSheet(
            paper=edition.paper,
            base=edition.base,
            title=front or edition.paper.title,
            path=edition.paper.front_path(front, page),
            next_path=edition.paper.front_path(front, page + 1) if has_next else None,
            entries=tuple(map(edition.entry, chosen)),
            most_read=edition.most_read(),
            days=edition.days() if is_archive else (),
        )
        changed = max((edition.modified(item) for item in chosen), default=None)
        return Reply(body=front_page(sheet).encode(), modified=changed)


def _front_and_page(paper: Newspaper, path: str, query: str) -> tuple[str, int]:
    """Which front an address means and which of its pages."""
    if paper.name == "gaceta":
        number = parse_qs(query).get("pagina", ["1"])[0]
        return path.strip("/"), int(number) if number.isdigit() else 0
    match = re.fullmatch(r"/(.*?)/?(?:page/(\d+)/)?", path)
    return (match[1].strip("/"), int(match[2] or 1)) if match else (path, 0)


def _machine_reply(plan: Plan, edition: Edition, path: str) -> Reply | None:
    """robots.txt, a sitemap or a feed; None for any other address."""
    paper, base = edition.paper, edition.base
    if path == "/robots.txt":
        return Reply(body=feeds.robots(plan, base), content_type="text/plain; charset=utf-8")
    if path == feed_path(paper):
        rows = edition.rows()[: plan.feed_size]
        make, kind = (feeds.rss, "rss") if paper.name == "gaceta" else (feeds.atom, "atom")
        return Reply(body=make(paper, base, rows), content_type=f"application/{kind}+xml; charset=utf-8")
    return _sitemap_reply(plan, edition, path) if path.startswith("/sitemap") else None


def _sitemap_reply(plan: Plan, edition: Edition, path: str) -> Reply | None:
    """One of the sitemaps; None for any other address."""
    rows = edition.rows()
    months = _by_month(rows)
    if path == "/sitemap.xml":
        return Reply(body=feeds.sitemap_index(edition.base, months, plan.hazards), content_type=XML)
    if path == "/sitemap-news.xml":
        newest = rows[0].published - timedelta(days=2)
        fresh = [row for row in rows if row.published > newest]
        return Reply(body=feeds.news_sitemap(edition.paper, fresh), content_type=XML)
    if path == "/sitemaps/broken.xml" and plan.hazards:
        return Reply(body=feeds.broken_sitemap(rows), content_type=XML)
    match = re.fullmatch(r"/sitemaps/([\d-]+)\.xml\.gz", path)
    if match and match[1] in months:
        return Reply(body=feeds.month_sitemap(months[match[1]]), content_type="application/gzip")
    return None


def _by_month(rows: list[Row]) -> dict[str, list[Row]]:
    """Rows by the month they were published in, newest first."""
    months: dict[str, list[Row]] = {}
    for row in rows:
        months.setdefault(f"{row.published:%Y-%m}", []).append(row)
    return months


def _odd_reply(paper: Newspaper, path: str) -> Reply:
    """The search page, something static, or a 404."""
    if path.startswith("/buscar"):
        return Reply(body=b"<!DOCTYPE html><title>?</title><form action=/buscar><input name=q></form>")
    if path.startswith("/static/"):
        return Reply(body=b"/* static */", content_type="text/css")
    return Reply(404, f"<!DOCTYPE html><title>404</title><h1>404</h1><p>{paper.title}</p>".encode(), HTML)
