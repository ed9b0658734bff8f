"""The rules of a site file at work: every kind of source, every modifier, every field."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from corpusbot.extractors import rules
from corpusbot.metadata.findings import Findings
from corpusbot.model import Block, Place, Section
from tests.pages import ADDRESS, NOWHERE, cleaned, site_from

PAGE = """<html lang="es"><head><title>Sube el pan | La Muestra</title>
<meta property="og:title" content="Sube el pan"><meta name="keywords" content="pan, harina">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Sube el pan &amp; la sal",
 "author": [{"@type": "Person", "name": "Ana Ruiz"}, {"@id": "#luis"}], "wordCount": 321,
 "articleBody": "<p>Uno.</p><p>Dos &lt; tres.</p>", "datePublished": "2024-05-09T08:30:00"}</script>
<script type="application/ld+json">{"@type": "Person", "@id": "#luis", "name": "Luis Gil"}</script>
<script type="application/json" id="datos">window.x = {"nota": {"titulo": "Del guion",
 "temas": [{"name": "pan"}, "sal"]}};</script>
</head><body><h1>Sube <i>el</i> pan</h1><h1>Otro</h1><p class="firma">Por Ana Ruiz y Luis Gil</p>
<time datetime="2024-05-09T10:00:00+02:00">ayer</time><a class="canon" href="/noticia">aquí</a>
<div class="texto"><p>Primero.</p><aside>Publicidad</aside><p>Segundo.</p></div><div class="texto"><p>Tercero.</p></div>
<ul class="temas"><li>pan</li><li>sal / azúcar</li><li>pan</li></ul>
<p class="vacio"></p><span class="pago"></span></body></html>"""


def found(folder: Path, text: str, page: str = PAGE, place: Place = NOWHERE) -> Findings:
    """What the rules of a site file find."""
    site = site_from(folder, text)
    findings = rules.extract(cleaned(page, site, place=place), site)
    assert findings is not None
    return findings


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("{css: h1}", "Sube el pan"),
        ("h1", "Sube el pan"),
        ("//h1[2]", "Otro"),
        ("{xpath: '//meta[@property=\"og:title\"]/@content'}", "Sube el pan"),
        ("{xpath: string(//h1)}", "Sube el pan"),
        ("{xpath: count(//h1)}", "2"),
        ("{jsonld: headline}", "Sube el pan & la sal"),
        ("{jsonld: wordCount}", "321"),
        ("{meta: 'OG:title'}", "Sube el pan"),
        ("{tag: H1}", "Sube el pan"),
        ("{tag: meta, attribute: property, value: 'og:title', closed: false}", "Sube el pan"),
        ("{css: a.canon, get: HREF}", "/noticia"),
        ("{css: title, match: '^(.*?) [|]'}", "Sube el pan"),
        ("{css: title, match: 'el \\w+'}", "el pan"),
        ("{css: '#datos', match: '(?s)= (.*);', json: nota.titulo}", "Del guion"),
        ("[{css: .nada}, {css: .vacio}, {css: h1}]", "Sube el pan"),
    ],
)
def test_the_kinds_of_source(tmp_path: Path, source: str, title: str) -> None:
    """The first match of the first source that finds something."""
    assert found(tmp_path, f"fields:\n  title: {source}\n").title == title


def test_origins_tell_the_line_and_how(tmp_path: Path) -> None:
    """The line is that of the field in its file."""
    findings = found(tmp_path, "fields:\n  title: {jsonld: headline}\n  body: .texto\n")
    assert findings.origins == {"title": "muestra.yaml:4 jsonld:headline", "body": "muestra.yaml:5 css:.texto"}


def test_a_container_gives_its_blocks_without_what_is_left_out(tmp_path: Path) -> None:
    """Of every match, one after the other."""
    findings = found(tmp_path, "fields:\n  body: {css: .texto, without: [aside]}\n")
    assert findings.body == (Block("Primero."), Block("Segundo."), Block("Tercero."))
    assert findings.sections == (Section("CUERPO", "Primero.\nSegundo.\nTercero."),)


def test_a_body_in_json_ld_may_be_html(tmp_path: Path) -> None:
    """Its tags part the blocks, and `ignore` lets them through."""
    assert found(tmp_path, "fields: {body: {jsonld: articleBody}}\n").body == (Block("Uno."), Block("Dos < tres."))
    kept = found(tmp_path, "ignore: [p]\nfields: {body: {jsonld: articleBody}}\n").body
    assert kept == (Block("<p>Uno.</p>"), Block("<p>Dos < tres.</p>"))


@pytest.mark.parametrize(
    ("source", "authors"),
    [
        ("{jsonld: 'author[].name'}", ("Ana Ruiz", "Luis Gil")),
        ("{jsonld: author}", ("Ana Ruiz", "Luis Gil")),
        (".firma", ("Ana Ruiz", "Luis Gil")),
        ("{css: .firma, match: 'Por (.*)', split: ' y '}", ("Ana Ruiz", "Luis Gil")),
        ("{css: .firma, match: 'Por (.*)'}", ("Ana Ruiz y Luis Gil",)),
    ],
)
def test_authors(tmp_path: Path, source: str, authors: tuple[str, ...]) -> None:
    """By reference, by object, by byline, or parted as the rule says."""
    assert found(tmp_path, f"fields:\n  authors: {source}\n").authors == authors


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("{css: .temas li}", ("pan", "sal / azúcar")),
        ("{css: .temas li, split: ' / '}", ("pan", "sal", "azúcar")),
        ("{meta: keywords, split: ', '}", ("pan", "harina")),
        ("{css: '#datos', match: '(?s)= (.*);', json: nota.temas}", ("pan", "sal")),
    ],
)
def test_tags(tmp_path: Path, source: str, tags: tuple[str, ...]) -> None:
    """Each once, in order."""
    assert found(tmp_path, f"fields:\n  tags: {source}\n").tags == tags


@pytest.mark.parametrize("source", ["{css: time}", "{css: time, get: datetime}", "{jsonld: datePublished}"])
def test_moments_have_a_zone(tmp_path: Path, source: str) -> None:
    """Their own, or else the newspaper's; a TIME says it for machines."""
    published = found(tmp_path, f"timezone: Europe/Madrid\nfields:\n  published: {source}\n").published
    assert published is not None
    assert published.utcoffset() == datetime(2024, 5, 9, tzinfo=ZoneInfo("Europe/Madrid")).utcoffset()
    assert published.date() == datetime(2024, 5, 9, tzinfo=UTC).date()


@pytest.mark.parametrize(
    ("source", "paywalled"),
    [(".pago", True), (".nada", None), ("{jsonld: wordCount > `9`}", True), ("{jsonld: wordCount < `9`}", False)],
)
def test_whether_it_costs_money(tmp_path: Path, source: str, paywalled: bool | None) -> None:
    """A mark that is there says yes; a text says what it says."""
    assert found(tmp_path, f"fields:\n  paywalled: {source}\n").paywalled is paywalled


def test_addresses_are_made_absolute(tmp_path: Path) -> None:
    """That of a link, not its text."""
    assert found(tmp_path, "fields: {canonical_url: a.canon}\n").canonical_url == "https://muestra.example/noticia"


def test_other_names_become_sections(tmp_path: Path) -> None:
    """All their matches, with the sections in the order of the file after those that are appended."""
    text = (
        "append: {SITIO: $SITE$, DIA: $DD$-$MM$-$YYYY$, LINK: $URL$}\n"
        "fields: {SAL: .temas li, title: h1, NADA: .x, VACIO: .vacio}\n"
    )
    assert found(tmp_path, text).sections == (
        Section("SITIO", "La Muestra"),
        Section("DIA", "10-05-2024"),
        Section("LINK", ADDRESS),
        Section("SAL", "pan\nsal / azúcar\npan"),
        Section("TITULO", "Sube el pan"),
        Section("VACIO", ""),
    )


def test_an_appended_label_is_its_field(tmp_path: Path) -> None:
    """Unless the page itself names it."""
    text = "labels: {section: SECCION}\nappend: {SECCION: $SECTION$}\n"
    assert found(tmp_path, text, place=Place(section="País")).section == "País"
    assert found(tmp_path, text + "fields: {section: h1}\n", place=Place(section="País")).section == "Sube el pan"


def test_functions_that_do_not_fit_find_nothing(tmp_path: Path) -> None:
    """A JMESPath that fails on a page is no error of the run."""
    assert found(tmp_path, "fields:\n  title: {jsonld: 'sum(wordCount)'}\n").title is None


def test_a_site_without_rules_has_no_findings(tmp_path: Path) -> None:
    """The chain then asks the next extractor."""
    site = site_from(tmp_path, "")
    assert rules.extract(cleaned(PAGE, site), site) is None
