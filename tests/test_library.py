"""The library: `corpusbot.extract`, its article, and what it costs to import."""

from __future__ import annotations

import doctest
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

import corpusbot
from corpusbot.model import Article, Block, Kind
from tests.press import Press
from tests.sample_crawl import ROOT

URL = "https://paper.example/2024/05/09/snow"
TEXT = "It snowed all night, and in the morning the roads to the valley were closed to all but the snow ploughs."
MORE = "The mayor, who had slept in her office, said that schools would stay shut until the end of the week."
ITEM = "The pass: closed to lorries, open to cars with chains on all four wheels."
LAST_ITEM = "The valley road: one lane is clear as far as the bridge, and no further before noon."
PAGE = f"""<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Snow – The Paper</title>
<meta property="og:title" content="Snow"><meta property="og:site_name" content="The Paper">
<meta name="author" content="Ada Miller"><meta property="article:published_time" content="2024-05-09T07:30:00+02:00">
<link rel="canonical" href="/2024/05/09/snow"></head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<article><h1>Snow</h1><p>{TEXT}</p><ul><li>{ITEM}</li><li>{LAST_ITEM}</li></ul><p>{MORE}</p></article>
<footer><a href="/imprint">Imprint</a></footer></body></html>"""


def test_what_an_article_has() -> None:
    """Text, title, authors, date with its zone, language, kind, confidence, blocks, and the origin of each."""
    article = corpusbot.extract(PAGE, URL)
    assert article.text.startswith(f"{TEXT}\n\n") or article.text.startswith(f"Snow\n\n{TEXT}\n\n")
    assert article.text.endswith(f"\n\n{MORE}")
    assert article.title == "Snow"
    assert article.authors == ("Ada Miller",)
    assert article.published == datetime.fromisoformat("2024-05-09T07:30:00+02:00")
    assert article.language == "en-GB"
    assert article.canonical_url == article.url == URL
    assert article.kind == "article"
    assert article.confidence is not None
    assert 0 < article.confidence <= 1
    assert Block(TEXT, "paragraph") in article.blocks
    assert Block(ITEM, "item") in article.blocks
    assert {"title", "authors", "published", "language", "body"} <= article.origins.keys()
    assert article.origins["published"] == "meta:article:published_time"


def test_text_and_bytes_are_the_same_page() -> None:
    """Whether decoded or not, a page is the same article; text has no encoding, whatever it declares."""
    latin = PAGE.replace("utf-8", "iso-8859-1").replace("valley", "vallée")
    as_bytes = corpusbot.extract(latin.encode("latin-1", "replace"), URL)
    as_text = corpusbot.extract(latin, URL)
    assert "vallée" in as_bytes.text
    assert as_text.text == as_bytes.text
    assert as_bytes.encoding is not None
    assert as_bytes.encoding.used == "cp1252"
    assert as_text.encoding is None


def test_text_is_taken_as_it_is() -> None:
    """A META that claims another encoding is not believed, a mark at the beginning is no text, pairs are joined."""
    page = f"\ufeff<meta charset=utf-16><p>«Año» {TEXT} \ud83d\ude00 \ud800</p>"
    assert corpusbot.extract(page).text == f"«Año» {TEXT} \U0001f600 \ufffd"


@pytest.mark.parametrize(("html", "reason"), [
    ("", "empty_page: no bytes"),
    (b" \n\t ", "empty_page: no bytes"),
    ("<!-- nothing -->", "empty_page: nothing but comments"),
    (b"%PDF-1.7 <a>", "not_html: PDF"),
    ("%PDF-1.7 <a>", "not_html: PDF"),
    (b'{"a": 1}', "not_html: JSON"),
    ("no tag at all", "not_html: text without a tag"),
])  # fmt: skip
def test_no_text_and_why(html: str | bytes, reason: str) -> None:
    """What has no text is an article all the same, empty and without confidence, and its kind tells why."""
    article = corpusbot.extract(html, URL)
    assert (article.text, article.blocks, article.confidence, article.url) == ("", (), 0.0, URL)
    assert article.kind == Kind("error", 1.0, reason)


@pytest.mark.parametrize("page", [
    "<html><head><title>Only a title</title></head><body></body></html>",
    "<title>Only a title</title><p>\u200b\u2060</p>",
])  # fmt: skip
def test_what_is_known_of_a_page_without_text(page: str) -> None:
    """Its title and the like are told, and that it has no text, also where only invisible characters are."""
    article = corpusbot.extract(page)
    assert (article.title, article.text, article.confidence) == ("Only a title", "", 0.0)
    assert article.kind is not None
    assert article.kind != "article"
    assert article.kind.reason.startswith("no_text: ")


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ((None,), TypeError, "html: a str or bytes is wanted, not NoneType"),
    ((bytearray(b"<p>"),), TypeError, "html: a str or bytes is wanted, not bytearray"),
    (("<p>", 7), TypeError, "url: a str or None is wanted, not int"),
    (("<p>", None, "speed"), ValueError, "No preference 'speed'. Available: precision, balanced, recall"),
    (("<p>", None, ["recall"]), ValueError, r"No preference \['recall'\]. Available: "),
])  # fmt: skip
def test_wrong_arguments(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    """Only what can be no page, no address or no preference raises, and says what would work."""
    with pytest.raises(error, match=message):
        corpusbot.extract(*arguments)


@pytest.mark.parametrize("url", ["", "nowhere", "http://[", "//x", "http://a:b/", "\ud800", "javascript:1", "a\0b"])
def test_odd_addresses(url: str) -> None:
    """Whatever the address is like, the text is found."""
    assert TEXT in corpusbot.extract(PAGE, url).text


def test_preferences() -> None:
    """Precision finds no more than balanced, and recall no less."""
    pages = [story_page(number) for number in range(4)]
    lengths = {
        prefer: [len(corpusbot.extract(page, prefer=prefer).text) for page in pages]
        for prefer in ("precision", "balanced", "recall")
    }
    assert lengths["precision"] <= lengths["balanced"] <= lengths["recall"]
    assert sum(lengths["precision"]) < sum(lengths["recall"])


def story_page(number: int) -> str:
    """A page of La Gaceta."""
    press = Press(articles=6, days=2)
    return press.reply("gaceta", press.gold("gaceta")[number].url).body.decode()


def test_the_same_page_is_the_same_article() -> None:
    """Two calls agree to the last field, also when several threads ask at once and in whatever order."""
    pages = [PAGE, PAGE.replace("Snow", "Rain"), "", "<p>" + MORE, PAGE.encode(), "<title>x</title>"]
    alone = [corpusbot.extract(page, URL) for page in pages]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda page: corpusbot.extract(page, URL), pages[::-1] * 6))
    assert together == alone[::-1] * 6


def test_kinds_print_and_compare_by_their_name() -> None:
    """A kind is equal to its name, and to a kind with the same particulars."""
    kind = Kind("gallery", 0.9, "40 pictures")
    assert str(kind) == f"{kind}" == "gallery"
    assert kind == "gallery"
    assert kind != "article"
    assert kind == Kind("gallery", 0.9, "40 pictures")
    assert kind != Kind("gallery", 0.8, "40 pictures")
    assert {"gallery": 1}[kind] == 1  # type: ignore[index]  # what equals a text can stand for it


def test_the_documentation_is_true() -> None:
    """Every example of the how-to gives what it says."""
    page = ROOT / "docs/howto/use-as-a-library.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


COST = """
import sys, time
bare = set(sys.modules)
began = time.process_time()
import corpusbot
front = time.process_time() - began
loaded = [name for name in sys.modules if name.startswith("corpusbot.")]
article = corpusbot.extract(sys.stdin.read())
print(front, time.process_time() - began, len(article.text), loaded)
print(*(name for name in ("scrapy", "twisted", "trafilatura", "yaml", "aiohttp") if name in sys.modules))
"""


def test_importing_it_is_fast_and_needs_no_scrapy() -> None:
    """`import corpusbot` loads nothing else; the first call takes a fraction of a second, and no heavy library."""
    done = subprocess.run(
        [sys.executable, "-c", COST], input=PAGE, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    figures, heavy = done.stdout.splitlines()
    front, whole, characters, loaded = figures.split(maxsplit=3)
    assert loaded == "[]"
    assert heavy == ""
    assert int(characters) > len(TEXT)
    # CPU seconds of a computer that others use too: 0.003 and 0.2 where it is idle.
    assert float(front) < 0.1
    assert float(whole) < 1.0


def test_an_article_is_its_own() -> None:
    """Nothing that one call returns is changed by another: articles are frozen and share no lists."""
    article = corpusbot.extract(PAGE, URL)
    assert isinstance(article, Article)
    assert hash(article.blocks) == hash(corpusbot.extract(PAGE, URL).blocks)
    with pytest.raises(AttributeError):
        article.title = "x"  # type: ignore[misc]
    assert article.fetched_at is None
    assert corpusbot.extract(PAGE.replace("2024-05-09T07:30:00+02:00", "2031-01-01"), URL).published == datetime(
        2031, 1, 1, tzinfo=UTC
    )
