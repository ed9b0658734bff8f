"""CNR: ratios by the seed's table, joining, and the main block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from corpusbot.dom.parse import parsed
from corpusbot.dom.text import text_of
from corpusbot.extractors import cnr
from tests.pages import cleaned, plain_site

TEXT = "Un párrafo bastante largo, como los que hay en las noticias de verdad. "
PAGE = (
    "<html><head><title>Un título de la página</title></head><body>"
    "<nav><a href=1>Portada</a> <a href=2>País</a> y un texto que no cuenta porque está en un menú</nav>"
    f"<div id=main><h1>El título de la noticia</h1><p>{TEXT}</p>"
    f"<p>{TEXT}<a href=3>con enlace</a></p><p>{TEXT}</p></div>"
    "<div id=side><ul><li><a href=4>Otra</a></li><li><a href=5>Más</a></li></ul><p>Corto</p></div>"
    "<footer><p>Aviso legal</p></footer></body></html>"
)


def ratios_of(html: str) -> dict[str, tuple[int, int]]:
    """Weight and length of every element that has an id."""
    tree = parsed(html)
    assert tree is not None
    return {r.element.get("id", ""): (r.weight, r.length) for r in cnr.ratios(tree) if r.element.get("id")}


def test_the_table_of_the_seed() -> None:
    """A text node weighs 1, a hollow node 1 and has no text, all others the sum of their children."""
    page = (
        "<div id=a>uno dos<p id=b>tres<br>cua tro</p>\n <a id=c>enlace <b>y más</b></a> cinco"
        "<script id=d>x()</script><img id=e></div>"
    )
    a, b = len("unodos" + "tres" + "cuatro" + "cinco"), len("tres" + "cuatro")
    assert ratios_of(page) == {"a": (8, a), "b": (3, b), "c": (1, 0), "d": (1, 0), "e": (1, 0)}


def test_the_main_block() -> None:
    """The siblings with most text per node are joined in their parent."""
    tree = parsed(PAGE)
    assert tree is not None
    main = cnr.main_block(tree)
    assert main is not None
    assert main.get("id") == "main"


def test_the_next_block_is_found_without_the_first() -> None:
    """As the authors of CNR wished."""
    tree = parsed(PAGE)
    assert tree is not None
    first = cnr.main_block(tree)
    assert first is not None
    second = cnr.main_block(tree, without=[first])
    assert second is not None
    assert second is not first
    assert TEXT.strip() not in text_of(second)


def test_the_text_is_that_of_the_block() -> None:
    """With its links, and without what has no text of its own."""
    findings = cnr.extract(cleaned(PAGE), plain_site())
    assert findings is not None
    assert [block.text for block in findings.body] == [
        "El título de la noticia",
        TEXT.strip(),
        TEXT + "con enlace",
        TEXT.strip(),
    ]
    assert findings.origins == {"body": "cnr"}


def test_the_page_is_not_changed() -> None:
    """Hollow nodes are only counted as nothing."""
    clean = cleaned(PAGE)
    before = etree.tostring(clean.tree)
    cnr.extract(clean, plain_site())
    assert etree.tostring(clean.tree) == before


@pytest.mark.parametrize("page", ["<html></html>", "<a>enlace</a>", "<p> </p>", "<img><nav>x</nav>"])
def test_a_page_without_text_has_no_block(page: str) -> None:
    """Nothing is found where there is nothing."""
    assert cnr.extract(cleaned(page), plain_site()) is None


def test_joining_goes_on_as_long_as_there_are_siblings() -> None:
    """7 and 8 make 6; 5 and 6 make 2; 2 and 3 make 1; 4 stands alone: the example of the seed."""
    parents = [-1, 0, 1, 1, 0, 2, 2, 6, 6]
    tree = parsed("<p>x")
    assert tree is not None
    lengths = [50 if number in (3, 4, 5, 7, 8) else 1 for number in range(len(parents))]
    measured = [cnr.Ratio(tree, 1, length, parent) for length, parent in zip(lengths, parents, strict=True)]
    assert cnr.candidates(measured, share=5 / 9) == [0]


SPACE = st.sampled_from(["", " ", "\n", "\n\t ", "  "])


@given(st.lists(SPACE, min_size=PAGE.count("<") + 1, max_size=PAGE.count("<") + 1))
def test_the_layout_of_the_source_does_not_matter(spaces: list[str]) -> None:
    """White space between tags changes neither the block nor any ratio."""
    pieces = PAGE.split("<")
    spaced = pieces[0] + "".join(space + "<" + piece for space, piece in zip(spaces, pieces[1:], strict=False))
    plain, laid_out = parsed(PAGE), parsed(spaced)
    assert plain is not None
    assert laid_out is not None
    assert [(r.element.tag, r.weight, r.length) for r in cnr.ratios(plain)] == [
        (r.element.tag, r.weight, r.length) for r in cnr.ratios(laid_out)
    ]
    block = cnr.main_block(laid_out)
    assert block is not None
    assert block.get("id") == "main"
