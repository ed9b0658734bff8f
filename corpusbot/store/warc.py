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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from http import HTTPStatus
from http.client import responses
from typing import Any
from urllib.parse import urlsplit

from corpusbot import __version__
from corpusbot.model import Body, Page, Place
from corpusbot.store.deflate import packed

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

_UNTRUE = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_SECRET = frozenset({"authorization", "proxy-authorization", "cookie"})
_KEPT_AS = "X-Crawler-"
_PAGE = "X-Corpusbot-Page"  # what a replay needs to know and HTTP does not tell
_BREAKS = re.compile(r"[\x00\r\n]+")

Fields = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Summary:
    """What the index keeps of a record: a page that was stored, or a visit that found it as it was."""

    record_id: str
    url: str
    fetched_at: datetime
    status: int = 200
    digest: str | None = None
    mime: str | None = None
    refers_to: str | None = None

    @property
    def kind(self) -> str:
        """`response`, or `revisit` if the bytes stand in another record."""
        return "revisit" if self.refers_to else "response"

    @property
    def page_id(self) -> str:
        """The record that holds the bytes."""
        return self.refers_to or self.record_id


@dataclass(frozen=True, slots=True)
class Record:
    """A page's record as it is stored, the request's behind it (empty if that is not known), and what it says."""

    summary: Summary
    compressed: bytes
    request: bytes = b""


def record(page: Page, before: Iterable[Summary] = ()) -> Record:
    """The record of a page, the same whenever it is made; if its bytes are among those before, it refers to them."""
    digest = f"sha256:{hashlib.sha256(page.body).hexdigest()}"
    same = next((stored for stored in before if stored.digest == digest), None)
    block = (_http_head(page), page.body if same is None else b"")
    return _record(page, digest, block, IDENTICAL if same else None, same)


def unchanged(page: Page, before: Summary) -> Record:
    """The record of a visit whose answer was that nothing has changed since: 304, or the same bytes once more."""
    profile = NOT_MODIFIED if page.status == HTTPStatus.NOT_MODIFIED else IDENTICAL
    return _record(page, before.digest, (_http_head(page),), profile, before)


def _record(
    page: Page, digest: str | None, block: Sequence[bytes], profile: str | None, before: Summary | None
) -> Record:
    moment = _date_text(page.fetched_at)
    # The digest of a page's own bytes makes the name, so that it is the same whenever the record is made.
    record_id = uuid.uuid5(uuid.NAMESPACE_URL, f"{page.url} {moment} {(digest or '').partition(':')[2]}").urn
    fields = [
        ("WARC-Type", "revisit" if before else "response"),
        ("WARC-Record-ID", f"<{record_id}>"),
        ("WARC-Date", moment),
        ("WARC-Target-URI", page.url),
        *([("WARC-Payload-Digest", digest)] if digest else []),
        ("Content-Type", "application/http; msgtype=response"),
        (_PAGE, json.dumps(_particulars(page))),
    ]
    if before and profile:
        fields += [
            ("WARC-Profile", profile),
            ("WARC-Refers-To", f"<{before.page_id}>"),
            ("WARC-Refers-To-Target-URI", before.url),
            ("WARC-Refers-To-Date", _date_text(before.fetched_at)),
        ]
    refers_to = before.page_id if before else None
    summary = Summary(record_id, page.url, page.fetched_at, page.status, digest, _mime(page.headers), refers_to)
    return Record(summary, _compressed(fields, *block), _request(page, record_id, moment))


def _request(page: Page, record_id: str, moment: str) -> bytes:
    """The record of what the server was sent, less what is secret; none where that is not known."""
    if not page.sent:
        return b""
    fields = (
        ("WARC-Type", "request"),
        ("WARC-Record-ID", f"<{uuid.uuid5(uuid.NAMESPACE_URL, f'{record_id} request').urn}>"),
        ("WARC-Date", moment),
        ("WARC-Target-URI", page.url),
        ("WARC-Concurrent-To", f"<{record_id}>"),
        ("Content-Type", "application/http; msgtype=request"),
    )
    parts = urlsplit(page.url)
    asked = _BREAKS.sub(" ", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    sent = [(name, value) for name, value in page.sent if name.lower() not in _SECRET]
    return _compressed(fields, f"GET {asked} HTTP/1.1\r\n".encode() + _head(sent) + b"\r\n")


def information(file_name: str, moment: datetime) -> bytes:
    """The record that begins a file: what wrote it."""
    date_text = _date_text(moment, "seconds")
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


def summary_of(unpacked: bytes) -> Summary | None:
    """What the index keeps of a record, of which the first bytes are enough; None for one that is no page."""
    named, rest = _warc_fields(unpacked)
    if named.get("warc-type") not in ("response", "revisit"):
        return None
    status_line, headers = _parsed_head(rest.partition(b"\r\n\r\n")[0])
    words = status_line.split()
    return Summary(
        record_id=_bare(named.get("warc-record-id", "")),
        url=_bare(named["warc-target-uri"]),
        fetched_at=_moment(named["warc-date"]),
        status=int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0,
        digest=named.get("warc-payload-digest"),
        mime=_mime(headers),
        refers_to=_bare(named.get("warc-refers-to", "")) or None if named["warc-type"] == "revisit" else None,
    )


def page_of(unpacked: bytes) -> Page | None:
    """The page of a response record; None for a record of another type. ValueError if it is no record."""
    named, rest = _warc_fields(unpacked)
    if named.get("warc-type") != "response":
        return None
    length = int(named["content-length"])
    if len(rest) < length:
        raise ValueError(f"has {len(rest):,} of {length:,} bytes")
    block = rest[:length]
    http_head, _, body = block.partition(b"\r\n\r\n")
    status_line, headers = _parsed_head(http_head)
    return Page(
        url=_bare(named["warc-target-uri"]),
        body=Body(body),
        fetched_at=_moment(named["warc-date"]),
        headers=tuple(_as_received(headers)),
        status=int(status_line.split()[1]),
        record_id=_bare(named.get("warc-record-id", "")) or None,
        **_particulars_of(json.loads(named.get(_PAGE.lower(), "{}"))),
    )


def moment_of(unpacked: bytes) -> datetime | None:
    """When a record was made; None if it does not say."""
    named, _ = _warc_fields(unpacked)
    return _moment(named["warc-date"]) if "warc-date" in named else None


def _warc_fields(unpacked: bytes) -> tuple[dict[str, str], bytes]:
    """A record's fields by their names in lower case, and its block."""
    head, _, block = unpacked.partition(b"\r\n\r\n")
    version, fields = _parsed_head(head)
    if not version.startswith("WARC/"):
        raise ValueError(f"begins with {version[:20]!r}, not with WARC/1.1")
    return {name.lower(): value for name, value in fields}, block


def _bare(value: str) -> str:
    return value.strip("<>")


def _moment(text: str) -> datetime:
    return in_utc(datetime.fromisoformat(text))


def _mime(headers: Fields) -> str | None:
    """The media type that the server named."""
    named = next((value for name, value in headers if name.lower() == "content-type"), "")
    return named.partition(";")[0].strip().lower() or None


def _http_head(page: Page) -> bytes:
    """The response's head as HTTP would have sent it, had the body not been encoded."""
    status = f"HTTP/1.1 {page.status} {responses.get(page.status, 'Unknown')}"
    headers = [(_KEPT_AS + name if name.lower() in _UNTRUE else name, value) for name, value in page.headers]
    if page.status != HTTPStatus.NOT_MODIFIED:
        headers.append(("Content-Length", str(len(page.body))))
    return status.encode() + b"\r\n" + _head(headers) + b"\r\n"


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


def _compressed(fields: Fields, *block: bytes) -> bytes:
    """A record as one gzip member."""
    head = b"WARC/1.1\r\n" + _head((*fields, ("Content-Length", str(sum(map(len, block)))))) + b"\r\n"
    return packed(head, *block, b"\r\n\r\n")


def _head(fields: Fields) -> bytes:
    """One line for each field; a line break in a value would begin another field, so it becomes a space."""
    lines = (f"{name}: {_BREAKS.sub(' ', value).strip()}\r\n" for name, value in fields)
    return "".join(lines).encode("utf-8", "replace")


def _parsed_head(head: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The first line, and the fields of the others."""
    first, *lines = head.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines if ":" in line)
    return first, [(name.strip(), value.strip()) for name, _, value in pairs]


def _date_text(moment: datetime, timespec: str = "microseconds") -> str:
    """A time as WARC writes it."""
    return in_utc(moment).isoformat(timespec=timespec).replace("+00:00", "Z")


def in_utc(moment: datetime) -> datetime:
    """A time in UTC; one without a zone is taken for UTC."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
