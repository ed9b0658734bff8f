"""CNR: ratios by the seed's table, joining, every option, the next best blocks and the menus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from lxml.html import HtmlElement

from corpusbot.dom.parse import parsed
from corpusbot.dom.text import text_of
from corpusbot.extractors import checked_options, cnr
from corpusbot.extractors.cnr.joining import joined, main_node
from corpusbot.extractors.cnr.knobs import HOLLOW, Knobs, hollow_tags
from corpusbot.extractors.cnr.nodes import TEXT, Nodes, measured
from corpusbot.sites.options import OptionError
from tests.pages import cleaned, plain_site

TEXT_OF_NEWS = "Un párrafo bastante largo, como los que hay en las noticias de verdad. "
PAGE = (
    "<html><head><title>Un título de la página</title></head><body>"
    "<nav><a href=1>Portada</a> <a href=2>País</a> y un texto que no cuenta porque está en un menú</nav>"
    f"<div id=main><h1>El título de la noticia</h1><p>{TEXT_OF_NEWS}</p>"
    f"<p>{TEXT_OF_NEWS}<a href=3>con enlace</a></p><p>{TEXT_OF_NEWS}</p></div>"
    "<div id=side><ul><li><a href=4>Otra</a></li><li><a href=5>Más</a></li></ul><p>Corto</p></div>"
    "<footer><p>Aviso legal</p></footer></body></html>"
)
LONG, SHORT = "Un texto largo que dice muchas cosas. " * 3, "Uno corto."


def tree_of(html: str) -> HtmlElement:
    """The tree of a page."""
    tree = parsed(html)
    assert tree is not None
    return tree


def ratios_of(html: str) -> dict[str, tuple[int, int]]:
    """Weight and length of every element that has an id."""
    nodes = measured(tree_of(html))
    elements = [number for number, tag in enumerate(nodes.tags) if tag != TEXT and nodes.elements[number].get("id")]
    return {nodes.elements[n].get("id", ""): (nodes.weights[n], nodes.lengths[n]) for n in elements}


def body_of(html: str, **options: Any) -> list[str]:
    """The text of a page's main block."""
    findings = cnr.extract(cleaned(html), plain_site(), **options)
    return [block.text for block in findings.body] if findings else []


def main_of(html: str, **knobs: Any) -> str | None:
    """The id of the main block, or else its tag."""
    nodes = measured(tree_of(html))
    main = main_node(nodes, replace(Knobs(), **knobs))
    return None if main is None else nodes.elements[main].get("id") or nodes.tags[main]


def test_the_table_of_the_seed() -> None:
    """A text node weighs 1, a hollow node 1 and has no text, all others the sum of their children."""
    page = (
        "<div id=a>uno dos<p id=b>tres<b>cua tro</b>cinco</p>\n <a id=c href=1>enlace <b>y más</b></a> seis"
        "<script id=d>x()</script><img id=e></div>"
    )
    b = len("tres" + "cuatro" + "cinco")
    a = b + len("unodos" + "seis")
    assert ratios_of(page) == {"a": (8, a), "b": (3, b), "c": (1, 0), "d": (1, 0), "e": (1, 0)}


def test_nothing_by_nothing_is_nothing() -> None:
    """An element without anything in it has no weight either."""
    nodes = measured(tree_of("<div><p></p><p>texto</p></div>"))
    assert nodes.ratios()[nodes.tags.index("p")] == 0


def test_the_main_block() -> None:
    """The siblings with most text per node are joined in their parent."""
    assert main_of(PAGE) == "main"


def test_the_text_is_that_of_the_block() -> None:
    """With its links, and without what has no text of its own."""
    findings = cnr.extract(cleaned(PAGE), plain_site())
    assert findings is not None
    assert [block.text for block in findings.body] == [
        "El título de la noticia",
        TEXT_OF_NEWS.strip(),
        TEXT_OF_NEWS + "con enlace",
        TEXT_OF_NEWS.strip(),
    ]
    assert findings.body[0].kind == "heading"
    assert findings.origins == {"body": "cnr"}


def test_the_page_is_not_changed() -> None:
    """Hollow nodes are only counted as nothing."""
    clean = cleaned(PAGE)
    before = etree.tostring(clean.tree)
    cnr.extract(clean, plain_site())
    cnr.blocks_of(clean.tree, top=3)
    cnr.menus_of(clean.tree)
    assert etree.tostring(clean.tree) == before


@pytest.mark.parametrize("page", ["<html></html>", "<a>enlace</a>", "<p> </p>", "<img><nav>x</nav>"])
def test_a_page_without_text_has_no_block(page: str) -> None:
    """Nothing is found where there is nothing, and no menu where there are no links to other pages."""
    assert cnr.extract(cleaned(page), plain_site()) is None
    assert cnr.blocks_of(tree_of(page), top=3) == []
    assert cnr.menus_of(tree_of(page)) == []


def seed_example() -> Nodes:
    """The tree of the seed's figure, numbered in document order."""
    #           seed's names:  0   1  3  2  5  6  7  8   4
    parents = [-1, 0, 1, 1, 3, 3, 5, 5, 0]
    count = len(parents)
    lasts = [8, 7, 2, 7, 4, 7, 6, 7, 8]
    element = tree_of("<p>x")
    none = [False] * count
    return Nodes([element] * count, ["div"] * count, parents, [0] * count, [1] * count, [1] * count, none, none, lasts)


def test_joining_goes_on_as_long_as_there_are_siblings() -> None:
    """7 and 8 make 6; 5 and 6 make 2; 2 and 3 make 1; 1 and 4 are left: the example of the seed."""
    leaves_and_4 = [2, 4, 6, 7, 8]
    assert joined(seed_example(), leaves_and_4, Knobs(joining=3)) == leaves_and_4
    under_1 = [2, 4, 6, 7]
    assert joined(seed_example(), under_1, Knobs()) == [1]
    # 1 and 4 have one parent in this tree, where the seed's figure has other nodes between.
    assert joined(seed_example(), leaves_and_4, Knobs()) == [0]


SPACE = st.sampled_from(["", " ", "\n", "\n\t ", "  "])


@given(st.lists(SPACE, min_size=PAGE.count("<") + 1, max_size=PAGE.count("<") + 1))
def test_the_layout_of_the_source_does_not_matter(spaces: list[str]) -> None:
    """White space between tags changes no block, no ratio and no path."""
    pieces = PAGE.split("<")
    spaced = pieces[0] + "".join(space + "<" + piece for space, piece in zip(spaces, pieces[1:], strict=False))
    plain, laid_out = tree_of(PAGE), tree_of(spaced)
    assert [str(node) for node in cnr.nodes_of(plain)] == [str(node) for node in cnr.nodes_of(laid_out)]
    assert cnr.blocks_of(laid_out)[0].element.get("id") == "main"


def test_white_space_may_count() -> None:
    """As in the authors' own tool: it makes the ratios of what is laid out smaller."""
    tree = tree_of("<div>\n <p>texto</p>\n</div>")
    assert [measured(tree, spaces=spaces).weights[0] for spaces in (False, True)] == [1, 3]


# Two paragraphs together and a longer one apart; and a long list of short ones.
APART = (
    f"<body id=page><div id=two><p>{LONG * 2}</p><p>{LONG * 2}</p></div>"
    f"<section><p id=third>{LONG * 3}</p><img></section>" + f"<div><p>{SHORT}</p><img></div>" * 20 + "</body>"
)


def test_the_share_of_nodes() -> None:
    """One of them only is the best alone; all of them are joined to the page."""
    assert main_of(APART, share=0.001) == "third"
    assert main_of(APART, share=0.08) == "two"
    assert main_of(APART, share=1.0) == "html"
    assert body_of(APART, share=0.001) == [(LONG * 3).strip()]


def test_the_best_by_the_curve() -> None:
    """Without a share it is those whose ratio stands out, however many they are."""
    assert main_of(APART, above=6.0) == "third"
    assert main_of(APART, above=-6.0) == "html"


def test_of_which_nodes_the_share_is() -> None:
    """A tenth of all nodes is more than a tenth of those with text."""
    page = f"<div id=a><p>{LONG}</p><p>{LONG}</p></div>" + "<br>" * 40 + f"<p>{SHORT}</p><div>{SHORT}<b>x</b></div>"
    assert main_of(page, share=0.1, of="text") == "a"
    assert main_of(page, share=0.1, of="all") == "html"


def test_text_nodes_may_be_ranked_too() -> None:
    """Then one may be the main block by itself."""
    page = f"<div><b>{SHORT}</b>{LONG}<b>{SHORT}</b></div>" + f"<p>{SHORT}</p>" * 9
    assert body_of(page, ranked="all", share=0.01) == [LONG.strip()]
    assert body_of(page, ranked="all", share=0.01, of="all") == [LONG.strip()]


TIED = f"<div id=both><p id=a>{LONG}</p><p id=b>{LONG}</p><img></div><hr>"


@pytest.mark.parametrize(("ties", "wanted"), [("first", "a"), ("last", "b"), ("all", "both"), ("none", "both")])
def test_ties_at_the_border(ties: str, wanted: str) -> None:
    """Of several that are alike the first or the last is taken, or all, where there is no better one."""
    assert main_of(TIED, share=0.01, ties=ties) == wanted


def test_no_ties() -> None:
    """Those on the border are left out where there are better ones."""
    page = f"<div id=both><p id=a>{LONG}x</p><p>{LONG}</p><p>{LONG}</p><img></div>" + f"<p>{SHORT}</p>" * 3
    assert main_of(page, share=0.25, ties="none") == "a"
    assert main_of(page, share=0.25, ties="first") == "both"


@pytest.mark.parametrize("knobs", [{"joining": 3}, {"joining_share": 0.5}, {"joining_floor": 1.5}])
def test_stricter_joining(knobs: dict[str, Any]) -> None:
    """Two of five children are joined, unless more are asked for or the parent's own ratio is to be better."""
    page = f"<body><div id=a><p>{LONG}</p><p id=b>{LONG}x</p>{f'<p>{SHORT}</p>' * 4}</div>"
    assert main_of(page, share=0.2) == "a"
    assert main_of(page, share=0.2, **knobs) == "b"


def test_the_final_choice() -> None:
    """The block with most text, or with most of the best nodes."""
    page = (
        f"<body><p id=few>{LONG * 5}</p><div id=many>{f'<p>{LONG}</p>' * 4}</div>{'<img>' * 30}{f'<p>{SHORT}</p>' * 5}"
    )
    assert main_of(page, share=0.4, joining=3) == "few"
    assert main_of(page, share=0.4, joining=3, final="relevant") == "many"


def test_what_is_preferred() -> None:
    """Precision never takes more than what is balanced takes here, and recall never less."""
    lengths = [len(" ".join(body_of(APART, prefer=prefer))) for prefer in ("precision", "balanced", "recall")]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[2]


def test_the_list_of_hollow_tags() -> None:
    """Tags are added by their names and taken off by a minus before them."""
    assert hollow_tags(("aside", "-a")) == (HOLLOW | {"aside"}) - {"a"}
    page = f"<div><p>{LONG}</p><p>{LONG}</p><aside>{LONG}</aside></div>"
    assert len(body_of(page)) == 3
    assert len(body_of(page, hollow=("aside",))) == 2


def test_the_whole_block() -> None:
    """With what is nothing but links too, as its authors show it."""
    page = f"<div><p>{LONG}</p><ul><li><a href=1>Enlace</a></li></ul><p>{LONG}</p></div>"
    assert "Enlace" not in body_of(page)
    assert "Enlace" in body_of(page, whole=True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"share": 0.1, "above": 1}, "share, above"),
        ({"joining": 0}, "joining: 1 or more"),
        ({"hollow": ["-blink"]}, "'blink' is not on the list"),
        ({"share": 2}, "share: a number from 0 to 1"),
        ({"shares": 1}, "Did you mean 'share'"),
    ],
)
def test_options_that_cannot_be_used(options: dict[str, Any], told: str) -> None:
    """The site file is told what would work."""
    with pytest.raises(OptionError, match=told):
        checked_options("cnr", options)


def test_the_list_of_nodes_as_its_authors_show_it() -> None:
    """Tag, ratio and the way from BODY."""
    tree = tree_of(f"<body><p>x</p><table><tr><td>{'a' * 23}<b>b</b></td></tr></table></body>")
    told = [str(node) for node in cnr.nodes_of(tree)]
    assert told[0] == "tag:#TEXT prop:23 path:1-0-0-0"
    assert "tag:TD prop:12 path:1-0-0" in told


def test_the_next_blocks_are_found_without_the_first() -> None:
    """As the authors of CNR wished: the best block is taken away, then the best of what is left."""
    first, second = cnr.blocks_of(tree_of(PAGE), top=2)
    assert first.element.get("id") == "main"
    assert TEXT_OF_NEWS.strip() not in text_of(second.element)


def test_menus() -> None:
    """The parts with most links for their nodes, whether or not they say that they are menus."""
    links = "".join(f"<li><a href={number}>Sección {number}</a></li>" for number in range(6))
    page = f"<div id=menu><ul>{links}</ul></div><div><p>{LONG}<a href=7>uno</a></p><p>{LONG}</p></div>"
    (menu,) = cnr.menus_of(tree_of(page))
    assert (menu.tag, menu.length, menu.ratio) == ("div", 6, 1.0)


TREES = st.recursive(
    st.one_of(st.just("<img>"), st.text("ab ", max_size=30), st.just("<a href=x>ir</a>")),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "b"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


@given(TREES, st.integers(1, 6), st.sampled_from(["elements", "all"]))
def test_blocks_never_overlap(page: str, top: int, ranked: Any) -> None:
    """No block found by repetition stands in another one; nor does a menu."""
    tree = tree_of(f"<body>{page}.</body>")
    for found in (cnr.blocks_of(tree, top, Knobs(ranked=ranked)), cnr.menus_of(tree, top)):
        assert len(found) <= top
        paths = [node.path for node in found]
        assert len(set(paths)) == len(paths)
        assert not any(one != other and other[: len(one)] == one for one in paths for other in paths)


@given(TREES)
def test_sums_of_ratios(page: str) -> None:
    """The page's length is that of all its text nodes, and no element's ratio is better than its best child's."""
    nodes = measured(tree_of(f"<body>{page}.</body>"))
    ratios = nodes.ratios()
    assert nodes.lengths[0] == sum(length for length, tag in zip(nodes.lengths, nodes.tags, strict=True) if tag == TEXT)
    for number in range(len(nodes)):
        children = [ratios[child] for child, parent in enumerate(nodes.parents) if parent == number]
        assert not children or ratios[number] <= max(children) + 1e-9
