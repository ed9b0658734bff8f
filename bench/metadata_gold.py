"""Pages with what their metadata should be, and how near a reading comes to it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from bench.extraction_sets import Sample, samples
from bench.site_gold import gold_pages
from corpusbot.sites import load_site

# The languages of the newspapers' countries, and of those that write in another one than their country's.
LANGUAGES = MappingProxyType(
    dict.fromkeys(("at", "ch", "de", "li", "lu"), "de")
    | dict.fromkeys(("au", "ca", "ls", "my", "na", "uk", "us", "za"), "en")
    | {"es": "es", "fr": "fr", "gl": "da", "ind": "hi", "it": "it", "jp": "ja", "kr": "ko", "lt": "lt"}
    | {"no": "no", "se": "sv", "tr": "tr", "vn": "vi"}
    | dict.fromkeys(("MallorcaMagazin", "IsraelNachrichten", "Tageszeitung", "Wochenblatt"), "de")
    | dict.fromkeys(("Dizindaba", "IsolezweLesiXhosa"), "xh")
    | {"TheJapanNews": "en"}
)
NORWEGIAN = frozenset(("no", "nb", "nn"))
_DAY = re.compile(r"(20\d\d)[_-](\d\d)[_-](\d\d)")
_QUOTES = re.compile("[\"'“”„‟«»‘’‚‛‹›`´]")
_NOT_WORD = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of a page; None where it is not known."""

    title: str | None = None
    authors: tuple[str, ...] | None = None
    published: datetime | None = None
    language: str | None = None
    # The gold's day is sure, its hour is not.
    day_only: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A page and its gold; `group` is what is drawn and held back together: the domain."""

    collection: str
    id: str
    url: str
    group: str
    html: bytes
    seen_on: date | None
    gold: Metadata


def cases(data: Path, collections: tuple[str, ...]) -> Iterator[Case]:
    """The pages of some sets: `sites`, and those of the extraction sets."""
    if "sites" in collections:
        yield from _site_cases(data / "sites")
    for name in collections:
        if name != "sites" and (data / "extraction" / name).exists():
            rows = _rows(data, name)
            yield from (_case(sample, rows.get(sample.id, {})) for sample in samples(data, (name,)))


def _site_cases(folder: Path) -> Iterator[Case]:
    for page in gold_pages(folder):
        site = load_site(page.site)
        moment = _moment(page.gold.published, ZoneInfo(site.timezone))
        midnight = moment is not None and moment.time() == time(0)
        gold = Metadata(page.gold.title, page.gold.authors, moment, site.language, midnight)
        name, seen_on = f"{page.site} {page.name}", page.fetched_at.date()
        yield Case("sites", name, page.gold.url, page.site, page.body, seen_on, gold)


def _rows(data: Path, collection: str) -> Mapping[str, Mapping[str, Any]]:
    """The gold of a set by the page's id."""
    lines = (data / "extraction" / collection / "gold.jsonl").read_text(encoding="utf-8").split("\n")
    return {row["id"]: row for row in map(json.loads, filter(None, lines))}


def _case(sample: Sample, row: Mapping[str, Any]) -> Case:
    """A page of an extraction set; `authors` and `published` count where its gold has them."""
    day = _DAY.search(sample.id)
    language = row.get("language") or LANGUAGES.get(row.get("publisher", "")) or LANGUAGES.get(row.get("country", ""))
    authors = row.get("authors")
    gold = Metadata(
        row.get("title"), None if authors is None else tuple(authors), _moment(row.get("published"), UTC), language
    )
    seen_on = date(*map(int, day.groups())) if day else None
    return Case(sample.collection, sample.id, sample.url, sample.domain, sample.html, seen_on, gold)


def _moment(text: str | None, zone: tzinfo) -> datetime | None:
    moment = datetime.fromisoformat(text) if text else None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=zone)


def marks(found: Metadata, gold: Metadata) -> dict[str, float]:
    """How right each field is, 0 to 1, for the fields that the gold has."""
    right: dict[str, float] = {}
    if gold.title is not None:
        right["title"] = float(line(found.title) == line(gold.title))
        right["title, but for marks"] = float(bare(found.title) == bare(gold.title))
    if gold.authors is not None:
        ours, theirs = set(map(bare, found.authors or ())), set(map(bare, gold.authors))
        right["authors"] = float(ours == theirs)
        right["authors F1"] = 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0
    if gold.published is not None:
        near = _same_minute(found.published, gold.published)
        right["day"] = float(near or _same_day(found.published, gold.published))
        if not gold.day_only:
            right["minute"] = float(near)
    if gold.language is not None:
        right["language"] = float(language_of(found.language) == language_of(gold.language))
    return right


def within_a_day(found: Metadata, gold: Metadata) -> float:
    """Whether two moments may be of one day, whichever zone each was written in."""
    if found.published is None or gold.published is None:
        return 0.0
    return float(abs((found.published - gold.published).total_seconds()) <= 36 * 3600)


def line(text: str | None) -> str:
    """A text on one line in composed letters."""
    return " ".join(unicodedata.normalize("NFC", text or "").replace("\xad", "").split())


def bare(text: str | None) -> str:
    """A text without its marks, in small letters."""
    return _NOT_WORD.sub(" ", _QUOTES.sub("", line(text).casefold())).strip()


def language_of(code: str | None) -> str | None:
    """The language of es-ES; the written forms of Norwegian are one."""
    primary = code.replace("_", "-").split("-")[0].lower() if code else None
    return "no" if primary in NORWEGIAN else primary


def _same_minute(found: datetime | None, gold: datetime) -> bool:
    """Whether both are one minute; a moment without a zone is none."""
    return found is not None and found.tzinfo is not None and abs((found - gold).total_seconds()) < 60


def _same_day(found: datetime | None, gold: datetime) -> bool:
    """Whether both are of one day where the gold was written, or where the found one was."""
    if found is None:
        return False
    return found.date() == gold.date() or (
        found.tzinfo is not None and found.astimezone(gold.tzinfo).date() == gold.date()
    )
