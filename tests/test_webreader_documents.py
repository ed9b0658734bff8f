"""What a webreader file gives by way of the importer: the documents of its paper, letter by letter.

The pages are in our own words, marked up as those of the three newspapers were in December 2000.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from corpusbot.dedup import fingerprint
from corpusbot.export.document import Particulars, document_of
from corpusbot.export.sections import rendered
from corpusbot.line import read
from corpusbot.model import Article, Body, Page, Place
from corpusbot.sites import SiteConfig, load_site_file
from corpusbot.sites.webreader_xml import import_webreader

WEBREADER = Path(__file__).parent / "fixtures" / "webreader.xml"

ABC_URL = "http://www.abc.es/ABC/fijas/internac/006pa00.asp"
ABC = """
<HTML><HEAD><TITLE>ABC Periódico Electrónico S.L.U.</TITLE>
<META NAME="description" CONTENT="Diario de información general"></HEAD>
<BODY BGCOLOR=#FFFFFF><TABLE><TR><TD><A HREF="/">Portada</A> <A HREF="/internac/">Internacional</A></TD></TR></TABLE>
<titulo><FONT SIZE=5>Los alcaldes del valle se comprometen a limpiar el río y
a no darle «más disgustos»</FONT></titulo>
<firma></firma>
<entradilla>El acuerdo «por el agua» llama a todos los vecinos a «compartir estos cuidados».<br></entradilla>
<texto><p>MADRID. Corresponsal</p><p>El acuerdo entre los pueblos de <b>arriba</b> y los de abajo
se firmó ayer.</p><p>El documento tiene tres hojas.</p></texto>
<HR><A HREF="mailto:x">Envíe su opinión</A></BODY></HTML>
"""
ABC_DOCUMENT = """\
.FECHA
12-09-2000

.LINK
http://www.abc.es/ABC/fijas/internac/006pa00.asp

.PERIODICO
ABC

.SECCION
Internacional

.TITULO
Los alcaldes del valle se comprometen a limpiar el río y a no darle «más disgustos»

.AUTOR

.ENTRADILLA
El acuerdo «por el agua» llama a todos los vecinos a «compartir estos cuidados».<br>

.CUERPO
<p>MADRID. Corresponsal</p>
<p>El acuerdo entre los pueblos de arriba y los de abajo se firmó ayer.</p>
<p>El documento tiene tres hojas.</p>
"""

MUNDO_URL = "http://www.elmundo.es/diario/internacional/09N0001.html"
MUNDO = """
<html><head><title>EUROPA | Los ministros cierran el acuerdo sobre los puentes.
 Exigen la «firma inmediata» de las orillas</title>
<meta name="author" content="Mundinteractivos"></head>
<body><table><tr><td>Sábado, 9 de diciembre de 2000</td></tr></table>
<div align=justify><font face=verdana>EUROPA. Los ministros exigen la «firma inmediata» de las orillas
y de los puentes.</font></div>
<a href="index.html">Volver</a></body></html>
"""
MUNDO_DOCUMENT = """\
.FECHA
12-09-2000

.LINK
http://www.elmundo.es/diario/internacional/09N0001.html

.PERIODICO
EL MUNDO

.SECCION
Internacional

.TITULO
EUROPA | Los ministros cierran el acuerdo sobre los puentes. Exigen la «firma inmediata» de las orillas

.CUERPO
EUROPA. Los ministros exigen la «firma inmediata» de las orillas y de los puentes.
"""

PAIS_URL = "http://www.elpais.es/p/d/20001208/internac/retirada.htm"
PAIS = """
<HTML><HEAD><TITLE>EL PAIS DIGITAL</TITLE>
<META NAME="TITULO" CONTENT="La oposición busca apoyos para exigir la retirada del 'Constante'">
<META NAME="FECHA" CONTENT=" 08/12/2000"></HEAD>
<BODY BGCOLOR="#FFFFFF"><FONT SIZE=2><BR><BR>
La oposición busca apoyos para exigir la retirada del barco
<P> La portavoz afirma que la actuación del Gobierno <STRONG>"es un monumento"</STRONG>
<P>A. DÍAZ,
Niza
<BR> La revelación del ministro <I>tiene</I> ahora que obtener resultados. <BR><BR>
</FONT></BODY></HTML>
"""
PAIS_DOCUMENT = """\
.FECHA
12-08-2000

.LINK
http://www.elpais.es/p/d/20001208/internac/retirada.htm

.PERIODICO
EL PAIS

.SECCION
Internacional

.TITULO
La oposición busca apoyos para exigir la retirada del 'Constante'

.CUERPO
<BR><BR> La oposición busca apoyos para exigir la retirada del barco
<P> La portavoz afirma que la actuación del Gobierno <STRONG>"es un monumento"</STRONG>
<P>A. DÍAZ, Niza <BR> La revelación del ministro tiene ahora que obtener resultados. <BR><BR>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the site files of webreader's own configuration."""
    folder = tmp_path_factory.mktemp("webreader")
    import_webreader(WEBREADER.read_text(encoding="utf-8"), folder)
    return folder


def placed(site: SiteConfig, day: date) -> Place:
    """Where the crawl would have found the page: the site's only index, by its only pattern."""
    (index,) = site.indexes
    (link,) = index.links
    return Place(index.name, link.name, link.section or index.section, day)


def document(folder: Path, name: str, url: str, html: str, day: date) -> str:
    """The document of a page, in webreader's form."""
    site = load_site_file(folder / f"{name}.yaml")
    moment = datetime(day.year, day.month, day.day, 9, tzinfo=UTC)
    body = Body(html.encode("cp1252"))
    article = read(Page(name, url, body, moment, place=placed(site, day)), site)
    assert isinstance(article, Article), article
    written = document_of(article, fingerprint(article.text), site, Particulars(labels=site.further_labels))
    return rendered(written.sections)


@pytest.mark.parametrize(
    ("name", "url", "html", "day", "wanted"),
    [
        ("abc", ABC_URL, ABC, date(2000, 12, 9), ABC_DOCUMENT),
        ("elmundo", MUNDO_URL, MUNDO, date(2000, 12, 9), MUNDO_DOCUMENT),
        ("elpais", PAIS_URL, PAIS, date(2000, 12, 8), PAIS_DOCUMENT),
    ],
)
def test_the_documents_of_the_paper(folder: Path, name: str, url: str, html: str, day: date, wanted: str) -> None:
    """Figures 2 to 4: appended sections in their order, then the page's; what no rule claims is not there."""
    assert document(folder, name, url, html, day) == wanted


@pytest.mark.parametrize(
    ("name", "url", "day"),
    [
        ("abc", ABC_URL, date(2000, 12, 9)),
        ("elmundo", MUNDO_URL, date(2000, 12, 9)),
        ("elpais", PAIS_URL, date(2000, 12, 8)),
    ],
)
def test_the_links_of_the_paper(folder: Path, name: str, url: str, day: date) -> None:
    """The patterns that were imported match the addresses of that day, and no other day's of El Mundo."""
    link = load_site_file(folder / f"{name}.yaml").indexes[0].links[0]
    assert link.regex(day).search(url)
    assert bool(link.regex(date(2000, 12, 11)).search(url)) == (name != "elmundo")
