"""The index of raw pages: finding by address, time and record; following cut, lost and compacted files."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from corpusbot.model import Body, Page
from corpusbot.store.archive import RawPages, StoreError, pages_of, record
from corpusbot.store.cdxj import cdxj
from corpusbot.store.page_index import PageIndex
from corpusbot.store.warc import unchanged

START = datetime(2024, 5, 1, 12, tzinfo=UTC)
URL = "https://diario.example/a?b=1"


def page(number=0, body=b"<p>one</p>", url=URL):
    """A page fetched so many hours later."""
    return Page("diario", url, Body(body), START + timedelta(hours=number), (("Content-Type", "text/html; charset=x"),))


@pytest.fixture
def archive(tmp_path):
    """A new archive that records can be given to."""
    opened = RawPages(tmp_path, "diario", {})
    opened.flush_to_disk()
    yield opened
    opened.close()


def store(archive, *pages):
    """Store pages as a crawl does, each with what is stored of its address already, and commit."""
    stored = [archive.append(record(one, archive.before(one.url))) for one in pages]
    return stored, archive.flush_to_disk()


@pytest.fixture
def index(tmp_path):
    """The index of that archive."""
    with PageIndex(tmp_path) as opened:
        yield opened


def test_an_address_at_a_time(archive, index):
    """The last record not later than a time is found, else the first; the spelling of the address does not matter."""
    store(archive, page(0, b"0"), page(2, b"2"), page(5, b"5"), page(1, url="https://diario.example/other"))
    assert index.read(index.find(URL)).body == b"5"
    assert index.read(index.find(URL, START + timedelta(hours=4))).body == b"2"
    assert index.read(index.find(URL, START + timedelta(hours=2))).body == b"2"
    assert index.read(index.find(URL, START - timedelta(days=9))).body == b"0"
    assert index.read(index.find(f"{URL}&utm_source=x#top")).body == b"5"
    assert index.find("https://diario.example/never") is None
    assert index.by_record("urn:uuid:00000000-0000-0000-0000-000000000000") is None


def test_a_record_and_a_stretch_of_time(archive, index):
    """Records are found by name, and listed in the order of time, the end left out."""
    stored, _ = store(archive, *(page(number, bytes([number])) for number in (3, 1, 2)))
    assert index.by_record(stored[1].record_id) == stored[1]
    assert index.read(stored[0]) == replace(page(3, b"\3"), record_id=stored[0].record_id)
    listed = [one.fetched_at for one in index.between(START + timedelta(hours=1), START + timedelta(hours=3))]
    assert listed == [START + timedelta(hours=1), START + timedelta(hours=2)]
    assert len([*index.between()]) == index.count() == 3
    assert len([*index.between(START.replace(tzinfo=None))]) == 3


def test_bytes_are_stored_once(tmp_path, archive, index):
    """The same bytes of an address become a revisit that refers to them, even before a commit and after other bytes."""
    stored, _ = store(archive, page(0), page(1, b"other"), page(2), page(3, url="https://diario.example/copy"))
    assert [one.kind for one in stored] == ["response", "response", "revisit", "response"]
    assert stored[2].page_id == stored[0].record_id
    assert index.read(stored[2]) == replace(page(0), fetched_at=stored[2].fetched_at, record_id=stored[0].record_id)
    assert [one.body for one in pages_of(tmp_path)] == [b"<p>one</p>", b"other", b"<p>one</p>"]


def test_a_visit_that_found_nothing_new(archive, index):
    """A 304 is recorded: it refers to the bytes that the page still has."""
    store(archive, page(0))
    visit = replace(page(4, b""), status=304)
    archive.append(unchanged(visit, archive.current(URL)))
    archive.append(unchanged(replace(visit, fetched_at=START + timedelta(hours=5)), archive.current(URL)))
    archive.flush_to_disk()
    assert [one.status for one in index.of_address(URL)] == [200, 304, 304]
    last = index.find(URL)
    assert (index.read(last).body, index.read(last).fetched_at) == (b"<p>one</p>", START + timedelta(hours=5))
    assert len({one.page_id for one in index.of_address(URL)}) == 1


def test_it_is_made_again(tmp_path, archive, index):
    """Lost, or brought up to date by reading what was added, the index is what the archive's writer made of it."""
    store(archive, page(0), page(1))
    assert index.update() == []
    store(archive, page(2, b"new"), page(3, b"new"))
    made = [*index.between()]
    assert len(made) == 4
    archive.close()
    index.close()
    (tmp_path / "pages.sqlite").unlink()
    assert index.update() == []
    assert [*index.between()] == made
    index.rebuild()
    assert [*index.between()] == made


def test_what_was_cut_off_is_forgotten(tmp_path, archive, index):
    """After a crash the next crawl writes over what was not committed, and nothing of that is found any more."""
    _, committed = store(archive, page(0))
    lost, _ = store(archive, page(1, b"lost"), page(2, b"lost too"))
    archive.close()
    assert index.find(URL).record_id == lost[1].record_id
    again = RawPages(tmp_path, "diario", committed)
    assert index.find(URL).fetched_at == START
    store(again, page(3, b"third"))
    again.close()
    assert index.update() == []
    assert [one.fetched_at.hour for one in index.between()] == [12, 15]


def test_a_file_that_changed_behind_its_back(tmp_path, archive, index):
    """A file that was cut and written on by a program that knows no index is read anew."""
    _, committed = store(archive, page(0))
    lost, _ = store(archive, page(1, b"lost"))
    archive.close()
    path = tmp_path / lost[0].file
    index.update()
    whole = path.read_bytes()[: committed[path.name]]
    path.write_bytes(whole + record(page(7, b"another, and a longer one" * 20)).compressed)
    index.update()
    assert [one.fetched_at.hour for one in index.between()] == [12, 19]
    path.unlink()
    index.update()
    assert index.count() == 0


def test_an_entry_older_than_its_file(tmp_path, archive, index):
    """A record that is not where it was said to be is looked for again, and missed in words if it is gone."""
    stored, _ = store(archive, page(0), page(1, b"other"))
    archive.close()
    (tmp_path / stored[0].file).rename(tmp_path / "diario-00009.warc.gz")
    assert index.read(stored[0]).body == b"<p>one</p>"
    (tmp_path / "diario-00009.warc.gz").unlink()
    with pytest.raises(StoreError, match=r"the record urn:uuid:.* is not at byte"):
        index.read(stored[0])


def test_other_files_in_its_place(tmp_path, index):
    """A file that is no index is refused with a cure, and left as it is."""
    (tmp_path / "pages.sqlite").write_text("my notes, which are longer than a hundred bytes" * 5)
    with pytest.raises(StoreError, match="remove it, and it is made again"):
        index.update()
    assert (tmp_path / "pages.sqlite").read_text().startswith("my notes")


def test_lines_for_replay(archive, index):
    """CDXJ lines are sorted by the turned address and time, and tell where to read."""
    stored, _ = store(archive, page(0), page(1), page(2, url="https://www.Alfa.example/B/"))
    lines = [*cdxj(index.between())]
    assert [line.split(" ", 2)[:2] for line in lines] == [
        ["example,alfa)/b", "20240501140000"],
        ["example,diario)/a?b=1", "20240501120000"],
        ["example,diario)/a?b=1", "20240501130000"],
    ]
    told = [json.loads(line.split(" ", 2)[2]) for line in lines]
    assert [one["mime"] for one in told] == ["text/html", "text/html", "warc/revisit"]
    assert told[1] == {
        "url": URL,
        "mime": "text/html",
        "status": "200",
        "digest": stored[0].digest,
        "length": str(stored[0].length),
        "offset": str(stored[0].offset),
        "filename": "diario-00001.warc.gz",
    }
