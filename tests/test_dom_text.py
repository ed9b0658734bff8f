"""Running text: blocks that no sentence crosses, words that no tag breaks."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.dom.parse import parsed
from corpusbot.dom.spelling import spelt
from corpusbot.dom.text import blocks, outermost, text_of

Pairs = list[tuple[str, str]]


def read(html: str, keep: tuple[str, ...] = ()) -> Pairs:
    """The blocks of a page, as kind and text."""
    tree = parsed(spelt(html, keep))
    assert tree is not None
    return [(block.kind, block.text) for block in blocks([tree], frozenset(keep))]


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p><b>im</b>portant  thing\n here</p>", [("paragraph", "important thing here")]),
        ("<h2>Uno</h2><p>dos</p>tres", [("heading", "Uno"), ("paragraph", "dos"), ("paragraph", "tres")]),
        ("<ul><li>a<p>b</p>c</ul>", [("item", "a"), ("item", "b"), ("item", "c")]),
        ("<blockquote><p>q</p></blockquote>", [("quote", "q")]),
        ("<figure><img><figcaption>pie</figcaption></figure>", [("caption", "pie")]),
        ("<p>uno<br>dos<br/><br>tres", [("paragraph", "uno\ndos"), ("paragraph", "tres")]),
        ("<p>AT&amp;T R&D &lt;b&gt; &nosuch; &eacute;", [("paragraph", "AT&T R&D <b> &nosuch; é")]),
        ("<pre>a\nb\n\nc</pre>", [("paragraph", "a\nb"), ("paragraph", "c")]),
        ("<p>uno<button>Compartir</button><select><option>x</select> dos", [("paragraph", "uno dos")]),
        ("<p>&#1;u&#127;no&nbsp;dos", [("paragraph", "uno dos")]),
    ],
)
def test_what_vanishes_and_what_breaks(html: str, wanted: Pairs) -> None:
    """Tags inside the flow add no space; tags that break it end a block."""
    assert read(html) == wanted


def test_rows_of_data_are_one_block_each() -> None:
    """Cells stand beside one another."""
    page = "<table><caption>Voto</caption><tr><th>A<th>B<tr><td><p>1</p><td>2<br>3<tr><td>solo</table>"
    assert read(page) == [("caption", "Voto"), ("row", "A | B"), ("row", "1 | 2 3"), ("paragraph", "solo")]


def test_tables_that_lay_out_a_page_are_read_cell_by_cell() -> None:
    """Old newspapers put the whole page into a table."""
    page = "<table><tr><td><p>uno</p><p>dos</p><td><ul><li>menú</ul><tr><td>x<table><tr><td>i<td>j</table></table>"
    kinds = [("paragraph", "uno"), ("paragraph", "dos"), ("item", "menú"), ("paragraph", "x"), ("row", "i | j")]
    assert read(page) == kinds


def test_kept_tags_are_written_as_the_source_spells_them() -> None:
    """Case, attributes, and whether they have an end."""
    page = '<BR><BR> Hola <P ALIGN="right"> Z <STRONG>afirma</strong><P>A. <Br>La <b>voz</b></P><script>"<P>"</script>'
    assert [text for _, text in read(page, ("p", "br", "strong"))] == [
        "<BR><BR> Hola",
        '<P ALIGN="right"> Z <STRONG>afirma</strong>',
        "<P>A. <Br>La voz</P>",
    ]


@pytest.mark.parametrize("piece", ['<p "', "<!--", "<title", "<script ", "<p>", "</P>", '<p title="'])
def test_spelling_is_linear_whatever_is_left_open(piece: str) -> None:
    """Tags, comments and scripts without an end do not make it search again and again."""
    started = time.perf_counter()
    spelt(piece * 100_000, {"p"})
    assert time.perf_counter() - started < 10


def test_kept_tags_of_a_tree_without_a_source() -> None:
    """Those of a piece of JSON-LD are in lower case, and BR has no end."""
    tree = parsed('<p class="x">uno<br>dos</p>')
    assert tree is not None
    assert blocks([tree], frozenset(("p", "br")))[0].text == '<p class="x">uno<br>dos</p>'


def test_elements_are_left_out_and_the_text_after_them_stays() -> None:
    """`without` takes an element, not what follows it."""
    tree = parsed("<p>uno <i>dos</i> tres</p><div><i>cuatro</i></div>")
    assert tree is not None
    assert text_of(tree, without=list(tree.iter("i"))) == "uno tres"


def test_only_the_outermost_of_nested_elements() -> None:
    """However deep they are, and each once."""
    tree = parsed("<div>" * 900 + "x" + "</div>" * 900 + "<div>y</div>")
    assert tree is not None
    found = outermost([*tree.iter("div"), *tree.iter("div")])
    assert [text_of(element) for element in found] == ["x", "y"]


INLINE = st.sampled_from(["b", "i", "a href=x", "span", "font size=1", "texto"])
WORDS = st.text("abcdefg ñé.,", max_size=12)


@given(st.recursive(WORDS, lambda inner: st.tuples(INLINE, st.lists(inner, max_size=3)), max_leaves=15))
def test_tags_inside_the_flow_leave_just_the_text(tree: object) -> None:
    """The text is what stands between the tags, white space folded, and holds no markup."""
    markup, text = written(tree)
    page = parsed(f"<p>{markup}</p>")
    assert page is not None
    found = "\n".join(block.text for block in blocks([page]))
    assert found == " ".join(text.split())
    assert not re.search("[<>]", found)


def written(tree: object) -> tuple[str, str]:
    """A tree of tags as markup and as text."""
    if isinstance(tree, str):
        return tree, tree
    assert isinstance(tree, tuple)
    tag, children = tree
    parts = [written(child) for child in children]
    inner = "".join(markup for markup, _ in parts)
    # A link cannot be in a link: a parser closes the outer one, which loses no text.
    return f"<{tag}>{inner}</{tag.split()[0]}>", "".join(text for _, text in parts)
