"""The document: what is written of an article, in the order in which it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from typing import Any, Protocol

from corpusbot import __version__
from corpusbot.dedup.entry import document_id
from corpusbot.model import Article, Fingerprint, Section

MADE_BY = f"corpusbot {__version__}"


class Newspaper(Protocol):
    """As much of a site's configuration as a document tells."""

    @property
    def name(self) -> str:
        """Its printed name."""

    @property
    def digest(self) -> str:
        """What tells its configuration from later ones."""


@dataclass(frozen=True, slots=True)
class Document:
    """One article of the corpus; the order of the fields is that of the columns, so new ones come last."""

    id: str
    site: str
    site_name: str
    url: str
    canonical_url: str | None
    title: str | None
    authors: tuple[str, ...]
    published: str | None
    modified: str | None
    section: str | None
    language: str | None
    lead: str | None
    text: str
    blocks: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    paywalled: bool | None
    rights: tuple[str, ...]
    sections: tuple[tuple[str, str], ...]
    origins: Mapping[str, str]
    fetched_at: str | None
    encoding: str | None
    declared_encoding: str | None
    page_digest: str | None
    record_id: str | None
    site_digest: str
    made_by: str
    checksum: str
    simhash: str
    duplicate_of: str | None
    publisher: str | None = None
    kind: str | None = None
    confidence: float | None = None
    version: int | None = None
    withdrawn: str | None = None
    similarity: float | None = None


FIELDS = tuple(column.name for column in fields(Document))
# What documents of earlier releases may be without.
ADDED = frozenset(column.name for column in fields(Document) if column.default is not MISSING)
DIGITS = 3  # of confidence and similarity, which are estimates


@dataclass(frozen=True, slots=True)
class Particulars:
    """What the corpus adds to an article: which document it repeats and how much of it, the names of its sections."""

    duplicate_of: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    similarity: float | None = None


def document_of(
    article: Article, fingerprint: Fingerprint, newspaper: Newspaper, particulars: Particulars = Particulars()
) -> Document:
    """The document that an article becomes."""
    return Document(
        id=document_id(article),
        site=article.site,
        site_name=newspaper.name,
        url=article.url,
        canonical_url=article.canonical_url,
        title=article.title,
        authors=article.authors,
        published=_iso(article.published),
        modified=_iso(article.modified),
        section=article.section,
        language=article.language,
        lead=article.lead,
        text=article.text,
        blocks=tuple((block.kind, block.text) for block in article.body),
        tags=article.tags,
        paywalled=article.paywalled,
        rights=article.rights,
        sections=tuple((section.name, section.text) for section in all_sections(article, particulars.labels)),
        origins=dict(article.origins),
        fetched_at=_iso(article.fetched_at),
        encoding=article.encoding.used if article.encoding else None,
        declared_encoding=article.encoding.declared if article.encoding else None,
        page_digest=article.page_digest,
        record_id=article.record_id,
        site_digest=newspaper.digest,
        made_by=MADE_BY,
        checksum=fingerprint.checksum,
        simhash=f"{fingerprint.simhash:016x}",
        duplicate_of=particulars.duplicate_of,
        publisher=article.publisher,
        kind=article.kind.name if article.kind else None,
        confidence=_rounded(article.confidence),
        similarity=_rounded(particulars.similarity),
    )


def all_sections(article: Article, labels: Mapping[str, str]) -> Iterable[Section]:
    """The article's own sections, and then the labelled fields that are not among them."""
    names = {section.name for section in article.sections}
    texts = {
        "title": article.title,
        "authors": ", ".join(article.authors) or None,
        "published": _iso(article.published),
        "section": article.section,
        "lead": article.lead,
        "body": article.text or None,
    }
    wanted = ((labels[name], text) for name, text in texts.items() if name in labels)
    return [
        *article.sections,
        *(Section(name, text) for name, text in wanted if text is not None and name not in names),
    ]


def as_dict(document: Document) -> dict[str, Any]:
    """The document as JSON has it."""
    return {name: getattr(document, name) for name in FIELDS}


def from_dict(values: Mapping[str, Any]) -> Document:
    """The document of what JSON has; fields that a later release added are left out, and those it lacks are empty."""
    known = {name: values[name] for name in FIELDS if name in values or name not in ADDED}
    for name in ("authors", "tags", "rights"):
        known[name] = tuple(known[name])
    for name in ("blocks", "sections"):
        known[name] = tuple((first, second) for first, second in known[name])
    return Document(**known)


def _rounded(share: float | None) -> float | None:
    return round(share, DIGITS) if share is not None else None


def _iso(moment: datetime | None) -> str | None:
    """A time with its zone; one whose zone is not known does not pretend to have one."""
    return moment.isoformat() if moment else None
