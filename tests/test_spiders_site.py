"""The spider behind every site file: from pages to links and articles, without a network."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Response, XmlResponse

from corpusbot.freshness_told import Told
from corpusbot.model import Page, Place
from corpusbot.sites import load_site_file
from corpusbot.store.frontier import Due, Link, Links, Outcome, Validators
from spiders.loader import spider_class
from spiders.site import SiteSpider

HOME = "https://a.example"
SITE = """
name: Muestra
home: https://www.a.example/
timezone: Europe/Madrid
links: ['/noticia/']
exclude: ['/noticia/pub/']
indexes:
  - {url: https://www.a.example/cultura/, name: cultura, section: Cultura, next: 'a.sig', pages: 3}
  - url: https://www.a.example/deportes/?p=$PAGE$
    name: deportes
    section: Deportes
    pages: 2
    links:
      - {match: '/directo/', name: directo, section: Directos, follow: true, extract: false}
      - {match: '/cronica/', name: cronica}
  - {url: https://www.a.example/boletin/, name: boletin, extract: true, follow: false}
feeds:
  - {url: https://www.a.example/rss, name: rss, section: Portada}
sitemaps:
  - {url: https://www.a.example/mapa.xml, name: mapa, recent: 3}
"""
CULTURA = """<body>
<a href="/noticia/1?utm_source=x">Uno</a> <a href="https://m.a.example/noticia/2#c">Dos</a>
<a href="/noticia/1">otra vez</a> <a href="/noticia/pub/3">anuncio</a> <a href="/otra/4">no</a>
<a href="https://b.example/noticia/5">de fuera</a> <a href="javascript:x('/noticia/6')">no</a>
<a class=sig href="?pag=2">siguiente</a>"""

Make = Callable[..., SiteSpider]


@pytest.fixture
def spider(tmp_path: Path) -> Make:
    """Makes the spider of a run with these arguments."""

    def spider(text: str = SITE, **arguments: str) -> SiteSpider:
        (tmp_path / "muestra.yaml").write_text(text, encoding="utf-8")
        made = spider_class(load_site_file(tmp_path / "muestra.yaml"), "data")(**arguments)
        assert isinstance(made, SiteSpider)
        return made

    return spider


def begun(spider: SiteSpider) -> list[Link]:
    """The links that a run begins with."""

    async def every() -> list[Link]:
        return [link async for output in spider.start() if isinstance(output, Links) for link in output.links]

    return asyncio.run(every())


def answer(spider: SiteSpider, link: Link, html: str, kind: type[Response] = HtmlResponse, **more: Any) -> list[Any]:
    """What the spider gives for a page at a link."""
    body = html.encode()
    response = kind(link.url, body=body, request=spider.request_for(link), **more)
    return list(spider.parse(response))


def entrance(spider: SiteSpider, name: str) -> Link:
    """The link to an index page."""
    return next(link for link in begun(spider) if link.place["index"] == name)


def links_in(outputs: list[Any]) -> list[Link]:
    """All links among what a page gives."""
    return [link for output in outputs if isinstance(output, Links) for link in output.links]


def urls(outputs: list[Any], kind: str = "article") -> list[str]:
    """Their addresses, less the host."""
    return [link.url.removeprefix("https://www.a.example") for link in links_in(outputs) if link.kind == kind]


def test_a_run_begins_with_its_entrances(spider: Make) -> None:
    """In the order of the site file, asked for in every run, before all articles."""
    links = begun(spider())
    assert [link.kind for link in links] == ["page", "page", "page", "feed", "sitemap"]
    assert links[1].url == "https://www.a.example/deportes/?p=1"
    assert all(link.again and link.priority > 0 for link in links)


def test_the_links_of_an_index_page(spider: Make) -> None:
    """Those of the newspaper that match a pattern and are not excluded: each once, untracked, with its place."""
    made = spider()
    outputs = answer(made, entrance(made, "cultura"), CULTURA)
    assert urls(outputs) == ["/noticia/1", "https://m.a.example/noticia/2"]
    assert links_in(outputs)[0].place == {
        "index": "cultura",
        "link": "/noticia/",
        "section": "Cultura",
        "day": made.plan.today.isoformat(),
        "found_on": "https://www.a.example/cultura/",
        "anchor": "Uno",
    }
    assert outputs[-1] == Outcome("done", None, "2 links match")


def test_the_next_pages_of_an_index(spider: Make) -> None:
    """By the link that the site file selects, or by $PAGE$; no more than `pages`."""
    made = spider()
    outputs = answer(made, entrance(made, "cultura"), CULTURA)
    assert urls(outputs, "page") == ["/cultura/?pag=2"]
    last = Link("https://www.a.example/cultura/?pag=3", "page", place={**entrance(made, "cultura").place, "page": 3})
    assert urls(answer(made, last, CULTURA), "page") == []
    by_number = answer(made, entrance(made, "deportes"), "<a href=/cronica/1>x</a>")
    assert urls(by_number, "page") == ["/deportes/?p=2"]


def test_an_index_page_that_leads_nowhere(spider: Make) -> None:
    """It is told as such, and its next pages are not asked for."""
    made = spider()
    outputs = answer(made, entrance(made, "cultura"), "<a href=/x>x</a><a class=sig href=?pag=2>más</a>")
    assert links_in(outputs) == []
    assert outputs[-1] == Outcome("done", "no_links", "0 links match")


def test_a_page_that_is_both(spider: Make) -> None:
    """An index with `extract` and without `follow` is a document itself, and no more."""
    made = spider()
    (page,) = answer(made, entrance(made, "boletin"), "<a href=/noticia/1>x</a>")
    assert isinstance(page, Page)
    assert page.place.index == "boletin"


def test_a_page_that_leads_on(spider: Make) -> None:
    """A pattern with `follow` and without `extract`: its page's links are articles, it is none itself."""
    made = spider()
    outputs = answer(made, entrance(made, "deportes"), "<a href=/directo/1>x</a>")
    (live,) = links_in(outputs)[:1]
    assert (live.place["link"], live.place["section"]) == ("directo", "Directos")
    further = answer(made, live, "<a href=/cronica/2>x</a>")
    assert urls(further) == ["/cronica/2"]
    assert not any(isinstance(output, Page) for output in further)


def test_an_article(spider: Make) -> None:
    """The page as it came, with the place where its link was found."""
    made = spider()
    link = links_in(answer(made, entrance(made, "cultura"), CULTURA))[0]
    (page,) = answer(made, link, "<p>texto", headers={"ETag": '"a"'})
    assert (page.site, page.url, page.asked_url, bytes(page.body)) == ("muestra", link.url, link.url, b"<p>texto")
    assert page.header("etag") == '"a"'
    assert (page.place.index, page.place.section, page.place.day) == ("cultura", "Cultura", made.plan.today)
    assert page.fetched_at.tzinfo is not None


def test_an_unchanged_page(spider: Make) -> None:
    """A 304 gives nothing, whatever it answers for."""
    made = spider()
    assert answer(made, entrance(made, "cultura"), "", status=304) == []
    assert answer(made, Link(f"{HOME}/noticia/1", "article"), "", status=304) == []


def test_a_feed(spider: Make) -> None:
    """Its entries' links, by the same patterns, with their titles."""
    made = spider()
    items = "".join(
        f"<item><title>{path}</title><link>https://www.a.example/{path}</link></item>"
        for path in ("noticia/1", "otra/2", "noticia/pub/3")
    )
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>{items}</channel></rss>'
    outputs = answer(made, entrance(made, "rss"), feed, XmlResponse)
    assert urls(outputs) == ["/noticia/1"]
    assert (links_in(outputs)[0].place["section"], links_in(outputs)[0].place["anchor"]) == ("Portada", "noticia/1")
    assert outputs[-1].detail == "1 links match"


def test_a_sitemap(spider: Make) -> None:
    """Nested sitemaps and articles of the days asked for; what gives no day is taken."""
    made = spider(**{"from": "2024-03-01", "to": "2024-03-02"})
    rows = [("noticia/1", "2024-03-02"), ("noticia/2", "2024-02-01"), ("noticia/3", None)]
    text = "".join(
        f"<url><loc>https://www.a.example/{path}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>"
        for path, day in rows
    )
    outputs = answer(made, entrance(made, "mapa"), f"<urlset>{text}</urlset>", XmlResponse)
    assert "/noticia/1" in urls(outputs)
    assert "/noticia/2" not in urls(outputs)
    nested = "<sitemapindex><sitemap><loc>https://www.a.example/m2.xml</loc></sitemap></sitemapindex>"
    outputs = answer(made, entrance(made, "mapa"), nested, XmlResponse)
    assert urls(outputs, "sitemap") == ["/m2.xml"]
    assert outputs[-1] == Outcome("done", None, "1 links match")


def test_sitemaps_do_not_nest_for_ever(spider: Make) -> None:
    """One that leads to itself under other names ends somewhere."""
    made = spider()
    link, depth = entrance(made, "mapa"), 0
    while depth < 10:
        nested = f"<sitemapindex><sitemap><loc>https://www.a.example/m{depth}.xml</loc></sitemap></sitemapindex>"
        found = links_in(answer(made, link, nested, XmlResponse))
        if not found:
            break
        link, depth = found[0], depth + 1
    assert depth == 3


@pytest.mark.parametrize("html", ["", "\x00", "<", "<!-- ", "no html at all"])
def test_pages_without_anything(spider: Make, html: str) -> None:
    """No page of nothing is an error."""
    made = spider()
    assert links_in(answer(made, entrance(made, "cultura"), html)) == []
    assert links_in(answer(made, entrance(made, "rss"), html, XmlResponse)) == []
    assert links_in(answer(made, entrance(made, "mapa"), html, XmlResponse)) == []


def test_a_sample(spider: Make) -> None:
    """So many articles of each index, and none of its next pages; validators would hide the others next time."""
    made = spider(sample="1")
    link = entrance(made, "cultura")
    response = HtmlResponse(link.url, body=CULTURA.encode(), request=made.request_for(link))
    outputs = list(made.parse(response))
    assert urls(outputs) == ["/noticia/1"]
    assert urls(outputs, "page") == []
    assert response.meta["incomplete"]
    assert outputs[-1].detail == "2 links match"


def test_a_limit(spider: Make) -> None:
    """Index pages do not count; when so many articles were asked for, it is enough."""
    made = spider(limit="2")
    made.request_for(entrance(made, "cultura"))
    for number in range(2):
        assert not made.has_asked_enough
        made.request_for(Link(f"{HOME}/noticia/{number}", "article"))
    assert made.has_asked_enough


@pytest.mark.parametrize(
    ("arguments", "target", "kind", "conditional"),
    [
        ({}, "", "page", True),
        ({}, "", "article", True),
        ({"revisit": "all"}, "", "article", True),
        ({"revisit": "due"}, "", "article", True),
        ({"revisit": "due"}, "", "page", True),
        ({"revisit": "all"}, "", "page", False),
        ({}, "target: {append: false}\n", "page", False),
        ({}, "target: {append: false}\n", "article", False),
    ],
)
def test_conditional_requests(
    spider: Make, arguments: dict[str, str], target: str, kind: str, conditional: bool
) -> None:
    """A known page is asked whether it has changed, unless all of it is needed: to find links, or to write anew."""
    known = Validators(etag='"a"', modified="Sun, 31 Mar 2024 11:00:00 GMT")
    made = spider(SITE + target, **arguments)
    request = made.request_for(Link(f"{HOME}/x", kind, validators=known))
    assert (b"If-None-Match" in request.headers) == conditional
    assert (b"If-Modified-Since" in request.headers) == conditional
    assert request.meta["handle_httpstatus_list"] == [304]


def test_an_index_page_with_the_very_bytes_that_it_had(spider: Make) -> None:
    """Where the server cannot answer 304, it is unchanged all the same, unless its links are needed again."""
    link = entrance(spider(), "cultura")
    digest = hashlib.sha256(CULTURA.encode()).hexdigest()
    known = replace(link, validators=Validators(digest=digest))
    assert answer(spider(), known, CULTURA) == [Outcome("unchanged")]
    assert urls(answer(spider(revisit="all"), known, CULTURA)) != []
    assert urls(answer(spider(), known, CULTURA + " ")) != []


def test_a_run_of_what_is_due(spider: Make) -> None:
    """Index pages are asked if they are due, and known articles after them, at most so many pages in all."""

    async def every(made: SiteSpider) -> list[Any]:
        return [output async for output in made.start()]

    made = spider(revisit="due", budget="2", section="Cultura")
    links, due = asyncio.run(every(made))
    assert [(link.if_due, link.again) for link in links.links] == [(True, True)]
    assert due == Due(2, "Cultura")
    following = links_in(answer(made, links.links[0], CULTURA))[-1]
    assert (following.kind, following.if_due) == ("page", True)
    assert not made.has_asked_enough
    made.request_for(Link(f"{HOME}/noticia/1", "article"))
    assert made.has_asked_enough


def test_what_sitemaps_and_feeds_say_of_articles(spider: Make) -> None:
    """When they changed, how often they do; and of a feed, how long it is to be kept."""
    made = spider(**{"from": "2024-03-01", "to": "2024-03-02"})
    row = "<loc>https://www.a.example/noticia/1</loc><lastmod>2024-03-02</lastmod><changefreq>daily</changefreq>"
    (link,) = links_in(answer(made, entrance(made, "mapa"), f"<urlset><url>{row}</url></urlset>", XmlResponse))
    assert (link.lastmod, link.usual_seconds) == (1_709_337_600, 86_400)
    row = "<loc>https://www.a.example/m2.xml</loc><lastmod>2024-03-02</lastmod>"
    nested = f"<sitemapindex><sitemap>{row}</sitemap></sitemapindex>"
    (further,) = links_in(answer(made, entrance(made, "mapa"), nested, XmlResponse))
    assert further.lastmod == 1_709_337_600
    made = spider()
    link = entrance(made, "rss")
    feed = '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><ttl>30</ttl></channel></rss>'
    response = XmlResponse(link.url, body=feed.encode(), request=made.request_for(link))
    list(made.parse(response))
    assert response.meta["told"] == Told(fresh_seconds=1_800)


@pytest.mark.parametrize(
    ("url", "kind", "index"),
    [
        ("https://www.a.example/cultura/", "page", "cultura"),
        ("https://www.a.example/rss", "feed", "rss"),
        ("https://www.a.example/cronica/7", "article", "deportes"),
        ("https://www.a.example/noticia/7", "article", "cultura"),
        ("https://www.a.example/otra/7", "article", None),
    ],
)
def test_addresses_named_by_hand(spider: Make, url: str, kind: str, index: str | None) -> None:
    """`-a only=` gives each address the place that its index or pattern would have given it."""
    (link,) = begun(spider(only=url))
    assert (link.url, link.kind, link.place.get("index"), link.again) == (url, kind, index, True)


def test_an_address_without_a_place_is_read_all_the_same(spider: Make) -> None:
    """What matches nothing is an article that the user wants."""
    made = spider(only=f"{HOME}/otra/7")
    (page,) = answer(made, begun(made)[0], "<p>x")
    assert isinstance(page, Page)
    assert page.place == Place(day=made.plan.today)


def test_past_days_have_their_place(spider: Make) -> None:
    """The articles of a dated index page belong to its day."""
    dated = SITE.replace("/boletin/, name: boletin, extract: true, follow: false", "/$YYYY$$MM$$DD$/, name: dia")
    made = spider(dated, **{"from": "2024-03-01", "to": "2024-03-02"})
    first, second = (link for link in begun(made) if link.place["index"] == "dia")
    assert (first.url, second.place["day"]) == ("https://www.a.example/20240301/", "2024-03-02")
    (link,) = links_in(answer(made, second, "<a href=/noticia/1>x</a>"))
    assert date.fromisoformat(link.place["day"]) == date(2024, 3, 2)


def test_arguments_of_scrapyd_are_its_own(spider: Make) -> None:
    """What begins with an underscore is not ours to check."""
    assert spider(_job="1", limit="3").arguments == {"limit": "3"}
