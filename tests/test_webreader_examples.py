"""The worked examples of webreader's paper, letter by letter."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from corpusbot.dom.cleanup import clean_page
from corpusbot.export.sections import rendered
from corpusbot.extractors import rules
from corpusbot.extractors.chain import extract_article
from corpusbot.model import Article, Body, CleanPage, Page, Place, Section
from corpusbot.sites import SiteConfig, load_site_file

TEXTO = (
    '<font type="arial"><texto>Este texto <B>se mantiene</B> </texto>pero éste otro <B>se desecha</B></font>'
    "<texto>y éste de aquí se añade</texto>"
)
META = (
    '<META name="TITULO" content="Finaliza la cumbre europea"><META name="FECHA" content=" 12/11/2000">'
)
WHOLE_CORPUS = """
append:
  FECHA: $MM$-$DD$-$YYYY$
  LINK: $URL$
ignore: [P, BR, STRONG]
"""
WHOLE_SITE = """
name: EL PAIS
home: http://www.elpais.es/
append: {PERIODICO: $SITE$}
min_body: 1
indexes:
  - url: http://www.elpais.es/p/d/$YYYY$$MM$$DD$/espana/
    name: espana
    section: Internacional
    append: {SECCION: $SECTION$}
    links:
      - match: espana
        name: retirada
        translate:
          - {tag_in: META, attr_name: NAME, attr_value: TITULO, attr_get: CONTENT, closed: false, tag_out: .TITULO}
          - {tag_in: BODY, tag_out: .CUERPO}
"""
WHOLE_PAGE = """
<HTML><HEAD><META NAME="TITULO" CONTENT="El PSOE busca apoyos en el Congreso …"></HEAD>
<BODY><FONT SIZE=2><BR><BR>
El PSOE busca apoyos en el Congreso
<P> Zapatero afirma que la actuación del Gobierno <STRONG>es un monumento</STRONG>
</FONT></BODY></HTML>
"""


def site_of(folder: Path, text: str, corpus: str = "") -> SiteConfig:
    """The site that a file with this text says, under a corpus file with that text."""
    (folder / "muestra.yaml").write_text(text, encoding="utf-8")
    (folder / "_corpus.yaml").write_text(corpus, encoding="utf-8")
    return load_site_file(folder / "muestra.yaml", folder / "_corpus.yaml")


def cleaned(html: str, site: SiteConfig, place: Place = Place(), url: str = "http://muestra.es/1.htm") -> CleanPage:
    """A page of the site, cleaned."""
    page = Page("muestra", url, Body(html.encode("cp1252")), datetime(2000, 12, 8, tzinfo=UTC), place=place)
    clean = clean_page(page, site)
    assert isinstance(clean, CleanPage)
    return clean


def sections_by_rules(html: str, site: SiteConfig) -> tuple[Section, ...]:
    """The sections that the site's rules alone make of a page."""
    findings = rules.extract(cleaned(html, site), site)
    assert findings is not None
    return findings.sections


def form(sections: tuple[Section, ...]) -> str:
    """The sections as they are written."""
    return rendered((section.name, section.text) for section in sections)


def test_a_tag_is_translated_and_every_further_match_added(tmp_path: Path) -> None:
    """The first row of table 1."""
    site = site_of(tmp_path, "home: http://muestra.es/\ntranslate: [{tag_in: texto, tag_out: .CUERPO}]\n")
    assert form(sections_by_rules(TEXTO, site)) == ".CUERPO\nEste texto se mantiene\ny éste de aquí se añade\n"


def test_an_attribute_of_a_tag_without_end_is_translated(tmp_path: Path) -> None:
    """The second row of table 1."""
    rule = "{tag_in: META, attr_name: NAME, attr_value: TITULO, attr_get: CONTENT, closed: false, tag_out: .TITULO}"
    site = site_of(tmp_path, f"home: http://muestra.es/\ntranslate: [{rule}]\n")
    assert form(sections_by_rules(META, site)) == ".TITULO\nFinaliza la cumbre europea\n"


def test_a_whole_document(tmp_path: Path) -> None:
    """Figure 2: appended sections from the corpus's to the index's, then the translated ones; ignored tags stay."""
    site = site_of(tmp_path, WHOLE_SITE, WHOLE_CORPUS)
    place = Place("espana", "retirada", section="Internacional", day=date(2000, 12, 8))
    url = "http://www.elpais.es/p/d/20001208/espana/retirada.htm"
    article = extract_article(cleaned(WHOLE_PAGE, site, place, url), site)
    assert isinstance(article, Article)
    assert form(article.sections) == (
        ".FECHA\n12-08-2000\n\n"
        ".LINK\nhttp://www.elpais.es/p/d/20001208/espana/retirada.htm\n\n"
        ".PERIODICO\nEL PAIS\n\n"
        ".SECCION\nInternacional\n\n"
        ".TITULO\nEl PSOE busca apoyos en el Congreso …\n\n"
        ".CUERPO\n<BR><BR> El PSOE busca apoyos en el Congreso\n"
        "<P> Zapatero afirma que la actuación del Gobierno <STRONG>es un monumento</STRONG>\n"
    )


def test_a_tag_that_is_there_but_empty_still_gives_its_section(tmp_path: Path) -> None:
    """Figure 3: an unsigned article has an empty .AUTOR."""
    rows = [("titulo", "TITULO"), ("firma", "AUTOR"), ("entradilla", "ENTRADILLA"), ("texto", "CUERPO")]
    listed = "".join(f"  - {{tag_in: {tag}, tag_out: .{name}}}\n" for tag, name in rows)
    site = site_of(tmp_path, f"home: http://www.abc.es/\nignore: [p]\ntranslate:\n{listed}")
    page = (
        "<titulo>PP y PSOE se comprometen</titulo><firma></firma>"
        "<entradilla>El pacto llama a todos</entradilla><texto><p>MADRID. G. L. A.</p><p>El acuerdo…</p></texto>"
    )
    assert form(sections_by_rules(page, site)) == (
        ".TITULO\nPP y PSOE se comprometen\n\n.AUTOR\n\n.ENTRADILLA\nEl pacto llama a todos\n\n"
        ".CUERPO\n<p>MADRID. G. L. A.</p>\n<p>El acuerdo…</p>\n"
    )


def test_a_match_inside_another_of_the_same_rule_is_not_doubled(tmp_path: Path) -> None:
    """Nested DIVs, as in El Mundo's pages of the time, give their text once."""
    site = site_of(tmp_path, "home: http://muestra.es/\ntranslate: [{tag_in: DIV, tag_out: .CUERPO}]\n")
    assert form(sections_by_rules("<DIV>uno<DIV>dos</DIV></DIV>fuera<DIV>tres</DIV>", site)) == (
        ".CUERPO\nuno\ndos\ntres\n"
    )


def test_sections_stand_as_they_occur_in_the_page(tmp_path: Path) -> None:
    """The order of the rules does not matter, that of the page does."""
    text = "home: http://muestra.es/\ntranslate: [{tag_in: b, tag_out: .B}, {tag_in: i, tag_out: .A}]\n"
    site = site_of(tmp_path, text)
    assert [section.name for section in sections_by_rules("<p><i>x</i> <b>y</b> <i>z</i>", site)] == ["A", "B"]


@pytest.mark.parametrize("tag", ["TEXTO", "Texto", "texto"])
def test_names_are_compared_without_case(tmp_path: Path, tag: str) -> None:
    """A rule's tag and the page's may be spelt as they like."""
    site = site_of(tmp_path, f"home: http://muestra.es/\ntranslate: [{{tag_in: {tag}, tag_out: .CUERPO}}]\n")
    assert sections_by_rules("<tEXTO>uno</tEXTO>", site) == (Section("CUERPO", "uno"),)
