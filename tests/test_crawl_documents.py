"""Crawls of the sample newspapers, and what the store of documents holds after them."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from corpusbot.export.document import from_dict
from corpusbot.store.documents import Documents, documents_of, open_documents
from tests.postgresql_server import postgresql
from tests.press import Press, Serving, serve
from tests.press.reply import Reply
from tests.sample_crawl import ROOT, Workplace, workplace


def stored(place: Workplace, name: str = "gaceta") -> Documents:
    """The documents of a newspaper, as they are kept."""
    return open_documents(documents_of(place.data, name), name, must_exist=True)


def rewrite(press: Press, url: str, change: bytes | int, by: bytes = b"") -> None:
    """Have a page say something else from now on, or answer with a status."""
    reply, path = press.reply, urlsplit(url).path

    def rewritten(newspaper: str, target: str) -> Reply:
        answer = reply(newspaper, target)
        if urlsplit(target).path != path:
            return answer
        if isinstance(change, int):
            return replace(answer, status=change)
        assert change in answer.body
        return replace(answer, body=answer.body.replace(change, by))

    press.reply = rewritten  # type: ignore[method-assign]
    press.settle(press.bases)


def test_the_store_has_what_the_file_has(place: Workplace) -> None:
    """After a first crawl each document of the file is in the store, as its first version."""
    assert place.crawl("gaceta").returncode == 0
    lines = place.documents("gaceta")
    with stored(place) as documents:
        found = {one.document.id: one for one in documents.documents()}
        assert [from_dict(line) for line in lines] == [found[line["id"]].document for line in lines]
        assert len(found) == len(lines) == 12
        assert {one.version.cause for one in found.values()} == {"crawl"}
        assert {one.document.version for one in found.values()} == {1}
        assert all(one.version.record_id == one.document.record_id for one in found.values())


def test_anchors_gather_at_their_target(place: Workplace) -> None:
    """The texts of the links that led to a document, and of others to it, stand with it."""
    place.crawl("gaceta")
    with stored(place) as documents:
        for one in documents.documents():
            anchors = documents.anchors(one.document.id)
            assert anchors, one.document.url
            assert all(anchor.found_on.startswith(place.serving.gaceta) for anchor in anchors)
            assert one.document.title in {anchor.text for anchor in anchors}


def test_a_corrected_text(place: Workplace, press: Serving) -> None:
    """What is rewritten becomes a version, in the store and as a line of the file; the others were seen again."""
    place.crawl("gaceta")
    first = place.documents("gaceta")
    press.press.correct(first[0]["url"])
    place.crawl("gaceta", "-a", "revisit=all")
    lines = place.documents("gaceta")
    assert [(line["id"], line["version"]) for line in lines[len(first) :]] == [(first[0]["id"], 2)]
    with stored(place) as documents:
        one = documents.by_url(first[0]["url"])
        assert one is not None
        assert (one.versions, one.document) == (2, from_dict(lines[-1]))
        assert "text" in one.version.changed
        assert documents.diff(one.document.id, 1, 2).words_added
        others = [one for one in documents.documents() if one.versions == 1]
        assert len(others) == len(first) - 1
        assert all(other.last_seen > other.first_seen for other in others)


def test_another_headline(place: Workplace, press: Serving) -> None:
    """A headline that was rewritten over the same text is a version too."""
    place.crawl("gaceta")
    first = place.documents("gaceta")
    title = first[0]["title"]
    rewrite(press.press, first[0]["url"], title.encode(), b"Otro titular para lo mismo")
    place.crawl("gaceta", "-a", "revisit=all")
    lines = place.documents("gaceta")
    assert len(lines) == len(first) + 1
    assert (lines[-1]["title"], lines[-1]["text"]) == ("Otro titular para lo mismo", first[0]["text"])
    with stored(place) as documents:
        one = documents.get(first[0]["id"])
        assert one is not None
        assert "title" in one.version.changed
        assert "text" not in one.version.changed


def test_a_page_that_says_the_same(place: Workplace, press: Serving) -> None:
    """A page that changed in what is no part of the document was seen again, and nothing is added."""
    place.crawl("gaceta")
    first = place.documents("gaceta")
    rewrite(press.press, first[0]["url"], b"</body>", b"<!-- made anew --></body>")
    done = place.crawl("gaceta", "-a", "revisit=all")
    assert done.returncode == 0
    assert place.documents("gaceta") == first
    assert place.report("gaceta", 2)["counts"].get("failed", 0) == 0
    with stored(place) as documents:
        one = documents.get(first[0]["id"])
        assert one is not None
        assert one.versions == 1
        assert one.last_seen > one.first_seen


@pytest.mark.parametrize("status", [404, 410])
def test_a_withdrawn_article(place: Workplace, press: Serving, status: int) -> None:
    """What the newspaper takes back is kept, and marked; when it is there again it is so no more."""
    place.crawl("gaceta")
    url = place.documents("gaceta")[0]["url"]
    rewrite(press.press, url, status)
    place.crawl("gaceta", "-a", "revisit=all")
    with stored(place) as documents:
        gone = [one for one in documents.documents() if one.withdrawn]
        assert [(one.document.url, one.status, one.versions) for one in gone] == [(url, status, 1)]
        assert gone[0].withdrawn is not None
        assert gone[0].withdrawn > gone[0].last_seen


def test_a_corpus_of_an_earlier_release(place: Workplace, press: Serving) -> None:
    """Where there was no store, a crawl begins one; what the file has is not added to it again."""
    place.crawl("gaceta")
    before = place.documents("gaceta")
    for file in (place.data / "gaceta").glob("documents.sqlite*"):
        file.unlink()
    rewrite(press.press, before[0]["url"], b"</body>", b"<!-- made anew --></body>")
    press.press.correct(before[1]["url"])
    place.crawl("gaceta", "-a", "revisit=all")
    assert [line["id"] for line in place.documents("gaceta")[len(before) :]] == [before[1]["id"]]
    with stored(place) as documents:
        assert {one.document.id for one in documents.documents()} == {before[0]["id"], before[1]["id"]}


def test_another_file_in_its_place(place: Workplace) -> None:
    """Something else in the store's place ends the crawl at once, in a line, and is left as it is."""
    path = place.data / "gaceta" / "documents.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"recipes" * 1000)
    done = place.crawl("gaceta")
    assert done.returncode == 1
    assert "documents.sqlite" in done.stderr
    assert "move it away" in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == b"recipes" * 1000
    assert not [visit for visit in place.serving.press.requests if "robots" not in visit.target]


def test_killed(tmp_path: Path) -> None:
    """After a crawl that was killed and went on, store and file hold the same documents, each once."""
    with serve(Press(articles=60, days=3, hazards=False, latency=0.1)) as serving:
        place = workplace(tmp_path, serving)
        crawl = subprocess.Popen(place.command("gaceta"), cwd=ROOT, env=place.environment(), stderr=subprocess.DEVNULL)
        while len(place.documents("gaceta")) < 10 and crawl.poll() is None:
            time.sleep(0.05)
        crawl.send_signal(signal.SIGKILL)
        crawl.wait()
        assert 10 <= len(place.documents("gaceta")) < 60
        assert place.crawl("gaceta").returncode == 0
        lines = place.documents("gaceta")
        with stored(place) as documents:
            assert sorted(one.document.id for one in documents.documents(every=True)) == sorted(
                line["id"] for line in lines
            )
        assert len(lines) == len({line["id"] for line in lines}) == 60


@pytest.fixture
def server() -> Iterator[str]:
    """A PostgreSQL."""
    with postgresql() as address:
        yield address


def test_postgresql(place: Workplace, press: Serving, server: str) -> None:
    """The setting sends the documents of all newspapers to a server, and a file is not made."""
    setting = ("-s", f"CORPUSBOT_DOCUMENTS={server}")
    for name in ("gaceta", "courier"):
        assert place.crawl(name, *setting).returncode == 0
    first = place.documents("gaceta")
    press.press.correct(first[0]["url"])
    assert place.crawl("gaceta", "-a", "revisit=all", *setting).returncode == 0
    assert not (place.data / "gaceta" / "documents.sqlite").exists()
    with open_documents(server, "gaceta") as gaceta, open_documents(server, "courier") as courier:
        assert (gaceta.count(), courier.count()) == (12, 12)
        assert [one.document.id for one in gaceta.documents() if one.versions == 2] == [first[0]["id"]]
