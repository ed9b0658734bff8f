"""Pages of newspapers with what people say is on them, and how two readings of a page are compared."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

# Gold that does not say what is on the page: shown, and not held against the rules.
DEFECTS = MappingProxyType(
    {
        ("bbc", "2024-07-25"): "the gold runs five paragraphs together, without spaces between them",
        ("themirror", "2024-04-28"): "the gold has the first of the page's eleven paragraphs and no more",
    }
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Gold:
    """What is to be found on a page; None where the gold does not say."""

    url: str
    title: str | None
    authors: tuple[str, ...] | None
    published: str | None
    lead: str
    body: str
    holds_lead: bool


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page, the newspaper and day it is of, and its gold."""

    site: str
    name: str
    body: bytes
    fetched_at: datetime
    gold: Gold

    @property
    def defect(self) -> str | None:
        """Why its gold's body is not to be trusted, if it is not."""
        return DEFECTS.get((self.site, self.name))


def gold_pages(folder: Path, site: str | None = None) -> Iterator[GoldPage]:
    """The pages in `folder`/NAME that have a gold beside them."""
    for path in sorted(folder.glob(f"{site or '*'}/*.json")):
        html = path.with_suffix(".html.gz")
        if html.exists():
            gold = gold_of(json.loads(path.read_text(encoding="utf-8")))
            body = gzip.decompress(html.read_bytes())
            yield GoldPage(path.parent.name, path.stem, body, _noon_of(path.stem, gold), gold)


def gold_of(data: dict[str, Any]) -> Gold:
    """The gold in the form of the data: sections with their headlines, or one text."""
    sections = data.get("sections") or []
    lines = [line for part in sections for line in part["headline"] + part["paragraphs"]]
    authors = data.get("authors")
    return Gold(
        url=data["url"],
        title=data.get("title"),
        authors=None if authors is None else (authors,) if isinstance(authors, str) else tuple(authors),
        published=data.get("published"),
        lead="\n".join(data.get("lead") or ()),
        body=data.get("text") or "\n".join(lines),
        holds_lead="text" in data,
    )


def _noon_of(name: str, gold: Gold) -> datetime:
    """Noon of the day the page was fetched, which its name says, or else of the day it is of."""
    day = _DAY.match(name) or _DAY.match(gold.published or "")
    return datetime.combine(date.fromisoformat(day[0]) if day else datetime.now(UTC).date(), time(12), UTC)


def titles_agree(found: str | None, wanted: str) -> bool:
    """Whether two titles are the same but for spaces and the form of their letters."""
    return found is not None and _line(found) == _line(wanted)


def authors_agree(found: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether the same people are named, in whatever order."""
    return {_line(name) for name in found} == {_line(name) for name in wanted}


def dates_agree(found: datetime | None, wanted: str, timezone: str) -> bool:
    """Whether both are the same instant; a gold of midnight without a zone means that day."""
    if found is None:
        return False
    zone = ZoneInfo(timezone)
    found = found if found.tzinfo else found.replace(tzinfo=zone)
    moment = datetime.fromisoformat(wanted)
    if moment.tzinfo is None and moment.time() == time(0):
        return found.astimezone(zone).date() == moment.date()
    return found == (moment if moment.tzinfo else moment.replace(tzinfo=zone))


def word_f1(found: str, wanted: str) -> float:
    """The F1 of the words of two texts as multisets."""
    ours, theirs = _words(found), _words(wanted)
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFC", text).lower()))


def _line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
