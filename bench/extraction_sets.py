"""The pages of the extraction sets, each with its gold."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from tldextract import TLDExtract

from corpusbot.dom.cleanup import clean_page
from corpusbot.model import Body, CleanPage, Drop, Page
from corpusbot.sites import SiteConfig, Target

SETS = ("aeb", "newspapers", "np4k", "wcxb", "evaldata")
FOLDS = 5
SITE = SiteConfig(
    id="any", name="Any", home="https://any.example/", digest="0", target=Target("any", "any.jsonl")
)
_MOMENT = datetime(2024, 1, 1, tzinfo=UTC)
NO_DATA = """No pages in {folder}.
This needs real pages with gold text, which are no part of this project. They are free where they come from:
scrapinghub/article-extraction-benchmark (aeb), flairNLP/fundus (newspapers), AndyTheFactory/article-extraction-dataset
(np4k), Murrough-Foley/web-content-extraction-benchmark (wcxb), adbar/trafilatura's tests (evaldata). Lay them out
as DATA/extraction/SET/pages/ID.html.gz beside gold.jsonl (id, url, and text, or the phrases with and without),
and say where: make {target} DATA=/where/they/are"""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page of a set: its bytes, and what is to be found in it."""

    collection: str
    id: str
    url: str
    domain: str
    html: bytes
    text: str | None
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    page_type: str
    language: str | None

    @property
    def fold(self) -> int:
        """The part of the cross-validation in which its domain is held back."""
        return int.from_bytes(blake2b(self.domain.encode(), digest_size=4).digest()) % FOLDS


def samples(data: Path, collections: tuple[str, ...] = SETS, limit: int | None = None) -> Iterator[Sample]:
    """The pages of some sets, in a fixed order; with a limit, so many of each set, spread over it."""
    registered = TLDExtract(suffix_list_urls=(), cache_dir=None)
    for collection in collections:
        gold = data / "extraction" / collection / "gold.jsonl"
        if not gold.exists():
            continue
        rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").split("\n") if line]
        rows.sort(key=lambda row: str(row["id"]))
        step = max(1, len(rows) // limit) if limit else 1
        for row in rows[::step][:limit]:
            html = gold.parent / "pages" / f"{row['id']}.html.gz"
            yield Sample(
                collection=collection,
                id=row["id"],
                url=row["url"],
                domain=registered(row["url"]).top_domain_under_public_suffix or row["url"],
                html=gzip.decompress(html.read_bytes()),
                text=row.get("text"),
                wanted=tuple(row.get("with") or ()),
                unwanted=tuple(row.get("without") or ()),
                page_type=row.get("page_type") or "article",
                language=row.get("language"),
            )


def page_of(sample: Sample) -> Page:
    """The page as if it had just been fetched."""
    return Page(SITE.id, sample.url, Body(sample.html), _MOMENT)


def cleaned(sample: Sample) -> CleanPage | Drop:
    """The page as the line's first stage leaves it."""
    return clean_page(page_of(sample), SITE)
