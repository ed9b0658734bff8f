"""One page down the whole line, shown stage by stage; nothing is written."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import zlib
from datetime import UTC, date, datetime, time
from pathlib import Path

from corpusbot.line import Step, trace
from corpusbot.model import Article, Body, CleanPage, Drop, Page
from corpusbot.sites import SiteConfig, load_site
from corpusbot.store.archive import pages_of

_FIELDS = (
    "title", "authors", "published", "modified", "section", "language", "canonical_url", "lead", "tags",
    "paywalled", "rights",
)  # fmt: skip
_BEGINNING = 600
_GZIP_MAGIC = b"\x1f\x8b"


def page_of(site: str, page: str, url: str | None, day: date | None) -> Page:
    """The page to try: read from a file, or fetched as a crawl would fetch it."""
    if page.startswith(("http://", "https://")):
        return fetched(site, page)
    body = Path(page).read_bytes()
    try:
        body = gzip.decompress(body) if body.startswith(_GZIP_MAGIC) else body
    except (OSError, EOFError, zlib.error) as error:
        raise OSError(f"{page}: looks gzipped and is broken: {error}") from None
    moment = datetime.combine(day, time(12), UTC) if day else datetime.now(UTC)
    return Page(site, url or load_site(site).home or f"file:{page}", Body(body), moment)


def fetched(site: str, url: str) -> Page:
    """A page fetched by the site's own crawl, politely and guarded, into a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ["-s", f"CORPUSBOT_DATA={folder}", "-s", "LOG_LEVEL=WARNING", "-a", f"only={url}"]
        subprocess.run([sys.executable, "-m", "scrapy", "crawl", site, *settings], check=False)  # noqa: S603
        for page in pages_of(Path(folder) / site):
            return page
    raise OSError(f"{url} could not be fetched; the messages above say why")


def trial(page: Page, site_name: str, whole_text: bool) -> str:
    """What each stage made of the page, in words."""
    site = load_site(site_name)
    lines = [f"{page.url}  ({len(page.body)} bytes, read as {site.id} of {page.fetched_at:%Y-%m-%d})", ""]
    for step in trace(page, site):
        lines += _told(step, site, whole_text)
    return "\n".join(lines)


def _told(step: Step, site: SiteConfig, whole_text: bool) -> list[str]:
    head = f"{step.name:<12} {step.seconds * 1000:6.1f} ms  "
    result = step.result
    if isinstance(result, Drop):
        return [f"{head}DROPPED  {result}"]
    if isinstance(result, CleanPage):
        encoding = result.encoding
        declared = f", declared {encoding.declared}" if encoding.declared else ""
        return [f"{head}read as {encoding.used} (by {encoding.source}{declared}); {len(result.jsonld)} JSON-LD objects"]
    if isinstance(result, Article) and step.name == "extraction":
        return [f"{head}{len(result.body)} blocks, {len(result.text)} characters"]
    if isinstance(result, Article) and step.name == "filtering":
        return [f"{head}kept", "", *_article(result, whole_text)]
    return [f"{head}done"]


def _article(article: Article, whole_text: bool) -> list[str]:
    lines = []
    for name in _FIELDS:
        value = getattr(article, name)
        if value not in (None, (), ""):
            shown = "; ".join(value) if isinstance(value, tuple) else str(value)
            lines.append(f"  {name:<14} {shown}   [{article.origins.get(name, '?')}]")
    text = article.text if whole_text or len(article.text) <= _BEGINNING else article.text[:_BEGINNING] + " …"
    lines += [f"  {'text':<14} [{article.origins.get('body', '?')}]", ""]
    lines += [f"    {line}" for line in text.split("\n")]
    return lines


