"""`corpusbot verify` on a crawled corpus: sound as it is, each damage told with its cure, derived files made anew."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from corpusbot.cli import main
from corpusbot.dedup.index import DuplicateIndex
from corpusbot.store.frontier import Frontier
from corpusbot.store.page_index import NAME as PAGE_INDEX
from tests.press import Press, serve
from tests.sample_crawl import Workplace, workplace

DOCUMENTS = 12


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """A corpus of one newspaper."""
    with serve(Press(articles=DOCUMENTS, days=3, hazards=False)) as serving:
        place = workplace(tmp_path_factory.mktemp("crawled"), serving)
        done = place.crawl("gaceta")
        assert done.returncode == 0, done.stderr[-3000:]
        yield place


@pytest.fixture
def data(crawled: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of its data folder, to be damaged."""
    monkeypatch.setenv("CORPUSBOT_SITE_CONFIGS", str(crawled.site_files))
    monkeypatch.setenv("CORPUSBOT_DATA", str(tmp_path / "data"))
    return Path(shutil.copytree(crawled.data, tmp_path / "data"))


def wrong_checks(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, object]]:
    """The checks that fail, by name; the exit status says whether there are any."""
    status = main(["verify", "--format", "json", *arguments])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wrong = {line["check"]: line for line in lines if line.get("wrong")}
    assert status == (1 if wrong else 0)
    assert all(line["examples"] and line["cure"] for line in wrong.values())
    return wrong


def test_a_crawled_corpus_is_sound(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything agrees, also in a folder that was copied to another place; each check has looked at something."""
    assert main(["verify"]) == 0
    told = capsys.readouterr().out
    assert "All of it holds." in told
    assert main(["verify", "gaceta", "--format", "json"]) == 0
    checks = {line["check"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    wanted = {"archive pages", "lines", "records", "twice", "page index", "store", "duplicates"}
    assert {name for name, line in checks.items() if line["looked_at"] == DOCUMENTS} >= wanted


def test_a_shortened_archive(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file, its last record and the documents whose pages are lost are told; nothing is repaired that cannot be."""
    path = next((data / "gaceta" / "pages").glob("*.warc.gz"))
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 20_000)
    wrong = wrong_checks(capsys, "gaceta", "--repair")
    assert set(wrong) == {"archive files", "archive pages", "records"}
    assert "though" in str(wrong["archive files"]["examples"])


def test_a_damaged_record(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that changed in the middle cost one page, not those behind it."""
    path = next((data / "gaceta" / "pages").glob("*.warc.gz"))
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\0" * 100)
    wrong = wrong_checks(capsys)
    assert wrong["records"]["wrong"] == 1


def test_a_line_that_is_lost(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was edited is shorter than the state says."""
    path = data / "gaceta" / "gaceta.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    assert "files" in wrong_checks(capsys)


def test_a_line_that_is_no_document(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told with its number."""
    path = data / "gaceta" / "gaceta.jsonl"
    path.write_bytes(b"x" + path.read_bytes()[1:])
    assert "gaceta.jsonl:1" in str(wrong_checks(capsys)["lines"]["examples"])


def test_a_page_that_is_done_and_has_no_document(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in the store nor in the file: reextract is the cure, since its page is kept."""
    (data / "gaceta" / "documents.sqlite").unlink()
    path = data / "gaceta" / "gaceta.jsonl"
    line = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(path.read_bytes().removeprefix(line) + line.replace(json.loads(line)["site"].encode(), b"other"))
    wrong = wrong_checks(capsys, "gaceta")
    assert wrong["links"]["wrong"] == 1
    assert "corpusbot reextract gaceta --write" in str(wrong["links"]["cure"])


def test_a_link_without_outcome(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A state that something else wrote into is noticed."""
    with closing(sqlite3.connect(data / "gaceta" / "state.sqlite")) as state, state:
        state.execute("UPDATE links SET outcome = NULL WHERE kind = 'article' AND id % 3 = 0")
    assert "state" in wrong_checks(capsys)


def test_derived_files_are_made_anew(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The index of duplicates, the index of pages and the store: lost or foreign, they come again from the rest."""
    (data / "gaceta" / "pages" / PAGE_INDEX).write_text("something else", encoding="ascii")
    (data / "gaceta" / "documents.sqlite").write_text("something else", encoding="ascii")
    (data / "duplicates.sqlite").write_text("something else", encoding="ascii")
    assert set(wrong_checks(capsys)) == {"page index", "store", "duplicates"}
    assert wrong_checks(capsys, "gaceta", "--repair") == {}
    assert wrong_checks(capsys) == {}
    # What was there is moved away, not thrown away.
    assert len([*data.glob("duplicates.sqlite.damaged-*")]) == 1
    assert len([*(data / "gaceta").glob("documents.sqlite.damaged-*")]) == 1


def test_an_index_that_lacks_and_has_too_much(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Entries are compared with the documents one by one; the repaired ones survive the next crawl's opening."""
    with closing(sqlite3.connect(data / "duplicates.sqlite")) as index, index:
        index.execute("UPDATE documents SET checksum = 'x' WHERE number = 1")
        index.execute("UPDATE documents SET id = 'x' WHERE number = 2")
    assert wrong_checks(capsys)["duplicates"]["wrong"] == 3
    assert wrong_checks(capsys, "--repair") == {}
    with Frontier(data / "gaceta" / "state.sqlite") as state:
        committed = state.file_length("duplicates.sqlite")
    with closing(DuplicateIndex(data / "duplicates.sqlite")) as kept:
        kept.cut("gaceta", committed)
        assert len(kept) == DOCUMENTS


def test_a_site_that_is_being_crawled_is_left_alone(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so."""
    with Frontier(data / "gaceta" / "state.sqlite"):
        assert main(["verify", "gaceta"]) == 1
    assert "another crawl of this site runs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "Crawled into"),
        (["--data", "/nosuch"], "no such folder"),
        (["gaceta", "--data", "/nosuch"], "no such f"),
    ],
)
def test_what_is_not_there_is_told(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """One line that says what there is."""
    assert main(["verify", *arguments]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
