"""The site, section, language, title and address of a page."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings
from corpusbot.metadata.generic import metadata_of
from corpusbot.metadata.language import language_of
from tests.pages import ADDRESS, cleaned, plain_site

SENTENCES = {
    "es": "El alcalde dijo ayer que las obras de la plaza no se van a terminar hasta que haya dinero para pagarlas. ",
    "gl": "O alcalde dixo onte que as obras da praza non van rematar ata que haxa cartos para pagalas, e xa. ",
    "ca": "L'alcalde va dir ahir que les obres de la plaça no s'acabaran fins que hi hagi diners per pagar-les. ",
    "pt": "O autarca disse ontem que as obras da praça não vão acabar até que haja dinheiro para as pagar, e é muito. ",
    "eu": "Alkateak atzo esan zuen plazako lanak ez dira amaituko dirua egon arte, eta hori da orain. ",
    "en": "The mayor said that the works in the square will not be over until there is the money to pay for them all. ",
    "de": "Der Bürgermeister sagte, dass die Arbeiten auf dem Platz nicht fertig werden, bis das Geld für sie da ist. ",
    "fr": "Le maire a dit que les travaux de la place ne seront pas finis avant qu'il y ait de l'argent pour payer. ",
    "it": "Il sindaco ha detto che i lavori della piazza non finiranno fino a che non ci saranno i soldi per pagarli. ",
    "nl": "De burgemeester zei dat het werk op het plein niet klaar is voordat er geld is om het ook te betalen. ",
}


def said(page: str, url: str = ADDRESS) -> Findings:
    """What a page says."""
    return metadata_of(facts_of(cleaned(page, url=url), plain_site(name="")))


def ld(item: object) -> str:
    """A page with JSON-LD."""
    return f'<script type="application/ld+json">{json.dumps(item)}</script><p>x</p>'


@pytest.mark.parametrize(
    ("page", "name", "origin"),
    [
        ('<meta property="og:site_name" content="La Muestra | Diario">', "La Muestra", "meta:og:site_name"),
        (
            '<meta property="og:site_name" content="muestra.example">'
            + ld({"@type": "NewsArticle", "publisher": {"name": "La Muestra"}}),
            "La Muestra",
            "jsonld:publisher",
        ),
        (ld({"@type": "WebSite", "name": "La Muestra"}), "La Muestra", "jsonld:WebSite"),
        (
            ld({"@type": "NewsArticle", "isPartOf": {"@type": "Newspaper", "name": "La Muestra"}}),
            "La Muestra",
            "jsonld:isPartOf",
        ),
        ('<meta name="application-name" content="La Muestra">', "La Muestra", "meta:application-name"),
        ("<title>Sube el pan | La Muestra</title><h1>Sube el pan</h1>", "La Muestra", "title"),
        ('<meta property="og:site_name" content="https://muestra.example">', "muestra.example", "meta:og:site_name"),
        ("<title>Sube el pan</title>", None, None),
    ],
)
def test_the_name_of_the_site(page: str, name: str | None, origin: str | None) -> None:
    """A name rather than an address."""
    found = said(page)
    assert (found.publisher, found.origins.get("publisher")) == (name, origin)


@pytest.mark.parametrize(
    ("page", "origin"),
    [
        (
            ld({"@type": "BreadcrumbList", "itemListElement": [
                {"name": "Inicio"}, {"item": {"name": "País"}}, {"name": "Sube el pan"}]}),
            "jsonld:BreadcrumbList",
        ),
        ('<nav class="breadcrumb"><a>Portada</a> › <a>País</a> › <a>Norte</a></nav>', "breadcrumb"),
        ('<meta name="cXenseParse:recs:category" content="País">', "meta:cxenseparse:recs:category"),
        ('<p itemprop=articleSection>País</p>', "itemprop:articleSection"),
    ],
)  # fmt: skip
def test_the_section(page: str, origin: str) -> None:
    """By itself, or as the step after the front page on the way to the article."""
    found = said(page)
    assert (found.section, found.origins["section"]) == ("País", origin)


@pytest.mark.parametrize("code", SENTENCES)
def test_the_language_of_a_text(code: str) -> None:
    """By its small words, near kin told apart."""
    assert language_of(SENTENCES[code] * 5) == code


@pytest.mark.parametrize(
    ("lang", "text", "code", "origin"),
    [
        ("es", "gl", "gl", "text (html:lang says es)"),
        ("en-US", "es", "es", "text (html:lang says en-US)"),
        ("es-MX", "es", "es-MX", "html:lang"),
        ("oc", "ca", "oc", "html:lang"),
        ("", "de", "de", "text"),
    ],
)
def test_a_language_that_the_text_contradicts(lang: str, text: str, code: str, origin: str) -> None:
    """The text is right where it is plain; of a language that is not known nothing is said against."""
    paragraph = f"<p>{SENTENCES[text] * 2}</p>"
    found = said(f'<html lang="{lang}">{paragraph * 4}')
    assert (found.language, found.origins["language"]) == (code, origin)


@given(st.text(max_size=2_000), st.sampled_from([None, "es", "ja", "xx"]))
def test_any_text_has_a_language_or_none(text: str, lang: str | None) -> None:
    """Whatever it is made of."""
    assert language_of(text, lang) is None or isinstance(language_of(text, lang), str)


@pytest.mark.parametrize(
    ("page", "title"),
    [
        (
            ld({"@type": "Article", "headline": "Sube el pan en todo el país, y la…"})
            + "<h1>Sube el pan en todo el país, y la harina</h1>",
            "Sube el pan en todo el país, y la harina",
        ),
        ('<meta property="og:title" content="Sube el pan - Otra"><h1>Sube el pan</h1>', "Sube el pan"),
        ('<meta property="og:title" content="Sube el pan ｜ Muestra">', "Sube el pan"),
        ('<meta property="og:title" content="Pan - y sal"><h1>Sube</h1>', "Pan - y sal"),
        ('<meta property="og:title" content="La Muestra"><meta property="og:site_name" content="La Muestra">'
         "<h1>Sube el pan</h1>", "Sube el pan"),
    ],
)  # fmt: skip
def test_titles_that_are_cut_off_or_too_long(page: str, title: str) -> None:
    """Whole from another place, without the host's name or what the heading does not have."""
    assert said(page).title == title


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("<link rel=canonical href=https://muestra.example/>", None),
        ('<link rel=canonical href=/><meta property="og:url" content="/x.html">', "https://muestra.example/x.html"),
        ("<link rel=canonical href=https://cuentas.example/login?a=b>", None),
    ],
)
def test_an_address_that_is_no_articles(page: str, address: str | None) -> None:
    """A front page, a door."""
    assert said(page).canonical_url == address


@pytest.mark.parametrize(
    ("page", "authors", "origin"),
    [
        ('<meta name="dcterms.creator" content="Ruiz Gil, Ana"><meta name=author content="ana@x.example">',
         ("Ruiz Gil",), "meta:dc.creator"),
        ('<meta name="twitter:label1" content="Escrito por"><meta name="twitter:data1" content="Ana Ruiz">',
         ("Ana Ruiz",), "meta:twitter:data1"),
        ('<meta name=author content="La Muestra"><meta property="og:site_name" content="La Muestra">'
         "<h1>x</h1><p class=autor>Ana Ruiz</p>", ("Ana Ruiz",), "byline"),
        ('<meta name=author content="La Muestra"><h1>x</h1>', ("La Muestra",), "meta:author"),
        ('<meta name=author content="Ana Ruiz"><meta name=author content="(Foto: Eva Sanz)">',
         ("Ana Ruiz",), "meta:author"),
    ],
)  # fmt: skip
def test_authors_of_meta_tags(page: str, authors: tuple[str, ...], origin: str) -> None:
    """People before the newspaper, wherever they stand; no addresses, no photographers."""
    found = said(page)
    assert (found.authors, found.origins["authors"]) == (authors, origin)
