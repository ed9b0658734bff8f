"""spiders/download.py: whole pages or a clear error, in bounded time and memory, from public hosts only."""

from __future__ import annotations

import asyncio
import gzip
import logging
import ssl
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.settings import Settings
from scrapy.statscollectors import StatsCollector

from spiders.acknowledge import cause_of
from spiders.decoding import BodyReader, CorruptError, Encodings, TooMuchError
from spiders.download import Download, TooLargeError
from spiders.guard import AddressGuard, RefusedAddressError
from spiders.politeness import Politeness, RetryAfter, RobotsError
from spiders.stopping import StoppedError

PAGE = b"<html><body>" + b"<p>A paragraph of some length.</p>" * 500 + b"</body></html>"
Answer = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


def crawler_stub(**changed: Any) -> Any:
    """As much of a crawler as these components ask for, allowed to visit 127.0.0.1."""
    usual = {"CORPUSBOT_ALLOW_PRIVATE": ["127.0.0.1"], "DOWNLOAD_TIMEOUT": 5, "ROBOTSTXT_OBEY": True}
    slot = SimpleNamespace(closing=None)
    downloader = SimpleNamespace(slots={}, per_slot_settings={}, get_slot_key=lambda request: "127.0.0.1")
    engine = SimpleNamespace(running=True, _slot=slot, downloader=downloader)
    crawler = SimpleNamespace(settings=Settings({**usual, **changed}), engine=engine, spider=None)
    crawler.stats = StatsCollector(crawler)  # type: ignore[arg-type]
    return crawler


def raw(body: bytes, head: bytes = b"", status: bytes = b"200 OK") -> bytes:
    """An answer as bytes."""
    length = b"" if b"Transfer-Encoding" in head or b"Content-Length" in head else b"Content-Length: %d\r\n" % len(body)
    return b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html; charset=utf-8\r\n" + length + head + b"\r\n" + body


def answering(answer: bytes) -> Answer:
    """A server that says this, whatever it is asked."""

    async def say(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return say


@asynccontextmanager
async def server(answer: Answer, context: ssl.SSLContext | None = None) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server on a free port: its address, and what it was asked."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await reader.readuntil(b"\r\n\r\n")
            asked.append(request)
            await answer(request, writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", asked
    finally:
        listening.close()


async def fetched(
    answer: Answer, meta: dict[str, Any] | None = None, path: str = "/a.html", **changed: Any
) -> Response:
    """The response to one request to such a server."""
    handler = Download(crawler_stub(**changed))
    try:
        async with server(answer) as (base, _):
            return await handler.download_request(Request(base + path, meta=meta))
    finally:
        await handler.close()


def fetch(answer: Answer, meta: dict[str, Any] | None = None, **changed: Any) -> Response:
    """The same, from code that is not asynchronous."""
    return asyncio.run(fetched(answer, meta, **changed))


def test_a_page_comes_whole() -> None:
    """Status, headers, body and the kind of response are as the server says; the peer is known."""
    response = fetch(answering(raw(PAGE, b'ETag: "x"\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n')))
    assert (response.status, response.body) == (200, PAGE)
    assert isinstance(response, HtmlResponse)
    assert response.headers[b"ETag"] == b'"x"'
    assert response.headers.getlist(b"Set-Cookie") == [b"a=1", b"b=2"]
    assert str(response.ip_address) == "127.0.0.1"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(b"application/rss+xml", XmlResponse), (b"text/plain", TextResponse), (b"image/png", Response)],
)
def test_the_kind_of_response(kind: bytes, expected: type[Response]) -> None:
    """The Content-Type decides what the response is."""
    answer = answering(raw(b"\x00\x01binary").replace(b"text/html; charset=utf-8", kind))
    assert type(asyncio.run(fetched(answer, path="/a"))) is expected


def test_redirects_are_left_to_scrapy() -> None:
    """A redirect comes back as it is."""
    response = fetch(answering(raw(b"", b"Location: /b\r\n", b"301 Moved")))
    assert (response.status, response.headers[b"Location"]) == (301, b"/b")


def test_default_headers_are_sent_and_can_be_replaced() -> None:
    """A request without headers says who asks and what it takes; its own headers come first."""

    async def ask() -> list[bytes]:
        handler = Download(crawler_stub(USER_AGENT="corpusbot/1"))
        async with server(answering(raw(PAGE))) as (base, asked):
            await handler.download_request(Request(base))
            await handler.download_request(Request(base, headers={"User-Agent": "other", "X-A": "1"}))
        await handler.close()
        return asked

    first, second = asyncio.run(ask())
    assert b"User-Agent: corpusbot/1\r\n" in first
    assert b"Accept-Encoding: gzip, deflate" in first
    assert b"Accept-Language: " in first
    assert second.count(b"User-Agent") == 1
    assert b"User-Agent: other" in second
    assert b"X-A: 1" in second


def packed(name: str, body: bytes) -> bytes:
    """A body in a content encoding."""
    if name == "br":
        return bytes(pytest.importorskip("brotli").compress(body))
    if name == "zstd":
        return bytes(pytest.importorskip("backports.zstd").compress(body))
    if name == "raw deflate":
        deflate = zlib.compressobj(wbits=-15)
        return deflate.compress(body) + deflate.flush()
    return gzip.compress(body) if "gzip" in name else zlib.compress(body)


@pytest.mark.parametrize("name", ["gzip", "x-gzip", "deflate", "raw deflate", "br", "zstd"])
def test_packed_pages_are_unpacked(name: str) -> None:
    """What is sent packed comes unpacked, and no longer says that it is packed."""
    head = b"Content-Encoding: " + name.split()[-1].encode() + b"\r\n"
    response = fetch(answering(raw(packed(name, PAGE), head)))
    assert response.body == PAGE
    assert b"Content-Encoding" not in response.headers
    assert isinstance(response, HtmlResponse)


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.parametrize("name", ["gzip", "deflate", "raw deflate", "br", "zstd"])
def test_unpacking_in_pieces(name: str, step: int) -> None:
    """However a packed body is cut into pieces, the same comes out."""
    encodings = Encodings()
    decoders, left = encodings.decoders(name.split()[-1])
    reader = BodyReader(encodings, decoders, 10**6)
    whole = packed(name, PAGE)
    for start in range(0, len(whole), step):
        reader.feed(whole[start : start + step])
    reader.check_whole()
    assert (reader.body(), left) == (PAGE, "")


def test_odd_packing() -> None:
    """Several members, an encoding twice, plain text that is said to be gzip, and an unknown encoding."""
    encodings = Encodings()

    def unpacked(said: str, data: bytes) -> tuple[bytes, str]:
        decoders, left = encodings.decoders(said)
        reader = BodyReader(encodings, decoders, 10**6)
        reader.feed(data)
        reader.check_whole()
        return reader.body(), left

    assert unpacked("gzip", gzip.compress(b"a" * 9) + gzip.compress(b"b" * 9)) == (b"a" * 9 + b"b" * 9, "")
    assert unpacked("gzip", gzip.compress(PAGE) + b"\0\0trailing") == (PAGE, "")
    assert unpacked("deflate, gzip", gzip.compress(zlib.compress(PAGE))) == (PAGE, "")
    assert unpacked("gzip", b"<html>plain</html>") == (b"<html>plain</html>", "")
    assert unpacked("compress, gzip", gzip.compress(b"LZW")) == (b"LZW", "compress")
    assert unpacked("identity", PAGE) == (PAGE, "")


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_a_bomb_stops_at_the_limit(name: str) -> None:
    """A small packed body that is huge unpacked is given up, without its ever being in memory."""
    bomb = packed(name, bytes(50_000_000))
    encodings = Encodings()
    decoders, _ = encodings.decoders(name)
    tracemalloc.start()
    reader = BodyReader(encodings, decoders, 1_000_000)
    with pytest.raises(TooMuchError):
        reader.feed(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8_000_000
    with pytest.raises(TooLargeError, match="DOWNLOAD_MAXSIZE=1000000"):
        fetch(answering(raw(bomb, f"Content-Encoding: {name}\r\n".encode())), DOWNLOAD_MAXSIZE=1_000_000)


def test_a_large_page_is_refused_by_its_length_or_as_it_comes() -> None:
    """More than DOWNLOAD_MAXSIZE is given up, said in advance or not; as much as that is not."""
    endless = b"Transfer-Encoding: chunked\r\n"
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(PAGE), PAGE) for _ in range(3)) + b"0\r\n\r\n"
    for answer in (raw(PAGE), raw(chunks, endless)):
        with pytest.raises(TooLargeError) as caught:
            fetch(answering(answer), DOWNLOAD_MAXSIZE=len(PAGE) - 1)
        assert cause_of(caught.value) == "too_large"
    assert fetch(answering(raw(PAGE)), DOWNLOAD_MAXSIZE=len(PAGE)).body == PAGE
    assert fetch(answering(raw(PAGE)), {"download_maxsize": 0}, DOWNLOAD_MAXSIZE=10).body == PAGE


@pytest.mark.parametrize(
    "answer",
    [
        raw(PAGE, b"Content-Length: 999999\r\n"),
        raw(b"%x\r\n%s\r\n" % (len(PAGE), PAGE), b"Transfer-Encoding: chunked\r\n"),
        raw(gzip.compress(PAGE)[:-20], b"Content-Encoding: gzip\r\n"),
        raw(gzip.compress(PAGE)[:40] + b"\xff" * 40, b"Content-Encoding: gzip\r\n"),
    ],
)
def test_a_page_that_breaks_off_is_no_page(answer: bytes) -> None:
    """A body shorter than announced, or packed and cut, is data loss; unless asked for all the same."""
    with pytest.raises(ResponseDataLossError):
        fetch(answering(answer))
    assert fetch(answering(answer), {"download_fail_on_dataloss": False}).flags == ["dataloss"]


async def dripping(request: bytes, writer: asyncio.StreamWriter) -> None:
    """A server that never comes to an end."""
    writer.write(raw(b"", b"Content-Length: 999999\r\n"))
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


def test_a_dripping_server_ends_at_the_timeout() -> None:
    """DOWNLOAD_TIMEOUT is for the whole transfer, however busy the connection."""
    began = asyncio.run(_seconds(DownloadTimeoutError, {"download_timeout": 0.5}))
    assert 0.4 < began < 1.5


async def _seconds(error: type[Exception], meta: dict[str, Any]) -> float:
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(error):
        await fetched(dripping, meta)
    return loop.time() - began


def test_downloads_end_when_the_crawl_stops() -> None:
    """Two seconds after the crawl is told to stop nothing is being downloaded or queued any more."""

    async def stop() -> tuple[float, Exception, Exception]:
        crawler = crawler_stub(DOWNLOAD_TIMEOUT=60)
        handler = Download(crawler)
        loop = asyncio.get_running_loop()
        queued: asyncio.Future[None] = loop.create_future()
        waiting = SimpleNamespace(errback=queued.set_exception)
        async with server(dripping) as (base, _):
            task = asyncio.ensure_future(handler.download_request(Request(base)))
            await asyncio.sleep(0.3)
            crawler.engine.downloader.slots["h"] = SimpleNamespace(queue=_deque((Request(base), waiting)))
            crawler.engine.running = False
            began = loop.time()
            results = await asyncio.gather(task, queued, return_exceptions=True)
            spent = loop.time() - began
            with pytest.raises(StoppedError):
                await handler.download_request(Request(base))
        await handler.close()
        return spent, *results  # type: ignore[return-value]

    spent, download, queued = asyncio.run(stop())
    assert spent < 2
    assert isinstance(download, StoppedError)
    assert isinstance(queued, StoppedError)
    assert cause_of(download) == "cancelled"


def _deque(*items: Any) -> Any:
    from collections import deque

    return deque(items)


def test_what_goes_wrong_has_scrapys_names() -> None:
    """A closed port, an unknown name and a server that hangs up raise what the retries know."""

    async def hang_up(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def fails(url: str) -> Exception:
        handler = Download(crawler_stub())
        try:
            await handler.download_request(Request(url))
        except (DownloadConnectionRefusedError, CannotResolveHostError) as error:
            return error
        finally:
            await handler.close()
        raise AssertionError(url)

    refused = asyncio.run(fails("http://127.0.0.1:1/"))
    assert isinstance(refused, DownloadConnectionRefusedError)
    assert cause_of(refused) == "connection_refused"
    unknown = asyncio.run(fails("http://no-such-host.invalid/"))
    assert isinstance(unknown, CannotResolveHostError)
    assert cause_of(unknown) == "dns"
    with pytest.raises(DownloadFailedError) as caught:
        fetch(hang_up)
    assert cause_of(caught.value) == "connection_lost"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "[::1]"])
def test_nothing_is_connected_to_a_private_address(host: str) -> None:
    """Without an exception no spelling leads to a connection, though a server listens there."""

    async def ask() -> list[bytes]:
        handler = Download(crawler_stub(CORPUSBOT_ALLOW_PRIVATE=[]))
        async with server(answering(raw(PAGE))) as (base, asked):
            port = base.rpartition(":")[2]
            with pytest.raises(RefusedAddressError) as caught:
                await handler.download_request(Request(f"http://{host}:{port}/"))
            assert caught.value.cause == "private_address"
        await handler.close()
        return asked

    assert asyncio.run(ask()) == []


def test_a_name_that_turns_private_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is the address that is connected to, not what the name looked like or was before."""
    import aiohttp

    async def rebound(self: Any, host: str, port: int = 0, family: int = 0) -> list[dict[str, Any]]:
        return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": 2, "proto": 6, "flags": 0}]

    monkeypatch.setattr(aiohttp.ThreadedResolver, "resolve", rebound)

    async def ask() -> None:
        handler = Download(crawler_stub(CORPUSBOT_ALLOW_PRIVATE=[]))
        try:
            await handler.download_request(Request("http://innocent.example/"))
        finally:
            await handler.close()

    with pytest.raises(RefusedAddressError):
        asyncio.run(ask())


def test_a_proxy_is_used_and_its_target_checked() -> None:
    """A proxy may be a private host, what is asked of it may not."""

    async def ask() -> list[bytes]:
        handler = Download(crawler_stub(CORPUSBOT_ALLOW_PRIVATE=[]))
        async with server(answering(raw(PAGE))) as (proxy, asked):
            public = Request("http://newspaper.example/a", meta={"proxy": proxy})
            assert (await handler.download_request(public)).body == PAGE
            with pytest.raises(RefusedAddressError):
                await handler.download_request(Request("http://10.0.0.1/", meta={"proxy": proxy}))
        await handler.close()
        return asked

    [request] = asyncio.run(ask())
    assert request.startswith(b"GET http://newspaper.example/a HTTP/1.1")


def certificate(folder: Path) -> ssl.SSLContext:
    """A server's context with a certificate that nobody vouches for."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    pem = serialization.Encoding.PEM
    text = made.sign(key, hashes.SHA256()).public_bytes(pem) + key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.pem").write_bytes(text)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return context


@pytest.mark.parametrize("settings", [{}, {"DOWNLOAD_VERIFY_CERTIFICATES": True}])
def test_certificates_are_verified(tmp_path: Path, settings: dict[str, Any]) -> None:
    """A server whose certificate nobody vouches for is not read from, unless a setting says so."""
    context = certificate(tmp_path)

    async def ask(**changed: Any) -> Response:
        handler = Download(crawler_stub(**changed))
        try:
            async with server(answering(raw(PAGE)), context) as (base, _):
                return await handler.download_request(Request(base.replace("http:", "https:")))
        finally:
            await handler.close()

    with pytest.raises(DownloadFailedError) as caught:
        asyncio.run(ask(**settings))
    assert cause_of(caught.value) == "certificate"
    assert asyncio.run(ask(DOWNLOAD_VERIFY_CERTIFICATES=False)).body == PAGE


# -- guard and politeness


def test_guard_refuses_and_counts() -> None:
    """Other schemes and private hosts are refused, asked for or redirected to, and counted by cause."""
    crawler = crawler_stub(CORPUSBOT_ALLOW_PRIVATE=[])
    guard = AddressGuard.from_crawler(crawler)
    guard.process_request(Request("https://elpais.com/"))
    for url in ("file:///etc/passwd", "ftp://h.es/a", "http://10.0.0.1/"):
        with pytest.raises(RefusedAddressError):
            guard.process_request(Request(url))
    for location in ("file:///etc/passwd", "http://127.1/", "//localhost/a"):
        moved = Response("https://elpais.com/", status=302, headers={"Location": location})
        with pytest.raises(RefusedAddressError):
            guard.process_response(Request("https://elpais.com/"), moved)
    assert crawler.stats.get_value("corpusbot/refused/refused_scheme") == 3
    assert crawler.stats.get_value("corpusbot/refused/private_address") == 3


def politeness(answers: dict[str, Any]) -> tuple[Politeness, Any, list[str]]:
    """The middleware, its crawler, and what it asked; robots.txt are answered from a table."""
    crawler = crawler_stub(ROBOTSTXT_USER_AGENT="corpusbot", DOWNLOAD_DELAY=2)
    asked: list[str] = []

    async def download(request: Request) -> Response:
        asked.append(request.url)
        await asyncio.sleep(0)
        answer = answers[request.url.split("/")[2]]
        if isinstance(answer, Exception):
            raise answer
        status, body = answer
        return Response(request.url, status=status, body=body)

    crawler.engine.download_async = download
    return Politeness.from_crawler(crawler), crawler, asked


def test_robots_txt_is_kept_to() -> None:
    """What is forbidden is not asked for; a host's robots.txt is fetched once for all that wait."""
    polite, crawler, asked = politeness({"h.es": (200, b"User-agent: *\nDisallow: /no\nSitemap: https://h.es/s.xml\n")})

    async def ask() -> list[Any]:
        urls = ["https://h.es/yes", "https://h.es/no/1", "https://h.es/no/2"]
        tasks = (polite.process_request(Request(url)) for url in urls)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert (await polite.robots("https://h.es/x")).sitemaps == ("https://h.es/s.xml",)
        return list(results)

    yes, *no = asyncio.run(ask())
    assert yes is None
    assert [cause_of(error) for error in no] == ["robots", "robots"]
    assert asked == ["https://h.es/robots.txt"]
    assert crawler.stats.get_value("corpusbot/robots") == 2


def test_robots_txt_that_is_not_to_be_had(caplog: pytest.LogCaptureFixture) -> None:
    """No robots.txt allows all; one that cannot be had forbids all for now (RFC 9309)."""
    caplog.set_level(logging.CRITICAL)
    polite, _, _ = politeness({
        "none.es": (404, b"Disallow: /"), "broken.es": (503, b""), "busy.es": (429, b""), "down.es": OSError("down"),
    })  # fmt: skip

    async def outcome(host: str) -> str | None:
        try:
            await polite.process_request(Request(f"https://{host}/a"))
        except RobotsError as error:
            return cause_of(error)
        return None

    async def ask() -> list[str | None]:
        return [await outcome(host) for host in ("none.es", "broken.es", "busy.es", "down.es")]

    assert asyncio.run(ask()) == [None, *["robots_unreachable"] * 3]


def test_a_stop_is_no_answer_of_the_host() -> None:
    """Pages that wait for robots.txt when the crawl stops are neither allowed nor forbidden."""
    polite, _, _ = politeness({"h.es": StoppedError("the crawl is ending")})

    async def ask() -> list[Any]:
        requests = [Request("https://h.es/a"), Request("https://h.es/b")]
        return list(await asyncio.gather(*map(polite.process_request, requests), return_exceptions=True))

    assert [cause_of(error) for error in asyncio.run(ask())] == ["cancelled", "cancelled"]


@pytest.mark.parametrize(("asked", "given"), [(b"10", 10.0), (b"1", 2.0), (b"4000", 60.0)])
def test_crawl_delay(asked: bytes, given: float) -> None:
    """The Crawl-delay counts if it is longer than ours, up to a limit, also for slots made later."""
    polite, crawler, _ = politeness({"h.es": (200, b"User-agent: *\nCrawl-delay: " + asked + b"\n")})
    slot = SimpleNamespace(concurrency=4, delay=2.0, jitter=0.5)
    crawler.engine.downloader.slots["h.es"] = slot
    asyncio.run(polite.process_request(Request("https://h.es/a")))  # type: ignore[arg-type]
    assert slot.delay == given
    later = crawler.engine.downloader.per_slot_settings.get("h.es", {})
    assert later.get("delay", 2.0) == given


def test_retry_after_pauses_the_slot() -> None:
    """After a 429 or 503 the host's slot sends nothing until the time that it was told."""
    resumed: list[Any] = []

    async def ask() -> float | None:
        crawler = crawler_stub()
        downloader = crawler.engine.downloader
        slot = SimpleNamespace(latercall=None, close=lambda: None)
        downloader.slots["127.0.0.1"] = slot
        downloader._latercall = resumed.append
        retry = RetryAfter.from_crawler(crawler)
        request = Request("http://127.0.0.1/")
        fine = Response(request.url, headers={"Retry-After": "9"})
        assert retry.process_response(request, fine) is fine
        assert slot.latercall is None
        busy = Response(request.url, status=429, headers={"Retry-After": "1"})
        began = asyncio.get_running_loop().time()
        retry.process_response(request, busy)
        while not resumed:
            assert asyncio.get_running_loop().time() - began < 5
            await asyncio.sleep(0.05)
        return asyncio.get_running_loop().time() - began

    spent = asyncio.run(ask())
    assert spent is not None
    assert spent >= 0.9


@pytest.fixture(autouse=True)
def _no_environment_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies of the machine that the tests run on are none of theirs."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_broken_packing_is_told() -> None:
    """Bytes that are no gzip behind a gzip beginning are an error, not a page."""
    encodings = Encodings()
    reader = BodyReader(encodings, encodings.decoders("gzip")[0], 1000)
    with pytest.raises(CorruptError):
        reader.feed(b"\x1f\x8b" + b"\xff" * 50)
