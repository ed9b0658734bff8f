"""Cleanup: any bytes become a tree or a reason, in bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpusbot.dom.cleanup import clean_page
from corpusbot.dom.text import text_of
from corpusbot.extractors.chain import extract_article
from corpusbot.model import Article, CleanPage, Drop
from corpusbot.sites import SiteConfig
from tests.pages import page_of, plain_site, site_from

SENTENCE = b"Una frase corriente con algunas palabras dentro. "
SECONDS = 20

TERRIBLE = {
    "nothing": b"",
    "white space": b" \n\t ",
    "only a comment": b"<!-- nada -->",
    "null bytes": b"<p>te\x00xto" + SENTENCE,
    "control characters": b"<p>te\x01x\x0bto &#1; &#0; &#xD800; &#x1F;" + SENTENCE,
    "prologue": b'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html><body><p>' + SENTENCE + b"</p></html>",
    "XML that calls itself HTML": b"<?xml version='1.0'?><noticia><texto>" + SENTENCE + b"</texto></noticia>",
    "empty body": b"<html><head><title>T</title></head><body></body></html>",
    "no body": b"<html></html>",
    "frames": b"<frameset><frame src=a.htm></frameset>",
    "deeply nested": b"<div>" * 100_000 + SENTENCE + b"</div>" * 100_000,
    "deeply nested tables": b"<table><tr><td>" * 50_000 + SENTENCE,
    "a line of 10 MB": b"<p>" + SENTENCE * 200_000,
    "a word of 10 MB": b"<p>" + b"a" * 10_000_000,
    "a million brackets": b"<p>texto " + b"<" * 1_000_000,
    "a tag with 100,000 attributes": b"<p " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">texto",
    "an open comment": b"<p>texto<!-- " + b"-" * 1_000_000,
    "deep JSON-LD": b'<script type="application/ld+json">' + b"[" * 500_000 + b"</script><p>" + SENTENCE,
    "spaces in JSON-LD": b'<script type="application/ld+json">{"a":1' + b" " * 500_000 + b"</script><p>" + SENTENCE,
    "nested headings": b"<h1>a" * 900 + b"<h1>x</h1>" * 5_000,
    "nested authors": b'<div itemprop="author" class="author">' * 900 + b"<p>x" * 5_000,
    "a title of bars": b"<title>" + b"a | " * 100_000 + b"</title><p>" + SENTENCE,
    "half a character": "<p>año".encode()[:-2],
    "lone surrogates in UTF-16": b"\xff\xfe" + "<p>".encode("utf-16-le") + b"\x00\xd8" * 9,
}

PIECES = [
    *("<p>", "</p>", "<table>", "<tr>", "<td>", "</table>", "<script>", "</script>", "<!--", "-->", "<br>", "<h1>"),
    *("<li>", "<a href=x>", "&amp;", "&#0;", "<html>", "<body>", "<title>", "<svg>", "<select>", "<option>", "<math>"),
    *("<meta name=author content=x>", "<![CDATA[", "]]>", "<time datetime=2024>", "<frameset>", "<plaintext>", "\0"),
    *('<script type="application/ld+json">', '{"@type":"NewsArticle","author":[{}]}', "<td><td>", "<h1 class=byline>"),
]


@pytest.mark.parametrize("name", TERRIBLE)
def test_whatever_comes_is_answered_in_time(name: str) -> None:
    """A result or a reason, soon, and no exception."""
    started = time.perf_counter()
    clean = clean_page(page_of(TERRIBLE[name]), plain_site())
    answer = extract_article(clean, plain_site()) if isinstance(clean, CleanPage) else clean
    assert isinstance(answer, Article | Drop)
    assert time.perf_counter() - started < SECONDS


@pytest.mark.parametrize("name", ["null bytes", "prologue", "deeply nested", "control characters"])
def test_the_text_of_a_broken_page_is_read(name: str) -> None:
    """What is wrong with the page does not cost its text."""
    clean = clean_page(page_of(TERRIBLE[name]), plain_site())
    assert isinstance(clean, CleanPage)
    text = text_of(clean.tree)
    assert SENTENCE.decode().strip() in text
    assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff\xe0", "JPEG image"),
        (b'{"title": "<p>no es una pagina</p>"}', "JSON"),
        (b'[{"a": 1}]', "JSON"),
        (b'<?xml version="1.0"?><!-- c --><rss version="2.0"></rss>', "<rss> document"),
        (b'\xef\xbb\xbf<feed xmlns="http://www.w3.org/2005/Atom"/>', "<feed> document"),
        (b'<?xml version="1.0"?>\n<urlset></urlset>', "<urlset> document"),
        (b"solo texto", "text without a tag"),
        (bytes(range(32)) * 9 + b"<", "binary data"),
    ],
)
def test_what_is_no_page_is_told_by_its_content(body: bytes, kind: str) -> None:
    """Whatever the server calls it."""
    page = page_of(body, headers=(("Content-Type", "text/html"),))
    assert clean_page(page, plain_site()) == Drop("not_html", kind)


@pytest.mark.parametrize("name", ["nothing", "white space", "only a comment"])
def test_an_empty_page_is_dropped(name: str) -> None:
    """Nothing to parse is a reason of its own."""
    result = clean_page(page_of(TERRIBLE[name]), plain_site())
    assert isinstance(result, Drop)
    assert result.reason in ("empty_page", "not_html")


def test_what_is_never_content_goes_and_the_text_after_it_stays() -> None:
    """Scripts, styles, frames and drawings leave no gap."""
    page = page_of(
        b"<p>uno <script>a</script>dos <style>b</style>tres <svg><text>c</text></svg>cuatro "
        b"<iframe src=x></iframe>cinco <noscript><img></noscript>seis<!-- siete --><?php ocho ?></p>"
    )
    clean = clean_page(page, plain_site())
    assert isinstance(clean, CleanPage)
    assert text_of(clean.tree) == "uno dos tres cuatro cinco seis"
    assert {element.tag for element in clean.tree.iter()} == {"html", "body", "p"}


def test_tags_that_no_standard_has_survive() -> None:
    """webreader's newspapers marked their articles with tags of their own."""
    clean = clean_page(page_of(b"<texto>uno</texto><titulo>dos</titulo>"), plain_site())
    assert isinstance(clean, CleanPage)
    assert [element.tag for element in clean.tree.iter("texto", "titulo")] == ["texto", "titulo"]


def test_what_follows_the_end_of_the_body_is_read() -> None:
    """Browsers show it as well."""
    clean = clean_page(page_of(b"<html><body><p>uno</p></body></html><p>dos</p>"), plain_site())
    assert isinstance(clean, CleanPage)
    assert text_of(clean.tree) == "uno\ndos"


def test_the_site_takes_out_more(tmp_path: Path) -> None:
    """`remove` holds for the page before anything is looked for."""
    site = site_from(tmp_path, "remove: ['.aviso', 'p > b']\n")
    clean = clean_page(page_of(b"<p>uno<b>dos</b>tres</p><div class=aviso>cuatro</div>cinco"), site)
    assert isinstance(clean, CleanPage)
    assert text_of(clean.tree) == "unotres\ncinco"


@pytest.mark.parametrize(("query", "stays"), [("'script#__DATOS__'", True), ("h1", False)])
def test_scripts_stay_where_a_rule_looks_into_them(tmp_path: Path, query: str, stays: bool) -> None:
    """Scripts that hold JSON stay always, others where they are asked for."""
    site = site_from(tmp_path, f"fields:\n  title: {{css: {query}}}\n")
    page = page_of(b"<script id=x>var a</script><script type='application/json' id=__DATOS__>{}</script><p>x")
    clean = clean_page(page, site)
    assert isinstance(clean, CleanPage)
    assert [script.get("id") for script in clean.tree.iter("script")] == (["x"] if stays else []) + ["__DATOS__"]


def test_json_ld_is_read_before_anything_goes() -> None:
    """Arrays and graphs become single objects."""
    page = page_of(
        b'<script type="application/ld+json">[{"@type": "A"}, {"@type": "B"}]</script>'
        b'<script type="application/ld+json; charset=utf-8">'
        b'<!-- {"@context": "x", "@graph": [{"@type": "C"}]} --></script>'
        b"<p>x"
    )
    clean = clean_page(page, plain_site())
    assert isinstance(clean, CleanPage)
    assert [item["@type"] for item in clean.jsonld] == ["A", "B", "C"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(
            st.text(max_size=20),
            st.sampled_from(PIECES),
        ),
        max_size=40,
    )
)
def test_no_page_raises(pieces: list[str]) -> None:
    """Arbitrary HTML comes out as an article or as a reason."""
    site: SiteConfig = plain_site(min_body=5)
    clean = clean_page(page_of("".join(pieces).encode("utf-8", "replace")), site)
    answer = extract_article(clean, site) if isinstance(clean, CleanPage) else clean
    assert isinstance(answer, Article | Drop)
