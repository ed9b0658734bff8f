"""A site's configuration: which rules hold where and when, and that it travels."""

from __future__ import annotations

import pickle
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.model import Place
from corpusbot.sites import SiteConfig, load_site_file

SITE = """
name: El País
home: https://elpais.com/
exclude: ['/$YYYY$/opinion/']
links: [{match: /noticia/, name: noticias, append: {NIVEL: patrón}}]
fields: {title: h1}
append: {NIVEL: sitio, SITIO: sí}
ignore: P
indexes:
  - url: https://elpais.com/internacional/
    name: internacional
    fields: {title: h2}
    append: {NIVEL: índice}
    links:
      - {match: /int/, name: int, fields: {title: h3}, remove: .ad}
  - {url: https://elpais.com/espana/, name: españa}
versions:
  - {valid_until: 2024-05-31, fields: {title: .viejo, lead: .entradilla}}
  - {valid_until: 2020-12-31, translate: [{tag: TITULO, to: .TITULO}]}
"""
CORPUS = "append: {FECHA: $DD$, NIVEL: corpus}\nignore: BR\n"
TODAY = date(2025, 1, 1)


def load(text: str = SITE, corpus: str = CORPUS) -> SiteConfig:
    """The configuration of these two files."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "elpais.yaml").write_text(text, encoding="utf-8")
        Path(folder, "_corpus.yaml").write_text(corpus, encoding="utf-8")
        return load_site_file(Path(folder, "elpais.yaml"), Path(folder, "_corpus.yaml"))


def title(place: Place, day: date | None = TODAY) -> str:
    """What finds the title of a page at this place."""
    rules = load().rules_for(place, day)
    found = [rule.sources[0].query for rule in rules.fields if rule.to == "title"]
    return (found + [f"<{rule.source.query}>" for rule in rules.translate if rule.to == "title"])[0]


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        (Place(), "h1"),
        (Place(index="internacional"), "h2"),
        (Place(index="internacional", link="int"), "h3"),
        (Place(index="internacional", link="unknown"), "h2"),
        (Place(index="unknown", link="int"), "h1"),
        (Place(index="españa", link="noticias"), "h1"),
    ],
)
def test_the_most_local_rule_holds(place: Place, wanted: str) -> None:
    """An index or link that the site does not know adds nothing."""
    assert title(place) == wanted


@pytest.mark.parametrize(
    ("day", "wanted"),
    [
        (date(2025, 1, 1), "h1"),
        (date(2024, 6, 1), "h1"),
        (date(2024, 5, 31), ".viejo"),
        (date(2021, 1, 1), ".viejo"),
        (date(2020, 12, 31), "<titulo>"),
        (date(1999, 1, 1), "<titulo>"),
        (datetime(2024, 5, 31, 23, 59, tzinfo=UTC), ".viejo"),
        (None, "h1"),
    ],
)
def test_versions_hold_until_their_last_day(day: date | None, wanted: str) -> None:
    """Of those that still held, the first to end counts; without a day, today's rules."""
    assert title(Place(), day) == wanted


def test_a_version_overrides_the_site_and_not_its_indexes() -> None:
    """It stands between them: the index is more local."""
    assert title(Place(index="internacional"), date(2024, 5, 31)) == "h2"


def test_the_order_of_appends() -> None:
    """Corpus, site, index, link; an overriding one stands at its own level."""
    site = load()
    rules = site.rules_for(Place(index="españa", link="noticias"), TODAY)
    assert [(rule.name, rule.text) for rule in rules.append] == [
        ("FECHA", "$DD$"),
        ("SITIO", "sí"),
        ("NIVEL", "patrón"),
    ]
    assert [str(rule.where) for rule in rules.append] == ["_corpus.yaml:1", "elpais.yaml:7", "elpais.yaml:5"]
    assert [rule.where.level for rule in rules.append] == ["corpus", "site", "link"]
    lost = site.overridden_for(Place(index="españa", link="noticias"), TODAY)
    assert [(gone.rule.where.level, gone.by.where.level) for gone in lost] == [("corpus", "site"), ("site", "link")]


def test_ignore_and_remove_add_up() -> None:
    """Tags in small letters, from all levels."""
    rules = load().rules_for(Place(index="internacional", link="int"), TODAY)
    assert rules.ignore == {"p", "br"}
    assert rules.remove == (".ad",)


def test_a_label_names_its_field() -> None:
    """`to: .TITULO` is the title, unless the site gives the title another label."""
    labels = "labels: {title: TITULAR}\n"
    text = "home: https://a.es/\ntranslate: [{tag: a, to: .TITULO}, {tag: b, to: TITULAR}]\n"
    assert [rule.to for rule in load(text).rules_for(Place()).translate] == ["title", "TITULAR"]
    assert [rule.to for rule in load(text + labels).rules_for(Place()).translate] == ["TITULO", "title"]


def test_spellings_of_webreader() -> None:
    """Its own names of keys are read as ours."""
    text = (
        "home: https://a.es/\ntranslate:\n  - {tag_in: META, attr_name: NAME, attr_value: TITULO, attr_get: CONTENT, "
    )
    source = load(text + "closed: false, tag_out: .TITULO}\n").rules_for(Place()).translate[0].source
    assert (source.query, source.attribute, source.value, source.get) == ("meta", "name", "TITULO", "content")


def test_patterns_are_of_their_day() -> None:
    """Link patterns and exclusions are filled in with the day asked for."""
    site = load("home: https://a.es/\nexclude: /$YYYY$/\nlinks: $DD$N0\nindexes: {url: 'https://a.es/'}\n")
    assert site.indexes[0].links[0].regex(date(2000, 12, 9)).search("/09N0001.html")
    assert site.excluded(date(2000, 12, 9))[0].search("https://a.es/2000/x")


def test_rules_are_merged_once() -> None:
    """The same place on another day of the same version gives the very same rules."""
    site = load()
    first = site.rules_for(Place(index="internacional", found_on="https://a.es/"), TODAY)
    assert site.rules_for(Place(index="internacional"), date(2026, 1, 1)) is first


def test_it_can_be_hashed_and_not_changed() -> None:
    """Two readings of one file are equal, and keys of one entry."""
    assert len({load(), load()}) == 1
    with pytest.raises(AttributeError):
        load().name = "ABC"  # type: ignore[misc]  # that it cannot be set is what is shown


TEXTS = st.text(alphabet=st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="$"), min_size=1)
SITES = st.fixed_dictionaries(
    {"home": st.just("https://elpais.com/")},
    optional={
        "name": TEXTS,
        "min_body": st.integers(0, 9),
        "links": st.lists(st.sampled_from(["a", "b", "$DD$N0"]), unique=True),
        "append": st.dictionaries(st.sampled_from(["A", "B"]), TEXTS),
        "fields": st.dictionaries(st.sampled_from(["title", "FUENTE"]), st.sampled_from(["h1", "//h1"])),
        "filters": st.lists(st.sampled_from(["length", {"length": {"min_words": 3}}])),
        "settings": st.fixed_dictionaries({}, optional={"DOWNLOAD_DELAY": st.integers(0, 9)}),
    },
)


@settings(max_examples=50, deadline=None)
@given(SITES, st.booleans())
def test_it_survives_pickling(text: dict[str, object], was_used: bool) -> None:
    """It crosses to worker processes whole, with or without rules merged before."""
    site = load(yaml.safe_dump(text, allow_unicode=True))
    if was_used:
        site.rules_for(Place())
    again = pickle.loads(pickle.dumps(site))  # noqa: S301  # our own bytes
    assert again == site
    assert again.rules_for(Place()) == site.rules_for(Place())
