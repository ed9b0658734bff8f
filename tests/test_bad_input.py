"""Bad input: whatever a page is like, a result or a counted reason, in bounded time and memory."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpusbot
from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors import findings_by
from corpusbot.line import read
from corpusbot.model import Article, Body, CleanPage, Drop, Page
from corpusbot.plugins import plugin_names
from corpusbot.sites import SiteConfig, load_site_file
from tests.bad_pages import ARTICLE, DAYS, GROWING, NO_PAGES, READABLE
from tests.pages import FETCHED, plain_site
from tests.press import Press
from tests.sample_crawl import ROOT, SITE_FILES

URL = "https://paper.example/2024/05/09/budget"
KINDS = frozenset(
    ("article", "collection", "live_blog", "gallery", "video", "stub", "error", "wall", "other")
)
BLOCKS = frozenset(("paragraph", "heading", "item", "quote", "caption", "row"))
REASONS = re.compile(r"[a-z_]+")
# Seconds of CPU for one page, some of 10 MB: four times what the slowest took when this was written.
MOST_SECONDS = 30.0
MOST_BYTES = 3_000_000_000
ENOUGH = 0.25  # seconds that can be told from nothing on a computer that is busy
SMALL = 100  # part of the size: of the pages that every plug-in is tried on


def assert_sound(article: Article) -> None:
    """An article that can be written, searched and printed: all there or empty for a reason."""
    assert article.text == "\n\n".join(block.text for block in article.blocks)
    article.text.encode()
    assert all(block.text.strip() and block.kind in BLOCKS for block in article.blocks)
    assert not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e\ufeff]", article.text)
    assert article.kind is not None
    assert article.kind.name in KINDS
    assert 0 <= article.kind.confidence <= 1
    assert article.confidence is None or 0 <= article.confidence <= 1
    if not article.text:
        assert article.confidence == 0
        assert REASONS.match(article.kind.reason)
    json.dumps([article.title, article.authors, article.tags, article.lead, article.url], ensure_ascii=False).encode()
    for moment in filter(None, (article.published, article.modified)):
        moment.isoformat()


def assert_told(result: Article | Drop) -> None:
    """What the whole line makes of a page: an article with text, or a drop with a reason that can be counted."""
    if isinstance(result, Drop):
        assert REASONS.fullmatch(result.reason)
    else:
        assert result.text


def down_the_line(html: str | bytes, site: SiteConfig) -> Article | Drop:
    """A page as the line reads it, which has bytes only."""
    body = html if isinstance(html, bytes) else html.encode("utf-8", "surrogatepass")
    return read(Page(site.id, URL, Body(body), FETCHED), site)


@lru_cache
def rules_site() -> SiteConfig:
    """A newspaper with rules of all sorts, whose gate lets other extractors be asked as well."""
    return load_site_file(SITE_FILES / "gaceta.yaml")


@lru_cache
def sample_pages() -> tuple[bytes, ...]:
    """Pages of the sample newspapers."""
    press = Press(articles=8, days=2)
    gold = [(name, row.url) for name in ("gaceta", "courier") for row in press.gold(name)[:6]]
    return tuple(press.reply(name, url.removeprefix(press.bases[name])).body for name, url in gold)


# -- what must be read


@pytest.mark.parametrize("name", READABLE)
def test_the_text_is_found(name: str) -> None:
    """Of a page that is wrong in one way the text is found all the same, by the library and by the line."""
    page = READABLE[name]()
    for article in (corpusbot.extract(page, URL), down_the_line(page, plain_site())):
        assert isinstance(article, Article)
        assert article.text.count("approved the") == 3 * len(DAYS)
        assert all(day in article.text for day in DAYS[1:])
    assert_sound(corpusbot.extract(page, URL))


@pytest.mark.parametrize("name", NO_PAGES)
def test_what_is_no_page(name: str) -> None:
    """What holds no text is an empty article with a reason; the line drops it for the same one."""
    article = corpusbot.extract(NO_PAGES[name], URL)
    assert_sound(article)
    dropped = down_the_line(NO_PAGES[name], plain_site())
    assert_told(dropped)
    if not article.text:
        assert isinstance(dropped, Drop)
        assert article.kind is not None
        assert article.kind.reason.startswith(dropped.reason)


def test_what_cannot_be_seen() -> None:
    """Invisible characters are no text: the line says so, rather than keep an article without any."""
    dropped = down_the_line("<p>\u200b\u2060\u202e</p>", plain_site())
    assert isinstance(dropped, Drop)
    assert str(dropped) == "no_text: nothing that can be seen"


def test_no_file_is_read() -> None:
    """An entity that names a file of this computer stands for nothing."""
    page = f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{__file__}">]>' + ARTICLE.replace("</h1>", " &x;</h1>")
    assert "no_file_is_read" not in corpusbot.extract(page).text


# -- bounds


@pytest.fixture(scope="module")
def monsters() -> dict[str, dict[str, Any]]:
    """What became of each of the largest pages, read in a process that may not have more memory."""
    command = [sys.executable, "-m", "tests.test_bad_input", str(MOST_BYTES)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"after {rows[-1:]}: {done.stderr[-2000:]}"
    return {row["name"]: row for row in rows}


@pytest.mark.parametrize("name", GROWING)
def test_bounds(name: str, monsters: dict[str, dict[str, Any]]) -> None:
    """The largest pages take seconds and not minutes, and memory that there is."""
    row = monsters[name]
    assert row["seconds"] < MOST_SECONDS
    assert row["characters"] or row["reason"]


def main(most_bytes: int) -> None:
    """Read all of the largest pages, and print a line about each."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    for name, (size, maker) in GROWING.items():
        page = maker(size)
        began = time.process_time()
        article = corpusbot.extract(page, URL)
        seconds = time.process_time() - began
        assert_sound(article)
        assert article.kind is not None
        row = {"name": name, "seconds": seconds, "characters": len(article.text), "reason": article.kind.reason}
        print(json.dumps(row), flush=True)


@pytest.mark.parametrize("extractor", plugin_names("extractors"))
def test_every_extractor(extractor: str) -> None:
    """No extractor raises or takes long on any of these pages: it finds something, or nothing."""
    options = {"of": ("gist", "cnr", "jsonld")} if extractor == "vote" else {}
    slow = []
    for name, page in small_pages():
        clean = clean_page(Page("", URL, Body(page), FETCHED), rules_site())
        if isinstance(clean, Drop):
            continue
        began = time.process_time()
        findings = findings_by(extractor, options, clean, rules_site())
        seconds = time.process_time() - began
        if seconds > MOST_SECONDS / 5:
            slow.append((name, seconds))
        if findings is not None:
            assert all(isinstance(block.text, str) and block.kind in BLOCKS for block in findings.body), name
            assert set(findings.origins) >= ({"body"} if findings.body else set()), name
    assert slow == []


def small_pages() -> Iterator[tuple[str, bytes]]:
    """All the bad pages, the growing ones at a small part of their size; as bytes."""
    pages: list[tuple[str, str | bytes]] = [(name, page) for name, page in NO_PAGES.items()]
    pages += [(name, maker()) for name, maker in READABLE.items()]
    pages += [(name, maker(size // SMALL)) for name, (size, maker) in GROWING.items()]
    for name, page in pages:
        yield name, page if isinstance(page, bytes) else page.encode("utf-8", "replace")


def test_every_page_down_the_line() -> None:
    """With rules of a site or without, each of these pages becomes an article or is dropped for a reason."""
    for _, page in small_pages():
        assert_told(down_the_line(page, plain_site()))
        assert_told(down_the_line(page, rules_site()))


@pytest.mark.parametrize("name", [name for name in GROWING if name not in ("one line", "one line without a tag")])
def test_time_grows_with_the_page(name: str) -> None:
    """Four times the page takes no more than eight times as long, where it takes long enough to be measured."""
    size, maker = GROWING[name]
    less, more = (_seconds(maker(size // part)) for part in (80, 20))
    if more > max(ENOUGH, 8 * less):  # once more: this computer may have had other things to do
        more = _seconds(maker(size // 20))
    assert more < max(ENOUGH, 8 * less)


def _seconds(page: str | bytes) -> float:
    began = time.process_time()
    corpusbot.extract(page)
    return time.process_time() - began


# -- pages cut, mixed and mangled


@pytest.mark.parametrize("number", range(4))
def test_a_page_cut_anywhere(number: int) -> None:
    """A page that ends too soon gives what had come until then: sound at every place, and no less as it grows."""
    page = sample_pages()[number * 3]
    random_place = random.Random(number)
    lengths = []
    for end in sorted(random_place.randrange(len(page)) for _ in range(40)):
        article = corpusbot.extract(page[:end], URL)
        assert_sound(article)
        assert_told(down_the_line(page[:end], rules_site()))
        lengths.append(len(article.text))
    assert lengths[0] < lengths[-1]
    assert len(corpusbot.extract(page, URL).text) >= 0.8 * max(lengths)


def _deleted(page: bytearray, a: int, b: int, c: int) -> None:
    del page[a:b]


def _doubled(page: bytearray, a: int, b: int, c: int) -> None:
    page[c:c] = page[a:b]


def _swapped(page: bytearray, a: int, b: int, c: int) -> None:
    piece = page[a:b]
    del page[a:b]
    page[c:c] = piece


def _flipped(page: bytearray, a: int, b: int, c: int) -> None:
    page[a:b] = bytes(byte ^ 1 << c % 8 for byte in page[a : min(b, a + 40)])


def _without_ends(page: bytearray, a: int, b: int, c: int) -> None:
    page[a:b] = page[a:b].replace(b">", b"")


def _without_tags(page: bytearray, a: int, b: int, c: int) -> None:
    page[a:b] = re.sub(rb"</[^>]*>", b"", page[a:b])


def _with_quotes(page: bytearray, a: int, b: int, c: int) -> None:
    page[a:b] = page[a:b].replace(b"=", b'="')


MUTATIONS: tuple[Callable[[bytearray, int, int, int], None], ...] = (
    _deleted, _doubled, _swapped, _flipped, _without_ends, _without_tags, _with_quotes,
)  # fmt: skip
PLACES = st.floats(0, 1, exclude_max=True)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 11), st.lists(st.tuples(st.sampled_from(MUTATIONS), PLACES, PLACES, PLACES), max_size=6))
def test_mangled_pages(number: int, mutations: list[tuple[Any, float, float, float]]) -> None:
    """Pages of the sample newspapers with pieces deleted, doubled, moved, flipped, or robbed of their tags."""
    page = bytearray(sample_pages()[number])
    for mutate, first, second, third in mutations:
        a, b, c = (int(place * len(page)) for place in (first, second, third))
        mutate(page, min(a, b), max(a, b), c)
    assert_sound(corpusbot.extract(bytes(page), URL))
    assert_told(down_the_line(bytes(page), rules_site()))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 11), PLACES, PLACES), min_size=2, max_size=5))
def test_spliced_pages(pieces: list[tuple[int, float, float]]) -> None:
    """Pieces of several pages, one behind the other."""
    pages = sample_pages()
    spliced = b"".join(
        pages[number][int(first * len(pages[number])) :][: int(length * 8_000)] for number, first, length in pieces
    )
    assert_sound(corpusbot.extract(spliced, URL))
    assert_told(down_the_line(spliced, plain_site()))


TAGS = """
    html head body title p div a li ul ol table tr td th h1 h2 br hr img b i span article main section aside nav header
    footer form select option textarea pre blockquote figure figcaption script style noscript template svg math iframe
    frameset frame object video caption dl dt dd x-y o:p meta link base time address details summary
"""
NAMES = st.sampled_from(TAGS.split())
ATTRIBUTES = st.sampled_from((
    "", " class=body", ' class="comment sidebar"', " itemprop=articleBody", " hidden", ' style="display:none"',
    ' id="', " href=/a", " property=og:title content='a'", ' type="application/ld+json"', " lang=es", " / ", "\0",
    " itemscope itemtype=https://schema.org/NewsArticle", " role=main", " aria-hidden=true", " charset=utf-16",
    " datetime=2024-13-45",
))
WORDS = st.sampled_from((
    "word ", "A sentence of some words, and then some more of them. ", "\n\n", "&nbsp;", "&#0;", "&lt;p&gt;", "<!--",
    "-->", "]]>", "<![CDATA[", '{"@type":"NewsArticle","articleBody":"', '"}', "\u202e", "\ud800", "日本語です。", "<",
    ">", "'", "1. ", "By Ada Miller", "3 May 2024", "© 2024", "<?php ?>", "</", "\x85", "\u2028",
))  # fmt: skip
PIECES = st.one_of(
    st.builds("<{}{}>".format, NAMES, ATTRIBUTES), st.builds("</{}>".format, NAMES), WORDS, st.text(max_size=20)
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_random_markup(page: str) -> None:
    """Tags, attributes and texts in any order, as text and as bytes; and the same again is the same."""
    article = corpusbot.extract(page, URL)
    assert_sound(article)
    assert corpusbot.extract(page, URL) == article
    assert_told(down_the_line(page, plain_site()))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300) | st.binary(max_size=99).map(b"<p>".__add__) | st.text(max_size=99))
def test_random_bytes(page: bytes | str) -> None:
    """Bytes that mean nothing, in whatever encoding they are taken to be."""
    assert_sound(corpusbot.extract(page, URL))
    assert_told(down_the_line(page, plain_site()))


USED = ("utf-8", "utf-16", "utf-16-le", "utf-32", "cp1252", "cp1251", "koi8-r", "shift_jis", "gb18030", "utf-7")
DECLARED = ("utf-8", "utf-16", "iso-8859-1", "windows-1251", "shift_jis", "gb2312", "hex", "idna", "?")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(USED), st.sampled_from(DECLARED))
def test_encodings_that_contradict_each_other(used: str, declared: str) -> None:
    """A page is in one encoding, its META says another: it is read in one of them."""
    page = ARTICLE.replace("<title>", f"<meta charset={declared}><title>").encode(used)
    article = corpusbot.extract(page, URL)
    assert_sound(article)
    assert corpusbot.extract(page, URL) == article


def test_a_clean_page_is_not_changed_by_looking() -> None:
    """No extractor changes the tree that the others read after it."""
    from lxml.html import tostring

    for page in sample_pages()[::4]:
        clean = clean_page(Page("", URL, Body(page), FETCHED), rules_site())
        assert isinstance(clean, CleanPage)
        before = tostring(clean.tree)
        for extractor in plugin_names("extractors"):
            if extractor != "vote":
                findings_by(extractor, {}, clean, rules_site())
                assert tostring(clean.tree) == before, extractor


if __name__ == "__main__":
    main(int(sys.argv[1]))
