"""The HTTP server that prints both newspapers: asyncio in a thread of its own, one port for each."""

import asyncio
import json
import socket
import struct
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from urllib.parse import parse_qs, urlsplit

from tests.press.newspaper import NEWSPAPERS
from tests.press.press import Press, Visit
from tests.press.reply import Reply
from tests.press.wire import Ready, Request, header_bytes, made_ready, read_request, status_bytes

HOST = "127.0.0.1"
SECONDS_TO_START = 30
SECONDS_TO_STOP = 5
SECONDS_BETWEEN_DRIPS = 0.1
CONTROL = "/_press/"


class PageCache:
    """Replies ready to be sent, the oldest forgotten when they weigh too much."""

    def __init__(self, limit_bytes: int) -> None:
        """An empty cache."""
        self.limit_bytes = limit_bytes
        self.bytes = 0
        self._pages: OrderedDict[tuple[str, str, bool], Ready] = OrderedDict()
        self._state = -1

    def get(self, key: tuple[str, str, bool], state: int) -> Ready | None:
        """The page kept under a key, unless the press has gone on to another state."""
        if state != self._state:
            self._pages.clear()
            self.bytes = 0
            self._state = state
        return self._pages.get(key)

    def put(self, key: tuple[str, str, bool], page: Ready) -> None:
        """Keep a page."""
        self._pages[key] = page
        self.bytes += len(page.body)
        while self.bytes > self.limit_bytes and self._pages:
            self.bytes -= len(self._pages.popitem(last=False)[1].body)


class House:
    """What all conversations share: the press, the cache, how often each address was asked for."""

    def __init__(self, press: Press) -> None:
        """A house with nothing cached."""
        self.press = press
        self.cache = PageCache(press.cache_bytes)
        self.asks: Counter[tuple[str, str]] = Counter()
        self.conversations: set[Conversation] = set()

    def answer(self, newspaper: str, request: Request) -> Ready | Reply:
        """The answer to a request: ready to send if it is a plain one."""
        if request.target.startswith(CONTROL):
            return made_ready(control_reply(self.press, request), with_gzip=False)
        key = (newspaper, request.target, request.accepts_gzip)
        found = self.cache.get(key, self.press.state)
        if found is not None:
            return found
        reply = self._current(newspaper, request)
        if not reply.is_plain:
            return reply
        ready = made_ready(reply, request.accepts_gzip)
        self.cache.put(key, ready)
        return ready

    def _current(self, newspaper: str, request: Request) -> Reply:
        """The press's reply, or the one that follows it if the address was asked for before."""
        reply = self.press.reply(newspaper, request.target)
        if reply.then is None:
            return reply
        key = (newspaper, request.target.partition("?")[0])
        self.asks[key] += 1
        return reply.then if self.asks[key] > 1 else reply


class Conversation(asyncio.Protocol):
    """One connection: requests are answered one after the other."""

    def __init__(self, house: House, newspaper: str) -> None:
        """A conversation about one newspaper."""
        self.house = house
        self.newspaper = newspaper
        self.transport: asyncio.Transport
        self._buffer = b""
        self._task: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the connection."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.house.conversations.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and what was still being sent."""
        self.house.conversations.discard(self)
        if self._task:
            self._task.cancel()

    def pause_writing(self) -> None:
        """The client is slower than we are."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._writable.set()

    def data_received(self, data: bytes) -> None:
        """Take in bytes and answer what is complete."""
        self._buffer += data
        self._advance()

    def _advance(self) -> None:
        """Answer the requests that have arrived, until one takes time."""
        while self._task is None and not self.transport.is_closing():
            try:
                found = read_request(self._buffer)
            except ValueError:
                self._write_reply(Reply(400, b"bad request"), is_head=False, keeps_alive=False)
                return
            if found is None:
                return
            request, size = found
            self._buffer = self._buffer[size:]
            self._answer(request)

    def _answer(self, request: Request) -> None:
        """Answer at once what can be, the rest in a task."""
        started = time.monotonic()
        answer = self.house.answer(self.newspaper, request)
        if isinstance(answer, Ready) and (not self.house.press.latency or request.target.startswith(CONTROL)):
            self._note(request, started, *self._write_ready(answer, request))
            return
        self._task = asyncio.get_running_loop().create_task(self._take_time(request, answer, started))

    async def _take_time(self, request: Request, answer: Ready | Reply, started: float) -> None:
        """Answer after the latency, noting even what is cut short."""
        status, sent = (answer.status if isinstance(answer, Reply) else 200), 0
        try:
            await asyncio.sleep(self.house.press.latency)
            if isinstance(answer, Ready):
                status, sent = self._write_ready(answer, request)
            else:
                async for size in self._parts_sent(answer, request):
                    sent += size
        finally:
            self._note(request, started, status, sent)
            self._task = None
        self._advance()

    def _note(self, request: Request, started: float, status: int, sent: int) -> None:
        """Remember the visit; questions to the press itself are none."""
        if request.target.startswith(CONTROL):
            return
        self.house.press.requests.append(
            Visit(
                newspaper=self.newspaper,
                method=request.method,
                target=request.target,
                status=status,
                sent_bytes=sent,
                started=started,
                ended=time.monotonic(),
                user_agent=request.headers.get("user-agent", ""),
            )
        )

    def _write_ready(self, ready: Ready, request: Request) -> tuple[int, int]:
        """Send a ready page, or 304 to those that have it; the status and the size of the body sent."""
        keeps = request.keeps_alive
        ending = b"\r\n" if keeps else b"Connection: close\r\n\r\n"
        if ready.is_known_to(request):
            self.transport.write(status_bytes(304) + f'ETag: "{ready.tag}"\r\n'.encode() + ending)
            status, sent = 304, 0
        else:
            body = b"" if request.method == "HEAD" else ready.body
            self.transport.write(b"".join((status_bytes(200), ready.headers, ending, body)))
            status, sent = 200, len(body)
        if not keeps:
            self.transport.close()
        return status, sent

    def _write_reply(self, reply: Reply, is_head: bool, keeps_alive: bool) -> int:
        """Send a reply that is whole but not plain: errors, redirects, empty pages."""
        length = reply.length if reply.length is not None else len(reply.body)
        headers = [("Content-Type", reply.content_type), *reply.headers, ("Content-Length", str(length))]
        if not keeps_alive:
            headers.append(("Connection", "close"))
        body = b"" if is_head else reply.body
        self.transport.write(status_bytes(reply.status) + header_bytes(headers) + b"\r\n" + body)
        if not keeps_alive and reply.chunks is None:
            self.transport.close()
        return len(body)

    async def _parts_sent(self, reply: Reply, request: Request) -> AsyncIterator[int]:
        """Send a reply in its own manner; yields the sizes of what has been sent."""
        is_head = request.method == "HEAD"
        if reply.manner != "drip":
            await asyncio.sleep(reply.delay)
        if is_head or (reply.manner == "whole" and reply.chunks is None):
            yield self._write_reply(reply, is_head, request.keeps_alive)
        elif reply.manner in ("truncated", "reset"):
            yield await self._cut_short(reply)
        elif reply.manner == "drip":
            async for size in self._dripped(reply):
                yield size
        else:
            async for size in self._streamed(reply):
                yield size

    async def _cut_short(self, reply: Reply) -> int:
        """Send half of what was promised and hang up, politely or with a reset."""
        half = reply.body[: len(reply.body) // 2]
        headers = [("Content-Type", reply.content_type), ("Content-Length", str(len(reply.body)))]
        self.transport.write(status_bytes(reply.status) + header_bytes(headers) + b"\r\n" + half)
        if reply.manner == "reset":
            # Give the client the half, then no linger: the kernel sends RST in place of FIN.
            await asyncio.sleep(0.05)
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        else:
            self.transport.close()
        return len(half)

    async def _dripped(self, reply: Reply) -> AsyncIterator[int]:
        """Send a few bytes now and then, as if for ever; the press's patience bounds it."""
        headers = [("Content-Type", reply.content_type), ("Transfer-Encoding", "chunked")]
        self.transport.write(status_bytes(200) + header_bytes(headers) + b"\r\n")
        end = time.monotonic() + reply.delay
        while time.monotonic() < end:
            self.transport.write(b"9\r\n<p>drip. \r\n")
            yield 9
            await asyncio.sleep(SECONDS_BETWEEN_DRIPS)
        self.transport.close()

    async def _streamed(self, reply: Reply) -> AsyncIterator[int]:
        """Send a body piece by piece, no faster than the client reads."""
        assert reply.chunks is not None
        is_chunked = reply.manner == "chunked"
        size = ("Transfer-Encoding", "chunked") if is_chunked else ("Content-Length", str(reply.length))
        headers = [("Content-Type", reply.content_type), size]
        self.transport.write(status_bytes(reply.status) + header_bytes(headers) + b"\r\n")
        for piece in reply.chunks():
            await self._writable.wait()
            self.transport.write(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
            yield len(piece)
            # Without a pause here the loop would serve nobody else while the client keeps up.
            await asyncio.sleep(0)
        if is_chunked:
            self.transport.write(b"0\r\n\r\n")


def control_reply(press: Press, request: Request) -> Reply:
    """The answer to a question or an order to the press itself."""
    split = urlsplit(request.target)
    values = {**parse_qs(split.query), **parse_qs(request.body.decode())}
    word = split.path.removeprefix(CONTROL)
    if request.method == "POST" and word == "edition":
        press.print_edition(int(values["n"][0]))
    elif request.method == "POST" and word == "correct":
        press.correct(values["url"][0])
    elif request.method == "DELETE" and word == "log":
        press.requests.clear()
    elif word == "gold":
        lines = "".join(row.json_line() + "\n" for row in press.gold())
        return Reply(body=lines.encode(), content_type="application/x-ndjson")
    elif word != "log":
        return Reply(body=b'{"error": "no such control"}', content_type="application/json")
    return _log_reply(press)


def _log_reply(press: Press) -> Reply:
    """The visits so far and the edition, as JSON."""
    log = {
        "edition": press.edition,
        "most_at_once": {name: press.most_at_once(name) for name in NEWSPAPERS},
        "requests": [asdict(visit) for visit in press.requests],
    }
    return Reply(body=json.dumps(log).encode(), content_type="application/json")


class Serving:
    """A running server; `gaceta` and `courier` are the base addresses, without a slash at the end."""

    def __init__(self, press: Press, ports: tuple[int, int] = (0, 0)) -> None:
        """A server that has not started yet; port 0 means any free one."""
        self.press = press
        self.house = House(press)
        self._ports = ports
        self._started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="press", daemon=True)

    @property
    def gaceta(self) -> str:
        """The base address of La Gaceta de Muestra."""
        return self.press.bases["gaceta"]

    @property
    def courier(self) -> str:
        """The base address of The Sample Courier."""
        return self.press.bases["courier"]

    def start(self) -> None:
        """Start the thread and wait until both ports listen."""
        self._thread.start()
        if not self._started.wait(SECONDS_TO_START):
            raise TimeoutError(f"the press did not start within {SECONDS_TO_START} seconds")
        if self._failure:
            raise self._failure

    def stop(self) -> None:
        """Hang up on everybody and end the thread, within a few seconds."""
        if self._loop and self._stop and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(SECONDS_TO_STOP)

    def prerender(self, with_gzip: bool = True) -> None:
        """Lay out every regular article before there is traffic, for benches of the crawler alone."""
        headers = {"accept-encoding": "gzip"} if with_gzip else {}
        for name in NEWSPAPERS:
            for path in self.press.paths(name):
                self.house.answer(name, Request("GET", path, "HTTP/1.1", headers))

    async def _run(self) -> None:
        """The life of the server."""
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        servers: list[asyncio.Server] = []
        try:
            for name, port in zip(NEWSPAPERS, self._ports, strict=True):
                servers.append(await self._listen(self._loop, name, port))
        except OSError as failure:
            self._failure = failure
        else:
            self.press.settle(dict(zip(NEWSPAPERS, map(_base, servers), strict=True)))
        self._started.set()
        if self._failure is None:
            await self._stop.wait()
        for server in servers:
            server.close()
        for conversation in list(self.house.conversations):
            conversation.transport.abort()
        await asyncio.sleep(0)

    async def _listen(self, loop: asyncio.AbstractEventLoop, name: str, port: int) -> asyncio.Server:
        """Open the port of one newspaper."""
        return await loop.create_server(lambda: Conversation(self.house, name), HOST, port, backlog=512)


def _base(server: asyncio.Server) -> str:
    """The address of a listening server."""
    return f"http://{HOST}:{server.sockets[0].getsockname()[1]}"


@contextmanager
def serve(press: Press, ports: tuple[int, int] = (0, 0)) -> Iterator[Serving]:
    """Print both newspapers from a background thread for as long as the context lasts."""
    serving = Serving(press, ports)
    serving.start()
    try:
        yield serving
    finally:
        serving.stop()
