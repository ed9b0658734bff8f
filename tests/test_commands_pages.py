"""`corpusbot pages` and `corpusbot compact`, as they are typed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpusbot.cli import main
from corpusbot.model import Body, Page
from corpusbot.store.archive import RawPages, record

URL = "https://diario.example/a"


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A data folder with three visits of a page, the last of which found what the first had."""
    archive = RawPages(tmp_path / "diario" / "pages", "diario", {})
    archive.flush_to_disk()
    for day, body in ((1, b"<p>uno</p>"), (2, b"<p>dos</p>"), (3, b"<p>uno</p>")):
        page = Page("diario", URL, Body(body), datetime(2024, 5, day, 12, tzinfo=UTC))
        archive.append(record(page, archive.before(URL)))
    archive.flush_to_disk()
    archive.close()
    return str(tmp_path)


def printed(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that a command prints; it must end well."""
    assert main(arguments) == 0
    return capfd.readouterr().out.splitlines()


def test_listing(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    """All visits, those of some days, those of an address; as text and as JSON lines."""
    lines = printed(capfd, "pages", "diario", "--data", data)
    assert [line.split()[:4] for line in lines] == [
        ["2024-05-01", "12:00:00", "200", "response"],
        ["2024-05-02", "12:00:00", "200", "response"],
        ["2024-05-03", "12:00:00", "200", "revisit"],
    ]
    days = ("--from", "2024-05-02", "--to", "2024-05-02")
    assert printed(capfd, "pages", "diario", "--data", data, *days) == lines[1:2]
    assert printed(capfd, "pages", "diario", "--data", data, "--url", f"{URL}#x", *days) == lines[1:2]
    told = [json.loads(line) for line in printed(capfd, "pages", "diario", "--data", data, "--format", "json")]
    assert told[2]["refers_to"] == told[0]["record_id"]
    assert told[0]["url"] == URL


def test_showing(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A page is printed as it came, by its address, at a day, and by its record; one that is not there is missed."""
    assert printed(capfd, "pages", "diario", "--data", data, "--show", URL) == ["<p>uno</p>"]
    day = ("--to", "2024-05-02")
    assert printed(capfd, "pages", "diario", "--data", data, "--show", URL, *day) == ["<p>dos</p>"]
    told = json.loads(printed(capfd, "pages", "diario", "--data", data, "--format", "json")[1])
    assert printed(capfd, "pages", "diario", "--data", data, "--show", told["record_id"]) == ["<p>dos</p>"]
    assert main(["pages", "diario", "--data", data, "--show", f"{URL}/never"]) == 1
    assert "is not stored" in capfd.readouterr().err
    assert main(["pages", "nobody", "--data", data]) == 1
    assert "Nothing of nobody is stored" in capfd.readouterr().err


def test_an_index_for_others(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    """--cdxj prints an index; made anew it is the same."""
    lines = printed(capfd, "pages", "diario", "--data", data, "--cdxj")
    assert [line.split(" ")[:2] for line in lines] == [
        ["example,diario)/a", f"2024050{day}120000"] for day in (1, 2, 3)
    ]  # fmt: skip
    printed(capfd, "pages", "diario", "--data", data, "--rebuild")
    assert printed(capfd, "pages", "diario", "--data", data, "--cdxj") == lines


def test_compacting(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    """There and back, a line for each file; what is listed and shown does not change."""
    before = printed(capfd, "pages", "diario", "--data", data, "--show", URL)
    assert printed(capfd, "compact", "diario", "--data", data, "--older-than", "9")[0].startswith("Nothing to do")
    (line,) = printed(capfd, "compact", "diario", "--data", data)
    assert line.startswith("diario-00001.warc.gz  ")
    assert printed(capfd, "pages", "diario", "--data", data, "--show", URL) == before
    (line,) = printed(capfd, "compact", "diario", "--data", data, "--back", "--format", "json")
    assert json.loads(line)["file"] == "diario-00001.warc.zst"
    assert printed(capfd, "pages", "diario", "--data", data, "--show", URL) == before


def test_a_torn_file_is_told(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What cannot be read is said on stderr, and the rest is listed."""
    (path,) = Path(data).glob("diario/pages/*.gz")
    path.write_bytes(path.read_bytes()[:-5])
    assert main(["pages", "diario", "--data", data]) == 0
    out, errors = capfd.readouterr()
    assert len(out.splitlines()) == 2
    assert "is unfinished" in errors
