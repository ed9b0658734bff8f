"""One page down the line: what is shown of it."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest

from corpusbot.blocks_told import blocks_told
from corpusbot.dom.cleanup import clean_page
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig, load_site_file
from corpusbot.trial import page_of, trial
from corpusbot.trial_told import told
from tests.pages import page_of as page_of_text

SITE = """
name: Muestra
home: https://muestra.example/
language: es
links: ['/noticia/']
exclude: ['/opinion/']
indexes:
  - {url: https://muestra.example/local/, name: local, section: Local, fields: {tags: .tema}}
fields:
  title: [h1.nuevo, h1.viejo]
  lead: .entradilla
  body: .texto
extractors: [rules]
filters: [{length: {min_words: 20}}]
min_body: 1
"""
TEXT = "El pleno aprobó ayer por la mañana las cuentas del año que viene, con los votos de todos los grupos. " * 8
PAGE = f"<html><head><title>x</title></head><body><h1 class=viejo>Cuentas</h1><div class=texto><p>{TEXT}</p></div>"
URL = "https://muestra.example/noticia/1"


@pytest.fixture
def site(tmp_path: Path) -> SiteConfig:
    """A newspaper of our own."""
    (tmp_path / "muestra.yaml").write_text(SITE, encoding="utf-8")
    return load_site_file(tmp_path / "muestra.yaml")


def shown(site: SiteConfig, folder: Path, html: str = PAGE, url: str = URL, whole: bool = False) -> str:
    """What is shown of a page in a file."""
    (folder / "page.html").write_text(html, encoding="utf-8")
    return told(trial(page_of(site, str(folder / "page.html"), url, None), site), whole)


def test_every_field_with_what_found_it(site: SiteConfig, tmp_path: Path) -> None:
    """The fields, each with file, line and source; and of the text its beginning."""
    text = shown(site, tmp_path)
    assert "  title         Cuentas   [muestra.yaml:10 css:h1.viejo]\n" in text
    assert "  text          [muestra.yaml:12 css:.texto]\n" in text
    assert "(--text shows all of it)" in text
    assert "(--text shows all of it)" not in shown(site, tmp_path, whole=True)


def test_alternatives_that_found_nothing(site: SiteConfig, tmp_path: Path) -> None:
    """The sources that match nothing in this page, with those of the page's own index."""
    assert shown(site, tmp_path).partition("Found nothing\n")[2].splitlines() == [
        "  title         css: h1.nuevo   [muestra.yaml:10]",
        "  lead          css: .entradilla   [muestra.yaml:11]",
        "  tags          css: .tema   [muestra.yaml:8]",
    ]


def test_what_was_dropped_and_why(site: SiteConfig, tmp_path: Path) -> None:
    """The stage that drops a page says so, and the fields found until then are shown all the same."""
    text = shown(site, tmp_path, PAGE.replace(TEXT, "Demasiado breve."))
    assert "DROPPED  too_short" in text
    assert "Demasiado breve." in text
    text = shown(site, tmp_path, "<html><body><nav>Nada</nav>")
    assert "DROPPED  no_text: no text by rules" in text
    assert "  body          css: .texto   [muestra.yaml:12]" in text


def test_who_was_passed_over(site: SiteConfig, tmp_path: Path) -> None:
    """With the reasons, and what it means that nobody passed the gate."""
    text = shown(replace(site, min_body=10_000), tmp_path)
    assert "  passed over   rules: too short: 807 of 10000 characters\n" in text
    assert "none passed the gate: what rules found stays" in text
    assert "passed over" not in shown(site, tmp_path)
    assert "  passed over   rules: nothing\n" in shown(site, tmp_path, "<html><body><nav>Nada</nav>")


def test_what_the_page_is(site: SiteConfig, tmp_path: Path) -> None:
    """Its kind with the confidence in it."""
    assert re.search(r"^  kind          \w+ \(\d\.\d\d\)", shown(site, tmp_path), re.MULTILINE)


@pytest.mark.parametrize("columns", [80, 130])
def test_every_block_with_its_score(site: SiteConfig, tmp_path: Path, columns: int) -> None:
    """Kept or not, with reasons, in columns, no line longer than the terminal is wide."""
    (tmp_path / "page.html").write_text(PAGE + "<p>Más noticias</p><p>新しい橋が開通した</p>" * 3, encoding="utf-8")
    clean = clean_page(page_of(site, str(tmp_path / "page.html"), URL, None), site)
    assert isinstance(clean, CleanPage)
    head, *lines = blocks_told(clean, site, columns)
    assert re.fullmatch(r"Blocks as gist sees them: \d of 8 kept \(\+\), and what moved each score most", head)
    assert len(lines) == 8
    assert all(re.match(r"  [+-] \d\.\d\d  \w+ ", line) for line in lines)
    assert all(len(line) <= columns for line in lines)
    assert any(re.match(r"  \+ \d\.\d\d  paragraph  El pleno aprobó", line) for line in lines)
    assert any(re.search(r"  \w+ [+-]\d\.\d\d", line) for line in lines)


def test_blocks_are_shown_when_asked_for(site: SiteConfig, tmp_path: Path) -> None:
    """Below the rest; a page without text has none."""
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    attempt = trial(page_of(site, str(tmp_path / "page.html"), URL, None), site)
    assert "Blocks as gist sees them" in told(attempt, blocks=True)
    assert "Blocks as gist sees them" not in told(attempt)
    clean = clean_page(page_of_text("<img>"), site)
    assert isinstance(clean, CleanPage)
    assert list(blocks_told(clean, site)) == ["The page has no text"]


def test_how_a_crawl_would_find_it(site: SiteConfig, tmp_path: Path) -> None:
    """By which index and link pattern, or why not at all."""
    assert "through local, by the link pattern /noticia/" in shown(site, tmp_path)
    assert "its address matches no link pattern" in shown(site, tmp_path, url="https://muestra.example/otra/1")
    excluded = shown(site, tmp_path, url="https://muestra.example/opinion/noticia/1")
    assert "a crawl would not ask for it: `exclude` has /opinion/" in excluded


def test_gzipped_files(site: SiteConfig, tmp_path: Path) -> None:
    """A saved page may be gzipped; a broken one is told by its name."""
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(PAGE.encode()))
    assert page_of(site, str(path), URL, None).body == PAGE.encode()
    path.write_bytes(gzip.compress(PAGE.encode())[:-9])
    with pytest.raises(OSError, match=r"page\.html\.gz: looks gzipped and is broken"):
        page_of(site, str(path), URL, None)
