"""One stored page read again, in a worker: what becomes of it now, beside what became of it before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from corpusbot.dedup import fingerprint
from corpusbot.export.document import Document, Particulars, document_of
from corpusbot.line import read
from corpusbot.model import Drop
from corpusbot.sites import SiteConfig
from corpusbot.store.documents.content import changed_fields
from corpusbot.store.documents.difference import difference
from corpusbot.store.growing import StoreError
from corpusbot.store.page_index import PageIndex, Stored

UNCHANGED, CHANGED, GAINED, LOST, DROPPED = "unchanged", "changed", "gained", "lost", "dropped"


@dataclass(frozen=True, slots=True)
class Again:
    """A page to be read again: the newest record of its address, then the one that its document was made of.

    A newspaper may have emptied a page since: then the older record is what the document stands on.
    """

    site: str
    folder: Path
    records: tuple[Stored, ...]
    former: Document | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Reread:
    """What came of it: the outcome, why a page is no document, the document, and what it says else than before."""

    outcome: str
    reason: str | None = None
    document: Document | None = None
    fields: tuple[str, ...] = ()
    words_added: int = 0
    words_removed: int = 0


def reread(page: Again, site: SiteConfig) -> Reread:
    """The page down the line once more; it has the form of a worker's stage."""
    drops: list[Drop] = []
    for record in page.records:
        found = _read(_index(page.folder), record, site)
        if isinstance(found, Document):
            return compared(page.former, found)
        drops.append(found)
    outcome = LOST if page.former else DROPPED
    return Reread(outcome, str(drops[0]), words_removed=_words(page.former))


@lru_cache(maxsize=1)
def _index(folder: Path) -> PageIndex:
    """The archive's index, whose files stay open from page to page."""
    return PageIndex(folder)


def _read(index: PageIndex, record: Stored, site: SiteConfig) -> Document | Drop:
    try:
        page = index.read(record)
    except StoreError as error:
        return Drop("unreadable", str(error))
    article = read(page, site)
    if isinstance(article, Drop):
        return article
    return document_of(article, fingerprint(article.text), site, Particulars(labels=site.further_labels))


def compared(former: Document | None, found: Document) -> Reread:
    """What a document says else than the one before; one of another id is another document."""
    if former is None or former.id != found.id:
        return Reread(GAINED, document=found, words_added=_words(found))
    fields = changed_fields(former, found, "reextract")
    if not fields:
        return Reread(UNCHANGED)
    changes = difference(former, found)
    found = replace(found, duplicate_of=former.duplicate_of)
    return Reread(CHANGED, None, found, fields, changes.words_added, changes.words_removed)


def _words(document: Document | None) -> int:
    """The words of title, lead and body."""
    parts: Sequence[str | None] = (document.title, document.lead, document.text) if document else ()
    return sum(len(part.split()) for part in parts if part)
