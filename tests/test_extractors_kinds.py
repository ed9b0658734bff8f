"""Page kinds: every kind is known by its signs, and what only looks like one stays an article."""

import pytest

from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors import gist
from corpusbot.extractors.kinds import kind_of
from corpusbot.model import Block, CleanPage, Kind
from tests.kind_samples import ARTICLES, KINDS
from tests.pages import page_of, plain_site


def kind_of_page(url: str, html: str, **more: bool) -> Kind:
    """The kind of a page whose body gist has found."""
    clean = clean_page(page_of(html, url=url), plain_site())
    assert isinstance(clean, CleanPage)
    found = gist.extract(clean, plain_site())
    return kind_of(clean, found.body if found else (), **more)


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_known(name: str) -> None:
    """A page of each kind is taken for what it is, surely enough for the filter, and it is said why."""
    expected, (url, html) = KINDS[name]
    kind = kind_of_page(url, html)
    assert (kind.name, kind.confidence >= 0.5, bool(kind.reason)) == (expected, True, True), kind.reason


@pytest.mark.parametrize("name", ARTICLES)
def test_articles_that_look_like_something_else_stay_articles(name: str) -> None:
    """An article is not lost for what it is about, what stands in it and around it, or how short it is."""
    kind = kind_of_page(*ARTICLES[name])
    assert kind.name == "article", f"{kind.confidence} {kind.reason}"
