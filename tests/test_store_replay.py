"""Other programs read the archive: warcio, fastwarc, and pywb, which replays a page in a browser."""

import io
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from corpusbot.model import Body, Page
from corpusbot.store.archive import RawPages, record
from corpusbot.store.cdxj import cdxj
from corpusbot.store.page_index import PageIndex
from corpusbot.store.warc import IDENTICAL, NOT_MODIFIED, unchanged

WAYBACK = Path(sys.executable).parent.parent / "pywb" / "bin" / "wayback"
NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
PAGE = Page(
    site="diario",
    url="https://www.diario.example/Nota/1?b=2&a=1",
    body=Body("<html><head></head><body><p>Año nuevo, página vieja</p></body></html>".encode()),
    fetched_at=NOON,
    headers=(("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "gzip"), ("Content-Length", "9")),
    sent=(("Host", "www.diario.example"), ("Cookie", "secret"), ("Authorization", "secret"), ("Accept", "text/html")),
)


@pytest.fixture
def path(tmp_path):
    """A file with a page, the same bytes an hour later, and a 304 another hour later."""
    archive = RawPages(tmp_path, "diario", {})
    archive.flush_to_disk()
    for hours in (0, 1):
        later = replace(PAGE, fetched_at=NOON + timedelta(hours=hours))
        archive.append(record(later, archive.before(PAGE.url)))
    visit = replace(PAGE, body=Body(b""), status=304, fetched_at=NOON + timedelta(hours=2))
    archive.append(unchanged(visit, archive.current(PAGE.url)))
    archive.flush_to_disk()
    archive.close()
    return tmp_path / "diario-00001.warc.gz"


def test_warcio(path):
    """Every record is there with what it refers to, its digests hold, and nothing secret is in it."""
    iterator = pytest.importorskip("warcio.archiveiterator")
    content = path.read_bytes()
    found = []
    for one in iterator.ArchiveIterator(io.BytesIO(content), check_digests="raise"):
        found.append((one.rec_type, one.rec_headers.get_header("WARC-Profile"), one.content_stream().read()))
        if one.rec_type == "request":
            sent = one.http_headers
            assert (sent.statusline, sent.headers) == (
                "/Nota/1?b=2&a=1 HTTP/1.1",
                [("Host", "www.diario.example"), ("Accept", "text/html")],
            )
            assert sent.protocol == "GET"
    assert found == [
        ("warcinfo", None, found[0][2]),
        ("response", None, PAGE.body),
        ("request", None, b""),
        ("revisit", IDENTICAL, b""),
        ("request", None, b""),
        ("revisit", NOT_MODIFIED, b""),
        ("request", None, b""),
    ]
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(path)], check=False, capture_output=True)
    assert (check.returncode, check.stdout) == (0, b"")


def test_what_records_tell_of_each_other(path):
    """Requests name their answers, revisits the page whose bytes are theirs."""
    iterator = pytest.importorskip("warcio.archiveiterator")
    with path.open("rb") as file:
        heads = [one.rec_headers for one in iterator.ArchiveIterator(file)]
    _, page, asked, same, asked_again, unchanged_since, _ = heads
    assert asked.get_header("WARC-Concurrent-To") == page.get_header("WARC-Record-ID")
    assert asked_again.get_header("WARC-Concurrent-To") == same.get_header("WARC-Record-ID")
    for one in (same, unchanged_since):
        assert one.get_header("WARC-Refers-To") == page.get_header("WARC-Record-ID")
        assert one.get_header("WARC-Refers-To-Target-URI") == PAGE.url
        assert one.get_header("WARC-Refers-To-Date") == page.get_header("WARC-Date") == "2024-05-01T12:00:00.123456Z"
        assert one.get_header("WARC-Payload-Digest") == page.get_header("WARC-Payload-Digest")
    assert len({one.get_header("WARC-Record-ID") for one in heads}) == len(heads)


def test_fastwarc(path):
    """Fastwarc reads every record and its head."""
    fastwarc = pytest.importorskip("fastwarc")
    with path.open("rb") as file:
        found = [
            (one.headers["WARC-Type"], one.http_headers.status_code if one.http_headers else None, one.reader.read())
            for one in fastwarc.ArchiveIterator(file, parse_http=True)
        ]
    assert found[1] == ("response", 200, PAGE.body)
    assert [kind for kind, *_ in found] == ["warcinfo", "response", "request", *["revisit", "request"] * 2]


@contextmanager
def replaying(folder):
    """A real pywb on loopback; the address of what it serves."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [str(WAYBACK), "--port", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and process.poll() is None:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@pytest.mark.skipif(not WAYBACK.exists(), reason="make .venv/.pywb-ready installs pywb")
def test_pywb(path, tmp_path_factory):
    """With the index that we print, pywb serves the page as it came, when it was stored and when it was the same."""
    folder = tmp_path_factory.mktemp("pywb")
    collection = folder / "collections" / "diario"
    for name in ("archive", "indexes"):
        (collection / name).mkdir(parents=True)
    shutil.copy(path, collection / "archive")
    with PageIndex(path.parent) as index:
        lines = "".join(f"{line}\n" for line in cdxj(index.between()))
    (collection / "indexes" / "index.cdxj").write_text(lines, encoding="utf-8")
    with replaying(folder) as address:
        for hour in (12, 13):
            url = f"{address}/diario/20240501{hour}0000id_/{PAGE.url}"
            with urllib.request.urlopen(url, timeout=30) as answer:
                assert answer.read() == PAGE.body
                assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
                assert f"datetime=\"Wed, 01 May 2024 {hour}:00:00 GMT\"" in answer.headers["Link"]
        with urllib.request.urlopen(f"{address}/diario/20240501140000id_/{PAGE.url}", timeout=30) as answer:
            assert answer.read() == PAGE.body  # the last page before the visit that found it unchanged
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}/diario/2024id_/https://diario.example/never", timeout=30)
