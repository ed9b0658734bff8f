"""The filters one by one: what each lets through, what it drops, and how it says so."""

from dataclasses import replace
from datetime import UTC, date, datetime
from types import SimpleNamespace

import pytest

from corpusbot.filters import OptionError, checked_options, rejection
from corpusbot.model import Article, Block, Drop
from corpusbot.plugins import NoSuchPlugin, plugin_names

SPANISH = (
    "El alcalde dijo que las obras de la plaza se acabarán en otoño, aunque los vecinos no lo creen y piden "
    "que el ayuntamiento les diga cuánto ha costado ya el retraso de una obra como esta."
)
ENGLISH = (
    "The mayor said that work on the square would be finished in the autumn, but those who live there do not "
    "believe it and have asked the council to tell them what the delay has cost."
)


def article(text="", **fields):
    """An article with this body."""
    made = Article(
        site="diario",
        url="https://diario.example/a",
        fetched_at=datetime(2024, 5, 10, tzinfo=UTC),
        language="es",
    )
    return replace(made, body=(Block(text),) if text else (), **fields)


def site(*filters, language="es"):
    """As much of a site as filters look at."""
    return SimpleNamespace(filters=filters, language=language)


def verdict(name, options, subject):
    """What one filter says of an article."""
    return rejection(subject, site((name, options)))


def test_the_filters_that_there_are():
    """Each file is a filter, but for those that they share."""
    assert plugin_names("filters") == ["date", "keyword", "kind", "language", "length", "paywall", "section"]


@pytest.mark.parametrize("name", plugin_names("filters"))
def test_every_filter_works_bare(name):
    """Every filter has defaults, and lets an ordinary article through."""
    ordinary = article(SPANISH * 3, published=datetime(2024, 5, 9, tzinfo=UTC))
    assert verdict(name, {}, ordinary) is None


def test_the_first_filter_that_minds_decides():
    """Filters run in the site's order."""
    both = site(("language", {}), ("length", {"min_words": 100}))
    assert rejection(article(ENGLISH), both).reason == "wrong_language"
    assert rejection(article(SPANISH), both).reason == "too_short"
    assert rejection(article(SPANISH), site()) is None


def test_too_short_says_how_short():
    """The detail holds the number found and the number wanted."""
    assert verdict("length", {"min_words": 30}, article("una dos tres")) == Drop(
        "too_short", "3 words, at least 30 wanted"
    )


def test_too_long():
    """The greatest length is included."""
    assert verdict("length", {"min_words": 0, "max_words": 3}, article("una dos tres")) is None
    assert verdict("length", {"min_words": 0, "max_words": 2}, article("una dos tres")).reason == "too_long"


def test_an_english_page_on_a_spanish_site_is_seen():
    """Its words have the say, whatever language its template declares."""
    assert verdict("language", {}, article(ENGLISH)) == Drop("wrong_language", "en by its words, es wanted")


def test_a_wrongly_declared_language_does_no_harm():
    """A Spanish text whose template says `en` stays."""
    assert verdict("language", {}, article(SPANISH, language="en-US")) is None


def test_the_declared_language_counts_where_words_do_not_tell():
    """Too few words to judge by: what the page says is believed."""
    assert verdict("language", {}, article("Oro y plata", language="en-GB")).detail.startswith("en as its page")
    assert verdict("language", {}, article("Oro y plata", language="es-ES")) is None
    assert verdict("language", {}, article("Oro y plata", language=None)) is None


def test_other_languages_can_be_asked_for():
    """`only` takes the place of the site's language; a region does not matter."""
    assert verdict("language", {"only": ("en_GB", "es")}, article(ENGLISH)) is None
    assert rejection(article(ENGLISH), site(("language", {}), language=None)) is None


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (
            "fr",
            "Le maire a dit que les travaux de la place seront finis en automne, mais les gens du quartier ",
        ),
        (
            "de",
            "Der Bürgermeister sagte, dass die Arbeiten auf dem Platz im Herbst fertig sind, aber die ",
        ),
        (
            "it",
            "Il sindaco ha detto che i lavori della piazza saranno finiti in autunno, ma gli altri non ",
        ),
        (
            "pt",
            "O presidente da câmara disse que as obras da praça não estão prontas e que os vizinhos ",
        ),
        (
            "ca",
            "L'alcalde va dir que les obres de la plaça s'acabaran a la tardor, però els veïns no ho ",
        ),
    ],
)
def test_languages_by_their_words(code, text):
    """Neighbouring languages are told apart by their commonest words."""
    assert verdict("language", {"only": (code,)}, article(text * 2, language="en")) is None
    assert verdict("language", {}, article(text * 2)).detail.startswith(code)


@pytest.mark.parametrize(
    ("options", "detail"),
    [
        ({"since": "2024-05-09"}, "2024-05-08, 2024-05-09 or later wanted"),
        ({"until": "2024-05-07"}, "2024-05-08, 2024-05-07 or earlier wanted"),
        ({"max_age_days": 1}, "2 days old, at most 1 wanted"),
        ({"since": "2024-05-08", "until": "2024-05-08", "max_age_days": 2}, None),
    ],
)
def test_dates(options, detail):
    """Limits are included, and age is that on the day of the visit."""
    drop = verdict("date", options, article(published=datetime(2024, 5, 8, tzinfo=UTC)))
    assert drop == (Drop("wrong_date", detail) if detail else None)


def test_articles_without_a_date():
    """They stay unless the site file says otherwise."""
    assert verdict("date", {"since": "2024-05-08"}, article()) is None
    assert verdict("date", {"undated": "drop"}, article()) == Drop("wrong_date", "no date")


@pytest.mark.parametrize(
    ("options", "section", "dropped"),
    [
        ({"only": ("politica",)}, "Política", False),
        ({"only": ("politica",)}, "Deportes", True),
        ({"only": ("politica",)}, None, True),
        ({"never": ("Deportes",)}, "Deportes > Fútbol", True),
        ({"never": ("Deportes",)}, "Política", False),
        ({"never": ("Deportes",)}, None, False),
    ],
)
def test_sections(options, section, dropped):
    """Names are compared without case and accents, and a section's own section counts as well."""
    drop = verdict("section", options, article(section=section))
    assert (drop is not None and drop.reason == "wrong_section") is dropped


@pytest.mark.parametrize(
    ("options", "dropped"),
    [
        ({"any": ("avion", "plaza")}, False),
        ({"any": ("avion", "tren")}, True),
        ({"all": ("PLAZA", "otono")}, False),
        ({"all": ("plaza", "tren")}, True),
        ({"none": ("tren",)}, False),
        ({"none": ("las obras de la",)}, True),
        ({"none": ("plaz",)}, False),
        ({"all": ("titular",)}, False),
    ],
)
def test_keywords(options, dropped):
    """Whole words and phrases are looked for in title, lead and body, without case and accents."""
    drop = verdict("keyword", options, article(SPANISH, title="Un titular"))
    assert (drop is not None and drop.reason == "keyword") is dropped


def test_paywall():
    """Only the beginning of a page for subscribers is dropped; a whole text stays, and so does a free one."""
    assert verdict("paywall", {}, article("Empieza así", paywalled=True)).reason == "paywalled"
    assert verdict("paywall", {"min_words": 2}, article("Empieza así", paywalled=True)) is None
    assert verdict("paywall", {}, article("Empieza así", paywalled=None)) is None


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("length", {"min_word": 3}, ["min_word", "Did you mean 'min_words'?"]),
        ("length", {"zzz": 3}, ["Available: max_words, min_words"]),
        ("length", {"min_words": "many"}, ["min_words", "whole number", "'many'"]),
        ("length", {"min_words": True}, ["whole number"]),
        ("length", {"min_words": -1}, ["0 or more"]),
        ("length", {"min_words": 5, "max_words": 4}, ["5 (min_words) or more"]),
        ("date", {"since": "yesterday"}, ["2024-05-31"]),
        ("date", {"since": "2024-05-02", "until": "2024-05-01"}, ["until"]),
        ("date", {"undated": "maybe"}, ["keep, drop"]),
        ("language", {"only": (1,)}, ["list of texts"]),
    ],
)
def test_options_that_are_wrong(name, options, words):
    """The error names the option and what would work."""
    with pytest.raises(OptionError) as error:
        checked_options(name, options)
    assert all(word in str(error.value) for word in words)


def test_options_that_are_right():
    """One text stands for a list of one, and a day becomes a date."""
    assert checked_options("language", {"only": "es"}).only == ("es",)
    assert checked_options("date", {"since": "2024-05-01"}).since == date(2024, 5, 1)
    assert checked_options("length") == checked_options("length", checked_options("length"))


def test_an_unknown_filter():
    """The error lists the filters that there are."""
    with pytest.raises(NoSuchPlugin, match="length"):
        checked_options("lenght")
