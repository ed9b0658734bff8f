"""The filter `kind`: what is surely no article becomes no document, and is listed with its kind."""

from datetime import UTC, datetime

import pytest

from corpusbot.filters import OptionError, checked_options
from corpusbot.filters.kind import Options, rejection
from corpusbot.model import KINDS, Article, Drop, Kind


def article(kind: Kind | None) -> Article:
    """An article of this kind."""
    return Article("diario", "https://diario.example/a", datetime(2024, 5, 10, tzinfo=UTC), kind=kind)


@pytest.mark.parametrize("name", KINDS)
def test_only_articles_become_documents_by_default(name):
    """Whatever is surely something else is dropped."""
    assert (rejection(article(Kind(name, 0.9)), Options()) is None) == (name == "article")


def test_the_drop_tells_the_kind_and_why():
    """The run's report lists it as it stands here."""
    found = rejection(article(Kind("gallery", 0.934, "JSON-LD says ImageGallery")), Options())
    assert found == Drop("kind", "gallery (0.93): JSON-LD says ImageGallery")
    assert rejection(article(Kind("wall", 1.0)), Options()) == Drop("kind", "wall (1.00)")


def test_an_article_whose_kind_nobody_told_stays():
    """Articles that come from elsewhere, as from a style sheet, have no kind."""
    assert rejection(article(None), Options()) is None


def test_what_is_not_sure_enough_stays():
    """A lost article is worse than a page too many; how sure it must be is up to the site."""
    unsure = article(Kind("collection", 0.45))
    assert rejection(unsure, Options()) is None
    assert rejection(unsure, Options(least=0.4)) is not None
    assert rejection(article(Kind("collection", 0.5)), Options()) is not None


def test_other_kinds_can_be_kept():
    """A corpus of live blogs keeps these, and then articles only if they are named too."""
    live = checked_options("kind", {"keep": ["live_blog"]})
    assert rejection(article(Kind("live_blog", 0.9)), live) is None
    assert rejection(article(Kind("article", 0.9)), live) is not None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"keep": ["artikel"]}, "keep: some of article, collection, .* are wanted, not 'artikel'"),
        ({"keep": []}, "keep: at least one of article, collection, .* is wanted"),
        ({"least": 2}, "least: a number from 0 to 1 is wanted, not 2"),
        ({"most": 1}, "unknown option 'most'"),
    ],
)
def test_options_that_cannot_be_used(given, told):
    """What a site file asks for is checked when it is read, and it is said what would work."""
    with pytest.raises(OptionError, match=told):
        checked_options("kind", given)
