"""A newspaper of any size on 127.0.0.1, in a process of its own, that costs its visitors nothing extra."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAGE_BYTES = 110_000
LINKS_ON_INDEX = 100
NEW_ON_INDEX = 50
_PARAGRAPH = (
    "<p class='text'>The council met on Tuesday to talk about the bridge, which has been closed since spring, "
    "and about what it will cost to open it again before the rains come. Nobody asked for the floor.</p>\n"
)


class Press:
    """The pages of the newspaper: index pages that lead to articles, many of them more than once."""

    def __init__(self, articles: int) -> None:
        self._articles = articles
        self._indexes = max(1, articles // NEW_ON_INDEX)
        menu = "".join(f"<li><a href='/index/{n}'>Section {n}</a></li>" for n in range(min(30, self._indexes)))
        self._head = f"<!DOCTYPE html><html><head><title>The Gazette</title></head><body><ul>{menu}</ul>".encode()
        filler = _PARAGRAPH * (PAGE_BYTES // len(_PARAGRAPH) + 1)
        self._filler = filler.encode()[: PAGE_BYTES - len(self._head) - 3000] + b"</p>"

    def answer(self, path: str) -> tuple[int, bytes]:
        """Status and body of a path."""
        if path == "/robots.txt":
            return 200, b"User-agent: *\nDisallow: /private/\n"
        kind, _, number = path.strip("/").partition("/")
        if not number.isdigit():
            return 404, b"no such page"
        links = self._index(int(number)) if kind == "index" else self._related(int(number))
        anchors = "".join(f"<li><a href='{link}'>A headline of some length</a></li>" for link in links)
        return 200, self._head + f"<h1>{path}</h1><ul>{anchors}</ul>".encode() + self._filler + b"</body></html>"

    def _index(self, number: int) -> Iterator[str]:
        start = number * NEW_ON_INDEX
        yield from (f"/article/{n}" for n in range(start, min(start + NEW_ON_INDEX, self._articles)))
        # What is most read, and what the neighbours show as well.
        yield from (f"/article/{n % self._articles}" for n in range(LINKS_ON_INDEX - NEW_ON_INDEX))
        if number + 1 < self._indexes:
            yield f"/index/{number + 1}"

    def _related(self, number: int) -> Iterator[str]:
        yield from (f"/article/{(number * 7 + n * 13) % self._articles}" for n in range(20))


class _Visit(asyncio.Protocol):
    """One connection, kept open from request to request."""

    def __init__(self, press: Press) -> None:
        self._press = press
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            request, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            status, body = self._press.answer(request.split(b" ", 2)[1].decode())
            self._transport.write(
                b"HTTP/1.1 %d OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n"
                b"Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\nServer: press\r\n\r\n" % (status, len(body)) + body
            )


async def _serve(articles: int) -> None:
    press = Press(articles)
    server = await asyncio.get_running_loop().create_server(lambda: _Visit(press), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def press_server(articles: int) -> Iterator[str]:
    """The address of a newspaper with so many articles, served until the end of the block."""
    command = [sys.executable, "-m", "bench.press_server", str(articles)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.terminate()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
