"""What every store of documents must do, in a SQLite file and in a PostgreSQL that runs for these tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from corpusbot.dedup import fingerprint
from corpusbot.export.document import Document, document_of
from corpusbot.model import Article, Block
from corpusbot.plugins import plugin_names
from corpusbot.store.documents import (
    Anchor,
    Documents,
    DocumentsError,
    NoDocumentsError,
    documents_of,
    open_documents,
    taken_back,
)
from corpusbot.store.documents.postgresql import Connection as ServerConnection
from tests.postgresql_server import postgresql

START = datetime(2024, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
Open = Callable[..., Documents]


class Newspaper:
    """What a document tells of its newspaper."""

    name = "El Diario"
    digest = "d1"


def document(number: int = 1, title: str = "Sube el pan", body: str = "El pan sube. Nadie sabe por qué.") -> Document:
    """What a page of the newspaper says."""
    article = Article(
        site="diario",
        url=f"http://diario.example/{number}?x=1",
        canonical_url=f"http://diario.example/{number}",
        fetched_at=START,
        title=title,
        published=START - timedelta(days=number),
        language="es",
        body=tuple(Block(text) for text in body.split("\n")),
        record_id=f"urn:uuid:{number}",
    )
    return document_of(article, fingerprint(article.text), Newspaper())


ID = document().id


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL for all tests."""
    with postgresql() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens one and the same empty store, as often as wanted."""
    where = tmp_path / "documents.sqlite" if request.param == "sqlite" else request.getfixturevalue("server")
    opened: list[Documents] = []

    def opening(site: str = "diario", must_exist: bool = False) -> Documents:
        opened.append(open_documents(where, site, must_exist=must_exist))
        return opened[-1]

    yield opening
    for documents in opened:
        documents.close()
    for site in ("diario", "gaceta"):
        with open_documents(where, site) as documents:
            documents.forget()


@pytest.fixture
def documents(opening: Open) -> Documents:
    """An empty store."""
    return opening()


class TestContract:
    """What `corpusbot.store.documents.Documents` promises."""

    def test_a_first_visit(self, documents: Documents) -> None:
        """A document that was written is found by its id and by each of its addresses, as it was."""
        written = documents.write(document(), START, found_at=["http://diario.example/old"])
        assert (written.id, written.outcome, written.number, written.changed) == (ID, "new", 1, ())
        stored = documents.get(ID)
        assert stored is not None
        assert stored.document == replace(document(), version=1)
        assert (stored.first_seen, stored.last_seen, stored.withdrawn, stored.versions) == (START, START, None, 1)
        assert stored.version == documents.versions(ID)[0]
        assert (stored.version.record_id, stored.version.site_digest) == ("urn:uuid:1", "d1")
        for url in (document().url, document().canonical_url, "http://diario.example/old"):
            assert documents.by_url(str(url)) == stored
        assert documents.by_url("http://diario.example/2") is None
        assert documents.get("nosuch") is None
        assert documents.count() == 1

    def test_nothing_new(self, documents: Documents) -> None:
        """A page that says the same was there once more, whatever else is told of the reading."""
        documents.write(document(), START)
        reading = replace(document(), record_id="urn:uuid:2", made_by="corpusbot 9", origins={"title": "jsonld"})
        again = replace(reading, modified="2024-05-01T13:00:00")
        written = documents.write(again, START + HOUR)
        assert (written.outcome, written.number) == ("unchanged", 1)
        stored = documents.get(ID)
        assert stored is not None
        assert (stored.first_seen, stored.last_seen, stored.versions) == (START, START + HOUR, 1)
        assert stored.document.record_id == "urn:uuid:1"

    def test_a_rewritten_page(self, documents: Documents) -> None:
        """Another headline or text is a version that tells what changed; the earlier one can still be had."""
        documents.write(document(), START)
        second = documents.write(document(title="Baja el pan"), START + HOUR)
        after = document(title="Baja el pan", body="El pan baja. Nadie sabe por qué.")
        third = documents.write(after, START + 2 * HOUR)
        assert (second.outcome, second.number, second.changed) == ("version", 2, ("title",))
        assert (third.number, third.changed) == (3, ("text",))
        assert [(version.number, version.at, version.changed) for version in documents.versions(ID)] == [
            (1, START, ()),
            (2, START + HOUR, ("title",)),
            (3, START + 2 * HOUR, ("text",)),
        ]
        latest, first = documents.get(ID), documents.get(ID, 1)
        assert latest is not None
        assert first is not None
        assert (latest.document.text, latest.document.version, latest.versions) == (
            "El pan baja. Nadie sabe por qué.", 3, 3,
        )
        assert first.document == replace(document(), version=1)
        assert documents.get(ID, 4) is None

    def test_back_to_what_it_was(self, documents: Documents) -> None:
        """A headline that comes back is a version too: it is compared with what was in force, not with all."""
        documents.write(document(), START)
        documents.write(document(title="Baja el pan"), START + HOUR)
        assert documents.write(document(), START + 2 * HOUR).number == 3

    def test_what_changed(self, documents: Documents) -> None:
        """Two versions are compared by fields, paragraphs and words."""
        documents.write(document(body="Uno dos tres.\nSe queda."), START)
        documents.write(document(title="Baja el pan", body="Uno dos cuatro.\nSe queda.\nSe añade."), START + HOUR)
        found = documents.diff(ID, 1, 2)
        assert [(change.name, change.old, change.new) for change in found.fields] == [
            ("title", "Sube el pan", "Baja el pan")
        ]
        assert [change.kind for change in found.paragraphs] == ["changed", "kept", "added"]
        assert [(piece.kind, piece.text) for piece in found.paragraphs[0].pieces] == [
            ("kept", "Uno dos "), ("removed", "tres"), ("added", "cuatro"), ("kept", "."),
        ]
        assert (found.words_removed, found.words_added) == (2, 4)
        with pytest.raises(NoDocumentsError, match=f"document {ID} has no version 5. There are: 1, 2"):
            documents.diff(ID, 1, 5)

    def test_pages_in_any_order(self, documents: Documents) -> None:
        """The latest version is that of the page fetched last, though an older page was read after it."""
        documents.write(document(title="Baja el pan"), START + 2 * HOUR)
        older = documents.write(document(), START, cause="reextract")
        between = documents.write(document(), START + HOUR, cause="reextract")
        assert (older.outcome, between.outcome) == ("version", "unchanged")
        stored = documents.get(ID)
        assert stored is not None
        assert (stored.document.title, stored.first_seen, stored.last_seen) == (
            "Baja el pan", START, START + 2 * HOUR,
        )
        assert [version.number for version in documents.versions(ID)] == [2, 1]

    def test_read_anew(self, documents: Documents) -> None:
        """What a better rule finds in the same page is a version with its cause, be it a date only."""
        documents.write(document(), START)
        again = replace(document(), modified="2024-05-01T13:00:00")
        assert documents.write(document(), START, "reextract").outcome == "unchanged"
        written = documents.write(again, START, "reextract")
        assert (written.number, written.changed) == (2, ("modified",))
        stored = documents.get(ID)
        assert stored is not None
        assert (stored.version.cause, stored.document.modified) == ("reextract", "2024-05-01T13:00:00")

    def test_seen_again(self, documents: Documents) -> None:
        """A page known to be unchanged moves the time that it was last seen at, by id or address."""
        documents.write(document(), START)
        assert documents.seen(ID, START + HOUR)
        assert documents.seen_at(document().url, START + 2 * HOUR)
        assert documents.seen_at(document().url, START + HOUR)  # late news changes nothing
        assert not documents.seen("nosuch", START)
        assert not documents.seen_at("http://diario.example/9", START)
        stored = documents.get(ID)
        assert stored is not None
        assert stored.last_seen == START + 2 * HOUR

    def test_withdrawn(self, documents: Documents) -> None:
        """What is gone is kept and marked with when that was first seen; what comes back is so no more."""
        documents.write(document(), START)
        assert documents.withdraw(document().url, START + HOUR, 404)
        assert documents.withdraw(document().url, START + 2 * HOUR, 410)
        assert not documents.withdraw("http://diario.example/9", START, 404)
        gone = documents.get(ID)
        assert gone is not None
        assert (gone.withdrawn, gone.status, gone.last_seen) == (START + HOUR, 410, START)
        assert [one.document.id for one in documents.documents()] == [ID]
        assert list(documents.documents(withdrawn=False)) == []
        documents.write(document(), START, "reextract")  # an old page read anew tells nothing of today
        assert documents.get(ID) == gone
        documents.write(document(), START + 3 * HOUR)
        back = documents.get(ID)
        assert back is not None
        assert (back.withdrawn, back.status) == (None, None)

    def test_anchors(self, documents: Documents) -> None:
        """Texts of links gather at their target, also those seen before it was, each once; zeros and the like too."""
        front, other = "http://diario.example/", "http://diario.example/otra"
        documents.add_anchors([Anchor(document().url, "El pan", front, START)])
        documents.write(document(), START)
        documents.add_anchors(
            [
                Anchor(str(document().canonical_url), "El pan, más caro\0\ud800", other, START + HOUR),
                Anchor(document().url, "El pan", front, START + HOUR),
                Anchor("http://diario.example/2", "No", front, START),
            ]
        )
        assert [(anchor.text, anchor.found_on, anchor.seen) for anchor in documents.anchors(ID)] == [
            ("El pan", front, START),
            ("El pan, más caro?", other, START + HOUR),
        ]

    def test_an_address_of_ones_own(self, documents: Documents) -> None:
        """An address that another page redirects from stays with the document that has it as its own."""
        documents.write(document(1), START)
        documents.write(document(2), START, found_at=[document(1).url, "http://diario.example/short"])
        found = [documents.by_url(url) for url in (document(1).url, "http://diario.example/short")]
        assert [one.document.id for one in found if one] == [document(1).id, document(2).id]

    def test_days(self, documents: Documents) -> None:
        """Documents come in the order of discovery, those of the days that are asked for."""
        for number in range(1, 251):
            documents.write(document(number), START)
        ids = [document(number).id for number in range(1, 251)]
        assert [one.document.id for one in documents.documents()] == ids
        day = (START - timedelta(days=20)).date()
        assert [one.document.id for one in documents.documents(since=day)] == ids[:20]
        assert [one.document.id for one in documents.documents(until=day)] == ids[19:]
        assert [one.document.id for one in documents.documents(day, day)] == [ids[19]]
        assert list(documents.documents(until=date(2000, 1, 1))) == []

    def test_every_version(self, documents: Documents) -> None:
        """All versions of each document can be had, one after the other."""
        for number in (1, 2):
            documents.write(document(number), START)
        documents.write(document(1, title="Baja el pan"), START + HOUR)
        every = [(one.document.id, one.document.version) for one in documents.documents(every=True)]
        assert every == [(document(1).id, 1), (document(1).id, 2), (document(2).id, 1)]

    def test_uncommitted(self, opening: Open) -> None:
        """Others see nothing before it is committed, and a crawl that dies leaves nothing."""
        crawl, reader = opening(), opening()
        assert not crawl.has_unwritten
        crawl.write(document(), START)
        assert crawl.has_unwritten
        assert crawl.get(ID) is not None
        assert (reader.count(), reader.get(ID)) == (0, None)
        crawl.close()
        assert opening().count() == 0

    def test_committed(self, opening: Open) -> None:
        """Others see what is committed, and the number of the batch."""
        crawl, reader = opening(), opening()
        crawl.write(document(), START)
        crawl.commit(1)
        assert not crawl.has_unwritten
        assert (crawl.batch, opening().batch, reader.count()) == (1, 1, 1)

    @pytest.mark.parametrize("batch", [2, 7])
    def test_cut(self, opening: Open, batch: int) -> None:
        """What a batch wrote is taken back: new documents go, versions give way to the one before."""
        with opening() as crawl:
            crawl.write(document(1), START)
            crawl.write(document(2), START)
            crawl.commit(1)
            crawl.write(document(1, title="Baja el pan"), START + HOUR)
            crawl.write(document(3), START)
            crawl.commit(batch)
        documents = opening()
        assert documents.batch == batch
        documents.cut(1)
        assert documents.batch == 1
        again = opening()
        assert [one.document.id for one in again.documents()] == [document(1).id, document(2).id]
        stored = again.get(ID)
        assert stored is not None
        assert (stored.document.title, stored.versions, stored.version.number) == ("Sube el pan", 1, 1)
        assert again.by_url(document(3).url) is None
        assert again.write(document(1, title="Baja el pan"), START + HOUR).number == 2

    def test_only_the_last_batch_is_taken_back(self, opening: Open) -> None:
        """One batch ahead of its state a crawl was killed; further ahead it is the state that was lost."""
        crawl = opening()
        for number in (1, 2, 3):
            crawl.write(document(number), START)
            crawl.commit(number)
        assert not taken_back(crawl, 3)
        assert not taken_back(crawl, 0)
        assert crawl.count() == 3
        assert taken_back(crawl, 2)
        assert (crawl.count(), crawl.batch) == (2, 2)

    def test_what_is_no_batch_stays(self, opening: Open) -> None:
        """What is committed without a number cannot be cut off."""
        documents = opening()
        documents.write(document(1), START)
        documents.commit(4)
        documents.write(document(1, title="Baja el pan"), START + HOUR, "reextract")
        documents.write(document(2), START, "reextract")
        documents.commit()
        assert documents.batch == 4
        documents.cut(4)
        assert (documents.count(), len(documents.versions(ID))) == (2, 2)

    def test_forgotten(self, opening: Open) -> None:
        """A newspaper's documents are forgotten, and nobody else's in the same place."""
        with opening("diario") as ours, opening("gaceta") as theirs:
            ours.write(document(1), START)
            ours.commit(1)
            theirs.write(replace(document(2), site="gaceta"), START)
            theirs.commit(1)
            ours.forget()
            assert (ours.count(), ours.batch, theirs.count()) == (0, 0, 1)
            assert ours.write(document(1), START).outcome == "new"

    def test_strange_texts(self, documents: Documents) -> None:
        """Texts with zeros, lone surrogates and line ends come back as they can be written."""
        strange = replace(document(), title="uno\0dos\n\u2028tres", publisher="El\udcffDiario")
        documents.write(strange, START)
        stored = documents.get(ID)
        assert stored is not None
        assert (stored.document.title, stored.document.publisher) == ("uno\0dos\n\u2028tres", "El?Diario")
        assert documents.write(strange, START + HOUR).outcome == "unchanged"


def test_the_stores_that_there_are() -> None:
    """Each module is a store, but for those that they share."""
    assert plugin_names("store.documents") == ["postgresql", "sqlite"]


def test_where_documents_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the newspaper's folder, or where the setting or the environment says."""
    monkeypatch.delenv("CORPUSBOT_DOCUMENTS", raising=False)
    assert documents_of(tmp_path, "diario") == tmp_path / "diario" / "documents.sqlite"
    monkeypatch.setenv("CORPUSBOT_DOCUMENTS", "postgresql://corpus@db.example/corpus")
    assert documents_of(tmp_path, "diario") == "postgresql://corpus@db.example/corpus"


def test_no_such_store(tmp_path: Path) -> None:
    """A server of another kind is refused, with the kinds that there are."""
    with pytest.raises(DocumentsError, match=r"No store of documents 'mysql'\. Available: postgresql, sqlite"):
        open_documents("mysql://corpus@db.example/corpus", "diario")


def test_no_store_yet(tmp_path: Path) -> None:
    """Who wants to read and finds nothing is told how it comes to be, and no file is made."""
    path = tmp_path / "documents.sqlite"
    with pytest.raises(NoDocumentsError, match=r"no such file\..*corpusbot reextract diario --write"):
        open_documents(path, "diario", must_exist=True)
    assert not path.exists()


def test_another_file_in_its_place(tmp_path: Path) -> None:
    """A file that is no store is refused in words, and left as it is."""
    path = tmp_path / "documents.sqlite"
    path.write_bytes(b"something else" * 1000)
    with pytest.raises(DocumentsError, match="not a store of documents, or a damaged one: move it away"):
        open_documents(path, "diario")
    assert path.read_bytes() == b"something else" * 1000
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes(name TEXT)")
    other.close()
    with pytest.raises(DocumentsError, match=r"not a store of documents\. Move it away"):
        open_documents(path, "diario")


def test_a_newer_file(tmp_path: Path) -> None:
    """A file of a later release is refused with its schema and ours."""
    path = tmp_path / "documents.sqlite"
    open_documents(path, "diario").close()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 9")
    file.close()
    for must_exist in (False, True):
        with pytest.raises(DocumentsError, match="schema 9 was written by a newer corpusbot; this one reads up to 1"):
            open_documents(path, "diario", must_exist=must_exist)


def test_a_newer_database(server: str) -> None:
    """The same of a database."""
    connection = ServerConnection(server)
    connection.prepare()
    connection.execute("INSERT INTO schemas VALUES (9)")
    connection.commit()
    try:
        with pytest.raises(DocumentsError, match="schema 9 was written by a newer corpusbot; this one reads up to 1"):
            open_documents(server, "diario")
    finally:
        connection.execute("DELETE FROM schemas WHERE version = 9")
        connection.commit()
        connection.close()


def test_an_older_database(server: str) -> None:
    """The tables of an earlier release are carried forward, once."""
    connection = ServerConnection(server)
    connection.prepare()
    step = "ALTER TABLE batches ADD COLUMN note TEXT"
    try:
        connection.prepare([step])
        connection.prepare([step])
        assert connection.schema() == 2
        assert connection.execute("SELECT note FROM batches").fetchall() == []
    finally:
        connection.execute("ALTER TABLE batches DROP COLUMN note")
        connection.execute("DELETE FROM schemas WHERE version = 2")
        connection.commit()
        connection.close()


def test_no_server(tmp_path: Path) -> None:
    """A server that is not there is told of without the password."""
    address = f"postgresql://corpus:secret@/corpus?host={tmp_path}"
    with pytest.raises(DocumentsError, match="See that the server runs") as error:
        open_documents(address, "diario")
    assert "secret" not in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_read_only(tmp_path: Path) -> None:
    """What is opened to be read cannot be written to, and says so."""
    path = tmp_path / "documents.sqlite"
    with open_documents(path, "diario") as documents:
        documents.write(document(), START)
        documents.commit(1)
    with open_documents(path, "diario", must_exist=True) as documents:
        assert documents.count() == 1
        with pytest.raises(DocumentsError, match="readonly"):
            documents.write(document(2), START)
