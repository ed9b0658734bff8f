"""Raw pages in WARC files: whole, readable by others, and the same when read again."""

import gzip
import io
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.model import Body, Page, Place
from corpusbot.store.archive import RawPages, StoreError, iterate, pages_of, read_record, record

PAGE = Page(
    site="diario",
    url="https://diario.example/a?b=1",
    body=Body("<html>Año\r\n\r\nnuevo</html>".encode()),
    fetched_at=datetime(2024, 5, 1, 12, 30, 15, 250, tzinfo=UTC),
    headers=(("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")),
    asked_url="https://diario.example/old",
    place=Place(index="https://diario.example/", section="Política", day=date(2024, 5, 1)),
)
STORED = replace(PAGE, record_id=record(PAGE).summary.record_id)
NAMES = st.sampled_from(["Content-Type", "Content-Encoding", "content-length", "Transfer-Encoding", "X-A", "ETag"])
VALUES = st.text(st.characters(exclude_categories=("C",)), max_size=9).map(lambda text: " ".join(text.split()))


@pytest.fixture
def pages(tmp_path):
    """A new archive."""
    opened = RawPages(tmp_path, "diario", {})
    opened.flush_to_disk()
    yield opened
    opened.close()


@settings(deadline=None)  # the time is the disk's
@given(body=st.binary(), headers=st.lists(st.tuples(NAMES, VALUES)), status=st.integers(100, 599), place=VALUES)
def test_what_is_read_is_what_was_stored(tmp_path_factory, body, headers, status, place):
    """Address, time, status, headers, body and place come back as they were."""
    path = tmp_path_factory.mktemp("archive") / "a.warc.gz"
    page = replace(PAGE, body=Body(body), headers=tuple(headers), status=status, place=Place(section=place))
    made = record(page)
    path.write_bytes(made.compressed)
    assert read_record(path, 0) == replace(page, record_id=made.summary.record_id)
    assert isinstance(read_record(path, 0).body, Body)


def test_records_are_found_by_their_offset(tmp_path, pages):
    """Where a record was stored it can be read alone, and all can be read in order."""
    many = [replace(PAGE, url=f"https://diario.example/{n}", body=Body(bytes([n]) * 50_000)) for n in range(9)]
    records = [record(page) for page in many]
    stored = [pages.append(made) for made in records]
    many = [replace(page, record_id=made.summary.record_id) for page, made in zip(many, records, strict=True)]
    lengths = pages.flush_to_disk()
    path = tmp_path / "diario-00001.warc.gz"
    assert [read_record(path, one.offset) for one in stored] == many
    assert [*iterate(path)] == [(one.offset, page) for one, page in zip(stored, many, strict=True)]
    assert lengths == {"diario-00001.warc.gz": stored[-1].offset + stored[-1].length}
    assert stored[0].offset > 0  # the file begins with a record about itself


def test_a_record_is_the_same_whenever_it_is_made():
    """A page stored again after a crash has its old id and its old bytes, in whatever zone its time is told."""
    elsewhere = replace(PAGE, fetched_at=PAGE.fetched_at.astimezone(timezone(timedelta(hours=2))))
    assert record(PAGE) == record(elsewhere)
    record_id = record(PAGE).summary.record_id
    assert record_id == "urn:uuid:7fce1ebe-5195-5c39-bd42-8357406e4638"
    assert record(replace(PAGE, body=Body(b"other"))).summary.record_id != record_id


def test_headers_are_true_of_the_body():
    """The body is kept decoded, so its length is its own and what it was on the wire is kept under other names."""
    warcio = pytest.importorskip("warcio.archiveiterator")
    packed = (("Content-Encoding", "gzip"), ("Content-Length", "7"), ("Transfer-Encoding", "chunked"))
    found = next(warcio.ArchiveIterator(io.BytesIO(record(replace(PAGE, headers=packed)).compressed)))
    assert found.http_headers.headers == [
        ("X-Crawler-Content-Encoding", "gzip"),
        ("X-Crawler-Content-Length", "7"),
        ("X-Crawler-Transfer-Encoding", "chunked"),
        ("Content-Length", str(len(PAGE.body))),
    ]


def test_no_header_can_forge_another():
    """A line break in a value would begin a new header, or the body."""
    warcio = pytest.importorskip("warcio.archiveiterator")
    forged = replace(PAGE, url="https://a.example/\r\nWARC-Type: x", headers=(("A", "b\r\nC: d\r\n\r\nbody"),))
    found = next(warcio.ArchiveIterator(io.BytesIO(record(forged).compressed)))
    assert found.rec_type == "response"
    assert found.http_headers.get_header("C") is None
    assert found.content_stream().read() == PAGE.body


def test_other_programs_read_it(tmp_path, pages):
    """Warcio reads the records, and its check of all digests passes."""
    warcio = pytest.importorskip("warcio.archiveiterator")
    made = record(PAGE)
    pages.append(made)
    pages.append(record(replace(PAGE, url="https://diario.example/empty", body=Body(b""))))
    pages.flush_to_disk()
    path = tmp_path / "diario-00001.warc.gz"
    with path.open("rb") as file:
        records = [
            (one.rec_type, one.rec_headers.get_header("WARC-Record-ID"), one.content_stream().read())
            for one in warcio.ArchiveIterator(file, check_digests="raise")
        ]
    assert [kind for kind, *_ in records] == ["warcinfo", "response", "response"]
    assert records[1][1:] == (f"<{made.summary.record_id}>", PAGE.body)
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(path)], check=False)
    assert check.returncode == 0


def test_a_crash_is_cut_off(tmp_path, pages):
    """Opened again with the length that was remembered, the archive goes on behind it."""
    pages.append(record(PAGE))
    committed = pages.flush_to_disk()
    for _ in range(3):
        pages.append(record(PAGE))
    pages.close()
    again = RawPages(tmp_path, "diario", committed)
    stored = again.append(record(PAGE))
    again.close()
    assert stored.offset == committed["diario-00001.warc.gz"]
    assert [page for _, page in iterate(tmp_path / "diario-00001.warc.gz")] == [STORED, STORED]


def test_full_files_are_rolled(tmp_path):
    """At a commit a full file is left, and the next one is known before anything is in it."""
    rolling = RawPages(tmp_path, "diario", {}, roll_bytes=1000)
    committed = rolling.flush_to_disk()
    for _ in range(3):
        rolling.append(record(PAGE))
    committed |= rolling.flush_to_disk()
    assert [*committed] == ["diario-00001.warc.gz", "diario-00002.warc.gz"]
    assert committed["diario-00002.warc.gz"] == 0
    assert rolling.append(record(PAGE)).file == "diario-00002.warc.gz"
    rolling.close()
    again = RawPages(tmp_path, "diario", committed, roll_bytes=1000)
    assert again.append(record(PAGE)).file == "diario-00002.warc.gz"
    again.close()
    assert [page for _, page in iterate(tmp_path / "diario-00002.warc.gz")] == [STORED]
    assert [*pages_of(tmp_path)] == [STORED] * 4


def test_files_that_are_not_known_are_left_alone(tmp_path):
    """When the state was lost the archive begins a new file behind the old ones; other names do not count."""
    (tmp_path / "diario-00007.warc.gz").write_bytes(b"old")
    (tmp_path / "diario-x.warc.gz").write_bytes(b"x")
    pages = RawPages(tmp_path, "diario", {"news.jsonl": 5})
    assert pages.flush_to_disk() == {"diario-00008.warc.gz": 0}
    pages.close()
    assert (tmp_path / "diario-00007.warc.gz").read_bytes() == b"old"
    again = RawPages(tmp_path, "diario", {})
    assert again.flush_to_disk() == {"diario-00008.warc.gz": 0}
    again.close()


def test_an_unfinished_record(tmp_path):
    """The pages before it are given, and the error says where it begins."""
    path, whole = tmp_path / "a.warc.gz", record(PAGE).compressed
    path.write_bytes(whole + whole[:-1])
    found = iterate(path)
    assert next(found) == (0, STORED)
    with pytest.raises(StoreError, match=f"record at byte {len(whole)} is unfinished"):
        next(found)


def test_places_where_no_record_is(tmp_path):
    """A wrong offset, another file, no file: each is told apart."""
    path = tmp_path / "a.warc.gz"
    path.write_bytes(record(PAGE).compressed)
    with pytest.raises(StoreError, match="no record at byte 3"):
        read_record(path, 3)
    with pytest.raises(StoreError, match="no page at byte"):
        read_record(path, path.stat().st_size)
    with pytest.raises(StoreError, match="No such file"):
        read_record(tmp_path / "b.warc.gz", 0)
    path.write_bytes(b"<html>" * 99)
    with pytest.raises(StoreError, match="Is it a WARC file"):
        [*iterate(path)]


def test_records_of_other_programs_are_read(tmp_path):
    """A response that another crawler stored is a page; what HTTP does not tell is absent."""
    http = b"HTTP/1.0 404 Not Found\r\nContent-Type: text/html\r\n\r\nno"
    fields = [
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Target-URI: <https://a.example/>",
        "WARC-Date: 2020-01-02T03:04:05Z",
        f"Content-Length: {len(http)}",
    ]
    path = tmp_path / "other.warc.gz"
    path.write_bytes(gzip.compress("\r\n".join(fields).encode() + b"\r\n\r\n" + http + b"\r\n\r\n"))
    assert read_record(path, 0) == Page(
        site="",
        url="https://a.example/",
        body=Body(b"no"),
        fetched_at=datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC),
        headers=(("Content-Type", "text/html"),),
        status=404,
    )


def test_a_torn_file_that_is_not_known_is_cut(tmp_path):
    """When the state was lost the torn end of its last file is cut at the last whole record, and no other byte."""
    whole = record(PAGE).compressed
    (tmp_path / "diario-00001.warc.gz").write_bytes(whole * 2 + whole[:-9])
    (tmp_path / "diario-00002.warc.gz").write_bytes(whole + b"\xff" * 50 + whole)
    (tmp_path / "other-00001.warc.gz").write_bytes(whole[:-9])
    RawPages(tmp_path, "diario", {}).close()
    assert (tmp_path / "diario-00001.warc.gz").read_bytes() == whole * 2
    assert (tmp_path / "diario-00002.warc.gz").read_bytes() == whole + b"\xff" * 50 + whole
    assert (tmp_path / "other-00001.warc.gz").read_bytes() == whole[:-9]


def test_a_file_that_lost_committed_pages_is_not_cut_further(tmp_path):
    """A torn file that had more in it at the last commit is damaged, not torn by a crash: it is left as it is."""
    whole = record(PAGE).compressed
    torn = tmp_path / "diario-00001.warc.gz"
    torn.write_bytes(whole * 2 + whole[:-9])
    (tmp_path / "diario-00002.warc.gz").write_bytes(whole)
    RawPages(tmp_path, "diario", {"diario-00001.warc.gz": 3 * len(whole), "diario-00002.warc.gz": len(whole)}).close()
    assert torn.stat().st_size == 3 * len(whole) - 9


def test_an_archive_that_cannot_be_opened_lets_go(tmp_path):
    """Where the index is another program's file nothing is held, so that it works once that is moved away."""
    (tmp_path / "pages.sqlite").write_text("notes " * 99)
    with pytest.raises(StoreError, match="an index of raw pages"):
        RawPages(tmp_path, "diario", {})
    (tmp_path / "pages.sqlite").unlink()
    RawPages(tmp_path, "diario", {}).close()
