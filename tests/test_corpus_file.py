"""`corpusbot export`: files of documents out of their stores."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pyarrow.parquet
import pytest

from corpusbot.cli import main
from corpusbot.export import jsonl, sections
from corpusbot.export.document import Document
from corpusbot.store.documents import documents_of, open_documents
from tests.test_store_documents import HOUR, START, document

EARLIER, GONE, REPEATED = 3, 2, 4


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two newspapers' stores: of five documents one was rewritten, one withdrawn, and one repeats another."""
    with open_documents(documents_of(tmp_path, "diario"), "diario") as documents:
        for number in (1, GONE, EARLIER):
            documents.write(document(number), START)
        documents.write(document(1, title="Baja el pan"), START + HOUR)
        documents.withdraw(document(GONE).url, START + HOUR, 410)
        documents.commit(1)
    with open_documents(documents_of(tmp_path, "gaceta"), "gaceta") as documents:
        documents.write(of_gaceta(REPEATED, duplicate_of=document(1).id), START)
        documents.write(of_gaceta(5), START)
        documents.commit(1)
    return tmp_path


def of_gaceta(number: int, duplicate_of: str | None = None) -> Document:
    """A document of the other newspaper."""
    return replace(document(number), site="gaceta", duplicate_of=duplicate_of)


def exported(data: Path, *arguments: str) -> list[dict[str, object]]:
    """The documents of a file that the command wrote."""
    target = data / "corpus.jsonl"
    assert main(["export", *arguments, "--data", str(data), "-o", str(target)]) == 0
    return [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]


def numbers(lines: list[dict[str, object]]) -> list[tuple[int, object]]:
    """Which documents these are, and in which version."""
    known = {document(number).id: number for number in range(1, 9)}
    return [(known[str(line["id"])], line["version"]) for line in lines]


def test_the_latest_version_of_each(data: Path) -> None:
    """Newspapers come in the order given; what was withdrawn is left out unless it is asked for, and then marked."""
    assert numbers(exported(data, "gaceta", "diario")) == [(REPEATED, 1), (5, 1), (1, 2), (EARLIER, 1)]
    lines = exported(data, "diario", "--withdrawn")
    assert numbers(lines) == [(1, 2), (GONE, 1), (EARLIER, 1)]
    assert [line["withdrawn"] for line in lines] == [None, (START + HOUR).isoformat(), None]
    assert lines[0]["title"] == "Baja el pan"


def test_all_versions(data: Path) -> None:
    """Every version of a document, the oldest first."""
    assert numbers(exported(data, "diario", "--versions", "all")) == [(1, 1), (1, 2), (EARLIER, 1)]


def test_some_days(data: Path) -> None:
    """The days are those of publication, both of them included."""
    day = str((START - timedelta(days=EARLIER)).date())
    assert numbers(exported(data, "diario", "--to", day)) == [(EARLIER, 1)]
    assert numbers(exported(data, "diario", "--from", day, "--to", day)) == [(EARLIER, 1)]
    assert numbers(exported(data, "diario", "--from", str((START - timedelta(days=1)).date()))) == [(1, 2)]


def test_no_duplicates(data: Path) -> None:
    """Documents that repeat another newspaper's can be left out."""
    assert numbers(exported(data, "gaceta", "--no-duplicates")) == [(5, 1)]


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_the_ending_names_the_format(data: Path, ending: str) -> None:
    """The file's ending says how it is written."""
    target = data / f"corpus.{ending}"
    assert main(["export", "diario", "--data", str(data), "-o", str(target)]) == 0
    if ending == "csv":
        with target.open(encoding="utf-8", newline="") as table:
            rows: list[dict[str, object]] = [*csv.DictReader(table)]
    elif ending == "parquet":
        rows = pyarrow.parquet.read_table(target).to_pylist()
    else:
        rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [(row["title"], int(str(row["version"]))) for row in rows] == [("Baja el pan", 2), ("Sube el pan", 1)]


def test_a_named_format(data: Path) -> None:
    """A format of any name can be asked for."""
    target = data / "corpus.txt"
    with open_documents(documents_of(data, "diario"), "diario") as documents:
        documents.write(replace(document(6), sections=(("TITULO", "Uno"),)), START)
        documents.commit(2)
    assert main(["export", "diario", "--data", str(data), "-o", str(target), "--format", "sections"]) == 0
    assert (("TITULO", "Uno"),) in [*sections.read(target)]


def test_to_standard_output(data: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Without a file the documents go to standard output, and nothing else does."""
    assert main(["export", "diario", "--data", str(data)]) == 0
    lines = capfdbinary.readouterr().out.splitlines()
    assert [json.loads(line)["title"] for line in lines] == ["Baja el pan", "Sube el pan"]
    assert main(["export", "diario", "--data", str(data), "--format", "parquet"]) == 1
    assert b"Name a file: --output corpus.parquet" in capfdbinary.readouterr().err


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_whole_or_not_at_all(data: Path, ending: str) -> None:
    """An export that ends in an error leaves the file that was there, and nothing beside it."""
    target = data / f"corpus.{ending}"
    target.write_bytes(b"what was there")
    with open_documents(documents_of(data, "diario"), "diario") as documents:
        documents._connection.execute("UPDATE versions SET content = ? WHERE document = 3", (b"torn",))  # type: ignore[attr-defined]
        documents.commit(2)
    assert main(["export", "diario", "--data", str(data), "-o", str(target)]) == 1
    assert target.read_bytes() == b"what was there"
    assert [path.name for path in data.glob("corpus*")] == [target.name]


def test_nothing_to_write(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no document fits, no file is written, and that is said."""
    target = data / "corpus.jsonl"
    arguments = ["export", "diario", "--data", str(data), "-o", str(target), "--from", "2030-01-01"]
    assert main(arguments) == 1
    assert "no document fits" in capsys.readouterr().err
    assert not target.exists()


def test_a_corpus_of_an_earlier_release(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no store, the command says how it comes to be, before anything is written."""
    target = data / "corpus.jsonl"
    assert main(["export", "diario", "old", "--data", str(data), "-o", str(target)]) == 1
    assert "corpusbot reextract old --write" in capsys.readouterr().err
    assert not target.exists()


def test_what_is_exported_can_be_read(data: Path) -> None:
    """The file is one of those that corpusbot reads."""
    exported(data, "diario")
    assert [one.title for one in jsonl.read(data / "corpus.jsonl")] == ["Baja el pan", "Sube el pan"]
