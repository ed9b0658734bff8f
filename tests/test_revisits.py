"""Pages are asked again when it is worth it: whole crawls, one after the other, of a newspaper that changes."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from email.utils import formatdate
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.changing_server import Leaf, Paper, served
from tests.sample_crawl import ROOT

WORDS = ("puente", "plaza", "mercado", "tranvía", "museo", "estadio", "puerto", "teatro")
SITE = """
home: {base}/
links: ['/a/']
indexes:
  - {{url: '{base}/', name: portada, section: Portada, next: a.more, pages: 3}}
  - {{url: '{base}/dormida/', name: dormida, section: Dormida}}
fields: {{title: h1, body: article}}
extractors: [rules]
filters: [{{length: {{min_words: 5}}}}]
settings: {{DOWNLOAD_DELAY: 0}}
{more}
"""


@dataclass(slots=True)
class Newspaper:
    """A newspaper, its site file, and the corpus that its crawls make."""

    paper: Paper
    folder: Path
    runs: int = 0

    def describe(self, more: str = "") -> None:
        """Write the site file."""
        sites = self.folder / "sites"
        sites.mkdir(exist_ok=True)
        (sites / "muestra.yaml").write_text(SITE.format(base=self.paper.base, more=more), encoding="utf-8")

    def crawl(self, *arguments: str, days: float = 0.0) -> list[str]:
        """Crawl so many days later; the paths that were asked for."""
        self.paper.requests.clear()
        given = [part for argument in arguments for part in ("-a", argument)]
        command = [sys.executable, "-m", "tests.later_crawl", str(days), "muestra", *given]
        environment = {
            **os.environ, "CORPUSBOT_DATA": str(self.folder / "data"), "CORPUSBOT_ALLOW_PRIVATE": "127.0.0.1",
            "CORPUSBOT_SITE_CONFIGS": str(self.folder / "sites"),
        }  # fmt: skip
        done = subprocess.run(
            [*command, "-s", "CORPUSBOT_WORKERS=0"], cwd=ROOT, env=environment, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        self.runs += 1
        return [one.path for one in self.paper.requests]

    def report(self) -> dict[str, Any]:
        """The report of the last run."""
        path = self.folder / "data" / "muestra" / "reports" / f"run-{self.runs:05}.json"
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found

    def revisits(self) -> dict[str, int]:
        """What the last run's report counts of pages asked again."""
        found: dict[str, int] = self.report()["revisits"]
        return found

    def texts(self) -> list[str]:
        """The documents' texts, in the order in which they were written."""
        lines = (self.folder / "data" / "muestra" / "muestra.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line)["text"] for line in lines]

    def front(self, *names: str, path: str = "/", more: str = "") -> None:
        """Set the links of an index page."""
        links = "".join(f"<a href='/a/{name}'>{name}</a>" for name in names)
        self.paper.pages[path] = Leaf(f"<body>{links}{more}", tag=f'"{path}{names}{more}"')

    def article(self, name: str, text: str = "", tag: bool = True, **headers: str) -> None:
        """Set an article; without a tag the server can never answer 304."""
        story = " ".join(f"{word} de {name} y {text or 'nada'} más {place}" for place, word in enumerate(WORDS * 4))
        html = f"<h1>Historia de {name}</h1><article><p>{story}</article>"
        told = {key.replace("_", "-"): value for key, value in headers.items()}
        self.paper.pages[f"/a/{name}"] = Leaf(html, f'"{text}"' if tag else None, headers=told)


@pytest.fixture
def news(tmp_path: Path) -> Iterator[Newspaper]:
    """A newspaper with two index pages and three articles."""
    with served() as paper:
        made = Newspaper(paper, tmp_path)
        made.describe()
        for name in ("uno", "dos", "tres"):
            made.article(name)
        made.front("uno", "dos", "tres")
        made.front("uno", path="/dormida/")
        yield made


def test_nothing_is_asked_before_its_time(news: Newspaper) -> None:
    """A run that asks for what is due, right after another one, asks for nothing and is well."""
    assert len(news.crawl()) == 5
    assert news.crawl("revisit=due") == []
    assert news.revisits() == {"index pages not due": 2}
    assert sorted(news.crawl()) == ["/", "/dormida/"], "without `due`, the entrances are always asked"


def test_articles_are_read_again_at_first_and_then_rarely(news: Newspaper) -> None:
    """After half a day, two days, a week, a month; ever more seldom, and never in between."""
    news.crawl()
    asked = [day / 2 for day in range(1, 80) if "/a/uno" in news_of(news, day / 2)]
    gaps = [later - earlier for earlier, later in pairwise(asked)]
    assert asked[0] == 0.5
    assert 3 <= len(asked) <= 4
    assert gaps == sorted(gaps)


def news_of(news: Newspaper, day: float) -> list[str]:
    """What is asked for at a time, if anything is due then by the state's own word."""
    with closing(sqlite3.connect(news.folder / "data" / "muestra" / "state.sqlite")) as state:
        query = "SELECT count(*) FROM links WHERE kind = 'article' AND due <= strftime('%s', 'now') + ?"
        (due,) = state.execute(query, (day * 86_400 - 5,)).fetchone()
    return news.crawl("revisit=due", days=day) if due else []


def test_a_corrected_article_is_found(news: Newspaper) -> None:
    """It is written again; those whose server says 304, or sends the same bytes or text, are unchanged."""
    news.article("dos", tag=False)
    news.article("tres", tag=False)
    news.crawl()
    news.article("uno", "fe de errores")
    news.paper.pages["/a/tres"].body += "<!-- printed anew -->"
    assert sorted(news.crawl("revisit=due", days=0.6)) == ["/", "/a/dos", "/a/tres", "/a/uno", "/dormida/"]
    assert news.revisits() == {"asked again": 3, "changed": 1}
    assert len(news.texts()) == 4
    assert "errores" in news.texts()[-1]
    assert news.report()["counts"] == {"done": 1, "unchanged": 4}
    assert [one.conditional for one in news.paper.requests if one.path == "/a/uno"] == [True]


def test_an_index_page_that_overflows_has_its_next_page_asked(news: Newspaper) -> None:
    """Where all links are new, there may be more behind them: the next page is asked though it is not due."""
    news.front("uno", "dos", more="<a class=more href='/mas/'>más</a>")
    news.front("tres", path="/mas/")
    news.crawl()
    for name in ("cinco", "seis", "siete"):
        news.article(name)
    news.front("cinco", "seis", more="<a class=more href='/mas/'>más</a>")
    news.front("siete", "uno", path="/mas/")
    state = news.folder / "data" / "muestra" / "state.sqlite"
    put_off(state, f"{news.paper.base}/mas/")
    assert {"/mas/", "/a/siete"} <= set(news.crawl("revisit=due", days=0.2))


def put_off(state: Path, url: str) -> None:
    """Have a page due in a year."""
    with closing(sqlite3.connect(state)) as database, database:
        assert database.execute("UPDATE links SET due = due + 31536000 WHERE url = ?", (url,)).rowcount == 1


def test_a_budget_goes_where_it_is_worth_most(news: Newspaper) -> None:
    """So many pages and no more: the new ones first, then those that change; what is left is told and kept."""
    news.crawl()
    news.article("dos", "cambia")
    news.crawl("revisit=due", days=0.6)
    news.article("cuatro")
    news.front("uno", "dos", "tres", "cuatro")
    asked = news.crawl("revisit=due", "budget=4", days=9)
    assert asked[:3] == ["/", "/dormida/", "/a/cuatro"] or asked[:3] == ["/dormida/", "/", "/a/cuatro"]
    assert asked[3:] == ["/a/dos"], "the one that has changed before"
    assert news.revisits()["left"] == 2
    assert news.report()["waiting"] == 0
    assert news.crawl(days=9.01).count("/a/uno") == 0, "what is left is for runs that ask for what is due"
    assert {"/a/uno", "/a/tres"} <= set(news.crawl("revisit=due", days=9.02))


def test_withdrawn_articles_are_asked_for_once_more(news: Newspaper) -> None:
    """410 is kept in the state, asked again a day later, and then no more; one that comes back is known again."""
    news.crawl()
    gone, back = news.paper.pages["/a/uno"], news.paper.pages["/a/dos"]
    news.paper.pages["/a/uno"] = Leaf("gone", status=410)
    news.paper.pages["/a/dos"] = Leaf("not found", status=404)
    news.crawl("revisit=due", days=0.6)
    assert news.revisits() == {"asked again": 3, "withdrawn": 2}
    assert news.report()["counts"]["withdrawn"] == 2
    assert news.report()["incidents"] == [], "they are in the corpus"
    assert not {"/a/uno", "/a/dos"} & set(news.crawl("revisit=due", days=1.0))
    news.paper.pages["/a/dos"] = back
    assert {"/a/uno", "/a/dos"} <= set(news.crawl("revisit=due", days=1.7))
    news.paper.pages["/a/uno"] = gone
    asked = [path for days in (3, 9, 40, 100) for path in news.crawl("revisit=due", days=days)]
    assert "/a/uno" not in asked
    assert "/a/dos" in asked


def test_a_server_that_fails_is_not_asked_in_a_loop(news: Newspaper) -> None:
    """A known article that cannot be had is asked for again, after ever longer times."""
    news.crawl()
    news.paper.pages["/a/uno"] = Leaf("broken", status=500)
    first = news.crawl("revisit=due", days=0.6)
    assert "/a/uno" in first
    assert "/a/uno" not in news.crawl("revisit=due", days=0.601)
    news.article("uno", "de vuelta")
    assert "/a/uno" in news.crawl("revisit=due", days=0.7)
    assert "vuelta" in news.texts()[-1]


def sitemap(base: str, *rows: tuple[str, str]) -> Leaf:
    """A sitemap with addresses and when they were last changed."""
    urls = "".join(f"<url><loc>{base}{path}</loc><lastmod>{day}</lastmod></url>" for path, day in rows)
    return Leaf(f"<?xml version='1.0'?><urlset>{urls}</urlset>")


def test_lastmod_makes_a_page_due(news: Newspaper) -> None:
    """A sitemap that gives a later time for a known address has it asked at once; the same time again does not."""
    news.describe(f"sitemaps: [{{url: '{news.paper.base}/mapa.xml', name: mapa, recent: 100000}}]")
    news.paper.pages["/mapa.xml"] = sitemap(news.paper.base, ("/a/uno", "2026-01-01"), ("/a/dos", "2026-01-01"))
    news.crawl()
    news.paper.pages["/mapa.xml"] = sitemap(news.paper.base, ("/a/uno", "2026-01-02"), ("/a/dos", "2026-01-01"))
    news.article("uno", "corregida")
    articles = [path for path in news.crawl("revisit=due", days=0.2) if path.startswith("/a/")]
    assert articles == ["/a/uno"]
    assert "corregida" in news.texts()[-1]
    assert "/a/uno" not in news.crawl("revisit=due", days=0.25)


def test_lastmod_that_is_always_now_is_soon_disbelieved(news: Newspaper) -> None:
    """A sitemap that claims with every run that all has changed is wrong twice, and then not listened to."""
    news.describe(f"sitemaps: [{{url: '{news.paper.base}/mapa.xml', name: mapa, recent: 100000}}]")
    asked = []
    for run in range(6):
        news.paper.pages["/mapa.xml"] = sitemap(news.paper.base, ("/a/uno", f"2026-01-0{run + 1}"))
        asked.append("/a/uno" in news.crawl("revisit=due", days=run * 0.09))
    assert asked == [True, True, True, False, False, False]


def test_what_servers_and_feeds_say_is_kept_to(news: Newspaper) -> None:
    """Cache-Control and a feed's ttl put a page off."""
    news.describe(f"feeds: [{{url: '{news.paper.base}/rss', name: rss}}]")
    feed = "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title><ttl>600</ttl></channel></rss>"
    news.paper.pages["/rss"] = Leaf(feed)
    news.article("dos", Cache_Control="max-age=86400")
    news.article("tres", Expires=formatdate(4_000_000_000, usegmt=True))
    news.crawl()
    assert sorted(news.crawl("revisit=due", days=0.3)) == ["/", "/dormida/"]
    assert sorted(news.crawl("revisit=due", days=0.6)) == ["/", "/a/uno", "/dormida/", "/rss"]


def test_a_clock_that_jumps_back(news: Newspaper) -> None:
    """What was visited in the future is asked again once, and then when its time has come."""
    news.crawl(days=5)
    assert sorted(news.crawl("revisit=due")) == ["/", "/a/dos", "/a/tres", "/a/uno", "/dormida/"]
    assert news.crawl("revisit=due") == []
    assert "/a/uno" in news.crawl("revisit=due", days=2)


def test_a_newspaper_whose_articles_are_never_read_again(news: Newspaper) -> None:
    """`revisit: {articles: 0}` asks for index pages only."""
    news.describe("revisit: {articles: 0}")
    news.crawl()
    assert sorted(news.crawl("revisit=due", days=3)) == ["/", "/dormida/"]


def test_one_section_only(news: Newspaper) -> None:
    """`section` bounds what is due as well."""
    news.crawl()
    assert sorted(news.crawl("revisit=due", "section=dormida", days=1)) == ["/dormida/"]
    assert "/a/dos" in news.crawl("revisit=due", "section=portada", days=1)
