"""`corpusbot versions`: what newspapers rewrote and took back, in words and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpusbot.cli import main
from corpusbot.store.documents import Anchor, documents_of, open_documents
from tests.test_store_documents import HOUR, ID, START, document

OLD, NEW = "Uno dos tres.\nSe queda.\nSe va.", "Uno dos cuatro.\nSe queda.\nLlega después."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A newspaper of three documents, of which one was rewritten and one withdrawn."""
    with open_documents(documents_of(tmp_path, "diario"), "diario") as documents:
        for number in (1, 2, 3):
            documents.write(document(number, body=OLD), START)
        documents.write(document(1, title="Baja el pan", body=NEW), START + HOUR)
        documents.withdraw(document(2).url, START + HOUR, 404)
        documents.add_anchors([Anchor(document(1).url, "El pan", "http://diario.example/", START)])
        documents.commit(1)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], data: Path, *arguments: str) -> str:
    """What the command prints."""
    assert main(["versions", "diario", *arguments, "--data", str(data)]) == 0
    return capsys.readouterr().out


def test_the_table(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Documents with several versions, and those withdrawn, one a line."""
    first, second = said(capsys, data).splitlines()
    assert first.split("  ")[0] == ID
    assert "2 versions" in first
    assert second.endswith("withdrawn 2024-05-01 13:00 (404)")
    rows = [json.loads(line) for line in said(capsys, data, "--format", "json").splitlines()]
    assert [(row["id"], row["count"], row["status"]) for row in rows] == [(ID, 2, None), (document(2).id, 1, 404)]


@pytest.mark.parametrize("name", [ID, document(1).url, str(document(1).canonical_url)])
def test_one_document(data: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """By id or address: its versions, what changed in each, and the texts of links to it."""
    text = said(capsys, data, name)
    assert "Baja el pan" in text
    assert "2  2024-05-01 13:00  crawl       title, text" in text
    assert "El pan  (http://diario.example/)" in text
    told = json.loads(said(capsys, data, name, "--format", "json"))
    assert [version["changed"] for version in told["versions"]] == [[], ["title", "text"]]
    assert told["anchors"][0]["text"] == "El pan"


def test_what_changed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Headline and paragraphs, with the words that are gone and new."""
    text = said(capsys, data, ID, "--diff")
    assert "from version 1 to 2: 4 words gone, 4 new" in text
    assert "title: [-Sube-]{+Baja+} el pan" in text
    assert text.splitlines()[-4:] == [
        "  ~ Uno dos [-tres-]{+cuatro+}.", "  … 1 as before", "  - [-Se va.-]", "  + {+Llega después.+}",
    ]  # fmt: skip
    told = json.loads(said(capsys, data, ID, "--diff", "--format", "json").splitlines()[1])
    assert (told["words_removed"], told["words_added"]) == (4, 4)
    assert [change["kind"] for change in told["paragraphs"]] == ["changed", "kept", "removed", "added"]
    assert told["paragraphs"][0]["pieces"][1] == ["removed", "tres"]


def test_some_days(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only documents of the days asked for."""
    assert "None of the 3 documents of diario was rewritten" in said(capsys, data, "--from", "2024-05-01")
    assert said(capsys, data, "--to", "2024-04-29").startswith(document(2).id)


@pytest.mark.parametrize("name", ["0123456789abcdef", "http://diario.example/nosuch"])
def test_no_such_document(data: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A document that is not there is named."""
    assert main(["versions", "diario", name, "--data", str(data)]) == 1
    assert f"{name}: no document of diario has this" in capsys.readouterr().err
