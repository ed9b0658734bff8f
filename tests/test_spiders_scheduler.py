"""spiders/scheduler.py and acknowledge.py: whole crawls against a server, and what the state says of them."""

from __future__ import annotations

import json
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
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
)
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.statscollectors import StatsCollector

from corpusbot.store.frontier import Incident, Link, Runs, StateError
from spiders.acknowledge import Acknowledgement, cause_of
from spiders.request_rows import UnstorableRequestError, request_of_row, row_of_request
from spiders.scheduler import FrontierScheduler, frontier_of

ROOT = Path(__file__).parent.parent

CRAWL = '''
import json, sys
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider, DropItem
from corpusbot.store.frontier import Link, Links, Outcome

base, data, changed = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])

def article(name):
    return Link(f"{base}/{name}", "article", 0, {"section": "S", "day": "2026-01-02"})

class Pipeline:
    def process_item(self, item):
        if item == {"n": "drop"}:
            raise DropItem("too_short: 3 words")
        if item == {"n": "fail"}:
            raise RuntimeError("no space")
        return item

class Site(Spider):
    """The spider of this project: links in, requests when their turn comes."""
    name = "site"
    async def start(self):
        yield Links([Link(f"{base}/index", "page", 100, again=True)])
    def request_for(self, link):
        callback = getattr(self, link.url.rpartition("/")[2], self.parse)
        return Request(link.url, callback, meta={"link": link})
    def index(self, response):
        yield Links(article(name) for name in response.text.split())
    def parse(self, response):
        yield {"n": "fine"}
    def dropped(self, response):
        yield {"n": "drop"}
    def mixed(self, response):
        yield {"n": "drop"}
        yield {"n": "fine"}
        yield {"n": "drop"}
    def itemerror(self, response):
        yield {"n": "fail"}
    def raises(self, response):
        yield {"n": "fine"}
        raise ValueError("callback")
    def raises_at_once(self, response):
        raise ValueError("callback")
    def verdict(self, response):
        yield Outcome("dropped", "paywalled", "a detail")
    async def slow(self, response):
        import asyncio
        await asyncio.sleep(0.3)
        yield {"n": "fine"}
    def last(self, response):
        yield {"n": "last"}
        raise CloseSpider("enough")

class Ordinary(Spider):
    """Any Scrapy spider: requests with callbacks, errbacks, bodies and cb_kwargs."""
    name = "ordinary"
    def start_urls_of(self):
        return [f"{base}/one", f"{base}/one"]
    async def start(self):
        for url in self.start_urls_of():
            yield Request(url, self.first, dont_filter=True)
        yield Request(f"{base}/two", self.second)
        yield Request(f"{base}/two", self.second)
    def first(self, response):
        yield {"n": "first"}
        yield Request(f"{base}/post", self.posted, method="POST", body=b"\\xff\\x00", cb_kwargs={"n": 7},
                      meta=response.meta, headers={"X-Name": b"N1"})
        yield Request(f"{base}/missing", self.second, errback=self.missed)
        yield Request(f"{base}/lambda", lambda response: None)
    def posted(self, response, n):
        yield {"n": f"{response.text} {n}"}
    def second(self, response):
        yield {"n": "second"}
    def missed(self, failure):
        yield {"n": f"missed {failure.value.response.status}"}

class Retried(Spider):
    """Retries and redirects come back to the row they began with."""
    name = "retried"
    def request_for(self, link):
        return Request(link.url, self.parse)
    async def start(self):
        yield Links([article(name) for name in ("moved", "known", "loop", "flaky", "known_target", "broken")])
    def parse(self, response):
        yield {"n": response.url.removeprefix(base)}

items = []
settings = {
    "SCHEDULER": "spiders.scheduler.FrontierScheduler",
    "SPIDER_MIDDLEWARES": {"spiders.acknowledge.Acknowledgement": 10},
    "DOWNLOAD_HANDLERS": {"http": "spiders.download.Download", "https": "spiders.download.Download"},
    "DOWNLOADER_MIDDLEWARES": {"spiders.guard.AddressGuard": 50},
    "ITEM_PIPELINES": {Pipeline: 1}, "CORPUSBOT_DATA": data, "CORPUSBOT_ALLOW_PRIVATE": ["127.0.0.1"],
    "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "WARN_ON_GENERATOR_RETURN_VALUE": False,
    "RETRY_TIMES": 1, "REDIRECT_MAX_TIMES": 3, **changed,
}
spider = {"site": Site, "ordinary": Ordinary, "retried": Retried}[sys.argv[4]]
from scrapy import signals
process = CrawlerProcess(settings)
crawler = process.create_crawler(spider)
crawler.signals.connect(lambda item: items.append(item["n"]), signals.item_scraped, weak=False)
process.crawl(crawler)
process.start()
print(json.dumps(sorted(items)))
'''


class Handler(BaseHTTPRequestHandler):
    """Answers by the name of the page."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """A page, an error, a redirect, or an answer that never ends."""
        server: Any = self.server
        server.asked[self.path] += 1
        name = self.path.strip("/")
        moved = {"moved": "/target", "known": "/known_target", "loop": "/loop?x", "loop?x": "/loop"}.get(name)
        status = 302 if moved else 404 if name == "missing" else 200
        # The answer that never ends is cut off once the test has ended it.
        if name == "broken" or (name == "flaky" and server.asked[self.path] == 1):
            status = 500
        body = server.body(name)
        self.send_response(status)
        if moved:
            self.send_header("Location", moved)
        self.send_header("ETag", '"tag"')
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", "99999" if name.startswith("drip") else str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        while name.startswith("drip") and not server.ended:
            self.wfile.write(b"x")
            time.sleep(0.05)
        self.close_connection = name.startswith("drip")

    def do_POST(self) -> None:
        """What was posted, in hexadecimal, and a header."""
        posted = self.rfile.read(int(self.headers["Content-Length"]))
        body = f"{posted.hex()} {self.headers['X-Name']}".encode("latin-1")
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=latin-1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server whose index page links to the names it is given."""

    daemon_threads = True

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: Counter[str] = Counter()
        self.ended = False
        self.names = names

    def body(self, name: str) -> bytes:
        """The names on the index page; elsewhere the page's own."""
        return " ".join(self.names).encode() if name == "index" else name.encode()

    def handle_error(self, *_: Any) -> None:
        """A client that has gone is no error here."""


@contextmanager
def serving(*names: str) -> Iterator[Server]:
    """Such a server on a free port."""
    server = Server(names)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended = True
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def begun(server: Server, data: Path, spider: str, **changed: Any) -> Iterator[subprocess.Popen[str]]:
    """A crawl in a process of its own, which does not outlive the test."""
    base = f"http://127.0.0.1:{server.server_port}"
    command = [sys.executable, "-c", CRAWL, base, str(data), json.dumps(changed), spider]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(server: Server, path: str, process: subprocess.Popen[str]) -> None:
    """Wait until the server is asked for a page."""
    deadline = time.monotonic() + 30
    while not server.asked[path]:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def crawled(server: Server, data: Path, spider: str = "site", **changed: Any) -> tuple[list[str], str]:
    """The items and the log of a whole crawl."""
    with begun(server, data, spider, **changed) as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    items: list[str] = json.loads(output)
    return items, errors


def told(data: Path, spider: str = "site", run: int = 1) -> dict[str, tuple[str, str | None]]:
    """Outcome and cause of each page, by its name; of things that are no links with their number."""
    found: dict[str, tuple[str, str | None]] = {}
    outcomes = ("done", "unchanged", "dropped", "failed")
    incidents: list[Incident] = list(Runs(data / spider / "state.sqlite").incidents(run, outcomes))
    for number, incident in enumerate(incidents):
        name = incident.url.rpartition("/")[2]
        found[f"{name} {number}" if incident.kind == "item" else name] = (incident.outcome, incident.cause)
    return found


def test_each_page_has_its_outcome(tmp_path: Path) -> None:
    """However a page ends, the state says how, and nothing stays in flight."""
    names = ("fine", "dropped", "mixed", "itemerror", "raises", "raises_at_once", "verdict", "slow", "missing")
    with serving(*names) as server:
        items, _ = crawled(server, tmp_path)
    assert items == ["fine"] * 4
    assert told(tmp_path) == {
        "index": ("done", None),
        "fine": ("done", None),
        "dropped": ("dropped", "too_short"),
        "mixed": ("done", None),
        "itemerror": ("failed", "item_error"),
        "raises": ("failed", "spider_error"),
        "raises_at_once": ("failed", "spider_error"),
        "verdict": ("dropped", "paywalled"),
        "slow": ("done", None),
        "missing": ("failed", "http_404"),
        "mixed 10": ("dropped", "too_short"),
        "mixed 11": ("dropped", "too_short"),
    }
    runs = Runs(tmp_path / "site" / "state.sqlite")
    assert [run.reason for run in runs.runs()] == ["finished"]
    assert runs.totals(1)["waiting"] == 0
    assert {(row.section, row.day) for row in runs.report(1) if row.kind != "page"} == {("S", "2026-01-02")}


def test_a_closed_spider_leaves_the_rest_pending(tmp_path: Path) -> None:
    """CloseSpider ends the run with its reason; what was not asked for is there for the next one."""
    with serving("last", *(f"n{number}" for number in range(40))) as server:
        crawled(server, tmp_path, CONCURRENT_REQUESTS_PER_DOMAIN=1)
        runs = Runs(tmp_path / "site" / "state.sqlite")
        assert [run.reason for run in runs.runs()] == ["enough"]
        assert runs.totals(1)["waiting"] > 30
        crawled(server, tmp_path)
        assert runs.totals(2)["waiting"] == 0
        assert set(server.asked) == {"/index", "/last", *(f"/n{number}" for number in range(40))}


def test_an_ordinary_spider_works_as_ever(tmp_path: Path) -> None:
    """Callbacks, errbacks, bodies, headers and cb_kwargs survive; what cannot be kept is told clearly."""
    with serving() as server:
        items, errors = crawled(server, tmp_path, "ordinary")
    assert items == sorted(["first", "first", "second", "ff00 N1 7", "missed 404"])
    assert server.asked["/one"] == 2  # dont_filter
    assert server.asked["/two"] == 1
    assert "cannot be kept: Function" in errors
    assert "must be methods of the spider" in errors
    assert set(told(tmp_path, "ordinary").values()) == {("done", None), ("failed", "http_404")}


def test_retries_and_redirects_keep_their_row(tmp_path: Path) -> None:
    """A page that moved or failed for a moment is one page; one that leads to another known page is that page."""
    with serving() as server:
        items, _ = crawled(server, tmp_path, "retried")
    assert items == ["/flaky", "/known_target", "/target"]
    assert told(tmp_path, "retried") == {
        "moved": ("done", None),
        "known": ("dropped", "redirect_to_known"),
        "known_target": ("done", None),
        "flaky": ("done", None),
        "loop": ("failed", "redirect_limit"),
        "broken": ("failed", "http_500"),
    }
    assert server.asked["/known_target"] == 1


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_crawl_soon(tmp_path: Path, sent: signal.Signals) -> None:
    """Though the server drips and the next requests would wait, the crawl ends within seconds, cleanly."""
    with serving("fine", "drip1", "drip2", "drip3") as server:
        settings = {"DOWNLOAD_DELAY": 0.2, "CONCURRENT_REQUESTS_PER_DOMAIN": 2}
        with begun(server, tmp_path, "site", **settings) as process:
            wait_for(server, "/drip2", process)
            stopped = time.monotonic()
            process.send_signal(sent)
            _, errors = process.communicate(timeout=20)
            assert time.monotonic() - stopped < 3, errors
    assert process.returncode == 0
    runs = Runs(tmp_path / "site" / "state.sqlite")
    assert [run.reason for run in runs.runs()] == ["shutdown"]
    assert told(tmp_path) == {"index": ("done", None), "fine": ("done", None)}
    assert runs.totals(1)["waiting"] == 3


def test_the_second_crawl_of_a_site_is_told_to_wait(tmp_path: Path) -> None:
    """A crawl whose site is being crawled ends with a clear message, or waits if the settings say so."""
    with serving("drip", "n1") as server, begun(server, tmp_path, "site") as first:
        wait_for(server, "/drip", first)
        with begun(server, tmp_path, "site") as second:
            _, errors = second.communicate(timeout=30)
        assert "another crawl of this site runs" in errors
        with begun(server, tmp_path, "site", CORPUSBOT_LOCK_WAIT=30) as third:
            time.sleep(1)
            server.ended = True
            first.send_signal(signal.SIGTERM)
            _, errors = first.communicate(timeout=30)
            third.communicate(timeout=60)
    assert [run.reason for run in Runs(tmp_path / "site" / "state.sqlite").runs()] == ["shutdown", "finished"]


# -- without a crawl


def stub(tmp_path: Path, watch: Any) -> Any:
    """As much of a crawler as the scheduler asks for."""
    settings = Settings({"CORPUSBOT_DATA": str(tmp_path)})
    downloader = SimpleNamespace(active=set(), slots={}, domain_concurrency=2)
    spider = SimpleNamespace(name="s", request_for=lambda link: Request(link.url))
    crawler = SimpleNamespace(
        settings=settings,
        spider=spider,
        engine=SimpleNamespace(downloader=downloader),
        get_spider_middleware=lambda kind: watch,
    )
    crawler.stats = StatsCollector(crawler)  # type: ignore[arg-type]
    return crawler


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[FrontierScheduler]:
    """An open scheduler whose acknowledgements nobody waits for."""
    watch = SimpleNamespace(begin=lambda frontier: None, end=lambda: None, failed=lambda errback, failure: None)
    crawler = stub(tmp_path, watch)
    made = FrontierScheduler.from_crawler(crawler)
    made.open(crawler.spider)
    yield made
    made.close("finished")


def test_no_more_than_a_host_can_soon_be_sent(scheduler: FrontierScheduler) -> None:
    """A host gets its concurrency and one more, however many of its links wait; other hosts go on."""
    links = [Link(f"https://h.es/{number}", priority=1) for number in range(50)]
    scheduler.frontier.add([*links, Link("https://other.es/")])
    active = scheduler._crawler.engine.downloader.active
    handed = []
    while request := scheduler.next_request():
        active.add(request)
        handed.append(request.url)
    assert handed == ["https://h.es/0", "https://h.es/1", "https://h.es/2", "https://other.es/"]
    assert scheduler.has_pending_requests()
    active.clear()
    request = scheduler.next_request()
    assert request is not None
    assert request.url == "https://h.es/3"


def test_a_link_that_is_no_address_fails_alone(scheduler: FrontierScheduler) -> None:
    """A link no request can be made of is acknowledged as such, and the next one is handed out."""
    scheduler.frontier.add([Link("nonsense", priority=9), Link("https://h.es/")])
    request = scheduler.next_request()
    assert request is not None
    assert request.url == "https://h.es/"
    assert not scheduler.has_pending_requests()


def test_the_frontier_is_found_by_the_crawler(scheduler: FrontierScheduler) -> None:
    """Extensions and pipelines find the frontier, also when the crawl has ended."""
    assert frontier_of(scheduler._crawler) is scheduler.frontier
    assert frontier_of(SimpleNamespace()) is None  # type: ignore[arg-type]


def test_without_acknowledgement_the_scheduler_says_what_is_missing(tmp_path: Path) -> None:
    """The scheduler does not begin what could never end."""
    crawler = stub(tmp_path, None)
    with pytest.raises(StateError, match="Acknowledgement': 10 to SPIDER_MIDDLEWARES"):
        FrontierScheduler.from_crawler(crawler).open(crawler.spider)


class Rows(Spider):
    """A spider with a callback."""

    name = "rows"

    def parse(self, response: Response, **kwargs: Any) -> None:
        """Nothing."""


def test_requests_become_rows_and_back() -> None:
    """All that a request says is kept, bytes included, and the usual is left out."""
    spider = Rows()
    request = Request(
        "https://h.es/a", spider.parse, "PUT", {"X-A": ["1", "ñ"]}, b"\xff", {"a": "b"}, {"n": [1, {"m": None}]},
        priority=3, dont_filter=True, cb_kwargs={"k": "ñ"}, flags=["f"],
    )  # fmt: skip
    row = row_of_request(request, spider)
    again = request_of_row(json.loads(json.dumps(row)), spider)
    assert again.to_dict(spider=spider) == request.to_dict(spider=spider)
    assert row_of_request(Request("https://h.es/"), spider) == {"url": "https://h.es/"}


@pytest.mark.parametrize("meta", [{"a": object()}, {"a": {1: 2}}, {"a": b"bytes"}, {"a": {1, 2}}])
def test_what_is_not_json_is_refused_by_name(meta: dict[str, Any]) -> None:
    """The message says which part of a request cannot be kept, and what would work."""
    with pytest.raises(UnstorableRequestError, match=r"meta\['a'\] is .*, not JSON. Use text"):
        row_of_request(Request("https://h.es/", meta=meta), Rows())


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (HttpError(Response("https://h.es/", status=410)), "http_410"),
        (DownloadTimeoutError(), "timeout"),
        (CannotResolveHostError(), "dns"),
        (DownloadConnectionRefusedError(), "connection_refused"),
        (DownloadFailedError(), "connection_lost"),
        (ResponseDataLossError(), "data_loss"),
        (DownloadCancelledError(), "cancelled"),
        (NotSupported(), "refused_scheme"),
        (IgnoreRequest("max redirections reached"), "redirect_limit"),
        (IgnoreRequest("Forbidden by robots.txt"), "robots"),
        (IgnoreRequest("for some reason"), "ignored"),
        (ConnectionResetError(), "network"),
        (ZeroDivisionError(), "zero_division_error"),
    ],
)
def test_causes_are_short(error: Exception, cause: str) -> None:
    """Whatever went wrong has a name that a report can count by."""
    assert cause_of(error) == cause


def test_the_middleware_is_the_outermost() -> None:
    """It offers Scrapy what a spider middleware needs to see everything of a page."""
    wanted = ("process_start", "process_spider_input", "process_spider_output", "failed")
    assert all(callable(getattr(Acknowledgement, name)) for name in wanted)
