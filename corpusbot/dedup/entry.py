"""What the index of duplicates knows of a document, and what makes two of them the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from corpusbot.addresses import canonical
from corpusbot.dedup.grams import Hashes
from corpusbot.model import Article, Fingerprint

ID_CHARACTERS = 16
# A shorter text has so few features that different ones collide; it is compared exactly only.
FEWEST_WORDS = 30


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: whose it is, where it stands, its fingerprint, its times."""

    id: str
    site: str
    url: str
    address: str
    fingerprint: Fingerprint
    published: datetime | None
    first_seen: datetime

    @property
    def checksum(self) -> str:
        """Of its words."""
        return self.fingerprint.checksum

    @property
    def keys(self) -> Hashes:
        """The sample of its runs of words; none if it is short."""
        is_short = self.fingerprint.words < FEWEST_WORDS
        return np.frombuffer(b"" if is_short else self.fingerprint.keys, np.uint64)

    @property
    def dated(self) -> datetime:
        """When it came into the world, as far as is known."""
        return _aware(self.published or self.first_seen)


@dataclass(frozen=True, slots=True)
class Known:
    """A document in the index: its entry without the keys, its number, and how many keys of each step count."""

    number: int
    entry: Entry
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A document that the index knows already: `same_page`, `exact_duplicate` or `near_duplicate`.

    `similarity` is the share of the shorter text's runs of words that are in the other, boilerplate left out;
    `distance` is in how many bits their simhashes differ.
    """

    kind: str
    known: Entry
    similarity: float
    distance: int
    known_is_older: bool

    @property
    def detail(self) -> str:
        """What a drop says of it."""
        shared = f", {self.similarity:.0%} shared" if self.kind == "near_duplicate" else ""
        return f"of {self.known.url} ({self.known.site}){shared}"


def document_id(article: Article) -> str:
    """A name that stays the same however often and under however many addresses a page is fetched."""
    return hashlib.sha256(f"{article.site} {address_of(article)}".encode()).hexdigest()[:ID_CHARACTERS]


def address_of(article: Article) -> str:
    """The one address of a page: the one that it gives itself, else the one that it was found at."""
    return canonical(article.canonical_url or article.url)


def entry_of(article: Article, fingerprint: Fingerprint) -> Entry:
    """The entry of an article that is about to become a document."""
    return Entry(
        id=document_id(article),
        site=article.site,
        url=canonical(article.url),
        address=address_of(article),
        fingerprint=fingerprint,
        published=article.published,
        first_seen=article.fetched_at or datetime.now(UTC),
    )


def _aware(moment: datetime) -> datetime:
    """A time that can be compared with others; one without a zone is taken for UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
