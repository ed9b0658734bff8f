"""Files of records are read without trust: torn ends, damaged records, bombs, files of others."""

import gzip
import tracemalloc
import zlib
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.model import Body, Page
from corpusbot.store.archive import DamagedError, StoreError, iterate, pages_of, read_record, record
from corpusbot.store.compact import compact
from corpusbot.store.members import LARGEST_RECORD, Damage, RecordFile, files_in

RECORDS = [
    record(Page("diario", f"https://a.example/{n}", Body(b"<p>%d</p>" % n * 400), datetime(2024, 5, n, tzinfo=UTC)))
    for n in range(1, 6)
]
WHOLE = b"".join(one.compressed for one in RECORDS)
STARTS = [len(b"".join(one.compressed for one in RECORDS[:n])) for n in range(6)]
IDS = [one.summary.record_id for one in RECORDS]


def read(path):
    """The names of the records that can be read, and what the rest is said to be."""
    found, told = [], ""
    try:
        for _, page in iterate(path):
            found.append(page.record_id)
    except DamagedError as error:
        told = str(error)
    return found, told


@pytest.fixture(params=[".warc.gz", ".warc.zst"])
def path(request, tmp_path):
    """A file with five records, in either form."""
    (tmp_path / "diario-00001.warc.gz").write_bytes(WHOLE)
    if request.param == ".warc.zst":
        [*compact(tmp_path)]
    return tmp_path / f"diario-00001{request.param}"


@settings(deadline=None, max_examples=40)
@given(end=st.integers(0, len(WHOLE) - 1))
def test_cut_anywhere(tmp_path_factory, end):
    """All whole records before a tear are given, and the tear is told."""
    path = tmp_path_factory.mktemp("torn") / "a.warc.gz"
    path.write_bytes(WHOLE[:end])
    whole = sum(start <= end for start in STARTS[1:])
    found, told = read(path)
    assert found == IDS[:whole]
    assert (f"the record at byte {STARTS[whole]:,} is unfinished" in told) == (end != STARTS[whole])


def test_zeros_at_the_end(tmp_path):
    """Where the disk had made room for what was never written, the end counts as torn."""
    path = tmp_path / "a.warc.gz"
    path.write_bytes(WHOLE + bytes(70_000))
    found, told = read(path)
    assert found == IDS
    assert "is unfinished" in told


def test_damage_in_the_middle(path):
    """What is damaged is passed over, and all other records are given."""
    with RecordFile(path) as file:
        places = [(one.offset, one.length) for one in file.walk()]
    offset, length = places[2]
    content = bytearray(path.read_bytes())
    content[offset + length // 2 : offset + length // 2 + 9] = b"\xff" * 9
    path.write_bytes(content)
    found, told = read(path)
    assert found == [*IDS[:2], *IDS[3:]]
    assert f"no record can be read in {length:,} bytes from byte {offset:,} on" in told


def test_a_folder_is_read_to_its_end(tmp_path):
    """A torn file does not keep the others from being read; what was torn is told once."""
    (tmp_path / "a-00001.warc.gz").write_bytes(WHOLE[:-3])
    (tmp_path / "a-00002.warc.gz").write_bytes(RECORDS[4].compressed)
    told = []
    assert [page.record_id for page in pages_of(tmp_path, told=told.append)] == IDS
    assert len(told) == 1
    assert "a-00001.warc.gz" in told[0]


def test_only_a_stretch_of_time(tmp_path):
    """The beginning counts, the end does not; a time without a zone is UTC's."""
    (tmp_path / "a.warc.gz").write_bytes(WHOLE)
    since, until = datetime(2024, 5, 2, tzinfo=UTC), datetime(2024, 5, 4)
    assert [page.fetched_at.day for page in pages_of(tmp_path, since, until)] == [2, 3]


def test_a_bomb(tmp_path):
    """A member that unpacks to a gigabyte is told after a bounded part of it; the records around it are given."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(bytes(10_000_000)) for _ in range(100)) + packer.flush()
    path = tmp_path / "a.warc.gz"
    path.write_bytes(RECORDS[0].compressed + bomb + RECORDS[1].compressed)
    tracemalloc.start()
    found, told = read(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == IDS[:2]
    assert "unpacks to more than" in told
    assert most < 3 * LARGEST_RECORD


def test_a_compact_bomb(tmp_path):
    """A frame that says or does not say how much it unpacks to is no record if that is too much."""
    from corpusbot.store.zstd import zstd

    for name, size_is_told in (("a", 1), ("b", 0)):
        packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.content_size_flag: size_is_told})
        bomb = b"".join(packer.compress(bytes(10_000_000)) for _ in range(30)) + packer.flush()
        path = tmp_path / f"{name}.warc.zst"
        path.write_bytes(bomb + zstd.compress(gzip.decompress(RECORDS[0].compressed)))
        found, told = read(path)
        assert found == IDS[:1]
        assert "unpacks to" in told


def test_a_record_shorter_than_it_says(tmp_path):
    """A whole member whose record has less than its Content-Length is damaged."""
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(gzip.decompress(RECORDS[0].compressed)[:-900]) + RECORDS[1].compressed)
    found, told = read(path)
    assert found == IDS[1:2]
    assert "bytes" in told


def test_files_of_others(tmp_path):
    """A page, an empty file, a folder: none of them is read as an archive."""
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(b"<html>not a record</html>"))
    assert read(path)[0] == []
    assert "Is it a WARC file?" in read(path)[1]
    path.write_bytes(b"")
    assert read(path) == ([], "")
    with pytest.raises(StoreError, match="Is a directory"):
        read_record(tmp_path, 0)


def test_of_two_forms_one_counts(tmp_path):
    """While a file is there in both forms it is read once, in the order of the numbers."""
    for name in ("a-00002.warc.zst", "a-00001.warc.zst", "a-00001.warc.gz", "a-00003.warc.gz", "a-00001.warc.zst.new"):
        (tmp_path / name).touch()
    assert [path.name for path in files_in(tmp_path)] == ["a-00001.warc.gz", "a-00002.warc.zst", "a-00003.warc.gz"]


def test_damage_tells_itself():
    """The words for a damage say where, and how much."""
    assert str(Damage(10_000, 5, "odd")) == "no record can be read in 5 bytes from byte 10,000 on (odd)"
    assert str(Damage(10_000, 5, "odd", torn=True)) == "the record at byte 10,000 is unfinished"
