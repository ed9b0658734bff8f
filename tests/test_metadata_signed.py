"""Authors and dates that a page shows beside its headline."""

from __future__ import annotations

from datetime import datetime

import pytest

from corpusbot.metadata import microdata, shown, signed
from corpusbot.metadata.facts import Facts, facts_of
from tests.pages import cleaned, plain_site

SPANISH = "https://muestra.es/una-noticia.html"


def facts(page: str, url: str = SPANISH) -> Facts:
    """The facts of a page."""
    return facts_of(cleaned(page, url=url), plain_site())


@pytest.mark.parametrize(
    "page",
    [
        '<h1>x</h1><p class="byline">Por Ana Ruiz y Luis Gil</p>',
        '<h1>x</h1><div class="c-articleAuthor"><a>Ana Ruiz</a><span>Madrid</span><a>Luis Gil</a></div>',
        '<h1>x</h1><ul><li class=author>Ana Ruiz</li><li class=author>Luis Gil</li></ul><p class=author>Eva Sanz</p>'
        .replace("<p class=author>", "<p class=author-of-another>"),
        '<h1>x</h1><p><a href="/autor/ana-ruiz/">Ana Ruiz</a> y <a href="/autor/luis-gil/">Luis Gil</a></p>',
        "<h1>x</h1><address>Ana Ruiz, Luis Gil</address>",
        '<p class=author>Eva Sanz</p><h1>x</h1><p class=author>Ana Ruiz, Luis Gil</p>',
        '<h1>x</h1><aside class=related><p class=author>Eva Sanz</p></aside><p class=author>Ana Ruiz y Luis Gil</p>',
        '<h1>x</h1><figure><b class=author>Eva Sanz</b></figure><p class=author>Ana Ruiz y Luis Gil</p>',
        '<h1>x</h1><div class=comments><b class=author>Eva Sanz</b></div><p class=author>Ana Ruiz y Luis Gil</p>',
        '<div class="sidebar"><h1>x</h1><p class=author>Ana Ruiz y Luis Gil</p></div>',
    ],
)  # fmt: skip
def test_what_marks_authors(page: str) -> None:
    """Classes, links and tags; the nearest below the headline, and not those of comments, pictures, other articles."""
    found = signed.authors(facts(page))
    assert found is not None
    assert found.value == ("Ana Ruiz", "Luis Gil")


def test_a_name_is_not_run_together_with_what_its_bearer_is() -> None:
    """Tags part them, if nothing else does."""
    line = '<div class="byline"><b>Ana Ruiz</b><i>Redactora</i><i>Copiar Todo</i></div>'
    found = signed.authors(facts(f"<h1>x</h1>{line}"))
    assert found is not None
    assert found.value == ("Ana Ruiz",)


@pytest.mark.parametrize("line", ["Por Ana Ruiz", "By Ana Ruiz", "Von Ana Ruiz", "Par Ana Ruiz", "A cura di Ana Ruiz"])
def test_a_line_below_the_headline_that_begins_as_bylines_do(line: str) -> None:
    """Where nothing marks it."""
    found = signed.authors_by_words(facts(f"<h1>x</h1><p>{line}</p>"))
    assert found is not None
    assert (found.value, found.origin) == (("Ana Ruiz",), "byline:words")
    assert signed.authors_by_words(facts(f"<h1>x</h1><p>{line} lo dijo.</p>")) is None


def test_a_paragraph_that_begins_as_bylines_do() -> None:
    """Initials and names are meant, words of a sentence are not."""
    rest = "<a>Country</a>, <a>Prices of bread and of all that is made of flour</a> " * 3
    found = [signed.authors_by_words(facts(f"<h1>x</h1><p>By {who}, <b>in</b> {rest}")) for who in ("TMN", "Christmas")]
    assert [item and item.value for item in found] == [("TMN",), None]


def test_authors_of_comments_and_pictures_in_microdata() -> None:
    """They wrote something else."""
    page = (
        '<div itemscope itemtype="https://schema.org/NewsArticle"><b itemprop=author>Ana Ruiz</b>'
        '<div itemscope itemtype="https://schema.org/Comment"><b itemprop=author>Eva Sanz</b></div></div>'
        '<div itemscope itemtype="https://schema.org/NewsArticle"><b itemprop=author>Luis Gil</b></div>'
    )
    found = microdata.authors(facts(page))
    assert found is not None
    assert found.value == ("Ana Ruiz",)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("14 de marzo de 2024, 10:30 CET", "2024-03-14T10:30:00+01:00"),
        ("Publicado el 14/03/2024 a las 10.30 h", "2024-03-14T10:30:00+01:00"),
        ("Actualizado: 15/03/2024 08:00. Publicado: 14/03/2024 10:30", "2024-03-14T10:30:00+01:00"),
        ("14.03.2024 10:30 Uhr, aktualisiert am 15.03.2024", "2024-03-14T10:30:00+01:00"),
        ("Publié le 14 mars 2024 à 10h30, mis à jour le 15 mars 2024", "2024-03-14T10:30:00+01:00"),
        ("14 marzo 2024 alle 10:30 (aggiornato il 15 marzo 2024)", "2024-03-14T10:30:00+01:00"),
        ("14 de março de 2024 às 10h30", "2024-03-14T10:30:00+01:00"),
        ("14 de març de 2024, 10:30", "2024-03-14T10:30:00+01:00"),
        ("2024ko martxoaren 14a, 10:30", "2024-03-14T10:30:00+01:00"),
        ("14 maart 2024 10:30", "2024-03-14T10:30:00+01:00"),
        ("14 marca 2024, 10:30", "2024-03-14T10:30:00+01:00"),
        ("March 14, 2024 10:30 am", "2024-03-14T10:30:00+01:00"),
        ("2024年3月14日 10:30", "2024-03-14T10:30:00+01:00"),
    ],
)
def test_the_date_that_is_shown(text: str, iso: str) -> None:
    """As people write it, in the zone of the host's country; when it was changed is another date."""
    found = shown.published(facts(f"<h1>x</h1><p class=fecha>{text}</p>"))
    assert found is not None
    assert found.value.isoformat() == iso


def test_where_the_zone_is_from_is_said() -> None:
    """The host's country, another date of the page, or the date itself."""
    page = "<h1>x</h1><p class=fecha>14 de julio de 2024, 10:30</p>"
    other = '<meta property="article:modified_time" content="2024-07-15T08:00:00-05:00">'
    origins = [
        getattr(shown.published(facts(text, url)), "origin", None)
        for text, url in (
            (page, SPANISH),
            (other + page, "https://muestra.example/"),
            (page.replace("10:30", "10:30 UTC"), SPANISH),
        )
    ]
    assert origins == ["shown (zone of .es)", "shown (zone of another date)", "shown"]


def test_the_date_of_the_last_change_that_is_shown() -> None:
    """Only where it is called so."""
    found = shown.modified(facts("<p class=fecha>14/03/2024 | Actualizado 15/03/2024 08:00</p>"))
    assert found is not None
    assert found.value.replace(tzinfo=None) == datetime(2024, 3, 15, 8)
    assert shown.modified(facts("<p class=fecha>14/03/2024</p>")) is None


@pytest.mark.parametrize(
    ("address", "day"),
    [
        ("https://muestra.es/2024/03/14/x.html", 14),
        ("https://muestra.es/pais/2024-03-14/x", 14),
        ("https://muestra.es/x-20240314.html", 14),
        ("https://muestra.es/x-20241399.html", None),
        ("https://muestra.es/x-1234567890.html", None),
    ],
)
def test_the_day_in_an_address(address: str, day: int | None) -> None:
    """Whole, and one that there is."""
    found = shown.in_address(facts("<p>x", address))
    assert (found.value.day if found else None) == day


def test_dates_of_other_articles_are_not_this_ones() -> None:
    """In a link, in a list of the most read."""
    page = (
        "<h1>x</h1><a href=y><time datetime=2020-01-01>y</time></a>"
        "<div class=most-read><time datetime=2020-01-02>z</time></div><time datetime=2024-03-14>w</time>"
    )
    found = microdata.time_published(facts(page))
    assert found is not None
    assert found.value.date().isoformat() == "2024-03-14"
