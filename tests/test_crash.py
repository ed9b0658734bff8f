"""A crawl that is killed and resumed: every page once in the corpus, and only the last moments asked again."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from corpusbot.store.frontier import Runs

INDEXES, ARTICLES = 12, 25
PAGES = INDEXES * (ARTICLES + 1)
# What half a second brings at most (a group commit's interval) and what is in flight: asked again after a kill.
MOST_ASKED_AGAIN = 16 + 100

CRAWL = '''
import sys
from pathlib import Path
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from corpusbot.store.frontier import Link, Links

base, data = sys.argv[1:3]

class Documents:
    """Writes as an exporter should: cut at the committed length, appended when the page is acknowledged."""

    @classmethod
    def from_crawler(cls, crawler):
        pipeline = cls()
        pipeline.crawler = crawler
        return pipeline

    def open_spider(self):
        self.frontier = self.crawler.engine.scheduler.frontier
        self.file = open(Path(data) / "documents.txt", "ab")
        self.file.truncate(self.frontier.file_length("documents"))
        self.file.seek(0, 2)
        self.frontier.before_commit(self.flushed)

    def flushed(self):
        self.file.flush()
        return {"documents": self.file.tell()}

    def process_item(self, item):
        self.frontier.when_acknowledged(lambda: self.file.write(item["path"].encode() + b"\\n"))
        return item

class Crash(Spider):
    name = "crash"

    async def start(self):
        yield Links([Link(f"{base}/index/{n}", "page", 10, again=True) for n in range(3)])

    def request_for(self, link):
        return Request(link.url, self.parse, meta={"link": link})

    def parse(self, response):
        paths = response.text.split()
        yield Links([Link(base + path, "page" if "index" in path else "article") for path in paths])
        yield {"path": response.url.removeprefix(base)}

process = CrawlerProcess({
    "SCHEDULER": "spiders.scheduler.FrontierScheduler",
    "SPIDER_MIDDLEWARES": {"spiders.acknowledge.Acknowledgement": 10},
    "DOWNLOAD_HANDLERS": {"http": "spiders.download.Download", "https": "spiders.download.Download"},
    "DOWNLOADER_MIDDLEWARES": {"spiders.guard.AddressGuard": 50},
    "ITEM_PIPELINES": {Documents: 1}, "CORPUSBOT_DATA": data, "CORPUSBOT_ALLOW_PRIVATE": ["127.0.0.1"],
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False,
    "WARN_ON_GENERATOR_RETURN_VALUE": False,
})
process.crawl(Crash)
process.start()
'''


class Site:
    """A site that counts who asks for what."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                time.sleep(0.02)
                site.asked[self.path] += 1
                body = " ".join(site.links(self.path)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                """A client that was killed is no error here."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def links(self, path: str) -> Iterator[str]:
        """The links of an index page: its articles, and the next index."""
        _, kind, number = path.split("/")
        if kind == "index":
            yield from (f"/article/{int(number) * ARTICLES + n}" for n in range(ARTICLES))
            yield from (f"/index/{n}" for n in (int(number) + 1,) if n < INDEXES)


@contextmanager
def serving() -> Iterator[Site]:
    """A site on a free port."""
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.server.shutdown()
        site.server.server_close()
        thread.join()


def crawl(site: Site, data: Path) -> subprocess.Popen[bytes]:
    """The crawl, begun in a process of its own."""
    command = [sys.executable, "-c", CRAWL, site.base, str(data)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, cwd=Path(__file__).parent.parent)


def kill_after(site: Site, process: subprocess.Popen[bytes], pages: int) -> None:
    """Kill the crawl once the site has been asked for so many pages."""
    deadline = time.monotonic() + 30
    while site.asked.total() < pages and process.poll() is None:
        assert time.monotonic() < deadline, "the crawl does not get on"
        time.sleep(0.001)
    process.kill()
    _, errors = process.communicate(timeout=30)
    assert process.returncode in (-signal.SIGKILL, 0), errors.decode()


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_and_resumed(tmp_path: Path, seed: int) -> None:
    """Killed at four random moments: each page is acknowledged and written once, few are asked for twice."""
    kills = 4
    chance = random.Random(seed)
    with serving() as site:
        for _ in range(kills):
            kill_after(site, crawl(site, tmp_path), site.asked.total() + chance.randint(1, 90))
        last = crawl(site, tmp_path)
        _, errors = last.communicate(timeout=60)
        assert last.returncode == 0, errors.decode()
        assert errors == b""
    assert len(site.asked) == PAGES
    written = Counter((tmp_path / "documents.txt").read_text(encoding="utf-8").split())
    assert set(written) == set(site.asked)
    assert set(written.values()) == {1}
    assert site.asked.total() <= PAGES + kills * MOST_ASKED_AGAIN
    runs = Runs(tmp_path / "crash" / "state.sqlite")
    assert [(run.id, run.reason) for run in runs.runs()] == [(1, "finished")]
    assert runs.totals(1) == {"done": PAGES, "waiting": 0}


def test_a_finished_crawl_asks_only_for_its_entrances_again(tmp_path: Path) -> None:
    """A second run asks for the pages that it begins with, and for nothing that is known."""
    with serving() as site:
        for _ in range(2):
            _, errors = crawl(site, tmp_path).communicate(timeout=60)
            assert errors == b""
    again = {path for path, times in site.asked.items() if times > 1}
    assert again == {f"/index/{n}" for n in range(3)}
    runs = Runs(tmp_path / "crash" / "state.sqlite")
    assert json.dumps([run.reason for run in runs.runs()]) == '["finished", "finished"]'
