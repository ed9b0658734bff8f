"""A small newspaper on loopback whose pages change when a test says so; it notes what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(slots=True)
class Leaf:
    """A page as the server has it; with a tag it answers 304 to who has that."""

    body: str
    tag: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and what was answered."""

    path: str
    status: int
    conditional: bool


class Paper:
    """The pages by path, and the requests so far but for robots.txt."""

    def __init__(self) -> None:
        self.pages: dict[str, Leaf] = {}
        self.requests: list[Asked] = []
        self.base = ""

    def asked(self) -> list[str]:
        """The paths asked for since the last question."""
        paths = [one.path for one in self.requests]
        self.requests.clear()
        return paths

    def answer(self, path: str, tag: str | None) -> Leaf:
        """The page at a path, or that it is what the client has."""
        leaf = self.pages.get(path, Leaf("no such page", status=404))
        return Leaf("", leaf.tag, 304, leaf.headers) if tag is not None and tag == leaf.tag else leaf


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The page, and a note of the question."""
        server: Any = self.server
        paper: Paper = server.paper
        tag = self.headers.get("If-None-Match")
        leaf = paper.answer(self.path, tag)
        if self.path != "/robots.txt":
            paper.requests.append(Asked(self.path, leaf.status, tag is not None))
        body = leaf.body.encode()
        self.send_response(leaf.status)
        kind = "application/xml" if leaf.body.startswith("<?xml") else "text/html; charset=utf-8"
        headers = {"Content-Type": kind, **({"ETag": leaf.tag} if leaf.tag else {}), **leaf.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        if leaf.status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[Paper]:
    """A newspaper without pages, while the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    paper = Paper()
    vars(server)["paper"] = paper
    paper.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield paper
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
