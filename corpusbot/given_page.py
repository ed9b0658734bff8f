"""A page that somebody gives: from a file, from standard input, or by its address from the Web."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from urllib.parse import urlsplit

from w3lib.url import safe_url_string

from corpusbot.library import UNDATED
from corpusbot.model import Body, Page

STANDARD_INPUT = "-"
# No page of text is as large; what it is unpacked to is bounded, and not what it is packed in.
MOST_BYTES = 64 * 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
_SITE = "page"


def given_page(place: str, url: str | None = None) -> Page:
    """The page of a file's name, an address, or `-`; raises OSError, which says why it cannot be had."""
    if place.startswith(("http://", "https://")):
        return page_at(place)
    return Page("", url or "", Body(saved_bytes(place)), UNDATED)


def saved_bytes(place: str) -> bytes:
    """What is in a file, unpacked if it is gzipped."""
    if place == STANDARD_INPUT:
        return _read(sys.stdin.buffer, "standard input")
    with Path(place).open("rb") as file:
        return _read(file, place)


def _read(file: BinaryIO, name: str) -> bytes:
    body = _bounded(file, name)
    if not body.startswith(_GZIP_MAGIC):
        return body
    try:
        with gzip.GzipFile(fileobj=BytesIO(body)) as packed:
            return _bounded(packed, name)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise OSError(f"{name}: looks gzipped and is broken: {error}") from None


def _bounded(file: BinaryIO | gzip.GzipFile, name: str) -> bytes:
    body = file.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise OSError(f"{name}: larger than {MOST_BYTES // 1024 // 1024} MB, and so no page")
    return body


def page_at(url: str) -> Page:
    """A page from anywhere on the public Web, fetched as a crawl would: robots.txt asked first, then once."""
    from corpusbot.trial import fetched  # the whole line, which a file has no need of

    try:
        address = safe_url_string(url)
        parts = urlsplit(address)
    except ValueError as error:
        raise OSError(f"{url} is no address: {error}") from None
    if not parts.hostname:
        raise OSError(f"{url} is no address: it names no host")
    with TemporaryDirectory(prefix="corpusbot-") as folder:
        # A newspaper of one page, so that there is but one way in which pages are fetched.
        site = f"name: {_SITE}\nhome: {json.dumps(f'{parts.scheme}://{parts.netloc}/')}\n"
        (Path(folder) / f"{_SITE}.yaml").write_text(site, encoding="utf-8")
        return fetched(_SITE, address, Path(folder))
