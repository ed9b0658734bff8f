"""The command `corpusbot`, as it is called from a shell."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from corpusbot.cli import main
from tests.sample_crawl import ROOT, Workplace

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def at_work(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """A workplace whose environment is this process's too."""
    for name, value in place.environment().items():
        monkeypatch.setenv(name, value)
    return place


def article_of(place: Workplace) -> str:
    """The address of an article of La Gaceta."""
    return place.serving.press.gold("gaceta")[0].url


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    """Each rule with the line that it stands on."""
    assert main(["explain", "elpais"]) == 0
    assert "elpais.yaml:" in capsys.readouterr().out


def test_schema(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The schema is JSON; --write gives the files' names."""
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "A site file of corpusbot"
    assert main(["schema", "--write", str(tmp_path)]) == 0
    assert all(Path(line).is_file() for line in capsys.readouterr().out.splitlines())


def test_import_webreader(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The site files of a webreader file, and their names; one that is not in UTF-8 is read too."""
    assert main(["import-webreader", str(FIXTURES / "webreader.xml"), str(tmp_path / "new")]) == 0
    names = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert names == ["_corpus.yaml", "abc.yaml", "elmundo.yaml", "elpais.yaml"]
    old = tmp_path / "old.xml"
    old.write_bytes((FIXTURES / "webreader.xml").read_text(encoding="utf-8").encode("cp1252"))
    assert main(["import-webreader", str(old), str(tmp_path / "old")]) == 0
    assert (tmp_path / "old" / "abc.yaml").read_text() == (tmp_path / "new" / "abc.yaml").read_text()


def test_try_an_address(at_work: Workplace, capfd: pytest.CaptureFixture[str]) -> None:
    """A page is fetched as the crawl would fetch it; of the data folder nothing is touched."""
    assert main(["try", "gaceta", article_of(at_work), "--blocks"]) == 0
    shown = capfd.readouterr()
    assert "jsonld:headline]" in shown.out
    assert "a crawl would find it through Política" in shown.out
    assert "Blocks as gist sees them" in shown.out
    assert shown.err == ""
    assert not at_work.data.exists()


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("/nosuch", "/nosuch could not be had: http_404\n"),
        ("/politica/", "/politica/ is an index page. Try one of its articles: http://127.0.0.1:"),
    ],
)
def test_try_what_is_no_article(
    at_work: Workplace, capfd: pytest.CaptureFixture[str], page: str, message: str
) -> None:
    """An address that gives no article is told in one line, with what would work."""
    assert main(["try", "gaceta", at_work.serving.gaceta + page]) == 1
    assert message in capfd.readouterr().err


def test_check(at_work: Workplace, capfd: pytest.CaptureFixture[str]) -> None:
    """A sound site file ends with 0, and nothing is written anywhere."""
    assert main(["check", "courier", "--sample", "1"]) == 0
    shown = capfd.readouterr()
    assert "All of it works." in shown.out
    assert shown.err == ""
    assert not at_work.data.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "elpaiz"], "corpusbot: No site 'elpaiz'. Did you mean 'elpais'?\n"),
        (["check", "elpaiz"], "corpusbot: No site 'elpaiz'. Did you mean 'elpais'?\n"),
        (["try", "elpais", "/no/such.html"], "corpusbot: /no/such.html: No such file or directory\n"),
        (["import-webreader", "/no/such.xml", "x"], "corpusbot: /no/such.xml: No such file or directory\n"),
        (["import-webreader", __file__, "x"], "corpusbot: test_cli.py:1: not XML: "),
    ],
)
def test_errors_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    """What is wrong with what was given: one line, exit status 1."""
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "elpais", "--day", "2024-1-1"], "'2024-1-1' is no day. Write it as 2024-01-31"),
        (["check", "elpais", "--sample", "0"], "'0' is no whole number above 0"),
        (["chek", "elpais"], "invalid choice: 'chek'"),
    ],
)
def test_usage_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    """What no command can be made of: argparse's exit status 2, and what would work."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_help_says_where_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    """The help names every command, and those of Scrapy that come next."""
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in ("explain", "try", "check", "import-webreader", "schema", "scrapy crawl"))


def test_a_reader_that_has_read_enough() -> None:
    """`corpusbot explain elpais | head -1` is silent about the pipe that was closed."""
    command = [sys.executable, "-m", "corpusbot.cli", "schema"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"{\n"
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=20) == 0
