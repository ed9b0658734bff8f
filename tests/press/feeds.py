"""robots.txt, sitemaps and feeds: the ways in that a newspaper offers to machines."""

import gzip
from dataclasses import dataclass
from datetime import datetime
from html import escape

from tests.press.newspaper import Newspaper
from tests.press.plan import Plan

_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
BROKEN_ENTRIES = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One address in a feed or a sitemap."""

    url: str
    title: str
    summary: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime


def robots(plan: Plan, base: str) -> bytes:
    """The rules of the house, the same for every robot."""
    return (
        f"User-agent: *\nCrawl-delay: {plan.crawl_delay:g}\nDisallow: /privado/\nDisallow: /buscar\n\n"
        f"Sitemap: {base}/sitemap.xml\nSitemap: {base}/sitemap-news.xml\n"
    ).encode()


def sitemap_index(base: str, months: dict[str, list[Row]], with_broken: bool) -> bytes:
    """The index of the monthly sitemaps; the broken one comes first, to be survived."""
    rows = [(f"{base}/sitemaps/{month}.xml.gz", _last_change(rows)) for month, rows in months.items()]
    if with_broken:
        rows.insert(0, (f"{base}/sitemaps/broken.xml", rows[0][1]))
    entries = "\n".join(f"<sitemap><loc>{url}</loc><lastmod>{changed}</lastmod></sitemap>" for url, changed in rows)
    return f"{_DECLARATION}<sitemapindex {_SITEMAP}>\n{entries}\n</sitemapindex>\n".encode()


def month_sitemap(rows: list[Row]) -> bytes:
    """A month's sitemap, gzipped; the time stamp is left out to keep the bytes the same."""
    return gzip.compress(_url_set(rows).encode(), mtime=0)


def broken_sitemap(rows: list[Row]) -> bytes:
    """A sitemap cut off in the middle of an entry, with good entries before."""
    return _url_set(rows[:BROKEN_ENTRIES]).encode().rsplit(b"</urlset>")[0] + b"<url><loc>http://127."


def news_sitemap(paper: Newspaper, rows: list[Row]) -> bytes:
    """A Google News sitemap."""
    entries = "\n".join(
        f"<url><loc>{row.url}</loc><news:news><news:publication><news:name>{paper.title}</news:name>"
        f"<news:language>{paper.language}</news:language></news:publication>"
        f"<news:publication_date>{row.published.isoformat()}</news:publication_date>"
        f"<news:title>{escape(row.title)}</news:title></news:news></url>"
        for row in rows
    )
    return f"{_DECLARATION}<urlset {_SITEMAP} {_NEWS}>\n{entries}\n</urlset>\n".encode()


def rss(paper: Newspaper, base: str, rows: list[Row]) -> bytes:
    """An RSS 2.0 feed."""
    items = "\n".join(
        f"<item><title>{escape(row.title)}</title><link>{row.url}</link><guid>{row.url}</guid>"
        f"<description><![CDATA[<p>{escape(row.summary)}</p>]]></description>"
        f"<pubDate>{row.published:%a, %d %b %Y %H:%M:%S %z}</pubDate></item>"
        for row in rows
    )
    head = f"<title>{paper.title}</title><link>{base}/</link><language>{paper.language}</language>"
    return f'{_DECLARATION}<rss version="2.0"><channel>{head}\n{items}\n</channel></rss>\n'.encode()


def atom(paper: Newspaper, base: str, rows: list[Row]) -> bytes:
    """An Atom feed."""
    entries = "\n".join(
        f'<entry><title>{escape(row.title)}</title><link href="{row.url}"/><id>{row.url}</id>'
        f"<published>{row.published.isoformat()}</published><updated>{row.modified.isoformat()}</updated>"
        f"<summary>{escape(row.summary)}</summary>"
        + "".join(f"<author><name>{escape(author)}</name></author>" for author in row.authors)
        + "</entry>"
        for row in rows
    )
    head = f"<title>{paper.title}</title><id>{base}/</id><updated>{_last_change(rows)}</updated>"
    return f'{_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">{head}\n{entries}\n</feed>\n'.encode()


def _url_set(rows: list[Row]) -> str:
    """A sitemap of addresses with the time of their last change."""
    entries = "\n".join(f"<url><loc>{row.url}</loc><lastmod>{row.modified.isoformat()}</lastmod></url>" for row in rows)
    return f"{_DECLARATION}<urlset {_SITEMAP}>\n{entries}\n</urlset>\n"


def _last_change(rows: list[Row]) -> str:
    """The time of the newest change among the rows."""
    return max(row.modified for row in rows).isoformat()
