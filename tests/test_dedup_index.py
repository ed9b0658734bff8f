"""The index of duplicates: what it finds, what it survives, and what it refuses."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from corpusbot.dedup import fingerprint
from corpusbot.dedup.entry import document_id, entry_of
from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError, Search
from corpusbot.dedup.likeness import counts_of
from corpusbot.dedup.repeats import Repeat
from corpusbot.dedup.segments import stored_keys
from corpusbot.dedup.tables import APPLICATION_ID, SCHEMA_VERSION, folder_of
from corpusbot.model import Article, Block

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT = " ".join(f"palabra{number} de" for number in range(60))
EDITED = TEXT.replace("palabra30", "cambiada")
OTHER = " ".join(f"otra{number} de" for number in range(60))


def entry(name, text=TEXT, **fields):
    """The entry of an article that stands at /name."""
    article = Article(
        site=fields.pop("site", "diario"),
        url=f"https://diario.example/{name}",
        fetched_at=fields.pop("fetched_at", NOON),
        body=(Block(text),),
    )
    article = replace(article, **fields)
    return entry_of(article, fingerprint(text))


@pytest.fixture
def index(tmp_path):
    """An empty index."""
    with DuplicateIndex(tmp_path / "duplicates.sqlite") as opened:
        yield opened


@pytest.fixture(params=["unwritten", "written"])
def known(request, index):
    """An index that knows one document, before and after it was written."""
    index.add(entry("a"))
    if request.param == "written":
        index.commit()
    return index


def kind(index, *args, **search):
    """What sort of match is found."""
    match = index.find(*args, Search(**search))
    return match and match.kind


def test_another_text_is_no_duplicate(known):
    """Nothing is found for what is new."""
    assert kind(known, entry("b", OTHER)) is None


def test_exact_duplicate(known):
    """The same words under another address, however they are printed."""
    match = known.find(entry("b", TEXT.upper()))
    assert (match.kind, match.known.url, match.distance) == ("exact_duplicate", "https://diario.example/a", 0)
    assert match.detail == "of https://diario.example/a (diario)"


def test_near_duplicate(known):
    """A text of which a little was changed; the match says how many bits differ."""
    match = known.find(entry("b", EDITED))
    assert match.kind == "near_duplicate"
    assert 1 <= match.distance <= 6
    assert 0.8 < match.similarity < 1
    assert match.detail.endswith(f"{match.similarity:.0%} shared")


def test_nearness_is_what_the_site_says(known):
    """If all must be shared, or no bit may differ, an edited text is another one."""
    assert kind(known, entry("b", EDITED), distance=0, containment=1) is None


def test_other_newspapers_may_be_left_out(known):
    """`across` decides whether a copy in another newspaper counts."""
    copy = entry("b", site="gaceta")
    assert kind(known, copy) == "exact_duplicate"
    assert kind(known, copy, across=False) is None
    assert kind(known, entry("b", EDITED, site="gaceta"), across=False) is None


def test_same_page(known):
    """An address whose page says that it is really the one at another address."""
    copy = entry("a-amp", OTHER, canonical_url="https://diario.example/a")
    assert kind(known, copy) == "same_page"


def test_a_page_processed_again_recognises_itself(known):
    """After a crash or a visit the same document is no duplicate of its own, whether its text changed or not."""
    assert kind(known, entry("a")) is None
    assert kind(known, entry("a", EDITED)) is None
    assert kind(known, entry("a?utm_source=rss")) is None


def test_a_visit_that_found_nothing_new(known):
    """The index holds a document if it is known with the same words."""
    assert known.holds(entry("a", TEXT.upper()))
    assert not known.holds(entry("a", EDITED))
    assert not known.holds(entry("b"))


def test_adding_again_keeps_one_document(known):
    """A document is known by its id; its first sight is the first one, and a copy of its former text is a copy."""
    known.commit()
    known.add(entry("a", OTHER, fetched_at=NOON + timedelta(days=1)))
    assert len(known) == 1
    assert kind(known, entry("b", TEXT)) == "near_duplicate"
    known.commit()
    match = known.find(entry("b", OTHER))
    assert (len(known), match.kind, match.known.first_seen) == (1, "exact_duplicate", NOON)


def test_short_texts_are_compared_exactly_only(index):
    """Notes of a few words are alike by chance."""
    index.add(entry("a", "Cierra la bolsa de Madrid con pérdidas del uno por ciento"))
    assert kind(index, entry("b", "Cierra la bolsa de Madrid con pérdidas del dos por ciento")) is None
    assert kind(index, entry("c", "CIERRA la bolsa de Madrid, con pérdidas del uno por ciento")) == "exact_duplicate"


@pytest.mark.parametrize(("hours", "older"), [(-1, False), (1, True), (None, True)], ids=["before", "after", "undated"])
def test_who_was_first(index, hours, older):
    """The time of publication decides, and where there is none the first sight."""
    index.add(entry("a", published=None if hours is None else NOON))
    new = entry("b", published=None if hours is None else NOON + timedelta(hours=hours))
    assert index.find(new).known_is_older is older


def test_the_oldest_of_several_is_named(index):
    """All copies point at one original."""
    for day, name in ((3, "c"), (1, "a"), (2, "b")):
        index.add(entry(name, published=NOON + timedelta(days=day)))
    assert index.find(entry("d")).known.url.endswith("/a")


def test_what_is_not_committed_is_forgotten(tmp_path):
    """Only commit() writes."""
    index = DuplicateIndex(tmp_path / "duplicates.sqlite")
    index.add(entry("a"))
    index.close()
    with DuplicateIndex(tmp_path / "duplicates.sqlite") as again:
        assert len(again) == 0


def test_crawls_share_an_index(tmp_path):
    """What one commits the other finds."""
    with DuplicateIndex(tmp_path / "d.sqlite") as one, DuplicateIndex(tmp_path / "d.sqlite") as other:
        one.add(entry("a"))
        assert kind(other, entry("b")) is None
        one.commit()
        assert kind(other, entry("b")) == "exact_duplicate"


def test_many_processes_begin_at_once(tmp_path):
    """Crawls that start together on no index yet all get one, and nothing that they commit is lost."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from corpusbot.dedup.index import DuplicateIndex; from tests.test_dedup_index import entry\n"
        "index = DuplicateIndex(sys.argv[1])\n"
        "for n in range(20):\n"
        "    index.add(entry(f'{sys.argv[2]}-{n}', f'texto {n}')); index.commit()\n"
    )
    path = tmp_path / "duplicates.sqlite"
    jobs = [subprocess.Popen([sys.executable, "-c", code, str(path), str(number)]) for number in range(4)]
    assert [job.wait(60) for job in jobs] == [0] * 4
    with DuplicateIndex(path) as index:
        assert len(index) == 80


def test_a_site_can_be_forgotten(known):
    """A corpus that is written anew begins without its old documents; others' stay."""
    known.add(entry("x", OTHER, site="gaceta"))
    known.forget_site("diario")
    assert kind(known, entry("b")) is None
    assert kind(known, entry("y", OTHER)) == "exact_duplicate"


def test_a_newer_schema_is_refused(tmp_path):
    """The error names file and versions, and the file stays as it was."""
    path = tmp_path / "duplicates.sqlite"
    DuplicateIndex(path).close()
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    raw.close()
    with pytest.raises(DuplicateIndexError, match=r"duplicates\.sqlite: schema 4 .* up to 3\. Update corpusbot"):
        DuplicateIndex(path)


def test_an_index_of_the_first_schema_is_carried_over(tmp_path):
    """Its documents are known by address and by checksum, and new ones by what they share."""
    path = tmp_path / "duplicates.sqlite"
    known = entry("a")
    raw = sqlite3.connect(path)
    blocks = ", ".join(f"block{number} INTEGER" for number in range(4))
    raw.execute(
        "CREATE TABLE documents(id TEXT PRIMARY KEY, site TEXT, url TEXT, address TEXT, checksum TEXT, "
        f"simhash INTEGER, words INTEGER, published TEXT, first_seen TEXT, batch INTEGER, {blocks})"
    )
    for name in ("address", "batch", "checksum", "block0", "block1", "block2", "block3"):
        raw.execute(f"CREATE INDEX documents_{name} ON documents({name})")
    row = (known.id, known.site, known.url, known.address, known.checksum, NOON.isoformat())
    raw.execute(
        "INSERT INTO documents(id, site, url, address, checksum, words, first_seen, batch) "
        "VALUES (?, ?, ?, ?, ?, 120, ?, 1)",
        row,
    )
    raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    raw.execute("PRAGMA user_version = 1")
    raw.commit()
    raw.close()
    with DuplicateIndex(path) as index:
        assert index.find(entry("b")).known.url == known.url
        assert kind(index, entry("a-amp", OTHER, canonical_url=known.url)) == "same_page"
        index.add(entry("c", OTHER))
        assert len(index) == 2
    with DuplicateIndex(path) as index:
        assert kind(index, entry("d", OTHER + " fin")) == "near_duplicate"


def test_a_foreign_file_is_refused(tmp_path):
    """Neither a text nor another program's database is overwritten."""
    text = tmp_path / "notes.txt"
    text.write_text("not a database at all, " * 100)
    with pytest.raises(DuplicateIndexError, match="not an index of duplicates"):
        DuplicateIndex(text)
    raw = sqlite3.connect(tmp_path / "other.sqlite")
    raw.execute("CREATE TABLE birds(name)")
    raw.close()
    with pytest.raises(DuplicateIndexError, match="not an index of duplicates"):
        DuplicateIndex(tmp_path / "other.sqlite")


def test_a_place_that_cannot_be_written(tmp_path):
    """A file where a folder should be: the error says so."""
    (tmp_path / "file").write_text("")
    with pytest.raises(DuplicateIndexError, match="file"):
        DuplicateIndex(tmp_path / "file" / "duplicates.sqlite")


def test_ids_are_stable():
    """The id depends on newspaper and address only, so other programs may rely on it."""
    article = Article(site="diario", url="https://diario.example/a?utm_source=rss", fetched_at=NOON)
    assert document_id(article) == document_id(replace(article, url="https://diario.example/a#top"))
    assert document_id(article) == document_id(
        replace(article, url="https://diario.example/amp/a", canonical_url="https://diario.example/a")
    )
    assert document_id(article) != document_id(replace(article, site="gaceta"))
    assert document_id(article) == "1b119269dcd073a7"


def test_what_is_not_settled_is_seen_and_not_written(tmp_path):
    """An entry counts at once, and is written once its document is."""
    path = tmp_path / "duplicates.sqlite"
    with DuplicateIndex(path) as index:
        index.add(entry("a"), settled=False)
        assert kind(index, entry("b")) == "exact_duplicate"
        index.commit(1)
        assert not index.is_ready
    with DuplicateIndex(path) as index:
        assert len(index) == 0
    with DuplicateIndex(path) as index:
        index.add(entry("a"), settled=False)
        index.settle(entry("a").id)
        assert index.is_ready
        index.commit(1)
    with DuplicateIndex(path) as index:
        assert len(index) == 1


def test_a_batch_that_was_not_committed_is_cut_off(index):
    """What a crawl wrote just before it died is forgotten, and no other newspaper's entries."""
    index.add(entry("a"))
    index.commit(1)
    index.add(entry("b", OTHER))
    index.add(entry("c", OTHER.upper(), site="otro"))
    index.commit(2)
    index.cut("diario", 1)
    assert kind(index, entry("d")) == "exact_duplicate"
    assert index.find(entry("d", OTHER)).known.site == "otro"
    assert len(index) == 2


def test_what_was_merged_is_taken_away(tmp_path, monkeypatch):
    """However often postings were merged, only the files in use are on the disk; all is found, also by others."""
    monkeypatch.setattr("corpusbot.dedup.postings.MOST_FRESH", 50)
    path = tmp_path / "duplicates.sqlite"
    texts = {str(number): " ".join(f"palabra{number}x{word}" for word in range(60)) for number in range(40)}
    with DuplicateIndex(path) as index, DuplicateIndex(path) as other:
        for name, text in texts.items():
            assert kind(other, entry(f"{name}-copy", text + " fin")) is None
            index.add(entry(name, text))
            index.commit()
        for name, text in texts.items():
            copy = entry(f"{name}-copy", text + " fin")
            assert index.find(copy).known.url == other.find(copy).known.url == f"https://diario.example/{name}"
    with sqlite3.connect(path) as raw:
        listed = {file for (file,) in raw.execute("SELECT file FROM segments")}
    raw.close()
    assert {file.name for file in folder_of(path).glob("*.[ps]*")} == listed  # segments and parts of some
    assert 0 < len(listed) < 10


def test_a_segment_that_is_missing_is_told(tmp_path, monkeypatch):
    """If somebody took a file away, the error names it; nothing is found less in silence."""
    monkeypatch.setattr("corpusbot.dedup.postings.MOST_FRESH", 50)
    path = tmp_path / "duplicates.sqlite"
    with DuplicateIndex(path) as index:
        index.add(entry("a"))
    gone = next(folder_of(path).glob("*.segment"))
    gone.unlink()
    with DuplicateIndex(path) as index, pytest.raises(DuplicateIndexError, match="No such file"):
        index.find(entry("b", EDITED))


CROWD = """
import sys
sys.modules["numba"] = None  # which takes longer to load than all this
from corpusbot.dedup.index import DuplicateIndex
from corpusbot.dedup import postings
from tests.test_dedup_index import NOON, entry
postings.MOST_FRESH = 500  # segments are made and merged all the time
path, site, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(rounds):
    with DuplicateIndex(path) as index:
        for place in range(5):
            name = f"{site}y{number}y{place}"
            text = " ".join(f"{name}x{word}" for word in range(60))
            assert index.find(entry(name, text, site=site)) is None, name
            index.add(entry(name, text, site=site))
            index.commit(number + 1)
        first = " ".join(f"{site}y0y0x{word}" for word in range(60))
        assert index.find(entry("copy", first + " fin", site="other")).known.site == site
"""


def test_jobs_on_several_newspapers_share_the_index(tmp_path):
    """Three processes write, make segments, merge them and open anew, all the time: each finds all that it should."""
    path = tmp_path / "duplicates.sqlite"
    jobs = [subprocess.Popen([sys.executable, "-c", CROWD, str(path), f"site{n}", "12"]) for n in range(3)]
    with DuplicateIndex(path) as reader:
        while any(job.poll() is None for job in jobs):
            reader.find(entry("never", "ninguna palabra " * 40))
    assert [job.wait(120) for job in jobs] == [0] * 3
    with DuplicateIndex(path) as index:
        assert len(index) == len(list(index.entries())) == 180
        for site in range(3):
            for number in range(12):
                text = " ".join(f"site{site}y{number}y4x{word}" for word in range(60))
                found = index.find(entry("copy", text + " fin", site="other"))
                assert found.known.url.endswith(f"/site{site}y{number}y4")
    assert not list(folder_of(path).glob("*.part"))


def test_who_only_looks_waits_for_nobody(tmp_path):
    """While one holds the file to write to it, others look; what they find is what was committed."""
    path = tmp_path / "duplicates.sqlite"
    with DuplicateIndex(path) as index:
        index.add(entry("a"))
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("DELETE FROM documents")
    reader = DuplicateIndex(path)
    begun = time.monotonic()
    assert kind(reader, entry("b", EDITED, site="unheard of")) == "near_duplicate"
    assert [found.id for found in reader.entries()] == [entry("a").id]
    assert time.monotonic() - begun < 5
    reader.close()
    raw.execute("ROLLBACK")
    raw.close()


def test_a_killed_job_leaves_the_index_whole(tmp_path):
    """Killed at any moment: what it committed is there, and the next one goes on."""
    path = tmp_path / "duplicates.sqlite"
    for number, pause in enumerate((0.0, 0.05, 0.11)):
        job = subprocess.Popen([sys.executable, "-c", CROWD, str(path), f"site{number}", "500"])
        while job.poll() is None and documents_in(path) < 20 * (number + 1):
            time.sleep(0.01)
        time.sleep(pause)
        job.kill()
        assert job.wait() < 0, "it was at work when it was killed"
    with DuplicateIndex(path) as index:
        stored = list(index.entries())
        assert len(index) == len(stored)
        for known in stored:
            assert index.holds(known)
            copy = replace(known, id="copy", url="x", address="x", fingerprint=replace(known.fingerprint, checksum=""))
            assert any(found.id == known.id for found, _ in index.similar(copy))


def documents_in(path):
    """How many documents an index holds by now."""
    try:
        with closing(sqlite3.connect(path)) as raw:
            return raw.execute("SELECT count(*) FROM documents").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def test_entries_are_whole(index):
    """Every document that was written is told with all of its keys, also those that recur in its newspaper."""
    texts = {str(number): f"{TEXT} propio{number} {OTHER.replace('otra', f'o{number}x')}" for number in range(6)}
    for name, text in texts.items():
        index.add(entry(name, text))
        index.commit()
    index.add(entry("not written", OTHER))
    stored = {one.url.rpartition("/")[2]: one for one in index.entries()}
    assert {name: one.fingerprint for name, one in stored.items()} == {n: fingerprint(t) for n, t in texts.items()}


def test_a_document_brought_up_to_date_again_and_again_is_no_boilerplate(index):
    """Its runs of words are one document's, however many versions of it were added."""
    for number in range(5):
        index.add(entry("a", f"{TEXT} versión {number}", fetched_at=NOON + timedelta(days=number)))
        index.commit()
    assert kind(index, entry("b", TEXT)) == "near_duplicate"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(tmp_path):
    """The error says what would work."""
    tmp_path.chmod(0o500)
    with pytest.raises(DuplicateIndexError, match="can be written to"):
        DuplicateIndex(tmp_path / "duplicates.sqlite")
    tmp_path.chmod(0o700)


def test_a_damaged_file(tmp_path):
    """Pages of a database that were overwritten: told as damage, with what to do."""
    path = tmp_path / "duplicates.sqlite"
    with DuplicateIndex(path) as index:
        index.add(entry("a"))
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * (path.stat().st_size - 100))
    with pytest.raises(DuplicateIndexError, match="damaged one: move it away"):
        DuplicateIndex(path)


def test_a_damaged_segment_is_told(tmp_path, monkeypatch):
    """A file of postings that was cut short is named, and nothing is found less in silence."""
    monkeypatch.setattr("corpusbot.dedup.postings.MOST_FRESH", 50)
    path = tmp_path / "duplicates.sqlite"
    with DuplicateIndex(path) as index:
        index.add(entry("a"))
    cut = next(folder_of(path).glob("*.segment"))
    cut.write_bytes(cut.read_bytes()[:-5])
    with DuplicateIndex(path) as index, pytest.raises(DuplicateIndexError, match=r"segment: not a whole segment"):
        index.find(entry("b", EDITED))


def test_an_index_of_the_second_schema_is_carried_over(tmp_path):
    """Its documents are found by address, by checksum and by what they share; in segments, and what was new."""
    path = tmp_path / "duplicates.sqlite"
    one, other = entry("a"), entry("b", OTHER)
    raw = sqlite3.connect(path)
    raw.executescript(
        "CREATE TABLE documents(number INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL UNIQUE, site INTEGER NOT NULL, "
        "url TEXT, address TEXT, checksum TEXT, simhash INTEGER, words INTEGER, step INTEGER, counts TEXT, "
        "published TEXT, first_seen TEXT, batch INTEGER);"
        "CREATE INDEX documents_batch ON documents(site, batch);"
        "CREATE TABLE sites(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);"
        "CREATE TABLE numbers(next INTEGER NOT NULL);"
        "CREATE TABLE fresh(place INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER, site INTEGER, keys BLOB);"
        "CREATE TABLE segments(file TEXT NOT NULL PRIMARY KEY, postings INTEGER NOT NULL);"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 2;"
    )
    raw.execute("INSERT INTO sites(name) VALUES ('diario')")
    raw.execute("INSERT INTO numbers VALUES (8)")
    for number, known in ((3, one), (7, other)):
        counts = " ".join(map(str, counts_of(known.keys)))
        row = (number, known.id, 1, known.url, known.address, known.checksum, -5, 120, 1, counts, None)
        marks = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
        raw.execute("INSERT INTO documents VALUES (" + marks + ")", (*row, NOON.isoformat(), 4))  # noqa: S608
    raw.execute("INSERT INTO fresh(document, site, keys) VALUES (7, 1, ?)", (stored_keys(other.keys).tobytes(),))
    folder_of(path).mkdir()
    with (folder_of(path) / "former.postings").open("wb") as file:
        file.write((stored_keys(one.keys) | np.uint64(1)).tobytes())
        file.write(np.full(len(one.keys), 3, np.uint32).tobytes())
    raw.execute("INSERT INTO segments VALUES ('former.postings', ?)", (len(one.keys),))
    raw.commit()
    raw.close()
    with DuplicateIndex(path) as index:
        for text, known in ((TEXT, one), (OTHER, other)):
            assert kind(index, entry("c", text.upper())) == "exact_duplicate"
            assert index.find(entry("c", text + " fin")).known.url == known.url
            assert kind(index, entry("c-amp", "otro", canonical_url=known.url)) == "same_page"
            assert index.holds(known)
        index.add(entry("d", OTHER.replace("otra", "esta")))
        assert len(index) == 3


def repeat(name, of, site="diario", kept=False, **fields):
    """An article that stands at /name and repeats one at another address."""
    first = entry(of)
    kind = "version" if site == first.site else "near_duplicate"
    return Repeat(entry(name, site=site, **fields), kind, first.id, first.site, 0.97, kept, NOON)


def pages(menu, number, words=60):
    """Pages of a little text each under the same menu."""
    return [f"{menu} " + " ".join(f"nota{page}x{word}" for word in range(words)) for page in range(number)]


MENU = " ".join(f"menu{number} de la casa" for number in range(80))


def test_what_was_dropped_is_remembered(index):
    """A dropped copy is no document and hides none, but is told with what it repeats, and found by its address."""
    index.add(entry("a"))
    index.note(repeat("b", "a", site="gaceta", text=EDITED))
    assert (len(index), [one.id for one in index.entries()]) == (1, [])
    index.commit()
    (noted,) = index.repeats()
    assert (noted.first, noted.first_site, noted.kept) == (entry("a").id, "diario", False)
    assert {one.url for one in index.entries()} == {"https://diario.example/a", "https://diario.example/b"}
    assert index.named("https://diario.example/b").keys.tolist() == entry("b", EDITED).keys.tolist()
    assert index.find(entry("c", EDITED)).known.id == entry("a").id


def test_a_repeat_is_cut_off_with_its_batch(index):
    """What a crawl that died noted is forgotten; the same article noted again is there once."""
    index.add(entry("a"))
    index.commit(1)
    index.note(repeat("b", "a"))
    index.commit(2)
    index.cut("diario", 1)
    assert list(index.repeats()) == []
    for batch in (2, 3):
        index.note(repeat("b", "a"))
        index.commit(batch)
    assert [one.entry.url for one in index.repeats()] == ["https://diario.example/b"]
    index.add(entry("b", OTHER))
    index.commit(4)
    assert list(index.repeats()) == []
    index.forget_site("diario")
    assert (len(index), list(index.entries())) == (0, [])


def test_a_repeat_waits_for_its_page(index):
    """It is written once its page is done with, and holds up no document at the same id."""
    index.add(entry("a"))
    index.note(replace(repeat("a", "a"), entry=replace(entry("a"), url="https://diario.example/a-amp")), settled=False)
    index.commit(1)
    assert (len(index), list(index.repeats())) == (1, [])
    index.settle("https://diario.example/a-amp")
    assert index.is_ready
    index.commit(2)
    assert len(list(index.repeats())) == 1


def test_the_first_pages_of_a_newspaper_are_no_duplicates(index):
    """They share their menu; until it is learnt, only a text that is there nearly as a whole is one."""
    for number, text in enumerate(pages(MENU, 6)):
        page = entry(f"p{number}", text)
        assert index.find(page) is None
        index.add(page)
    assert index.find(entry("again", pages(MENU, 1)[0] + " fin")).known.id == entry("p0").id


def test_a_new_menu_stops_no_newspaper(index):
    """After a new layout all pages look like one text again and again: then it is known for a menu."""
    for number in range(4):
        index.add(entry(f"old{number}", " ".join(f"antes{number}x{word}" for word in range(80))))
    menu = " ".join(f"nuevo{number} de la casa" for number in range(200))
    outcomes = []
    for number, text in enumerate(pages(menu, 20, words=12)):
        page = entry(f"p{number}", text)
        match = index.find(page)
        outcomes.append(match is None)
        if match is None:
            index.add(page)
        else:
            index.note(Repeat(page, "version", match.known.id, "diario", match.similarity, False, NOON))
        index.commit(number)
    assert outcomes[0]
    assert outcomes[15:] == [True] * 5


def test_a_second_look_knows_more(index):
    """A short text among a menu that was not known when it came is found in another newspaper later on."""
    short = " ".join(f"breve{word}" for word in range(60))
    index.add(entry("first", f"{MENU} {short}"))
    for number, text in enumerate(pages(MENU, 4)):
        index.add(entry(f"p{number}", text))
    longer = f"{short} " + " ".join(f"mas{word}" for word in range(200))
    match = index.find(entry("copy", longer, site="gaceta"))
    assert match.known.id == entry("first").id


def test_how_much_a_version_has_kept(index):
    """Of a document that is known with other words, the share that is in both."""
    assert index.former(entry("a")) is None
    index.add(entry("a"))
    assert index.former(entry("a", TEXT.upper())) is None
    assert 0.9 < index.former(entry("a", EDITED)) < 1
    assert index.former(entry("a", OTHER)) == 0
