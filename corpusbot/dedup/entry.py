"""What the index of duplicates knows of a document, and what makes two of them the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from corpusbot.addresses import canonical
from corpusbot.dedup.words import folded_words
from corpusbot.model import Article, Fingerprint

ID_CHARACTERS = 16
# A shorter text has so few features that different ones collide; it is compared exactly only.
FEWEST_WORDS = 30
# Near-duplicates share nine words in ten; a pair of very different length met by chance.
LEAST_LENGTH_RATIO = 0.75


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: whose it is, where it stands, its fingerprint (no simhash if it is short), its times."""

    id: str
    site: str
    url: str
    address: str
    checksum: str
    simhash: int | None
    words: int
    published: datetime | None
    first_seen: datetime

    @property
    def dated(self) -> datetime:
        """When it came into the world, as far as is known."""
        return _aware(self.published or self.first_seen)

    def is_as_long_as(self, words: int) -> bool:
        """Whether a text of so many words can be a near-duplicate of this one."""
        shorter, longer = sorted((self.words, words))
        return shorter >= LEAST_LENGTH_RATIO * longer


@dataclass(frozen=True, slots=True)
class Match:
    """A document that the index knows already: `same_page`, `exact_duplicate` or `near_duplicate`."""

    kind: str
    known: Entry
    distance: int
    known_is_older: bool

    @property
    def detail(self) -> str:
        """What a drop says of it."""
        bits = f", {self.distance} bits apart" if self.distance else ""
        return f"of {self.known.url} ({self.known.site}){bits}"


def document_id(article: Article) -> str:
    """A name that stays the same however often and under however many addresses a page is fetched."""
    return hashlib.sha256(f"{article.site} {address_of(article)}".encode()).hexdigest()[:ID_CHARACTERS]


def address_of(article: Article) -> str:
    """The one address of a page: the one that it gives itself, else the one that it was found at."""
    return canonical(article.canonical_url or article.url)


def entry_of(article: Article, fingerprint: Fingerprint) -> Entry:
    """The entry of an article that is about to become a document."""
    words = len(folded_words(article.text))
    return Entry(
        id=document_id(article),
        site=article.site,
        url=canonical(article.url),
        address=address_of(article),
        checksum=fingerprint.checksum,
        simhash=fingerprint.simhash if words >= FEWEST_WORDS else None,
        words=words,
        published=article.published,
        first_seen=article.fetched_at or datetime.now(UTC),
    )


def _aware(moment: datetime) -> datetime:
    """A time that can be compared with others; one without a zone is taken for UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
