"""The compact form of raw pages: the same records there and back, in less room, whatever interrupts it."""

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from corpusbot.model import Body, Page
from corpusbot.sqlite_file import transaction
from corpusbot.store.archive import RawPages, StoreError, iterate, pages_of, read_record, record
from corpusbot.store.compact import Change, compact, restore
from corpusbot.store.members import RecordFile
from corpusbot.store.page_index import PageIndex
from corpusbot.store.schema import connect, lock
from corpusbot.store.zstd import zstd

ROOT = Path(__file__).parent.parent
WORDS = [f"palabra{number}" for number in range(4000)]
START = datetime(2024, 5, 1, tzinfo=UTC)


def page(number):
    """A page of which three quarters stand on every page of its newspaper."""
    chance = random.Random(number)
    text = " ".join(chance.choices(WORDS, k=300))
    frame = " ".join(random.Random("frame").choices(WORDS, k=900))
    body = Body(f"<html><nav>{frame}</nav><p>{text}</p></html>".encode())
    url = f"https://diario.example/{number}"
    return Page("diario", url, body, START + timedelta(minutes=number), sent=(("Host", "diario.example"),))


PAGES = [page(number) for number in range(120)]


@pytest.fixture
def folder(tmp_path):
    """An archive of a newspaper: two files of some pages each, with an index."""
    pages = tmp_path / "diario" / "pages"
    archive = RawPages(pages, "diario", {}, roll_bytes=400_000)
    archive.flush_to_disk()
    for number, one in enumerate(PAGES):
        archive.append(record(one, archive.before(one.url)))
        if number % 10 == 9:
            archive.flush_to_disk()
    archive.flush_to_disk()
    archive.close()
    empty = [path for path in pages.glob("*.gz") if not path.stat().st_size]
    for path in empty:
        path.unlink()
    return pages


def contents(folder):
    """Every record of every file, unpacked."""
    found = {}
    for path in folder.glob("*.warc.*"):
        with RecordFile(path) as file:
            found[path.name.partition(".")[0]] = [one.data for one in file.walk()]
    return found


def names(folder):
    """The files of an archive."""
    return sorted(path.name for path in folder.glob("*.warc*"))


def test_there_and_back(folder):
    """The records are the same byte for byte in both forms, each file keeps its time, and much room is saved."""
    before, sizes, dates = contents(folder), {}, {}
    for path in folder.glob("*.gz"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
        sizes[path.name.partition(".")[0]] = path.stat().st_size
    assert len(sizes) > 1
    changes = [*compact(folder)]
    assert [change.left for change in changes] == [None] * len(sizes)
    assert names(folder) == [f"{stem}.warc.zst" for stem in sorted(sizes)]
    assert contents(folder) == before
    assert sum(path.stat().st_size for path in folder.glob("*.zst")) < 0.6 * sum(sizes.values())
    [*restore(folder)]
    assert names(folder) == [f"{stem}.warc.gz" for stem in sorted(sizes)]
    assert contents(folder) == before
    dates = {path.stat().st_mtime for path in folder.glob("*.gz")}
    assert dates == {1_700_000_000}


def test_both_forms_are_read_alike(folder):
    """In order, by address, by record and by place: a reader need not know in which form a page is."""
    first, second = sorted(folder.glob("*.gz"))[:2]
    wanted = [*pages_of(folder)]
    second.rename(folder.parent / second.name)
    [*compact(folder)]
    (folder.parent / second.name).rename(second)
    assert not first.exists()
    assert [*pages_of(folder)] == wanted
    with PageIndex(folder) as index:
        index.update()
        for one in wanted:
            stored = index.by_record(one.record_id)
            assert index.read(stored) == index.read(index.find(one.url)) == one
            assert read_record(folder / stored.file, stored.offset) == one


def test_the_index_goes_along(folder):
    """An index opened before finds its pages afterwards, and is what reading the files would have made of it."""
    with PageIndex(folder) as index:
        old = index.find(PAGES[3].url)
        [*compact(folder)]
        assert index.read(old).body == PAGES[3].body
        moved = [*index.between()]
        index.rebuild()
        assert [*index.between()] == moved


def test_others_can_read_it(folder):
    """A program that knows Zstandard reads every frame with the dictionary of the first one, which it names."""
    fastwarc = pytest.importorskip("fastwarc")
    streams = pytest.importorskip("fastwarc.stream_io")
    [*compact(folder)]
    path = min(folder.glob("*.zst"))
    packed = path.read_bytes()
    length = int.from_bytes(packed[4:8], "little")
    dictionary = zstd.ZstdDict(zstd.decompress(packed[8 : 8 + length]))
    assert zstd.get_frame_info(packed[8 + length :]).dictionary_id == dictionary.dict_id >= 32_768
    with path.open("rb") as file:
        reader = streams.ZstdReader(file, dictionary=dictionary.dict_content)
        records = fastwarc.ArchiveIterator(reader, record_types=fastwarc.WarcRecordType.response)
        assert [one.reader.read() for one in records] == [page.body for _, page in iterate(path)]


def test_a_damaged_dictionary_is_told(folder):
    """Without its dictionary nothing of a file can be read, and that is said."""
    [*compact(folder)]
    path = min(folder.glob("*.zst"))
    content = bytearray(path.read_bytes())
    content[20:40] = bytes(20)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="its dictionary cannot be read"):
        read_record(path, 0)


def test_what_is_young_stays(folder):
    """Only files that nobody wrote to for so many days are changed."""
    old, *others = sorted(folder.glob("*.gz"))
    long_ago = time.time() - 31 * 86_400
    os.utime(old, (long_ago, long_ago))
    assert [change.path for change in compact(folder, older_than_days=30)] == [old]
    assert all(path.exists() for path in others)


def test_a_file_with_something_else_in_it_stays(folder):
    """A torn file is left as it is, told, and does not keep the others from being changed."""
    torn = min(folder.glob("*.gz"))
    torn.write_bytes(torn.read_bytes()[:-5])
    first, *others = compact(folder)
    assert (first.path, torn.exists()) == (torn, True)
    assert "is unfinished" in first.left
    assert others
    assert all(change.left is None for change in others)


def test_the_crawl_goes_on_behind_it(folder):
    """When the newest file was compacted and brought back, the next crawl begins a new one and cuts nothing."""
    newest = max(folder.glob("*.gz"))
    state = folder.parent / "state.sqlite"
    committed = {path.name: path.stat().st_size for path in folder.glob("*.gz")}
    with closing(connect(state)) as database, transaction(database):
        database.executemany("INSERT INTO files(name, length) VALUES(?, ?)", committed.items())
    before = contents(folder)
    [*compact(folder)]
    [*restore(folder)]
    with closing(connect(state)) as database:
        left = dict(database.execute("SELECT name, length FROM files"))
    assert left == {}
    archive = RawPages(folder, "diario", left)
    assert archive.append(record(page(999))).file > newest.name
    archive.close()
    assert {name: found for name, found in contents(folder).items() if name in before} == before


def test_numbers_of_compact_files_are_taken(folder):
    """A crawl whose state knows an older file only does not write to that one again."""
    first, *_ = sorted(path.name for path in folder.glob("*.gz"))
    length = (folder / first).stat().st_size
    [*compact(folder)]
    archive = RawPages(folder, "diario", {first: length})
    assert archive.append(record(page(999))).file > max(names(folder)[:-1])
    archive.close()


def test_what_a_crawl_writes_to_stays(folder):
    """The newest file is left while a crawl runs, and while it has more in it than was committed."""
    newest = max(folder.glob("*.gz"))
    state = folder.parent / "state.sqlite"
    with closing(connect(state)) as database, transaction(database):
        database.execute("INSERT INTO files(name, length) VALUES(?, ?)", (newest.name, newest.stat().st_size - 1))
    with lock(state):
        assert [*compact(folder)][-1].left == "a crawl is writing to it"
    (last,) = compact(folder)
    assert last.left.startswith("a crawl that was killed has left more in it than counts")


KILLED = """
import sys
from pathlib import Path
from corpusbot.store.compact import compact, restore
print("begun", flush=True)
for _ in range(9):
    [*compact(Path(sys.argv[1]))], [*restore(Path(sys.argv[1]))]
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_killed(folder, seed):
    """Killed at any moment it loses nothing and shows nothing twice; the next run ends what was begun."""
    before, chance = [one.record_id for one in pages_of(folder)], random.Random(seed)
    for _ in range(5):
        command = [sys.executable, "-c", KILLED, str(folder)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.6))
            process.send_signal(signal.SIGKILL)
        assert [one.record_id for one in pages_of(folder)] == before
        with PageIndex(folder) as index:
            assert index.update() == []
            assert {one.record_id for one in index.between()} == set(before)
            assert index.count() == len(before)
    [*restore(folder)], [*compact(folder)]
    assert all(name.endswith(".warc.zst") for name in names(folder))
    assert [one.record_id for one in pages_of(folder)] == before


def test_both_forms_after_a_kill(folder):
    """Where both forms are there, the old one goes only if the new one holds the same."""
    first = min(folder.glob("*.gz"))
    content = first.read_bytes()
    [*compact(folder)]
    first.write_bytes(content)
    [done] = compact(folder)
    assert (done.left, first.exists()) == (None, False)
    first.write_bytes(content[:-3] + gzip.compress(b"WARC/1.1\r\n\r\n"))
    with RecordFile(first) as file:
        assert len([*file.walk()]) > 1
    first.write_bytes(content + record(page(999)).compressed)
    with pytest.raises(StoreError, match="Both files are left as they are"):
        [*compact(folder)]
    assert first.exists()
    assert first.with_name(first.name.replace(".gz", ".zst")).exists()


def test_a_file_of_few_pages(tmp_path):
    """A file too small for a dictionary to be worth its room has none; an empty one is left."""
    (tmp_path / "a-00001.warc.gz").write_bytes(record(PAGES[0]).compressed)
    (tmp_path / "a-00002.warc.gz").touch()
    (change,) = compact(tmp_path)
    assert change == Change(tmp_path / "a-00001.warc.gz", change.before, change.after)
    assert (tmp_path / "a-00001.warc.zst").read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    assert read_record(tmp_path / "a-00001.warc.zst", 0).body == PAGES[0].body
