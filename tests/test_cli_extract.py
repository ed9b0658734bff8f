"""The command `corpusbot extract`: pages from files, standard input and the Web."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from corpusbot import given_page
from corpusbot.cli import main
from tests.press import Serving

TEXT = "It snowed all night, and in the morning the roads to the valley were closed to all but the snow ploughs."
PAGE = f"<html><head><title>Snow</title></head><body><h1>Snow</h1><p>{TEXT}</p><p>«{TEXT}»</p></body></html>"


@pytest.fixture
def page(tmp_path: Path) -> str:
    """A saved page."""
    path = tmp_path / "snow.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def test_the_text_of_a_file(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The text alone is written; nothing goes to stderr."""
    assert main(["extract", page]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith(f"{TEXT}\n\n«{TEXT}»\n")
    assert shown.err == ""


def test_several_files(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts are headed by their file's name; JSON has a line for each, with the address that was given."""
    assert main(["extract", page, page]) == 0
    assert capsys.readouterr().out.count(f"==> {page} <==\n") == 2
    assert main(["extract", page, page, "--format", "json", "--url", "https://paper.example/snow"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["url"] for row in rows] == ["https://paper.example/snow"] * 2
    assert rows[0]["title"] == "Snow"


def test_standard_input_and_packed_files(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-` is standard input; what is gzipped is unpacked, from wherever it comes."""
    packed = gzip.compress(PAGE.encode())
    (tmp_path / "snow.gz").write_bytes(packed)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert main(["extract", "-"]) == 0
    assert main(["extract", str(tmp_path / "snow.gz")]) == 0
    assert main(["extract", page]) == 0
    assert capsys.readouterr().out.count(f"«{TEXT}»") == 3


def test_into_a_file(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """-o writes there and not to stdout."""
    output = tmp_path / "snow.md"
    assert main(["extract", page, "--format", "markdown", "-o", str(output)]) == 0
    assert output.read_text(encoding="utf-8").startswith('---\ntitle: "Snow"\n---\n\n# Snow\n')
    assert capsys.readouterr().out == ""


def test_what_has_no_text(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each page without text is told with its reason, the others are written all the same, and the status is 1."""
    pdf = tmp_path / "a.pdf"
    pdf.write_bytes(b"%PDF-1.7 <<")
    assert main(["extract", str(pdf), str(tmp_path / "none.html"), page, str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert shown.err.splitlines() == [
        f"corpusbot: {pdf}: no text: not_html: PDF",
        f"corpusbot: {tmp_path / 'none.html'}: No such file or directory",
        f"corpusbot: {tmp_path}: Is a directory",
    ]
    assert shown.out.count("==>") == 1
    assert main(["extract", str(pdf), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["kind"]["reason"] == "not_html: PDF"


@pytest.mark.parametrize(("body", "message"), [
    (gzip.compress(PAGE.encode())[:-9], "looks gzipped and is broken: "),
    (gzip.compress(b" " * 2_000), "larger than 0 MB, and so no page"),
    (b" " * 2_000, "larger than 0 MB, and so no page"),
])  # fmt: skip
def test_files_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, body: bytes, message: str
) -> None:
    """A packed file that is broken, or one larger than any page, however small it is packed, is refused by name."""
    monkeypatch.setattr(given_page, "MOST_BYTES", 1_000)
    path = tmp_path / "odd.gz"
    path.write_bytes(body)
    assert main(["extract", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"corpusbot: {path}: {message}")


@pytest.mark.parametrize(("arguments", "message"), [
    (["extract"], "the following arguments are required: FILE|URL|-"),
    (["extract", "a", "--format", "xml"], "invalid choice: 'xml'"),
    (["extract", "a", "--prefer", "speed"], "invalid choice: 'speed'"),
    (["extract", "a", "--url", "paper.example"], "'paper.example' is no address. Write it in full"),
])  # fmt: skip
def test_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    """What no command can be made of ends with argparse's 2, and what would work."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("url", "message"), [
    ("http://[::1", "http://[::1 is no address: Invalid IPv6 URL"),
    ("http:///page", "http:///page is no address: it names no host"),
])  # fmt: skip
def test_what_is_no_address(capsys: pytest.CaptureFixture[str], url: str, message: str) -> None:
    """An address that cannot be asked is told before anything is started."""
    assert main(["extract", url]) == 1
    assert capsys.readouterr().err == f"corpusbot: {message}\n"


def test_from_the_web(
    press: Serving, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address is asked as a crawl asks it: not if it is private, and its robots.txt first."""
    gold = press.press.gold("courier")[0]
    assert main(["extract", gold.url]) == 1
    assert "private_address" in capfd.readouterr().err
    monkeypatch.setenv("CORPUSBOT_ALLOW_PRIVATE", "127.0.0.1")
    assert main(["extract", gold.url, "--format", "json"]) == 0
    shown = capfd.readouterr()
    row = json.loads(shown.out)
    assert (row["url"], row["title"]) == (gold.url, gold.title)
    assert shown.err == ""
    path = gold.url.removeprefix(press.courier)
    assert [visit.target for visit in press.press.requests] == ["/robots.txt", path]
