"""Sitemaps are read as they come."""

import gzip
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spiders.sitemaps import Entry, fresh, sitemap_entries, time_of, unzipped

URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc> https://diario.example/una.html </loc><lastmod>2024-03-01</lastmod></url>
<url><loc>https://diario.example/dos.html</loc><news:news>
<news:publication><news:name>Diario</news:name></news:publication>
<news:publication_date>2024-03-02T10:00:00+01:00</news:publication_date><news:title>Dos</news:title></news:news></url>
</urlset>"""
INDEX = b"""<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://diario.example/2024-03.xml.gz</loc><lastmod>2024-03-31</lastmod></sitemap></sitemapindex>"""


def test_addresses_times_and_the_news_extension() -> None:
    """A urlset gives its addresses with lastmod or, before it, the news extension's date and title."""
    one, two = sitemap_entries(URLSET)
    day = datetime(2024, 3, 1, tzinfo=UTC)
    assert one == Entry("https://diario.example/una.html", day, modified=day)
    assert two.url == "https://diario.example/dos.html"
    assert two.title == "Dos"
    assert two.changed == datetime(2024, 3, 2, 9, tzinfo=UTC)


def test_an_index_names_sitemaps() -> None:
    """The entries of an index of sitemaps are known as sitemaps."""
    (entry,) = sitemap_entries(INDEX)
    assert entry.is_sitemap
    assert entry.url.endswith(".gz")


def test_gzip_by_its_bytes() -> None:
    """A gzipped sitemap is read whatever its name says."""
    assert sitemap_entries(gzip.compress(URLSET)) == sitemap_entries(URLSET)


@pytest.mark.parametrize("cut", [len(URLSET) // 2 + 40, len(URLSET) - 20])
def test_a_torn_file_gives_what_came_before(cut: int) -> None:
    """XML that breaks off still gives the entries before the break."""
    assert sitemap_entries(URLSET[:cut])[0].url == "https://diario.example/una.html"


@pytest.mark.parametrize("body", [b"", b"   ", b"not xml", b"<html><p>404</p>", b"\x1f\x8b\x00broken", b"{}"])
def test_what_is_no_sitemap_has_no_entries(body: bytes) -> None:
    """Anything else gives nothing and raises nothing."""
    assert sitemap_entries(body) == []


def test_entities_are_not_expanded() -> None:
    """A hostile sitemap reads no file and blows up no memory."""
    hostile = (
        b'<!DOCTYPE urlset [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY a "aaaaaaaaaa">'
        b'<!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>https://x.example/&f;&b;</loc></url></urlset>'
    )
    assert all("root" not in entry.url and "aaaa" not in entry.url for entry in sitemap_entries(hostile))


def test_a_gzip_bomb_ends_at_the_cap() -> None:
    """A small file that unpacks to far more is cut at the cap."""
    assert len(unzipped(gzip.compress(b" " * 60_000_000))) == 50 * 1024 * 1024


def test_only_days_that_matter() -> None:
    """Entries too old or too new are left out; a sitemap changed later may still list them."""
    old, new = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 3, 9, tzinfo=UTC)
    entries = [
        Entry("old", old), Entry("new", new), Entry("undated"), Entry("map", new, is_sitemap=True),
        Entry("old map", old, is_sitemap=True),
    ]  # fmt: skip
    kept = [entry.url for entry in fresh(entries, date(2024, 2, 1), date(2024, 2, 28))]
    assert kept == ["undated", "map"]


@given(st.text(max_size=30))
def test_no_time_raises(text: str) -> None:
    """Whatever stands for a time, the answer is an aware time or None."""
    moment = time_of(text)
    assert moment is None or moment.tzinfo is not None


@given(st.binary(max_size=200))
def test_no_bytes_raise(body: bytes) -> None:
    """Arbitrary bytes give a list."""
    assert isinstance(sitemap_entries(body), list)
