"""An archive's index in the form that replay programs such as pywb read: CDXJ, a line for each record, sorted."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from http import HTTPStatus
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

from corpusbot.store.members import GZIP_SUFFIX
from corpusbot.store.page_index import Stored

DEFAULT_PORTS = {"http": 80, "https": 443}
LINES_A_TIME = 1000
_NOT_ESCAPED = "".join(map(chr, range(0x21, 0x7F))).replace("#", "").replace("%", "")
_WWW = re.compile(r"^www\d*\.")


def cdxj(stored: Iterable[Stored]) -> Iterator[str]:
    """The lines of these records.

    Compact files are left out, since these programs do not read them, and so are answers 304, which pywb would give
    to its reader as such instead of the page that had not changed.
    """
    # SQLite sorts beside the memory where there is much to sort.
    with closing(sqlite3.connect("")) as database:
        database.execute("CREATE TABLE lines(line TEXT NOT NULL)")
        replayed = (one for one in stored if one.file.endswith(GZIP_SUFFIX) and one.status != HTTPStatus.NOT_MODIFIED)
        lines = ((_line(one),) for one in replayed)
        database.executemany("INSERT INTO lines VALUES(?)", lines)
        for (line,) in database.execute("SELECT line FROM lines ORDER BY line"):
            yield line


def _line(stored: Stored) -> str:
    told = {
        "url": stored.url,
        "mime": "warc/revisit" if stored.kind == "revisit" else stored.mime or "unk",
        "status": str(stored.status),
        "digest": stored.digest or "-",
        "length": str(stored.length),
        "offset": str(stored.offset),
        "filename": stored.file,
    }
    return f"{surt(stored.url)} {stored.fetched_at:%Y%m%d%H%M%S} {json.dumps(told, ensure_ascii=False)}"


def surt(url: str) -> str:
    """An address with its host's names turned round, in the spelling that replay programs look it up by.

    >>> surt("https://www.Diario.example/Nota/?b=2&a=1#fin")
    'example,diario)/nota?a=1&b=2'
    """
    parts = urlsplit(url.strip())
    host = _WWW.sub("", (parts.hostname or "").rstrip("."))
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    port = f":{parts.port}" if parts.port and parts.port != DEFAULT_PORTS.get(parts.scheme) else ""
    path = _spelt(re.sub(r"/{2,}", "/", urljoin("/", parts.path))).rstrip("/") or "/"
    query = "&".join(sorted(_spelt(parts.query).split("&"))) if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}{port}){path}{'?' if query else ''}{query}"


def _spelt(part: str) -> str:
    """A part of an address in lower case, with as few characters escaped as can be."""
    return quote(unquote_to_bytes(part), safe=_NOT_ESCAPED).lower()
