"""The importer of webreader's XML: the seed's configuration file, as a word processor left it and plain."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from corpusbot.model import Place
from corpusbot.sites import SiteConfig, SiteError, load_site_file
from corpusbot.sites.variables import filled
from corpusbot.sites.webreader_xml import import_webreader

FIXTURES = Path(__file__).parent / "fixtures"
BOTH = pytest.mark.parametrize("fixture", ["webreader.xml", "webreader_plain.xml"])
DAY = date(2000, 12, 8)


def imported(fixture: str, folder: Path) -> dict[str, SiteConfig]:
    """The sites of a fixture, as loaded from the files written."""
    paths = import_webreader((FIXTURES / fixture).read_text(encoding="utf-8"), folder)
    assert [path.name for path in paths] == ["_corpus.yaml", "abc.yaml", "elmundo.yaml", "elpais.yaml"]
    return {path.stem: load_site_file(path) for path in paths[1:]}


@BOTH
def test_the_addresses(fixture: str, tmp_path: Path) -> None:
    """Broken and quoted addresses are whole again; patterns and their days hold."""
    sites = imported(fixture, tmp_path)
    assert {name: site.indexes[0].url for name, site in sites.items()} == {
        "abc": "http://www.abc.es/ABC/fijas/internac/index.asp",
        "elmundo": "http://www.elmundo.es/diario/internacional/index.html",
        "elpais": "http://www.elpais.es/p/d/$YYYY$$MM$$DD$/internac/",
    }
    assert filled(sites["elpais"].indexes[0].url, DAY) == "http://www.elpais.es/p/d/20001208/internac/"
    assert sites["elmundo"].indexes[0].links[0].regex(DAY).search("http://www.elmundo.es/diario/08N0001.html")
    assert sites["abc"].indexes[0].links[0].match == "pa00"
    assert all(site.indexes[0].follow and not site.indexes[0].extract for site in sites.values())
    assert [site.name for site in sites.values()] == ["Diario ABC", "Diario El Mundo", "Diario El Pais"]


@BOTH
def test_the_rules(fixture: str, tmp_path: Path) -> None:
    """Translate rules at the level that they stood at, and what they look for."""
    sites = imported(fixture, tmp_path)
    place = Place(index=sites["elpais"].indexes[0].name)
    title, body = sites["elpais"].rules_for(place).translate
    assert (title.to, title.source.query, title.source.get) == ("title", "meta", "content")
    assert (title.source.attribute, title.source.value, title.where.level) == ("name", "TITULO", "index")
    assert (body.to, body.source.query) == ("body", "body")
    abc = sites["abc"].rules_for(Place()).translate
    assert [(rule.source.query, rule.to) for rule in abc] == [
        ("titulo", "title"),
        ("entradilla", "lead"),
        ("firma", "authors"),
        ("texto", "body"),
    ]
    assert sites["abc"].rules_for(Place()).ignore == {"p", "br", "strong"}


@BOTH
def test_the_appended_sections(fixture: str, tmp_path: Path) -> None:
    """In the order of the seed's documents: the corpus's, the site's, the index page's."""
    sites = imported(fixture, tmp_path)
    wanted = {"abc": "ABC", "elmundo": "EL MUNDO", "elpais": "EL PAIS"}
    for name, site in sites.items():
        appended = site.rules_for(Place(index=site.indexes[0].name)).append
        assert [(rule.name, filled(rule.text, DAY, url="http://a.es/")) for rule in appended] == [
            ("FECHA", "12-08-2000"),
            ("LINK", "http://a.es/"),
            ("PERIODICO", wanted[name]),
            ("SECCION", "Internacional"),
        ]


@BOTH
def test_the_target(fixture: str, tmp_path: Path) -> None:
    """The file's name is kept; the path, which is another machine's, is told in a comment."""
    site = imported(fixture, tmp_path)["elpais"]
    assert (site.target.path, site.target.file, site.target.format) == ("webreader", "spanish_news.data", "sections")
    assert site.target.append
    assert "it wrote into /home1/dofer/projects/webreader;" in (tmp_path / "_corpus.yaml").read_text(encoding="utf-8")


def test_the_yaml_itself(tmp_path: Path) -> None:
    """Made to be read and worked on: short forms, and comments that say what came from where."""
    imported("webreader.xml", tmp_path)
    assert (tmp_path / "elmundo.yaml").read_text(encoding="utf-8") == (
        "# yaml-language-server: $schema=../docs/reference/site-file.schema.json\n"
        "# From a webreader file: its site 'Diario El Mundo'.\n"
        "name: Diario El Mundo\n"
        "home: http://www.elmundo.es/\n"
        "\n"
        "indexes:\n"
        "  # From <link> 'Seccion Internacional'; the address is the URL of <site>.\n"
        "  - url: http://www.elmundo.es/diario/internacional/index.html\n"
        "    name: Seccion Internacional\n"
        "    follow: true\n"
        "    extract: false\n"
        "    links: [$DD$N0]\n"
        "    translate:\n"
        "      - {tag: TITLE, to: .TITULO}\n"
        "      - {tag: DIV, to: .CUERPO}\n"
        "    append:\n"
        "      SECCION: Internacional\n"
        "\n"
        "# From the <format> of <site>.\n"
        "append:\n"
        "  PERIODICO: EL MUNDO\n"
    )


def test_rules_of_all_four_levels(tmp_path: Path) -> None:
    """Two links of one address are one index page; their rules, and those of their URLs, go with the patterns."""
    xml = """<webreader><site name="Hoja" URL="http://a.es/i">
      <link name="n"><URL>/n/</URL><URL>/m(<format><append>.NIVEL URL</append></format></URL>
        <format><append>.NIVEL link</append><ignore>B</ignore></format></link>
      <link name="o"><URL>/o/</URL></link></site>
      <site name="Hoja" URL="http://b.es/" process_content="true" process_links="false"/></webreader>"""
    paths = import_webreader(xml, tmp_path)
    assert [path.name for path in paths] == ["_corpus.yaml", "hoja.yaml", "hoja-2.yaml"]
    site = load_site_file(paths[1])
    assert [link.match for link in site.indexes[0].links] == ["/n/", r"/m\(", "/o/"]
    texts = [[rule.text for rule in link.rules.append] for link in site.indexes[0].links]
    assert texts == [["link"], ["URL"], []]
    assert [rule.text for rule in site.indexes[0].links[1].rules.ignore] == ["b"]
    assert load_site_file(paths[2]).indexes[0].extract


@pytest.mark.parametrize(
    ("xml", "wanted"),
    [
        ("<webreader>\n<site></webreader>", "webreader.xml:2: not XML: "),
        ("<html/>", "webreader.xml:1: the root is <html>, that of such a file is <webreader>"),
        ('<!DOCTYPE w [\n<!ENTITY a "b">]>\n<webreader/>', "webreader.xml:1: declarations of entities are not read."),
        ("<webreader><format><translate/></format></webreader>", "webreader.xml:1: a <translate> has a <tag_in> and"),
    ],
)
def test_what_is_refused(tmp_path: Path, xml: str, wanted: str) -> None:
    """With the line of the XML file; entities are neither expanded nor fetched."""
    with pytest.raises(SiteError) as caught:
        import_webreader(xml, tmp_path)
    assert str(caught.value).startswith(wanted)
    assert list(tmp_path.iterdir()) == []
