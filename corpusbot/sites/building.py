"""Builds a site's configuration from the records read of its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, count
from typing import Any, TypeVar
from urllib.parse import urlsplit

from corpusbot.sites.config import (
    USUAL_EXTRACTORS,
    USUAL_MIN_BODY,
    Duplicates,
    Index,
    LinkPattern,
    Revisit,
    SiteConfig,
    Target,
    Version,
)
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.kinds import Record
from corpusbot.sites.levels import Stylesheets, level_of
from corpusbot.sites.rules import Level

T = TypeVar("T")

KINDS = {"indexes": "page", "feeds": "feed", "sitemaps": "sitemap"}
DEFAULT_LABELS = {"title": "TITULO", "authors": "AUTOR", "lead": "ENTRADILLA", "body": "CUERPO"}
DEFAULT_RECENT = 3
# A format's name says what the documents look like, its ending what opens them.
ENDINGS = {"sections": "txt", "tags": "txt"}


@dataclass(frozen=True, slots=True)
class Given:
    """The records of a site, the most local first, and the style sheets that they name."""

    records: tuple[Record, ...]
    stylesheets: Stylesheets

    def first(self, key: str, of: type[T], default: T) -> T:
        """The most local value."""
        return next((value for record in self.records if (value := record.get(key, of)) is not None), default)

    def number(self, key: str, default: float) -> float:
        """The most local number, which may be written without a fraction."""
        values = (record.values.get(key) for record in self.records)
        return next((float(value) for value in values if isinstance(value, int | float)), default)

    def union(self, key: str) -> dict[str, Any]:
        """A mapping whose parts each come from the most local record that has them."""
        parts = [record.get(key, Record) for record in reversed(self.records)]
        return {name: value for part in parts if part for name, value in part.values.items()}

    def first_list(self, key: str, of: type[T]) -> tuple[T, ...]:
        """The items of the most local list."""
        return next((record.all(key, of) for record in self.records if key in record.lines), ())

    def sum_of_lists(self, key: str) -> tuple[str, ...]:
        """The items of all lists, from the least local, each once."""
        every = [text for record in reversed(self.records) for text in record.all(key, str)]
        return tuple(dict.fromkeys(every))


def built(site_id: str, given: Given, digest: str) -> SiteConfig:
    """The configuration of a site."""
    site = given.records[0]
    labels = DEFAULT_LABELS | given.union("labels")
    maker = _Maker(given.stylesheets, labels)
    links = maker.links(given.first_list("links", Record), None)
    recent = given.first("recent", int, DEFAULT_RECENT)
    indexes = tuple(maker.indexes(site, links, recent))
    return SiteConfig(
        id=site_id,
        name=site.get("name", str) or site_id,
        home=site.get("home", str) or _root(indexes[0].url),
        digest=digest,
        target=_target(site_id, given),
        language=given.first("language", str, "") or None,
        country=given.first("country", str, "") or None,
        timezone=given.first("timezone", str, "UTC"),
        indexes=indexes,
        links=links,
        exclude=given.sum_of_lists("exclude"),
        robots_sitemaps=given.first("robots_sitemaps", bool, False),
        recent=recent,
        extractors=given.first_list("extractors", tuple) or USUAL_EXTRACTORS,
        min_body=given.first("min_body", int, USUAL_MIN_BODY),
        min_confidence=given.number("min_confidence", 0.0),
        filters=given.first_list("filters", tuple),
        duplicates=Duplicates(**given.union("duplicates")),
        revisit=Revisit(**given.union("revisit")),
        quotes=given.first("quotes", str, "keep"),
        settings=FrozenMap(given.union("settings")),
        labels=FrozenMap(labels),
        levels=tuple(maker.level(record) for record in reversed(given.records)),
        versions=tuple(maker.versions(site)),
    )


def _root(url: str) -> str:
    """The front page of an address's host."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"


def _target(site_id: str, given: Given) -> Target:
    """Where the documents go: by default into a file named after the site, in the site's own folder."""
    target = given.union("target")
    form = target.get("format", "jsonl")
    return Target(
        path=target.get("path", site_id),
        file=target.get("file", f"{site_id}.{ENDINGS.get(form, form)}"),
        format=form,
        append=target.get("append", True),
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes indexes, link patterns and versions of records; they all need the labels and style sheets."""

    stylesheets: Stylesheets
    labels: Mapping[str, str]

    def level(self, record: Record) -> Level:
        """The rules of one record."""
        return level_of(record, self.labels, self.stylesheets)

    def versions(self, site: Record) -> Iterable[Version]:
        """The older layouts."""
        for record in site.all("versions", Record):
            yield Version(record.get("valid_until", date) or date.max, self.level(record))

    def links(self, records: Iterable[Record], section: str | None) -> tuple[LinkPattern, ...]:
        """The link patterns; the index's section is theirs unless they have their own."""
        return tuple(self.link(record, section) for record in records)

    def link(self, record: Record, section: str | None) -> LinkPattern:
        """One link pattern."""
        match = record.get("match", str) or ""
        return LinkPattern(
            match=match,
            name=record.get("name", str) or match,
            where=record.where,
            section=record.get("section", str) or section,
            follow=record.get("follow", bool) or False,
            extract=record.get("extract", bool) is not False,
            rules=self.level(record),
        )

    def indexes(self, site: Record, links: tuple[LinkPattern, ...], recent: int) -> Iterable[Index]:
        """The index pages, feeds and sitemaps."""
        taken = {name for key in KINDS for record in site.all(key, Record) if (name := record.get("name", str))}
        for key, kind in KINDS.items():
            for record in site.all(key, Record):
                # Often a page and a feed have the same section; only the first can be known by it.
                usual = (record.get("section", str), record.get("url", str))
                numbered = (f"{kind} {number}" for number in count(1))
                free = (name for name in chain(usual, numbered) if name and name not in taken)
                name = record.get("name", str) or next(free)
                taken.add(name)
                yield self.index(record, kind, name, links, recent)

    def index(self, record: Record, kind: str, name: str, links: tuple[LinkPattern, ...], recent: int) -> Index:
        """One of them, with its own link patterns or the site's."""
        section = record.get("section", str)
        own = self.links(record.all("links", Record), section)
        given = record.get("recent", int)
        return Index(
            kind=kind,
            url=record.get("url", str) or "",
            name=name,
            where=record.where,
            section=section,
            links=own if "links" in record.lines else tuple(_in_section(link, section) for link in links),
            next=record.get("next", str),
            pages=record.get("pages", int) or 1,
            follow=record.get("follow", bool) is not False,
            extract=record.get("extract", bool) or False,
            recent=recent if given is None else given,
            rules=self.level(record),
        )


def _in_section(link: LinkPattern, section: str | None) -> LinkPattern:
    """The site's link pattern as an index uses it."""
    return link if link.section else replace(link, section=section)
