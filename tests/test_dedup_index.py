"""The index of duplicates: what it finds, what it survives, and what it refuses."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from corpusbot.dedup import fingerprint
from corpusbot.dedup.entry import document_id, entry_of
from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError, Search
from corpusbot.dedup.tables import APPLICATION_ID
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
        "import sys; from corpusbot.dedup.index import DuplicateIndex; from tests.test_dedup_index import entry\n"
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
    raw.execute("PRAGMA user_version = 3")
    raw.close()
    with pytest.raises(DuplicateIndexError, match=r"duplicates\.sqlite: schema 3 .* up to 2\. Update corpusbot"):
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
    with pytest.raises(DuplicateIndexError, match="no index of duplicates"):
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
    assert {file.name for file in path.with_suffix(".postings").iterdir()} == listed
    assert 0 < len(listed) < 10


def test_a_segment_that_is_missing_is_told(tmp_path, monkeypatch):
    """If somebody took a file away, the error names it; nothing is found less in silence."""
    monkeypatch.setattr("corpusbot.dedup.postings.MOST_FRESH", 50)
    path = tmp_path / "duplicates.sqlite"
    with DuplicateIndex(path) as index:
        index.add(entry("a"))
    gone = next(path.with_suffix(".postings").iterdir())
    gone.unlink()
    with DuplicateIndex(path) as index, pytest.raises(DuplicateIndexError, match="No such file"):
        index.find(entry("b", EDITED))
