"""What pages say about themselves, and what found it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.metadata.article_object import article_object
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings
from corpusbot.metadata.generic import FINDERS, metadata_of
from corpusbot.metadata.title import without_site_name
from tests.pages import ADDRESS, cleaned, plain_site

PUBLISHER = {"name": "La Muestra"}
ORGANISATION = {"@type": "Organization", "name": "La Muestra"}
FIRST = {"@type": "NewsArticle", "headline": "Sube el pan", "url": ADDRESS}


def said(page: str, **more: Any) -> Findings:
    """What a page says."""
    return metadata_of(facts_of(cleaned(page, **more), plain_site()))


def ld(*objects: object) -> str:
    """A page with JSON-LD."""
    scripts = (f'<script type="application/ld+json">{json.dumps(item)}</script>' for item in objects)
    return "".join(scripts) + "<p>x</p>"


@pytest.mark.parametrize(
    ("page", "title", "origin"),
    [
        (ld({**FIRST, "headline": "Sube &quot;el pan&quot; | La Muestra"}), 'Sube "el pan"', "jsonld:headline"),
        ('<meta property="og:title" content="Sube el pan - La Muestra">', "Sube el pan", "meta:og:title"),
        ('<p itemprop="headline">Sube <b>el</b> pan</p>', "Sube el pan", "itemprop:headline"),
        ("<h1>Sube el pan</h1><title>x</title>", "Sube el pan", "h1"),
        ("<h1>Uno</h1><h1>Dos</h1><title>Sube el pan | La Muestra</title>", "Sube el pan", "title"),
        ("<title>Sube el pan, y la harina también | Otra</title>", "Sube el pan, y la harina también", "title"),
    ],
)
def test_titles(page: str, title: str, origin: str) -> None:
    """From the surest place that has one, without the newspaper's name."""
    findings = said(page)
    assert (findings.title, findings.origins["title"]) == (title, origin)


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Sube el pan | País | La Muestra", "Sube el pan"),
        ("Pan - y sal | LA MUESTRA", "Pan - y sal"),
        ("Lo que dice La Muestra", "Lo que dice La Muestra"),
        ("La Muestra - Sube el pan", "La Muestra - Sube el pan"),
        ("Sube el pan – lamuestra.com", "Sube el pan"),
        ("La Muestra", "La Muestra"),
    ],
)
def test_the_name_of_the_newspaper_at_the_end_of_a_title(title: str, bare: str) -> None:
    """Only there, and with the section's before it."""
    assert without_site_name(title, "La Muestra", None) == bare


@pytest.mark.parametrize(
    ("page", "authors", "origin"),
    [
        (ld({**FIRST, "author": {"name": "Ana Ruiz"}}), ("Ana Ruiz",), "jsonld:author"),
        (ld({**FIRST, "author": ["Ana Ruiz", {"name": ["Luis Gil"]}]}), ("Ana Ruiz", "Luis Gil"), "jsonld:author"),
        (
            ld({**FIRST, "author": {"@id": "#a"}}, {"@type": "Person", "@id": "#a", "name": "Ana Ruiz"}),
            ("Ana Ruiz",),
            "jsonld:author",
        ),
        (
            ld({**FIRST, "publisher": PUBLISHER, "author": [PUBLISHER, {"name": "Ana Ruiz"}]}),
            ("Ana Ruiz",),
            "jsonld:author",
        ),
        (
            ld({**FIRST, "publisher": PUBLISHER, "author": ORGANISATION}),
            ("La Muestra",),
            "jsonld:author",
        ),
        ("<meta name=author content=Ana><meta name=author content=Luis>", ("Ana", "Luis"), "meta:author"),
        ('<p itemprop="author"><a>Ver</a><b itemprop="name">Ana Ruiz</b></p>', ("Ana Ruiz",), "itemprop:author"),
        ('<a rel="author" href=x>Ana Ruiz</a>', ("Ana Ruiz",), "rel:author"),
        ('<p class="byline">Von Anna Lang und Jörg Maier</p>', ("Anna Lang", "Jörg Maier"), "byline"),
        ("<p class=the-author>Par Anne Lebrun et Jean de La Tour</p>", ("Anne Lebrun", "Jean de La Tour"), "byline"),
    ],
)
def test_authors(page: str, authors: tuple[str, ...], origin: str) -> None:
    """People by name; the publisher only where there is nobody else."""
    findings = said(page)
    assert (findings.authors, findings.origins["authors"]) == (authors, origin)


@pytest.mark.parametrize(
    ("page", "origin"),
    [
        (ld({**FIRST, "datePublished": "2024-05-09T10:00:00Z"}), "jsonld:datePublished"),
        ('<meta property="article:published_time" content="2024-05-09T12:00:00+02:00">', "meta:article:published_time"),
        ('<time itemprop="datePublished" datetime="2024-05-09T10:00Z">hoy</time>', "itemprop:datePublished"),
        ('<time datetime="2020-01-01">x</time><time class="published" datetime="2024-05-09T10:00Z">y</time>', "time"),
        ('<p class="fecha">9 de mayo de 2024, 12:00 CEST</p>', "shown"),
        ("<h1>x</h1><p>Ana Ruiz · 9 de mayo de 2024, 12.00 CEST</p>", "shown:words"),
        ("<p>x</p>", "address"),
    ],
)
def test_the_moment_of_publication(page: str, origin: str) -> None:
    """With its zone; what the page shows, and the day in the address, where it says nothing for machines."""
    findings = said(page)
    assert findings.origins["published"] == origin
    assert findings.published in (datetime(2024, 5, 9, 10, tzinfo=UTC), datetime(2024, 5, 9, tzinfo=UTC))


def test_section_tags_language_and_change() -> None:
    """The fields of OpenGraph, and of the page itself."""
    findings = said(
        '<html lang="es_mx"><meta property="article:section" content="País"><meta property="article:tag" content="pan">'
        '<meta property="article:tag" content="sal"><meta property="article:modified_time" content="2024-05-10">'
    )
    assert (findings.section, findings.tags, findings.language) == ("País", ("pan", "sal"), "es-MX")
    assert findings.modified == datetime(2024, 5, 10, tzinfo=UTC)
    assert findings.origins["language"] == "html:lang"


def test_keywords_in_one_text() -> None:
    """Parted at its commas."""
    assert said(ld({**FIRST, "keywords": "pan, sal,pan"})).tags == ("pan", "sal")


@pytest.mark.parametrize(
    ("link", "address", "origin"),
    [
        ("/otra.html", "https://muestra.example/otra.html", "link:canonical"),
        ("https://amp.muestra.example/x", "https://amp.muestra.example/x", "link:canonical"),
        ("https://ajena.example/x", "https://ajena.example/x", "link:canonical (another site)"),
        ("javascript:x", None, None),
        ("http://[", None, None),
    ],
)
def test_the_address_a_page_gives_itself(link: str, address: str | None, origin: str | None) -> None:
    """In full, of the Web only, and whose it is."""
    findings = said(f'<link rel="canonical" href="{link}">')
    assert (findings.canonical_url, findings.origins.get("canonical_url")) == (address, origin)


@pytest.mark.parametrize(
    ("page", "paywalled"),
    [
        (ld({**FIRST, "isAccessibleForFree": "False"}), True),
        (ld({**FIRST, "isAccessibleForFree": True}), False),
        (ld({**FIRST, "hasPart": {"isAccessibleForFree": False}}), True),
        ('<meta property="article:content_tier" content="metered">', True),
        ('<meta itemprop="isAccessibleForFree" content="true">', False),
        ("<p>x", None),
    ],
)
def test_whether_it_costs_money(page: str, paywalled: bool | None) -> None:
    """Yes, no, or not said."""
    assert said(page).paywalled is paywalled


def test_rights_that_are_reserved() -> None:
    """By the server's headers and by the page, each with where it stands."""
    headers = (("TDM-Reservation", "1"), ("X-Robots-Tag", "otherbot: noarchive, nofollow"))
    page = (
        '<meta name="robots" content="NOAI, noimageai"><meta name="tdm-reservation" content="1">'
        '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
    )
    assert said(page, headers=headers).rights == (
        "header tdm-reservation: 1",
        "header x-robots-tag: noarchive",
        "meta tdm-reservation: 1",
        "meta robots: noai",
        "meta robots: noimageai",
        "license: https://creativecommons.org/licenses/by/4.0/",
    )


def test_the_article_among_other_objects() -> None:
    """The one that is about this page; a second one about it adds what it lacks."""
    other = {"@type": "NewsArticle", "headline": "Otra", "url": "https://muestra.example/otra"}
    more = {"@type": "Article", "headline": "Sube el pan", "author": "Ana Ruiz", "url": "x"}
    page = {"@type": "WebPage", "mainEntity": {**FIRST, "articleSection": "País"}}
    found = article_object([other, {"@type": "Organization"}, page, more], ADDRESS)
    assert found is not None
    assert (found["headline"], found["articleSection"], found["author"]) == ("Sube el pan", "País", "Ana Ruiz")
    assert article_object([{"@type": "Organization"}]) is None


def test_what_is_known_is_not_looked_for() -> None:
    """The rules' findings stand."""
    known = metadata_of(facts_of(cleaned("<h1>x</h1>"), plain_site()), known=FINDERS)
    assert known == Findings()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "@id", "@type"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([
    "@type", "headline", "author", "publisher", "datePublished", "keywords", "isAccessibleForFree", "hasPart",
    "mainEntityOfPage", "inLanguage", "articleSection", "mainEntity", "@graph", "url",
]), JSON))  # fmt: skip
def test_no_object_raises(item: dict[str, object]) -> None:
    """Whatever stands where a text should stand."""
    assert isinstance(said(ld({"@type": "NewsArticle", **item})), Findings)
