"""Parsing: any text becomes a tree that has all of it, in time that grows with its length."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement

from corpusbot.dom.encoding import decoded, in_utf8
from corpusbot.dom.parse import DEEPEST, LONGEST_TAG, parsed
from corpusbot.dom.text import text_of

SENTENCE = "Una frase corriente con ñ y algunas palabras. "
PIECES = ("<p>", "</p>", "<article>", "<title>", "<body>", "</BODY>", "<head>", "<a href=x>", "uno ", "ñ", "\x01")
MARKUP = st.lists(st.sampled_from(PIECES)).map("".join)
SECONDS = 5


def shape(markup: str | bytes) -> list[tuple[str, str | None, str | None]]:
    """The tree as a list of tags and texts."""
    tree = parsed(markup)
    return [] if tree is None else [(element.tag, element.text, element.tail) for element in tree.iter()]


@given(MARKUP)
def test_bytes_give_the_same_tree_as_their_text(markup: str) -> None:
    """UTF-8 need not be decoded first."""
    assert shape(markup) == shape(markup.encode())


@given(MARKUP)
def test_all_elements_are_of_one_class(markup: str) -> None:
    """Whatever the tag is, so that no Python is asked for it."""
    tree = parsed(markup)
    assert tree is None or {type(element) for element in tree.iter()} == {HtmlElement}


@pytest.mark.parametrize("end", ["</body>", "</BODY>", "</Html>", "</body></html>"])
def test_no_end_of_the_body_ends_the_page(end: str) -> None:
    """However it is spelt."""
    tree = parsed(f"<html><body><p>uno</p>{end}<p>dos</p>")
    assert tree is not None
    assert text_of(tree) == "uno\ndos"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<title>T</title><article><p>uno</p></article>", "uno"),
        ("<head><title>T</title><main>uno</main>dos<style>x</style></head><body>tres<p>x</p>", "uno\ndostres\nx"),
        ("<head><meta name=a><section>uno</section></head>", "uno"),
        ("<head><title>T</title></head><body><p>uno</p></body>", "uno"),
    ],
)
def test_the_head_ends_where_text_begins(markup: str, text: str) -> None:
    """As in browsers: an ARTICLE without a BODY before it is not of the head."""
    tree = parsed(markup)
    assert tree is not None
    assert text_of(tree) == text
    assert {element.tag for element in tree.iterfind("head/*")} <= {"title", "meta"}


def test_a_tag_of_too_many_attributes_loses_them() -> None:
    """One that holds a picture does not, nor do the tags around."""
    many = " ".join(f"a{number}=1" for number in range(LONGEST_TAG // 4))
    picture = "A" * (LONGEST_TAG + 1)
    tree = parsed(f'<p id=x>uno<b {many}>dos</b><img src="data:{picture}"></p>')
    assert tree is not None
    assert [len(element.attrib) for element in tree.iter("p", "b", "img")] == [1, 0, 1]


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 20 * DEEPEST + SENTENCE,
        "<p>" + SENTENCE * 100_000,
        "<" * 300_000 + " " + SENTENCE,
        "<p " + "a" * 5_000_000 + ">" + SENTENCE,
    ],
    ids=["deep", "long", "brackets", "one tag"],
)
def test_what_is_large_is_read_soon(markup: str) -> None:
    """In time that grows with its length, and no faster."""
    started = time.process_time()
    tree = parsed(markup)
    assert tree is not None
    assert SENTENCE.strip() in text_of(tree)
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    ("body", "content_type", "is_same"),
    [
        ("<p>año</p>".encode(), "text/html; charset=utf-8", True),
        ("<meta charset=utf-8><p>año</p>".encode(), None, True),
        (b"<p>uno</p>", "text/html; charset=iso-8859-1", True),
        ("<p>año</p>".encode("cp1252"), "text/html; charset=iso-8859-1", False),
        ("<p>uno</p>".encode("utf-16"), None, False),
        ("<p>uno</p>".encode("utf-16-le"), None, False),
        ("\ufeff<p>año</p>".encode(), None, False),
        ("<p>año".encode()[:-1], None, False),
        ("<p>año</p>".encode() * 9 + b"\xf1<", None, False),
        ("<p>日本</p>".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp", False),
    ],
)
def test_a_body_is_parsed_as_it_is_where_it_is_utf8(body: bytes, content_type: str | None, is_same: bool) -> None:
    """And only there; either way the text is the same."""
    text, encoding = decoded(body, content_type)
    given_on = in_utf8(body, text, encoding)
    assert (given_on is body) == is_same
    assert (given_on.decode() if isinstance(given_on, bytes) else given_on) == text
