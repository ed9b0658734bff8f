"""The chain: whose body counts, who fills what is missing, and what is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpusbot.extractors import jsonld, trafilatura
from corpusbot.extractors.chain import extract_article
from corpusbot.model import Article, Block, Drop, Place, Section
from corpusbot.sites import SiteConfig
from tests.pages import ADDRESS, NOWHERE, cleaned, plain_site, site_from

SENTENCE = "Esta es una frase corriente de una noticia que tiene texto de sobra para contar algo. "
RULES_AND_CNR = """
extractors: [rules, cnr]
fields: {title: h1, body: .nada, FUENTE: .nada, lead: .breve}
"""
BODY = "".join(f"<p>{number}. {SENTENCE * 2}</p>" for number in range(5))
PAGE = (
    "<html lang=es><head><title>Sube el pan</title><meta name=author content='Ana Ruiz'></head>"
    f"<body><h1>Sube el pan</h1><div class=breve><p>Breve.</p></div><article>{BODY}</article></body></html>"
)


def article_of(page: str, site: SiteConfig, place: Place = NOWHERE) -> Article:
    """The article that the chain makes of a page."""
    article = extract_article(cleaned(page, site, place=place), site)
    assert isinstance(article, Article)
    return article


def test_the_rules_body_where_it_is_long_enough(tmp_path: Path) -> None:
    """No other extractor is asked for it."""
    article = article_of(PAGE, site_from(tmp_path, "fields: {body: article}\n"))
    assert article.origins["body"] == "muestra.yaml:3 css:article"
    assert len(article.body) == 5


def test_the_next_one_where_it_is_too_short(tmp_path: Path) -> None:
    """The body is then that one's, and its section too."""
    site = site_from(tmp_path, "extractors: [rules, cnr]\nfields: {title: h1, body: .breve}\n")
    article = article_of(PAGE, site)
    assert article.origins["body"] == "cnr"
    assert SENTENCE.strip() in article.text
    assert [section.name for section in article.sections] == ["TITULO", "CUERPO"]
    assert article.sections[1].text == "\n".join(block.text for block in article.body)


def test_a_brief_that_the_rules_found_stays_if_nobody_finds_more(tmp_path: Path) -> None:
    """A short text is not replaced by a menu."""
    page = "<div class=breve><p>Breve.</p></div><p>Otro texto corto de la página, algo más largo.</p>"
    article = article_of(page, site_from(tmp_path, "extractors: [rules, cnr]\nfields: {body: .breve}\n"))
    assert article.body == (Block("Breve."),)


def test_the_longest_where_nobody_reaches_the_least() -> None:
    """Without rules, more is better."""
    page = '<script type="application/ld+json">{"@type": "Article", "articleBody": "Corto."}</script><p>Algo más.</p>'
    assert article_of(page, plain_site(extractors=("jsonld", "cnr"))).origins["body"] == "cnr"


def test_a_missing_body_is_filled_into_its_section(tmp_path: Path) -> None:
    """The field's place in the file is its place in the document."""
    site = site_from(tmp_path, RULES_AND_CNR)
    names = [section.name for section in article_of(PAGE, site).sections]
    assert names == ["TITULO", "CUERPO", "ENTRADILLA"]


def test_an_empty_tag_keeps_its_empty_section(tmp_path: Path) -> None:
    """Even if the page names an author elsewhere: the field tells that one."""
    site = site_from(tmp_path, "translate: [{tag: firma, to: .AUTOR}]\n")
    article = article_of(PAGE.replace("<h1>", "<firma></firma><h1>"), site)
    assert Section("AUTOR", "") in article.sections
    assert article.authors == ("Ana Ruiz",)


def test_metadata_fills_what_the_rules_leave_open(tmp_path: Path) -> None:
    """With what found it."""
    article = article_of(PAGE, site_from(tmp_path, "fields: {title: .nada, body: article}\n"))
    assert (article.title, article.origins["title"]) == ("Sube el pan", "h1")
    assert article.origins["authors"] == "meta:author"


def test_what_the_crawl_knows_is_the_last_resort(tmp_path: Path) -> None:
    """The section of the index, the language of the newspaper."""
    site = site_from(tmp_path, "language: es\n")
    page = PAGE.replace(" lang=es", "").replace(SENTENCE, "Ibex 10.342 Dax 18.772 Nasdaq 16.302 " * 3)
    article = article_of(page, site, Place(section="País"))
    assert (article.section, article.origins["section"]) == ("País", "index")
    assert (article.language, article.origins["language"]) == ("es", "site")


def test_a_page_without_text_is_dropped() -> None:
    """With the names of those who looked."""
    site = plain_site(extractors=("rules", "cnr"))
    drop = extract_article(cleaned("<img>", site), site)
    assert isinstance(drop, Drop)
    assert drop.reason == "no_text"
    assert drop.detail.startswith("no text by rules, cnr")


def test_a_page_without_text_that_is_no_article_is_told_by_its_kind() -> None:
    """So that the report shows whether a newspaper's pages are empty, or others than was thought."""
    page = "<html><head><title>404 Not found</title></head><body><img></body></html>"
    drop = extract_article(cleaned(page), plain_site(extractors=("rules",)))
    assert isinstance(drop, Drop)
    assert drop.reason == "no_text"
    assert drop.detail.startswith("no text by rules; error (0.")


def test_an_article_is_told_to_be_one(tmp_path: Path) -> None:
    """By whatever its body was found; a page that is something else keeps its text, and tells what it is."""
    assert article_of(PAGE, site_from(tmp_path, "fields: {body: article}\n")).kind == "article"
    missing = "<title>Página no encontrada</title><h1>Error 404</h1><p>La página que busca no existe.</p>"
    assert article_of(missing, plain_site(extractors=("cnr",))).kind == "error"


def test_the_article_knows_its_page() -> None:
    """Where it comes from, when, and in which encoding."""
    article = article_of(PAGE, plain_site())
    assert article.url == ADDRESS
    assert article.encoding is not None
    assert article.encoding.used == "utf-8"


@pytest.mark.parametrize("body", ["Uno.\\nDos.", "<p>Uno.</p><p>Dos.</p>", "&lt;p&gt;Uno.&lt;/p&gt;<br><br>Dos."])
def test_the_body_in_json_ld(body: str) -> None:
    """Lines or tags part its paragraphs."""
    page = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body}"}}</script><p>x'
    findings = jsonld.extract(cleaned(page), plain_site())
    assert findings is not None
    assert [block.text for block in findings.body][-1] == "Dos."
    assert len(findings.body) == 2


def test_trafilatura_gives_kinds() -> None:
    """Headings, items, rows and quotes are told from paragraphs."""
    page = f"<article><h2>Aparte</h2>{BODY}<ul><li>{SENTENCE}</li><li>{SENTENCE}</li></ul></article>"
    findings = trafilatura.extract(cleaned(page), plain_site())
    assert findings is not None
    assert {"heading", "paragraph", "item"} <= {block.kind for block in findings.body}
    assert findings.origins == {"body": "trafilatura"}


@pytest.mark.parametrize("page", ["<div>" * 900 + BODY, "<p>x</p>" * 60_000])
def test_trafilatura_is_not_asked_about_monsters(page: str) -> None:
    """It would take minutes."""
    assert trafilatura.extract(cleaned(page), plain_site()) is None
