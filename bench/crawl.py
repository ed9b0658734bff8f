"""CPU time for each page of a crawl, ours beside plain Scrapy, CrawlSpider, JOBDIR and bare aiohttp, in one run."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from bench.press_server import press_server

WAYS = {
    "ours": "fetch and frontier, links of index pages",
    "plain": "Scrapy's defaults, links of index pages",
    "crawlspider": "CrawlSpider, links of every page",
    "jobdir": "as plain, with JOBDIR",
    "aiohttp": "bare aiohttp client, nothing parsed",
}
MOST_OF_PLAIN = 0.7
MOST_OF_CRAWLSPIDER = 0.15
CONCURRENCY = 16
# Of the project's own settings all is kept but workers, reports, pipelines and feeds, which this does not measure.
FETCH_ONLY: dict[str, Any] = {"EXTENSIONS": {}, "ITEM_PIPELINES": {}, "FEEDS": {}}
_HREF = re.compile(rb"href='(/(?:article|index)/\d+)'")


def ours(base: str, folder: str) -> dict[str, float]:
    """The project's own scheduler, handler and middlewares under the project's settings."""
    from scrapy import Request, Spider
    from scrapy.settings import Settings

    from corpusbot.store.frontier import Link, Links
    from spiders.links import page_links
    from spiders.site import _tree

    class Ours(Spider):
        name = "ours"

        async def start(self) -> AsyncIterator[Any]:
            yield Links([Link(f"{base}/index/0", "page", 100, again=True)])

        def request_for(self, link: Link) -> Request:
            callback = self.parse if link.kind == "page" else self.article
            return Request(link.url, callback, priority=link.priority)

        def parse(self, response: Any) -> Iterator[Any]:
            tree = _tree(response)
            anchors = page_links(tree, response.url) if tree is not None else {}
            articles = (Link(url, "article", 0) for url in anchors if "/article/" in url)
            yield Links([*articles, *(Link(url, "page", 100) for url in anchors if "/index/" in url)])

        def article(self, response: Any) -> None:
            """Nothing is done with an article here."""

    settings = Settings()
    settings.setmodule("corpusbot.settings", priority="project")
    here = {"CORPUSBOT_DATA": folder, "CORPUSBOT_ALLOW_PRIVATE": ["127.0.0.1"], "LOG_LEVEL": "INFO"}
    pace = {"DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY}
    settings.setdict({**FETCH_ONLY, **here, **pace}, priority="cmdline")
    return _crawled(Ours, settings)


def plain(base: str, folder: str, jobdir: bool = False) -> dict[str, float]:
    """A Spider as the tutorials write it, under Scrapy's default settings."""
    from scrapy import Spider

    class Plain(Spider):
        name = "plain"
        start_urls = [f"{base}/index/0"]  # noqa: RUF012  (as Scrapy declares it)

        def parse(self, response: Any) -> Iterator[Any]:
            for url in response.css("a::attr(href)").getall():
                if "/index/" in url:
                    yield response.follow(url, self.parse, priority=1)
                elif "/article/" in url:
                    yield response.follow(url, self.article)

        def article(self, response: Any) -> None:
            """Nothing is done with an article here."""

    return _crawled(Plain, {"JOBDIR": folder} if jobdir else {})


def jobdir(base: str, folder: str) -> dict[str, float]:
    """The same, with what Scrapy has for crawls that go on after a stop."""
    return plain(base, folder, jobdir=True)


def crawlspider(base: str, folder: str) -> dict[str, float]:
    """A CrawlSpider, which looks for links on every page."""
    from scrapy.linkextractors import LinkExtractor
    from scrapy.spiders import CrawlSpider, Rule

    class Crawl(CrawlSpider):
        name = "crawl"
        start_urls = [f"{base}/index/0"]  # noqa: RUF012  (as Scrapy declares it)
        rules = (
            Rule(LinkExtractor(allow=r"/index/")),
            Rule(LinkExtractor(allow=r"/article/"), callback="article", follow=True),
        )

        def article(self, response: Any) -> None:
            """Nothing is done with an article here."""

    return _crawled(Crawl, {})


def _crawled(spider: Any, settings: Any) -> dict[str, float]:
    """Run a spider and measure from its opening to its end; starting Python and Scrapy is not counted."""
    from scrapy import signals
    from scrapy.crawler import CrawlerProcess

    if isinstance(settings, dict):
        settings = {**settings, "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY, "LOG_LEVEL": "INFO"}
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    began: list[float] = []
    spent: dict[str, float] = {}

    def opened() -> None:
        began.extend((time.process_time(), time.monotonic()))

    def closed() -> None:
        spent.update(cpu=time.process_time() - began[0], wall=time.monotonic() - began[1])

    crawler.signals.connect(opened, signals.spider_opened, weak=False)
    crawler.signals.connect(closed, signals.spider_closed, weak=False)
    process.crawl(crawler)
    process.start()
    return {**spent, "pages": crawler.stats.get_value("response_received_count", 0)}


def bare(base: str, folder: str) -> dict[str, float]:
    """What the client itself costs: sixteen workers, links found by a regular expression on index pages."""
    import aiohttp

    seen = {"/index/0"}
    waiting: list[str] = ["/index/0"]

    async def work(session: aiohttp.ClientSession) -> None:
        while waiting:
            path = waiting.pop()
            async with session.get(base + path) as answer:
                body = await answer.read()
            if path.startswith("/index/"):
                fresh = {found.decode() for found in _HREF.findall(body)} - seen
                seen.update(fresh)
                waiting.extend(fresh)

    async def crawl() -> None:
        async with aiohttp.ClientSession() as session:
            while waiting:
                await asyncio.gather(*(work(session) for _ in range(min(CONCURRENCY, len(waiting)))))

    cpu, wall = time.process_time(), time.monotonic()
    asyncio.run(crawl())
    return {"cpu": time.process_time() - cpu, "wall": time.monotonic() - wall, "pages": len(seen)}


def measured(way: str, base: str) -> dict[str, float]:
    """One crawl in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bench.crawl", "--one", way, "--base", base, "--folder", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent)
    if done.returncode:
        raise SystemExit(f"{way} failed:\n{done.stderr[-3000:]}")
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def compared(pages: int, rounds: int, ways: list[str]) -> dict[str, dict[str, float]]:
    """Every way, in turn, several times over; medians in milliseconds for each page."""
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
    with press_server(pages) as base:
        for _ in range(rounds):
            for way in ways:
                runs[way].append(measured(way, base))
    return {
        way: {
            "ms": statistics.median(1000 * run["cpu"] / run["pages"] for run in found),
            "pages_per_second": statistics.median(run["pages"] / run["wall"] for run in found),
            "pages": found[0]["pages"],
        }
        for way, found in runs.items()
    }


def main() -> None:
    """Measure, print a table, and fail if ours is slower than it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000, help="articles on the site")
    parser.add_argument("--rounds", type=int, default=2, help="crawls of each kind")
    parser.add_argument("--only", default=",".join(WAYS), help="some of the kinds, with commas")
    parser.add_argument("--json", action="store_true", help="print JSON and no table")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--base", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        crawl = bare if options.one == "aiohttp" else globals()[options.one]
        print(json.dumps(crawl(options.base, options.folder)))
        return
    results = compared(options.pages, options.rounds, options.only.split(","))
    print(json.dumps(results) if options.json else table(results))
    sys.exit(verdict(results))


def table(results: dict[str, dict[str, float]]) -> str:
    """The results in columns, with ratios to plain Scrapy and to CrawlSpider."""
    lines = [f"{'':12}{'pages':>7}{'CPU ms/page':>13}{'pages/s':>9}{'/plain':>8}{'/crawlspider':>14}"]
    for way, found in results.items():
        ratios = [
            f"{found['ms'] / results[other]['ms']:.2f}" if other in results else "-"
            for other in ("plain", "crawlspider")
        ]
        lines.append(
            f"{way:12}{found['pages']:>7.0f}{found['ms']:>13.3f}{found['pages_per_second']:>9.0f}"
            f"{ratios[0]:>8}{ratios[1]:>14}  {WAYS[way]}"
        )
    return "\n".join(lines)


def verdict(results: dict[str, dict[str, float]]) -> int:
    """1 if ours costs more of what the others cost than it may."""
    limits = {"plain": MOST_OF_PLAIN, "crawlspider": MOST_OF_CRAWLSPIDER}
    own = results.get("ours", {}).get("ms", 0.0)
    return int(any(own > most * results[way]["ms"] for way, most in limits.items() if way in results))


if __name__ == "__main__":
    main()
