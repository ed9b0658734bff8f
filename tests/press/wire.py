"""HTTP/1.1 by hand: requests read from bytes, replies written to bytes."""

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, formatdate, parsedate_to_datetime
from hashlib import blake2b
from http import HTTPStatus

from tests.press.reply import Reply

GZIP_LEVEL = 4
SMALLEST_TO_GZIP = 500
_COMPRESSED_TYPES = ("application/gzip", "application/pdf")


@dataclass(frozen=True, slots=True)
class Request:
    """A request: header names in lower case."""

    method: str
    target: str
    version: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection is to stay open."""
        wish = self.headers.get("connection", "").lower()
        return wish == "keep-alive" if self.version == "HTTP/1.0" else wish != "close"

    @property
    def accepts_gzip(self) -> bool:
        """Whether gzip is among the encodings that are asked for."""
        return "gzip" in self.headers.get("accept-encoding", "")


@dataclass(frozen=True, slots=True)
class Ready:
    """A plain reply as it goes out, but for the status line and the date."""

    headers: bytes
    body: bytes
    tag: str
    modified: datetime | None

    def is_known_to(self, request: Request) -> bool:
        """Whether the client has it already: its entity tag decides, or else the date."""
        tags = request.headers.get("if-none-match")
        if tags is not None:
            return self.tag in tags or tags.strip() == "*"
        since = request.headers.get("if-modified-since")
        return bool(since and self.modified and self.modified <= _parsed_date(since))


def read_request(buffer: bytes) -> tuple[Request, int] | None:
    """The first request of a buffer and its length in bytes; None while it is incomplete."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    first, *lines = buffer[:end].decode("latin-1").split("\r\n")
    method, target, version = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    size = end + 4 + int(headers.get("content-length", "0"))
    if len(buffer) < size:
        return None
    return Request(method, target, version, headers, buffer[end + 4 : size]), size


def made_ready(reply: Reply, with_gzip: bool) -> Ready:
    """A plain reply with its validators, compressed if that is wanted and worth it."""
    tag = blake2b(reply.body, digest_size=10).hexdigest()
    body = reply.body
    headers = [("Content-Type", reply.content_type), *reply.headers]
    is_text = reply.content_type not in _COMPRESSED_TYPES
    if is_text:
        headers.append(("Vary", "Accept-Encoding"))
    if with_gzip and is_text and len(body) > SMALLEST_TO_GZIP:
        packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        body = packer.compress(body) + packer.flush()
        tag += "-gz"
        headers.append(("Content-Encoding", "gzip"))
    headers += [("Content-Length", str(len(body))), ("ETag", f'"{tag}"')]
    modified = reply.modified.astimezone(UTC) if reply.modified else None
    if modified:
        headers.append(("Last-Modified", format_datetime(modified, usegmt=True)))
    return Ready(header_bytes(headers), body, tag, modified)


def header_bytes(headers: list[tuple[str, str]]) -> bytes:
    """Header lines, without the empty one that ends them."""
    return "".join(f"{name}: {value}\r\n" for name, value in headers).encode("latin-1")


def status_bytes(status: int) -> bytes:
    """The status line, the date and the server's name."""
    phrase = HTTPStatus(status).phrase
    return f"HTTP/1.1 {status} {phrase}\r\nDate: {formatdate(usegmt=True)}\r\nServer: press\r\n".encode()


def _parsed_date(text: str) -> datetime:
    """The date of a header; one that cannot be read lies in the distant past."""
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        return datetime(1, 1, 2, tzinfo=UTC)
