"""RSS and Atom feeds, whole and broken."""

from datetime import UTC, datetime

import pytest

from spiders.feeds import read_feed

RSS = b"""<?xml version="1.0"?><rss version="2.0" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0">
<channel><title>Diario</title><link>https://diario.example/</link>
<item><title>Una</title><link>https://diario.example/una.html</link>
<pubDate>Fri, 01 Mar 2024 10:00:00 +0100</pubDate></item>
<item><title>Dos</title><link>https://feedproxy.example/x</link>
<feedburner:origLink>https://diario.example/dos.html</feedburner:origLink></item>
<item><title>Tres</title><link>javascript:alert(1)</link></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Courier</title>
<entry><title>One</title><link href="/2024/one"/><updated>2024-03-01T09:00:00Z</updated></entry></feed>"""


def test_rss() -> None:
    """The items' own addresses, times and titles; no address that is none of the Web's."""
    one, two = read_feed(RSS, "https://diario.example/rss").entries
    assert (one.url, one.title) == ("https://diario.example/una.html", "Una")
    assert one.changed == datetime(2024, 3, 1, 9, tzinfo=UTC)
    assert two.url == "https://diario.example/dos.html"


def test_when_an_entry_was_changed() -> None:
    """Atom's `updated` says so; RSS has only the time of printing."""
    assert read_feed(RSS, "https://diario.example/rss").entries[0].modified is None
    (entry,) = read_feed(ATOM, "https://courier.example/feed.atom").entries
    assert entry.modified == entry.changed == datetime(2024, 3, 1, 9, tzinfo=UTC)


def test_atom_with_relative_links() -> None:
    """Links are made absolute by the feed's own address."""
    (entry,) = read_feed(ATOM, "https://courier.example/feed.atom").entries
    assert entry.url == "https://courier.example/2024/one"


def test_a_torn_feed_gives_what_came_before() -> None:
    """A feed that breaks off gives its first items."""
    assert read_feed(RSS[:420], "https://diario.example/rss").entries[0].title == "Una"


@pytest.mark.parametrize("body", [b"", b"/etc/passwd", b"https://x.example/", b"<html>", b"\x00\xff"])
def test_what_is_no_feed_has_no_entries(body: bytes) -> None:
    """Nothing is opened or fetched in place of a feed."""
    assert read_feed(body, "https://diario.example/rss").entries == ()
