"""One page down the whole line: where it came from, and what each stage made of it; nothing is written."""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

from corpusbot.brief_crawl import crawl_into
from corpusbot.extractors.sources import View, matches
from corpusbot.line import Step, trace
from corpusbot.metadata.facts import facts_of
from corpusbot.model import Body, CleanPage, Page, Place
from corpusbot.report import reason_of
from corpusbot.sites import FieldRule, SiteConfig, Source, TranslateRule
from corpusbot.store.archive import pages_of
from corpusbot.store.runs import Runs

_GZIP_MAGIC = b"\x1f\x8b"
NOON = time(12)  # of a page of which only the day is known


@dataclass(frozen=True, slots=True)
class Attempt:
    """A source of a rule, and how often it matches in the page."""

    rule: FieldRule | TranslateRule
    source: Source
    matches: int


@dataclass(frozen=True, slots=True)
class Trial:
    """A page, the steps that it went, and what each source of the site's rules finds in it."""

    site: SiteConfig
    page: Page
    steps: tuple[Step, ...]
    attempts: tuple[Attempt, ...]


def trial(page: Page, site: SiteConfig) -> Trial:
    """Send a page down the line."""
    steps = tuple(trace(page, site))
    clean = steps[0].result
    attempts = tuple(_attempts(clean, site)) if isinstance(clean, CleanPage) else ()
    return Trial(site, page, steps, attempts)


def page_of(site: SiteConfig, page: str, url: str | None, day: date | None) -> Page:
    """The page to try: read from a file, or fetched as a crawl would fetch it."""
    if page.startswith(("http://", "https://")):
        return fetched(site.id, page)
    moment = datetime.combine(day, NOON, UTC) if day else datetime.now(UTC)
    address = url or site.home or f"file:{page}"
    place = place_of_address(site, address, moment.date()) if url else Place(day=moment.date())
    return Page(site.id, address, Body(_bytes_of(Path(page))), moment, place=place)


def fetched(site: str, url: str, sites: Path | None = None) -> Page:
    """A page fetched by the site's own crawl, politely and guarded, into a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="corpusbot-") as temporary:
        folder = Path(temporary) / site
        crawl_into(Path(temporary), site, "-a", f"only={url}", "-a", "limit=1", sites=sites)
        page = next(pages_of(folder), None)
        if page is None:
            raise OSError(f"{url} could not be had: {_reason(folder / 'state.sqlite')}")
        if url not in (page.asked_url, page.url):
            raise OSError(f"{url} is an index page. Try one of its articles: {page.url}")
        return page


def place_of_address(site: SiteConfig, url: str, day: date) -> Place:
    """The place of an article, by the first link pattern that its address matches."""
    for index in site.indexes:
        for link in index.links:
            if link.regex(day).search(url):
                return Place(index.name, link.name, link.section or index.section, day)
    return Place(day=day)


def _bytes_of(path: Path) -> bytes:
    """What is in a file, unpacked."""
    body = path.read_bytes()
    try:
        return gzip.decompress(body) if body.startswith(_GZIP_MAGIC) else body
    except (OSError, EOFError, zlib.error) as error:
        raise OSError(f"{path}: looks gzipped and is broken: {error}") from None


def _reason(state: Path) -> str:
    """Why nothing was fetched, by what the crawl that was to do it remembers."""
    if state.exists():
        runs = Runs(state)
        for incident in (each for run in runs.runs() for each in runs.incidents(run.id)):
            return reason_of(incident)
    return "it gave no page to extract"


def _attempts(clean: CleanPage, site: SiteConfig) -> Iterator[Attempt]:
    """Every source of every rule, tried on the page."""
    rules = site.rules_for(clean.page.place, clean.page.fetched_at.date())
    view = View(facts_of(clean, site), rules.ignore)
    listed: tuple[FieldRule | TranslateRule, ...] = (*rules.fields, *rules.translate)
    for rule in listed:
        for source in rule.sources if isinstance(rule, FieldRule) else (rule.source,):
            yield Attempt(rule, source, len(matches(source, view)))
