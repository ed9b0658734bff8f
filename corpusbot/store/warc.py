"""WARC/1.1 records of pages (ISO 28500), each in its own gzip member: what they are made of and how they are read.

The body is kept as Scrapy hands it on, that is without transfer and content encoding, since the bytes on the wire
are gone by then. The headers Content-Encoding, Transfer-Encoding and Content-Length would be untrue of it: as in
Common Crawl's archives they are kept under X-Crawler-…, and Content-Length is that of the body in the record.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, date, datetime
from http.client import responses
from typing import IO, Any

from corpusbot import __version__
from corpusbot.model import Body, Page, Place

# Level 6 takes more than twice as long and saves a sixth; measured on pages of bench/sites, 110 KB each.
GZIP_LEVEL = 1
GZIP = 31  # zlib's way to say: with the header and trailer of gzip
CHUNK_BYTES = 65_536

_UNTRUE = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_KEPT_AS = "X-Crawler-"
_PAGE = "X-Corpusbot-Page"  # what a replay needs to know and HTTP does not tell
_BREAKS = re.compile(r"[\x00\r\n]+")

Fields = Iterable[tuple[str, str]]


def record(page: Page) -> tuple[str, bytes]:
    """The id of a page's record, which is the same whenever it is made, and the compressed record."""
    digest = hashlib.sha256(page.body).hexdigest()
    moment = _aware(page.fetched_at).isoformat(timespec="microseconds").replace("+00:00", "Z")
    record_id = uuid.uuid5(uuid.NAMESPACE_URL, f"{page.url} {moment} {digest}").urn
    fields = (
        ("WARC-Type", "response"),
        ("WARC-Record-ID", f"<{record_id}>"),
        ("WARC-Date", moment),
        ("WARC-Target-URI", page.url),
        ("WARC-Payload-Digest", f"sha256:{digest}"),
        ("Content-Type", "application/http; msgtype=response"),
        (_PAGE, json.dumps(_particulars(page))),
    )
    return record_id, _compressed(fields, _http(page))


def information(file_name: str, moment: datetime) -> bytes:
    """The record that begins a file: what wrote it."""
    date_text = _aware(moment).isoformat(timespec="seconds").replace("+00:00", "Z")
    fields = (
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", f"<{uuid.uuid5(uuid.NAMESPACE_URL, f'{file_name} {date_text}').urn}>"),
        ("WARC-Date", date_text),
        ("WARC-Filename", file_name),
        ("Content-Type", "application/warc-fields"),
    )
    about = (
        ("software", f"corpusbot/{__version__}"),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("description", "bodies without content encoding; headers untrue of them as X-Crawler-"),
    )
    return _compressed(fields, _head(about))


def members(file: IO[bytes], offset: int = 0) -> Iterator[tuple[int, bytes]]:
    """The records from an offset on, unpacked, each with its own offset; EOFError for an unfinished one."""
    file.seek(offset)
    waiting = b""
    while waiting or (waiting := file.read(CHUNK_BYTES)):
        start, unpacker, parts = offset, zlib.decompressobj(GZIP), []
        while not unpacker.eof:
            if not waiting and not (waiting := file.read(CHUNK_BYTES)):
                raise EOFError(start)
            parts.append(unpacker.decompress(waiting))
            offset += len(waiting) - len(unpacker.unused_data)
            waiting = unpacker.unused_data
        yield start, b"".join(parts)


def page_of(unpacked: bytes) -> Page | None:
    """The page of a response record; None for a record of another type. ValueError if it is no record."""
    head, _, rest = unpacked.partition(b"\r\n\r\n")
    version, fields = _parsed_head(head)
    if not version.startswith("WARC/"):
        raise ValueError(f"begins with {version[:20]!r}, not with WARC/1.1")
    named = {name.lower(): value for name, value in fields}
    if named.get("warc-type") != "response":
        return None
    block = rest[: int(named["content-length"])]
    http_head, _, body = block.partition(b"\r\n\r\n")
    status_line, headers = _parsed_head(http_head)
    return Page(
        url=named["warc-target-uri"].strip("<>"),
        body=Body(body),
        fetched_at=datetime.fromisoformat(named["warc-date"]),
        headers=tuple(_as_received(headers)),
        status=int(status_line.split()[1]),
        record_id=named.get("warc-record-id", "").strip("<>") or None,
        **_particulars_of(json.loads(named.get(_PAGE.lower(), "{}"))),
    )


def _http(page: Page) -> bytes:
    """The response as HTTP would have sent it, had it not been encoded."""
    status = f"HTTP/1.1 {page.status} {responses.get(page.status, 'Unknown')}"
    headers = [(_KEPT_AS + name if name.lower() in _UNTRUE else name, value) for name, value in page.headers]
    headers.append(("Content-Length", str(len(page.body))))
    return status.encode() + b"\r\n" + _head(headers) + b"\r\n" + page.body


def _as_received(headers: Fields) -> Iterator[tuple[str, str]]:
    """The headers under the names that they came by."""
    for name, value in headers:
        if name.lower() not in _UNTRUE:
            original = name.removeprefix(_KEPT_AS)
            yield (original if original.lower() in _UNTRUE else name, value)


def _particulars(page: Page) -> dict[str, Any]:
    """Newspaper, place and asked address of a page, less what is absent."""
    place = {name: value for name, value in asdict(page.place).items() if value is not None}
    if page.place.day:
        place["day"] = page.place.day.isoformat()
    return {"site": page.site, "asked_url": page.asked_url, "place": place}


def _particulars_of(values: dict[str, Any]) -> dict[str, Any]:
    """The same, read again; a record of another program has none of it."""
    place = dict(values.get("place", {}))
    if "day" in place:
        place["day"] = date.fromisoformat(place["day"])
    return {"site": values.get("site", ""), "asked_url": values.get("asked_url"), "place": Place(**place)}


def _compressed(fields: Fields, block: bytes) -> bytes:
    """A record as one gzip member."""
    head = b"WARC/1.1\r\n" + _head((*fields, ("Content-Length", str(len(block))))) + b"\r\n"
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(b"".join((head, block, b"\r\n\r\n"))) + packer.flush()


def _head(fields: Fields) -> bytes:
    """One line for each field; a line break in a value would begin another field, so it becomes a space."""
    lines = (f"{name}: {_BREAKS.sub(' ', value).strip()}\r\n" for name, value in fields)
    return "".join(lines).encode("utf-8", "replace")


def _parsed_head(head: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The first line, and the fields of the others."""
    first, *lines = head.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines if ":" in line)
    return first, [(name.strip(), value.strip()) for name, _, value in pairs]


def _aware(moment: datetime) -> datetime:
    """A time in UTC; one without a zone is taken for UTC."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
