"""From site files to spider classes, and Scrapy's commands for single pages over them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from scrapy import Request

from corpusbot.sites import SiteConfig, SiteError, load_site
from spiders.loader import SiteLoader
from tests.sample_crawl import ROOT, Workplace

SITE = "home: https://www.{0}.example/\nlinks: [/x/]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of site files that is looked through first."""
    monkeypatch.setenv("CORPUSBOT_SITE_CONFIGS", str(tmp_path))
    return tmp_path


def test_a_class_of_each_site_file(folder: Path) -> None:
    """Name, site and target of a newspaper."""
    (folder / "hoja.yaml").write_text(SITE.format("hoja"), encoding="utf-8")
    spider = SiteLoader("data").load("hoja")
    assert spider.name == "hoja"
    assert spider.custom_settings is not None
    assert spider.custom_settings["FEEDS"] == {"data/hoja/hoja.jsonl": {"format": "jsonl", "overwrite": False}}


def test_unknown_and_broken_sites(folder: Path) -> None:
    """An unknown name is Scrapy's KeyError; a broken file says what is wrong with it."""
    (folder / "mala.yaml").write_text("nmae: x\n", encoding="utf-8")
    with pytest.raises(KeyError, match="scrapy list"):
        SiteLoader("data").load("nosuch")
    with pytest.raises(SiteError, match="unknown key 'nmae'"):
        SiteLoader("data").load("mala")
    assert {"mala", "elpais"} <= set(SiteLoader("data").list())


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("https://www.hoja.example/1", ["hoja"]),
        ("https://hoja.example/1", ["hoja"]),
        ("https://deportes.hoja.example/1", ["hoja"]),
        ("https://www.otrahoja.example/1", []),
        ("https://elpais.com/1", ["elpais"]),
        ("https://nosuch.example/", []),
    ],
)
def test_the_newspaper_of_an_address(folder: Path, url: str, names: list[str]) -> None:
    """By its host or one above it; a broken file that names the host is passed over."""
    (folder / "hoja.yaml").write_text(SITE.format("hoja"), encoding="utf-8")
    (folder / "mala.yaml").write_text("nmae: https://www.hoja.example/\n", encoding="utf-8")
    assert SiteLoader("data").find_by_request(Request(url)) == names


def test_only_files_that_may_be_the_one_are_parsed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many files only the one that names the host is read as YAML."""
    for number in range(300):
        (folder / f"hoja{number}.yaml").write_text(SITE.format(f"hoja{number}"), encoding="utf-8")
    parsed: list[str] = []

    def load(name: str) -> SiteConfig:
        parsed.append(name)
        return load_site(name)

    monkeypatch.setattr("spiders.loader.load_site", load)
    assert SiteLoader("data").find_by_request(Request("https://www.hoja7.example/")) == ["hoja7"]
    assert parsed == ["hoja7"]


def scrapy(place: Workplace, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One of Scrapy's commands, with a broken site file among the others."""
    (place.site_files / "broken.yaml").write_text(f"nmae: {place.serving.gaceta}\n", encoding="utf-8")
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=place.environment(), capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["fetch", "ARTICLE"], "</html>"),
        (["shell", "ARTICLE", "-c", "response.status, spider.name"], "(200, 'gaceta')"),
        (["parse", "--nocolour", "ARTICLE"], "'site': 'gaceta'"),
        (["parse", "--nocolour", "--spider", "gaceta", "INDEX"], "<GET ARTICLE>"),
        (["parse", "--nocolour", "--pipelines", "ARTICLE"], "'made_by': 'corpusbot"),
    ],
)
def test_scrapys_commands_for_one_page(place: Workplace, arguments: list[str], shown: str) -> None:
    """They work without a word more than what they show, and leave the newspaper's state alone."""
    article = place.serving.press.gold("gaceta")[0].url
    names = {"ARTICLE": article, "INDEX": f"{place.serving.gaceta}/politica/"}
    done = scrapy(place, *(names.get(argument, argument) for argument in arguments))
    assert shown.replace("ARTICLE", article) in done.stdout
    assert (done.stderr, done.returncode) == ("", 0)
    assert not place.data.exists()


def test_parse_shows_why_a_page_is_dropped(place: Workplace) -> None:
    """With --pipelines a page that becomes no document is shown with the reason."""
    path = place.site_files / "gaceta.yaml"
    text = path.read_text(encoding="utf-8").replace("min_words: 30", "min_words: 30000")
    path.write_text(text, encoding="utf-8")
    done = scrapy(place, "parse", "--nocolour", "--pipelines", place.serving.press.gold("gaceta")[0].url)
    assert "{'dropped': 'too_short: " in done.stdout


@pytest.mark.parametrize("command", ["fetch", "parse", "shell"])
def test_commands_on_a_broken_site_file(place: Workplace, command: str) -> None:
    """The file, the line and what is wrong; no traceback."""
    done = scrapy(place, command, "--spider", "broken", place.serving.gaceta)
    assert "broken.yaml:1: unknown key 'nmae'. Did you mean 'name'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 1


def test_check_and_list(place: Workplace) -> None:
    """`scrapy list` names a broken file's newspaper too, `scrapy check` says what is wrong with it."""
    assert {"broken", "gaceta"} <= set(scrapy(place, "list").stdout.split())
    done = scrapy(place, "check")
    assert "broken.yaml:1: unknown key 'nmae'. Did you mean 'name'?" in done.stderr
    assert "1 with mistakes" in done.stdout
    assert done.returncode == 1
    assert scrapy(place, "check", "gaceta").returncode == 0
