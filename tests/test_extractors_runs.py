"""The textbook's extractors: what each keeps of a page, their laws, and pages that nobody laid out."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from corpusbot.dom.parse import parsed
from corpusbot.extractors import checked_options
from corpusbot.extractors.cetr import clustered, smoothed, source_lines
from corpusbot.extractors.density import LINKED, LONG, MIDDLING, SHORT, by_neighbours, large_groups
from corpusbot.extractors.dom_filters import is_advert
from corpusbot.extractors.gist.walk import outlined
from corpusbot.extractors.runs import runs_of
from corpusbot.extractors.slope import greatest_sum
from corpusbot.model import Block
from corpusbot.plugins import plugin
from corpusbot.sites.options import OptionError
from tests.pages import cleaned, plain_site

NAMES = ("cnr", "slope", "cetr", "dom_filters", "density")
SENTENCE = "Los vecinos del barrio dicen que la obra no acaba nunca y que nadie les explica por qué. "
LINKS = "".join(f"<li><a href=/{number}>Sección número {number}</a></li>" for number in range(12))
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE * 3}</p>" for number in range(6))
PAGE = (
    f"<html><body><ul>{LINKS}</ul><div><div><h1>Una obra sin fin</h1>{PARAGRAPHS}</div></div>"
    f"<div><ul>{LINKS}</ul><p><a href=x>Todo lo que se ha escrito sobre las obras</a></p></div></body></html>"
)


def body_of(name: str, html: str, **options: Any) -> tuple[Block, ...]:
    """What an extractor finds, by options as a site file would give them."""
    findings = plugin("extractors", name).extract(cleaned(html), plain_site(), **checked_options(name, options))
    if findings is None:
        return ()
    assert findings.origins == {"body": name}
    found: tuple[Block, ...] = findings.body
    return found


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in NAMES),
    ("slope", {"window": 5}),
    ("cetr", {"by": "threshold"}),
    ("cetr", {"clusters": 3}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_the_paragraphs_and_no_menu(name: str, options: dict[str, Any]) -> None:
    """Each finds all of the article's paragraphs, and none of the links around them."""
    found = body_of(name, PAGE, **options)
    texts = [block.text for block in found if block.kind == "paragraph"]
    assert texts == [f"{number}. {(SENTENCE * 3).strip()}" for number in range(6)]
    assert {block.kind for block in found} <= {"paragraph", "heading"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("page", ["<html></html>", "<p> </p>", "<img>", "<script>x</script>"])
def test_a_page_without_text(name: str, page: str) -> None:
    """Nothing is found where there is nothing."""
    assert body_of(name, page) == ()


KINDS_PAGE = (
    f"<h2>Un título de en medio</h2><p>{SENTENCE * 2}</p><blockquote>{SENTENCE * 2}</blockquote>"
    f"<ul><li>{SENTENCE * 2}</li><li>{SENTENCE * 2}</li></ul>"
    f"<table><tr><td>{SENTENCE}</td><td>{SENTENCE}</td></tr></table><p>{SENTENCE * 2}</p>"
)


@pytest.mark.parametrize("name", NAMES)
def test_the_kinds_of_blocks(name: str) -> None:
    """What is found keeps its structure: quotes, items and rows are told apart."""
    kinds = [block.kind for block in body_of(name, f"<div>{KINDS_PAGE}</div>")]
    assert [kind for kind in kinds if kind != "heading"] == ["paragraph", "quote", "item", "item", "row", "paragraph"]


def both_ends(bits: list[int]) -> int:
    """The most tags before i, words from i to j and tags after j that a row of tokens has, by trying all of them."""
    count = len(bits)
    return max(
        sum(bits[:i]) + sum(1 - bit for bit in bits[i : j + 1]) + sum(bits[j + 1 :])
        for i in range(count)
        for j in range(i, count)
    )


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30))
def test_the_linear_slope_is_the_quadratic_one(bits: list[int]) -> None:
    """The part with the greatest sum, a word 1 and a tag -1, is the textbook's best i and j."""
    first, last = greatest_sum(np.array([1.0 - 2 * bit for bit in bits]))
    assert first <= last
    assert sum(bits[:first]) + sum(1 - bit for bit in bits[first : last + 1]) + sum(bits[last + 1 :]) == both_ends(bits)


@given(arrays.arrays(np.float64, st.integers(1, 25), elements=st.integers(-9, 9).map(float)))
def test_the_greatest_sum(values: Any) -> None:
    """No part of any row of numbers has a greater sum than the one that is found."""
    first, last = greatest_sum(values)
    every = (values[i : j + 1].sum() for i in range(len(values)) for j in range(i, len(values)))
    assert values[first : last + 1].sum() == max(every)


@given(arrays.arrays(np.float64, st.integers(1, 40), elements=st.floats(0, 1e4)), st.integers(0, 6))
def test_smoothing_is_a_mean(values: Any, radius: int) -> None:
    """No smoothed value is above all of those around it, and there are as many as before."""
    found = smoothed(values, radius)
    assert found.shape == values.shape
    assert found.max() <= values.max() + 1e-6
    assert found.min() >= 0


@given(arrays.arrays(np.float64, st.integers(1, 40), elements=st.floats(0, 1e4)), st.integers(2, 5))
def test_what_has_no_text_is_no_content(values: Any, clusters: int) -> None:
    """A line whose point is at nought is always in the cluster of nought."""
    values[: len(values) // 2] = 0
    kept = clustered(values, 0, 1, clusters)
    still = (values == 0) & (np.append(values[1:], 0) == 0)
    assert not kept[still].any()


def test_lines_of_the_source() -> None:
    """Text by tags on each line, text in links apart; and on these lines the same paragraphs are found."""
    tree = parsed("<div><p>uno\ndos<a href=1>tres</a></p>\n\n</div>")
    assert tree is not None
    ratios, starts = source_lines(tree, links=False)
    assert (ratios.tolist(), starts.tolist()) == ([3 / 2, 3 / 3, 0, 0], [0, 3, 10, 10, 10]) or ratios[0] == 3 / 4
    laid_out = PAGE.replace("</p>", "</p>\n").replace("</li>", "</li>\n").replace("<div>", "<div>\n")
    texts = [block.text for block in body_of("cetr", laid_out, lines="source", radius=1)]
    assert [text for text in texts if "vecinos" in text] == [
        f"{number}. {(SENTENCE * 3).strip()}" for number in range(6)
    ]


def test_neighbours_decide() -> None:
    """A middling run needs text on one side, a short one on both."""
    classes = np.array([SHORT, LONG, SHORT, MIDDLING, SHORT, LONG, SHORT, LINKED, MIDDLING, SHORT])
    assert by_neighbours(classes).tolist() == [False, True, True, True, True, True, False, False, False, False]


def test_small_groups_apart_are_left_out() -> None:
    """A teaser far below the text is none of it, unless it is as large."""
    kept = np.array([True, True, False, False, False, True])
    lengths = np.array([500.0, 500, 10, 10, 10, 100])
    assert large_groups(kept, lengths, 2, 0.3).tolist() == [True, True, False, False, False, False]
    assert large_groups(kept, lengths, 3, 0.3).tolist() == kept.tolist()
    assert large_groups(kept, lengths, 2, 0.1).tolist() == kept.tolist()


@pytest.mark.parametrize(
    "noise",
    [
        f"<div class='big ad-box'><p>{SENTENCE * 2}</p></div>",
        f"<footer><p>{SENTENCE * 2}</p></footer>",
        "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
        "<div><p>Compartir</p></div>",
        f"<ul><li>Lea también: {LINKS}</li></ul>",
        f"<figure><figcaption>{SENTENCE * 2}</figcaption></figure>",
    ],
)
def test_what_dom_filters_take_out(noise: str) -> None:
    """Advertisements, parts that are seldom text, tables without substance, next to nothing, and link lists."""
    assert body_of("dom_filters", f"<div>{PARAGRAPHS}{noise}</div>") == body_of(
        "dom_filters", f"<div>{PARAGRAPHS}</div>"
    )


def test_a_filter_never_takes_the_whole_page() -> None:
    """A form around everything, or a page whose class speaks of advertisements, is not taken out for that."""
    page = f"<form class=ad><div>{PARAGRAPHS}</div></form>"
    assert len(body_of("dom_filters", page)) == 6


@pytest.mark.parametrize(
    ("called", "wanted"), [("class='top ads'", True), ("id=publicidad_1", True), ("class=headline", False), ("", False)]
)
def test_names_of_advertisements(called: str, wanted: bool) -> None:
    """By whole words of class and id: a headline is no ad."""
    tree = parsed(f"<body><p {called}>x</p></body>")
    assert tree is not None
    assert is_advert(tree.iter("p").__next__()) is wanted


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("slope", {"window": -1}, "window: 0 or more"),
        ("cetr", {"clusters": 1}, "clusters: a whole number from 2"),
        ("cetr", {"by": "magic"}, "by: .*'magic'"),
        ("dom_filters", {"substance": -5}, "substance: 0 or more"),
        ("density", {"short": 200}, "short, long"),
        ("density", {"apart": -1}, "apart: 0 or more"),
    ],
)
def test_options_that_cannot_be_used(name: str, options: dict[str, Any], told: str) -> None:
    """The site file is told what would work."""
    with pytest.raises(OptionError, match=told):
        checked_options(name, options)


TREES = st.recursive(
    st.one_of(st.just("<img>"), st.text("ab .\n", max_size=200), st.just("<a href=x>ir a</a>"), st.just("<br><br>")),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "p", "b", "table", "tr", "td", "li", "h2", "nav", "pre"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)
MORE_OPTIONS = [
    *OPTIONS,
    ("cetr", {"lines": "source"}),
    ("cetr", {"lines": "source", "by": "threshold", "links": True}),
]


@given(TREES, st.sampled_from(MORE_OPTIONS))
def test_only_what_is_on_the_page(page: str, asked: tuple[str, dict[str, Any]]) -> None:
    """Whatever the page: the blocks found are runs of it, in their order, each at most once."""
    name, options = asked
    tree = parsed(f"<body>{page}.</body>")
    assert tree is not None
    there = iter(Block(run.text, run.kind) for run in runs_of(outlined(tree)).outline.runs)
    if name != "cnr":
        assert all(block in there for block in body_of(name, f"<body>{page}.</body>", **options))
    else:
        body_of(name, f"<body>{page}.</body>", **options)


HOSTILE = {
    "deep": "<div>" * 100_000 + SENTENCE * 9,
    "deep inline": "<b>" * 100_000 + SENTENCE * 9,
    "siblings": "<body>" + "<p>x</p>" * 100_000,
    "empty siblings": "<body>" + "<i></i>" * 300_000 + f"<p>{SENTENCE}</p>",
    "links": "<body>" + "<a href=x>ir</a> " * 100_000,
    "one line": "<body><p>" + SENTENCE * 20_000,
    "one word": "<body>" + "x" * 3_000_000,
    "cells": "<table><tr>" + "<td>1 | 2" * 50_000,
}
SECONDS = 10  # far more than any of them takes: a slow machine is no error, squared time is


@pytest.mark.parametrize("page", HOSTILE)
def test_pages_that_nobody_laid_out(page: str) -> None:
    """A result or none, in time that grows with the size of the page."""
    clean = cleaned(HOSTILE[page])
    for name, options in MORE_OPTIONS:
        start = time.process_time()
        plugin("extractors", name).extract(clean, plain_site(), **options)
        assert time.process_time() - start < SECONDS, (name, options)
