"""The whole line for one page, without Scrapy."""

from __future__ import annotations

from pathlib import Path

from corpusbot.line import read, trace
from corpusbot.model import Article, Drop
from tests.pages import page_of, site_from

SENTENCE = "Esta es una frase de una noticia que tiene texto de sobra para que nadie la tome por un menú. "
PAGE = f"<html lang=es><h1>Sube  el pan</h1><article>{f'<p>{SENTENCE * 3}</p>' * 3}<p>Fin.</p></article></html>"
RULES = "language: es\nfields: {title: h1, body: article}\n"


def test_a_page_becomes_an_article(tmp_path: Path) -> None:
    """Cleaned, extracted, normalised and let through."""
    article = read(page_of(PAGE), site_from(tmp_path, RULES))
    assert isinstance(article, Article)
    assert article.title == "Sube el pan"
    assert [block.text for block in article.body] == [(SENTENCE * 3).strip(), "Fin."]


def test_a_page_that_is_none_is_dropped_with_its_reason(tmp_path: Path) -> None:
    """At the stage that says so."""
    site = site_from(tmp_path, RULES)
    assert read(page_of("%PDF-1.4"), site) == Drop("not_html", "PDF")
    assert [step.name for step in trace(page_of("%PDF-1.4"), site)] == ["cleanup"]


def test_every_stage_is_traced(tmp_path: Path) -> None:
    """With its result and its time; the last result is what reading gives."""
    site = site_from(tmp_path, RULES)
    steps = list(trace(page_of(PAGE), site))
    assert [step.name for step in steps] == ["cleanup", "extraction", "normalising", "filtering"]
    assert all(step.seconds >= 0 for step in steps)
    assert steps[-1].result == read(page_of(PAGE), site)


def test_a_filter_drops(tmp_path: Path) -> None:
    """As the site file says."""
    site = site_from(tmp_path, RULES + "filters: [{length: {min_words: 1000}}]\n")
    result = read(page_of(PAGE), site)
    assert isinstance(result, Drop)
    assert result.reason == "too_short"
