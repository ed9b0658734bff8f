"""Reading site files: what is taken, and the message for every mistake, letter by letter."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.plugins import plugin_names
from corpusbot.sites import SiteConfig, SiteError, load_site_file
from corpusbot.sites.keys import CORPUS, SITE
from corpusbot.sites.reference import TABLES

LEAST = "home: https://elpais.com/\n"


def read(folder: Path, text: str, corpus: str = "") -> SiteConfig:
    """The configuration of a file with this text."""
    (folder / "elpais.yaml").write_text(text, encoding="utf-8")
    (folder / "_corpus.yaml").write_text(corpus, encoding="utf-8")
    return load_site_file(folder / "elpais.yaml", folder / "_corpus.yaml")


def refusal(folder: Path, text: str, corpus: str = "") -> str:
    """What is said of a file that is refused."""
    with pytest.raises(SiteError) as caught:
        read(folder, text, corpus)
    return str(caught.value)


def test_the_least_site(tmp_path: Path) -> None:
    """A home is enough; everything else has its default."""
    site = read(tmp_path, LEAST)
    assert (site.id, site.name, site.home, site.timezone) == ("elpais", "elpais", "https://elpais.com/", "UTC")
    assert (site.target.path, site.target.file, site.target.format) == ("elpais", "elpais.jsonl", "jsonl")
    assert site.extractor_names == ("rules", "gist")
    assert site.min_confidence == 0
    assert (site.language, site.indexes, site.filters, site.min_body) == (None, (), (), 250)


def test_a_whole_site(tmp_path: Path) -> None:
    """Indexes, feeds and sitemaps are all indexes; link patterns come from them or from the site."""
    site = read(
        tmp_path,
        r"""
name: El País
language: es
country: NO
timezone: Europe/Madrid
recent: 5
indexes:
  - url: https://elpais.com/internacional/
    section: Internacional
    next: a[rel=next]
    pages: 3
  - url: https://elpais.com/$YYYY$/$MM$/$DD$/
    process_links: yes
    process_content: yes
    links:
      - match: /espana/
        name: noticias
        section: España
        follow: true
feeds:
  url: https://elpais.com/rss
  section: Internacional
sitemaps: [{url: 'https://elpais.com/sitemap.xml', recent: 0}]
links: /\d{4}-\d{2}-\d{2}/
filters: [{length: {min_words: 30}}, language]
""",
    )
    page, dated, feed, sitemap = site.indexes
    assert [index.kind for index in site.indexes] == ["page", "page", "feed", "sitemap"]
    assert (page.name, page.next, page.pages, page.follow, page.extract) == (
        "Internacional", "a[rel=next]", 3, True, False,
    )  # fmt: skip
    assert [link.match for link in page.links] == [r"/\d{4}-\d{2}-\d{2}/"]
    assert page.links[0].section == "Internacional"
    assert dated.extract
    assert (dated.links[0].name, dated.links[0].section, dated.links[0].follow) == ("noticias", "España", True)
    assert feed.name == "https://elpais.com/rss"  # the page already has the section's name
    assert (feed.recent, sitemap.recent) == (5, 0)
    assert site.home == "https://elpais.com/"
    assert site.country == "NO"
    assert [(name, dict(options)) for name, options in site.filters] == [
        ("length", {"min_words": 30}),
        ("language", {}),
    ]


def test_a_chain_with_options_and_the_gate(tmp_path: Path) -> None:
    """Extractors stand bare or with options; a confidence may be written without a fraction; the corpus may say it."""
    site = read(tmp_path, LEAST + "extractors: [rules, {vote: {of: [gist, cnr], least: 2}}]\nmin_confidence: 1\n")
    assert site.extractor_names == ("rules", "vote")
    assert dict(site.extractors[1][1]) == {"of": ("gist", "cnr"), "least": 2}
    assert site.min_confidence == 1
    assert read(tmp_path, LEAST, "min_confidence: 0.4\nmin_body: 99\n").min_confidence == 0.4


MISTAKES = [
    ("extrator: [rules]\n", "elpais.yaml:2: unknown key 'extrator'. Did you mean 'extractors'?"),
    ("language: es\nextractors: [rules, nosuch]\n",
     f"elpais.yaml:3: extractors: No extractor 'nosuch'. Available: {', '.join(plugin_names('extractors'))}"),
    ("filters: [lenght]\n",
     f"elpais.yaml:2: filters: No filter 'lenght'. Available: {', '.join(plugin_names('filters'))}"),
    ("filters: [{length: {min_word: 3}}]\n",
     "elpais.yaml:2: filters: length: unknown option 'min_word'. Did you mean 'min_words'?"),
    ("extractors:\n  - rules\n  - vote: {leest: 2}\n",
     "elpais.yaml:4: extractors: vote: unknown option 'leest'. Did you mean 'least'?"),
    ("extractors: [{vote: {least: two}}]\n",
     "elpais.yaml:2: extractors: vote: least: a whole number is wanted, not 'two'"),
    ("min_confidence: 2\n", "elpais.yaml:2: min_confidence: takes a number from 0 to 1, not '2'"),
    ("min_body: many\n", "elpais.yaml:2: min_body: takes a whole number from 0 to 100,000, not 'many'"),
    ("robots_sitemaps: maybe\n", "elpais.yaml:2: robots_sitemaps: takes true or false, not 'maybe'"),
    ("exclude: ['[']\n",
     "elpais.yaml:2: exclude: bad regular expression '[': unterminated character set at position 0"),
    ("fields: {title: 'h1['}\n",
     "elpais.yaml:2: fields: title: bad CSS selector 'h1[': Expected ident or '*', got <EOF at 3>"),
    ("fields: {title: 'h1::text'}\n",
     "elpais.yaml:2: fields: title: bad CSS selector 'h1::text': Pseudo-elements are not supported. "
     "For a text or an attribute, select its element and use 'get'"),
    ("fields:\n  title: //h1[\n", "elpais.yaml:3: fields: title: bad XPath '//h1[': Invalid expression"),
    ("fields: {title: {xpath: nosuch(.)}}\n",
     "elpais.yaml:2: xpath: bad XPath 'nosuch(.)': Unregistered function"),
    ("fields: {title: {jsonld: 'a['}}\n",
     "elpais.yaml:2: jsonld: bad JMESPath 'a[': Invalid jmespath expression: Incomplete expression:"),
    ("fields: {title: {css: h1, xpath: //h1}}\n",
     "elpais.yaml:2: a source has exactly one of css, xpath, jsonld, meta, tag, xslt; it has css and xpath"),
    ("fields: {title: {get: href}}\n",
     "elpais.yaml:2: a source has exactly one of css, xpath, jsonld, meta, tag, xslt; it has none"),
    ("fields: {title: {jsonld: a, get: href}}\n",
     "elpais.yaml:2: 'get' goes with css, xpath, tag, not with jsonld"),
    ("fields: {titel: h1}\n",
     "elpais.yaml:2: fields: unknown field 'titel'. Did you mean 'title'? Sections of your own are best written in "
     "capitals"),
    ("fields:\n  title: #main\n",
     "elpais.yaml:3: fields: title: has no value. It takes CSS selector; one that begins with '#' is put in quotes"),
    ("translate: [{tag: texto}]\n",
     "elpais.yaml:2: this translate rule has no 'to': The section that the text goes to."),
    ("translate: [{tag_in: texto, tag: texto, to: .CUERPO}]\n",
     "elpais.yaml:2: 'tag' means 'tag', which is given already"),
    ("append: {LINK: $ULR$}\n",
     "elpais.yaml:2: append: LINK: unknown variable '$ULR$'. Available here: $YYYY$, $YY$, $MM$, $DD$, $URL$, $SITE$, "
     "$SECTION$"),
    ("links: [/$URL$/]\n",
     "elpais.yaml:2: links: unknown variable '$URL$'. Available here: $YYYY$, $YY$, $MM$, $DD$"),
    ("language: spanish\n",
     "elpais.yaml:2: language: no language 'spanish'. It takes a code of ISO 639-1, as es or en"),
    ("timezone: Europe/Madird\n",
     "elpais.yaml:2: timezone: no time zone 'Europe/Madird'. Did you mean 'Europe/Madrid'?"),
    ("feeds: [{url: 'file:///etc/passwd'}]\n",
     "elpais.yaml:2: url: 'file:///etc/passwd' is no address. It takes one that begins with http:// or https://"),
    ("target: {path: ../..}\n",
     "elpais.yaml:2: path: '../..' is no folder inside of the data folder. It takes a relative path without '..'"),
    ("target: {path: /etc}\n",
     "elpais.yaml:2: path: '/etc' is no folder inside of the data folder. It takes a relative path without '..'"),
    ("target: {file: a/b.jsonl}\n",
     "elpais.yaml:2: file: 'a/b.jsonl' cannot be written to. It takes a plain file name, as noticias.jsonl"),
    ("target: {file: state.sqlite}\n",
     "elpais.yaml:2: file: 'state.sqlite' cannot be written to. It takes a plain file name, as noticias.jsonl"),
    ("settings: {ROBOTSTXT_OBEY: false}\n",
     "elpais.yaml:2: unknown key 'ROBOTSTXT_OBEY'. No site may change it: robots.txt is always obeyed"),
    ("settings: {DOWNLOAD_TIMEOUT: 600}\n",
     "elpais.yaml:2: DOWNLOAD_TIMEOUT: takes a whole number from 1 to 180, not '600'"),
    ('settings: {USER_AGENT: "a\\r\\nCookie: b"}\n', "elpais.yaml:2: USER_AGENT: takes one line of printable text"),
    ("versions: [{valid_until: 2024-02-30}]\n",
     "elpais.yaml:2: valid_until: there is no day '2024-02-30'. Write it as 2024-05-31"),
    ("versions:\n  - valid_until: 2024-05-31\n  - valid_until: 2024-05-31\n",
     "elpais.yaml:4: two versions are valid until '2024-05-31', the first on line 3"),
    ("quotes: curly\n", "elpais.yaml:2: quotes: there is no 'curly' here. Available: keep, straight, typographic"),
    ("indexes: []\n", "elpais.yaml:2: indexes: the list is empty"),
    ("indexes:\n  - url: https://elpais.com/\n",
     "elpais.yaml:3: no link on this index page would be an article. Add 'links' to it or to the site"),
    ("translate: [{xslt: ../x.xsl, to: .CUERPO}]\n",
     "elpais.yaml:2: xslt: '../x.xsl' is no style sheet beside this file. It takes a plain file name "
     "that ends in .xsl"),
    ("translate: [{xslt: x.xsl, to: .CUERPO}]\n", "elpais.yaml:2: xslt: there is no 'x.xsl' beside this file"),
    ("- a\n", "elpais.yaml:2: not YAML: did not find expected key"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), MISTAKES)
def test_the_message_for_a_mistake(tmp_path: Path, text: str, wanted: str) -> None:
    """Where, what, and what would work."""
    said = refusal(tmp_path, LEAST + text)
    if wanted.startswith("elpais.yaml:2: not YAML"):
        said, wanted = said[:24], wanted[:24]  # the two parsers of YAML have words of their own
    assert said == wanted


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    """One reading shows every mistake of the site's file and of the corpus's, each with its line."""
    site = "nmae: El País\nhome: elpais.com\nindexes:\n  - url: https://elpais.com/\nmin_body: -1\nmin_body: 2\n"
    assert refusal(tmp_path, site, "home: https://x.es\nquotes: [keep]\n").splitlines() == [
        "_corpus.yaml:1: unknown key 'home'. It belongs in the file of one site",
        "_corpus.yaml:2: quotes: takes one of keep, straight, typographic, not a list",
        "elpais.yaml:1: unknown key 'nmae'. Did you mean 'name'?",
        "elpais.yaml:2: home: 'elpais.com' is no address. It takes one that begins with http:// or https://",
        "elpais.yaml:4: no link on this index page would be an article. Add 'links' to it or to the site",
        "elpais.yaml:5: min_body: takes a whole number from 0 to 100,000, not '-1'",
        "elpais.yaml:6: the key 'min_body' stands here twice, first on line 5",
    ]


def test_a_site_wants_a_beginning(tmp_path: Path) -> None:
    """A file that names nothing to fetch is a mistake."""
    wanted = "elpais.yaml:1: nothing to fetch. A site has 'indexes', 'feeds', 'sitemaps' or a 'home'"
    assert refusal(tmp_path, "name: El País\n") == wanted


def test_names_are_not_taken_twice(tmp_path: Path) -> None:
    """Two indexes or link patterns of one name could not be told apart."""
    text = LEAST + "links: [{match: a, name: x}, {match: b, name: x}, c, c]\n"
    text += "feeds:\n  - {url: 'http://a.es', name: y}\n  - {url: 'http://b.es', name: y}\n"
    assert refusal(tmp_path, text).splitlines() == [
        "elpais.yaml:2: two link patterns are named 'x', the first on line 2",
        "elpais.yaml:2: two link patterns match 'c', the first on line 2",
        "elpais.yaml:5: two indexes are named 'y', the first on line 4",
    ]


def test_an_address_given_again(tmp_path: Path) -> None:
    """The same index twice is a mistake, unless the two have names or sections of their own."""
    text = LEAST + "feeds:\n  - url: https://elpais.com/rss\n  - url: https://elpais.com/rss\n"
    assert refusal(tmp_path, text) == (
        "elpais.yaml:4: the address https://elpais.com/rss is that of line 3 again. "
        "Join their links, or give them names"
    )
    assert len(read(tmp_path, text + "    name: otra\n").indexes) == 2
    names = [index.name for index in read(tmp_path, text + "    section: España\n").indexes]
    assert names == ["https://elpais.com/rss", "España"]


SHEET = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">{}</xsl:stylesheet>'


def test_a_style_sheet_travels_with_the_site(tmp_path: Path) -> None:
    """Its text is read with the site file and is part of what the digest is of."""
    (tmp_path / "x.xsl").write_text(SHEET.format(""), encoding="utf-8")
    text = LEAST + "fields: {body: {xslt: x.xsl}}\n"
    site = read(tmp_path, text)
    assert site.levels[-1].fields[0].sources[0].stylesheet == SHEET.format("")
    (tmp_path / "x.xsl").write_text(SHEET.format(" "), encoding="utf-8")
    assert read(tmp_path, text).digest != site.digest


@pytest.mark.parametrize(
    ("sheet", "wanted"),
    [
        (SHEET.format('<xsl:import href="y.xsl"/>'), "'x.xsl' takes in another style sheet. Put all into one file"),
        ("<html/>", "'x.xsl' is no style sheet: "),
        ("<html>", "'x.xsl' is no style sheet: "),
    ],
)
def test_a_style_sheet_is_checked(tmp_path: Path, sheet: str, wanted: str) -> None:
    """It is XSLT and reads no other file."""
    (tmp_path / "x.xsl").write_text(sheet, encoding="utf-8")
    said = refusal(tmp_path, LEAST + "fields: {body: {xslt: x.xsl}}\n")
    assert said.startswith(f"elpais.yaml:2: xslt: {wanted}")


def test_the_corpus_is_inherited(tmp_path: Path) -> None:
    """Mappings part by part, `exclude` as a sum, everything else whole."""
    corpus = "language: es\nexclude: /a/\nsettings: {DOWNLOAD_DELAY: 2, RETRY_TIMES: 1}\nfilters: [length]\n"
    text = LEAST + "exclude: /b/\nsettings: {DOWNLOAD_DELAY: 0.5}\nfilters: []\nmin_body: 0\nlabels: {title: TITULAR}\n"
    site = read(tmp_path, text, corpus)
    assert site.language == "es"
    assert site.exclude == ("/a/", "/b/")
    assert dict(site.settings) == {"DOWNLOAD_DELAY": 0.5, "RETRY_TIMES": 1}
    assert (site.filters, site.min_body) == ((), 0)
    assert (site.labels["title"], site.labels["body"]) == ("TITULAR", "CUERPO")


KEYS = [*sorted({key.name for table in TABLES for key in table.keys}), "tag_in", "TITULO", ".CUERPO", "length"]
TEXTS = (
    st.sampled_from([*KEYS, "https://a.es/$DD$", "$FOO$", "((", "true", "9" * 9, "2024-05-31", "../x", ""]) | st.text()
)
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(VALUES, VALUES)
def test_no_yaml_raises_anything_but_site_errors(site: object, corpus: object) -> None:
    """Whatever a file holds, it is read or refused with its lines."""
    said = ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            read(Path(folder), yaml.safe_dump(site, allow_unicode=True), yaml.safe_dump(corpus, allow_unicode=True))
        except SiteError as error:
            said = str(error)
    assert all(line.startswith(("elpais.yaml:", "_corpus.yaml:")) for line in said.split("\n") if said)


@settings(max_examples=150, deadline=None)
@given(st.binary() | st.text(alphabet="a:-[]{}&*!'\"\n \t#|>?%@").map(str.encode))
def test_no_bytes_raise_anything_but_site_errors(data: bytes) -> None:
    """Whatever the bytes of a file are, it is read or refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "elpais.yaml")
        path.write_bytes(data)
        with pytest.raises(SiteError):
            load_site_file(path)


def test_every_corpus_key_is_a_site_key() -> None:
    """What a corpus may say, a site may say."""
    assert {key.name for key in CORPUS.keys} < {key.name for key in SITE.keys}
