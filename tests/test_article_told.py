"""An article as text, as Markdown and as JSON: exactly what is written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from corpusbot.article_told import FORMATS, told
from corpusbot.model import Article, Block, Encoding, Kind

ARTICLE = Article(
    site="",
    url="https://paper.example/snow",
    title="Snow *again*",
    authors=("Ada Miller", "Léa «L.» Roux"),
    published=datetime(2024, 5, 9, 7, 30, tzinfo=UTC),
    language="en",
    lead="What it cost, and who pays.",
    body=(
        Block("Snow *again*", "heading"),
        Block("It snowed.\nAll night."),
        Block("Roads", "heading"),
        Block("the valley", "item"),
        Block("the pass,\nin part", "item"),
        Block("Stay at home.", "quote"),
        Block("Please.", "quote"),
        Block("Place | Snow", "row"),
        Block("Valley | 40 cm | deep", "row"),
        Block("A plough. Photo: A. M.", "caption"),
        Block("That was all."),
    ),
    kind=Kind("article", 0.93, "long text"),
    confidence=0.97,
    origins={"title": "og:title", "body": "gist"},
    encoding=Encoding("utf-8", None, "content"),
)
MARKDOWN = """\
---
title: "Snow *again*"
authors: ["Ada Miller", "Léa «L.» Roux"]
date: "2024-05-09T07:30:00+00:00"
language: "en"
url: "https://paper.example/snow"
---

# Snow \\*again\\*

**What it cost, and who pays.**

It snowed.\\
All night.

## Roads

- the valley
- the pass,\\
  in part

> Stay at home.
>
> Please.

| Place | Snow |  |
| --- | --- | --- |
| Valley | 40 cm | deep |

*A plough. Photo: A. M.*

That was all."""


def test_text() -> None:
    """The text and nothing else."""
    article = Article("", "", title="x", body=(Block("One."), Block("Two.", "quote")))
    assert told(article, "text") == "One.\n\nTwo."


def test_markdown() -> None:
    """Front matter, title, lead, and each kind of block in its marks; the title is not repeated as a heading."""
    assert told(ARTICLE, "markdown") == MARKDOWN


def test_markdown_of_little() -> None:
    """What is not known is left out; a lead that the text begins with too, even cut short, is not told twice."""
    assert told(Article("", ""), "markdown") == "---\n---"
    article = Article("", "", lead="It snowed all…", body=(Block("It snowed all night."),))
    assert told(article, "markdown") == "---\n---\n\nIt snowed all night."


@pytest.mark.parametrize(("text", "written"), [
    ("1. May was cold", "1\\. May was cold"),
    ("2024) no", "2024\\) no"),
    ("2024 was warm - or not", "2024 was warm - or not"),
    ("- a", "\\- a"),
    ("-5 degrees", "-5 degrees"),
    ("+ a\n# b", "\\+ a\\\n\\# b"),
    ("#metoo", "#metoo"),
    ("> a", "\\> a"),
    ("--- \n===", "\\--- \\\n\\==="),
    ("snake_case and _this_", "snake_case and \\_this\\_"),
    ("a * b ` c \\ d [e](f) ![g]", "a \\* b \\` c \\\\ d \\[e\\](f) !\\[g\\]"),
    ("<b> &amp; 1 < 2 & 3", "\\<b> \\&amp; 1 < 2 & 3"),
])  # fmt: skip
def test_text_is_no_markdown(text: str, written: str) -> None:
    """What Markdown would take for marks gets a backslash, and nothing else does."""
    assert told(Article("", "", body=(Block(text),)), "markdown") == f"---\n---\n\n{written}"


def test_cells_hold_no_bars() -> None:
    """A bar inside of a cell is no end of it."""
    assert "| a\\|b | c |\n| --- | --- |" in told(Article("", "", body=(Block("a|b | c", "row"),)), "markdown")


def test_json() -> None:
    """One line with all fields, their origins, the blocks with their kinds, and the text; absent is null."""
    written = told(ARTICLE, "json")
    assert "\n" not in written
    assert "Léa «L.» Roux" in written
    values: dict[str, Any] = json.loads(written)
    assert values["blocks"][3] == {"text": "the valley", "kind": "item"}
    assert values["kind"] == {"name": "article", "confidence": 0.93, "reason": "long text"}
    assert values["published"] == "2024-05-09T07:30:00+00:00"
    assert values["origins"] == {"title": "og:title", "body": "gist"}
    assert values["encoding"]["used"] == "utf-8"
    assert values["text"] == ARTICLE.text
    assert (values["modified"], values["confidence"]) == (None, 0.97)
    assert not {"site", "place", "visits", "record_id"} & values.keys()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_an_empty_article(form: str) -> None:
    """An article of which nothing is known can be told all the same."""
    assert isinstance(told(Article("", ""), form), str)
