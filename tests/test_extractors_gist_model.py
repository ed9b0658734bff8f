"""The model's trees: all nodes asked at once give what going down gives; words and forms looked up for all at once."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import fromstring

from corpusbot.extractors.gist.attributes import MOST_WORDS, name_of, words_in
from corpusbot.extractors.gist.model import MOST_LEAVES, model_of
from corpusbot.extractors.gist.texts import SHORT_TEXT, plain, plain_beginnings, words_of
from corpusbot.extractors.gist.walk import Outline, outlined, parts_of
from tests.pages import cleaned

FEATURES = ("a", "b", "c")
BORDERS = (-1.5, -1e-38, 0.0, 1e-38, 0.1, 7.0)
NUMBERS = (*BORDERS, -0.0, 1e38, -1e38, 0.10000001, 6.9999995)
CHARACTERS = st.characters(exclude_characters="\0", exclude_categories=("Cs",))
TEXTS = st.lists(st.text(CHARACTERS, max_size=150), min_size=1)
SECTION = "<section><h2>dos</h2><p>tres <b>cuatro</b></p><ul><li>x</ul></section>"
PAGE = "<nav><a href=x>uno</a></nav><main>" + SECTION * 9


def tree_of(dice: random.Random, leaves: int) -> list[Any]:
    """A tree as the model's file has it: each node splits, until there are enough leaves."""
    tree: list[Any] = [0.5]
    open_leaves = [0]
    while len(open_leaves) < leaves:
        place = open_leaves.pop(dice.randrange(len(open_leaves)))
        tree[place] = [dice.randrange(len(FEATURES)), dice.choice(BORDERS), len(tree), len(tree) + 1]
        open_leaves += [len(tree), len(tree) + 1]
        tree += [float(len(tree)), float(len(tree) + 1)]
    return tree


def data_of(forest: list[list[Any]]) -> dict[str, Any]:
    """The model's file."""
    return {"features": FEATURES, "usual": [0, 0, 0], "attributes": {}, "texts": {}, "depth": 99, "trees": forest}


def gone_down(tree: list[Any], row: tuple[float, ...]) -> float:
    """The value of a row, node by node."""
    node = tree[0]
    while isinstance(node, list):
        node = tree[node[3] if np.float32(row[node[0]]) > np.float32(node[1]) else node[2]]
    return float(node)


@given(st.integers(), st.lists(st.integers(1, MOST_LEAVES), min_size=1, max_size=4))
def test_scores_are_those_of_going_down(seed: int, leaves: list[int]) -> None:
    """Leaves that are ruled out leave the one that is reached, on a border as beside it."""
    dice = random.Random(seed)
    forest = [tree_of(dice, number) for number in leaves]
    rows = [tuple(dice.choice(NUMBERS) for _ in FEATURES) for _ in range(20)]
    wanted = [1 / (1 + np.exp(-sum(gone_down(tree, row) for tree in forest) / 99)) for row in rows]
    for tree in forest:
        tree[:] = [node if isinstance(node, list) else node / 99 for node in tree]
    assert model_of(data_of(forest)).scores(np.array(rows, np.float32).T) == pytest.approx(np.array(wanted), abs=1e-6)


@given(st.integers(), st.integers(1, 20))
def test_many_runs_are_scored_as_one_is(seed: int, leaves: int) -> None:
    """In however many parts they are taken."""
    dice = random.Random(seed)
    model = model_of(data_of([tree_of(dice, leaves)]))
    row = np.array([[dice.choice(NUMBERS)] for _ in FEATURES], np.float32)
    many = model.scores(np.repeat(row, 2_500, axis=1))
    assert set(many.tolist()) == set(model.scores(row).tolist())


def test_a_tree_too_large_is_refused() -> None:
    """It says how large a tree may be."""
    chain: list[Any] = []
    for _ in range(MOST_LEAVES):
        chain += [[0, 1.0, len(chain) + 1, len(chain) + 2], 1.0]
    with pytest.raises(ValueError, match=str(MOST_LEAVES)):
        model_of(data_of([[*chain, 1.0]]))


@given(TEXTS)
def test_letters_are_those_of_each_text_alone(texts: list[str]) -> None:
    """All texts at once, whatever the script, beyond the basic plane as well."""
    assert plain_beginnings(texts, 120) == [plain(text[:120]) for text in texts]


@given(TEXTS)
def test_words_are_those_of_each_text_alone(texts: list[str]) -> None:
    """Of a short text all words, of a long one how it begins."""
    for text, found in zip(texts, words_of(texts), strict=True):
        words = re.findall(r"[^\W\d_]+", text[:SHORT_TEXT].lower())
        beginning = ["^" + words[0], "^" + " ".join(words[:2])] if words else []
        whole = ["=" + " ".join(words), *beginning, *words] if words else []
        assert list(found) == (beginning if len(text) > SHORT_TEXT else whole)


def test_words_of_attributes() -> None:
    """Names fall into words at capitals and signs; those of one letter, of too many, and too many words go."""
    many = " ".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(100))
    page = fromstring(
        f"<main><div class='mainContent  article-body_2 x {'y' * 30}' href=no style='DISPLAY: none'></div>"
        f"<p class='{many}' id='último'></p><b aria-hidden=true hidden></b><i></i></main>"
    )
    divided, many_named, bold, bare = words_in([name_of(element, str(element.tag)) for element in page])
    assert divided == ("<div", "main", "content", "article", "body", "!hidden")
    assert many_named == ("<p", *many.split()[:MOST_WORDS], "ltimo")
    assert (bold, bare) == (("<b", "!aria-hidden", "!hidden"), ("<i",))
    assert words_in([]) == []


@pytest.mark.parametrize("most", [1, 7, 1_000])
def test_parts_make_the_whole(most: int) -> None:
    """All runs in order, each in the region that it was in, with the same regions around."""
    whole = outlined(cleaned(PAGE).tree)
    parts = list(parts_of(whole, most))
    assert [run.text for part in parts for run in part.runs] == [run.text for run in whole.runs]
    assert [path for part in parts for path in paths(part)] == paths(whole)
    for part in parts:
        ranges = zip(part.firsts, part.lasts, strict=True)
        assert all(0 <= first < last <= len(part.runs) for first, last in ranges) or part is whole


def paths(outline: Outline) -> list[list[str]]:
    """The tags around each run."""
    found = []
    for run in outline.runs:
        place, path = run.region, []
        while place >= 0:
            path.append(outline.tags[place])
            place = outline.parents[place]
        found.append(path)
    return found
