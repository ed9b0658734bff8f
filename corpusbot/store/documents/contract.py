"""What a store of documents promises, whatever keeps it: the shapes that it takes and gives, and its errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from corpusbot.store.growing import StoreError

if TYPE_CHECKING:
    from corpusbot.export.document import Document
    from corpusbot.store.documents.difference import Difference

NEW, UNCHANGED, VERSION = "new", "unchanged", "version"


class DocumentsError(StoreError):
    """The documents cannot be kept or read; the text says where, why, and what would work."""


class NoDocumentsError(DocumentsError):
    """There is no store yet, or not this document or version in it."""


@dataclass(frozen=True, slots=True)
class Written:
    """What writing a document came to: `new`, `unchanged` or `version`; its number; the fields that differ."""

    id: str
    outcome: str
    number: int
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """What a document said from one visit on: when the page was fetched, why it was read, what had changed.

    `changed` names the fields that differ from the version that was in force before; none of the first one.
    """

    number: int
    at: datetime
    cause: str
    changed: tuple[str, ...]
    record_id: str | None
    site_digest: str
    made_by: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as one of its versions says it, and what the store knows beyond that.

    `withdrawn` is when the newspaper was found to have taken it back, `status` what its server said then.
    """

    document: Document
    version: Version
    versions: int
    first_seen: datetime
    last_seen: datetime
    withdrawn: datetime | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """The text of a link to an address, the page that it stands on, and when it was first seen there."""

    url: str
    text: str
    found_on: str
    seen: datetime


class Documents(Protocol):
    """The documents of one newspaper: each with all its versions, known by id and by every address it had.

    One process writes to a newspaper's documents at a time: who is no crawl holds the site's state
    (`corpusbot.store.schema.lock`). Any number may read meanwhile; they see what is committed.
    """

    @property
    def name(self) -> str:
        """By what the crawl's state knows the store's batches: `state.file_length(documents.name)`."""

    @property
    def batch(self) -> int:
        """The last batch that was committed."""

    @property
    def has_unwritten(self) -> bool:
        """Whether a commit would write anything."""

    def write(self, document: Document, seen: datetime, cause: str = "crawl", found_at: Sequence[str] = ()) -> Written:
        """Take what a page says at a visit; it becomes a version if it says something else than before.

        `found_at` are further addresses that led to the page, as before a redirect.

        It is compared with the version that was in force at that time: pages may come in any order, and the latest
        version is that of the page fetched last. Fields that tell of the reading only, as `record_id`, do not count,
        nor does a new `modified` alone, unless the cause is another than "crawl".
        """

    def seen(self, id: str, at: datetime) -> bool:
        """The document was there at that time, as it was before; whether it is known."""

    def seen_at(self, url: str, at: datetime) -> bool:
        """The same for the document of an address."""

    def withdraw(self, url: str, at: datetime, status: int) -> bool:
        """The newspaper has taken back what stood at an address; whether a document is known by it."""

    def add_anchors(self, rows: Iterable[Anchor]) -> None:
        """Remember texts of links, also of those to addresses that are no document yet."""

    def add_keyed_anchors(self, rows: Iterable[tuple[bytes, str, str, datetime]]) -> None:
        """The same for who has the keys of the addresses at hand: (key, text, found_on, seen)."""

    def commit(self, batch: int | None = None) -> None:
        """Write all since the last commit in one transaction, as this batch; without one it can not be cut off."""

    def cut(self, batch: int) -> None:
        """Take back all versions of later batches; that a page was seen, or was gone, stays true."""

    def get(self, id: str, version: int | None = None) -> Stored | None:
        """A document, as its latest version says it or as this one does."""

    def by_url(self, url: str) -> Stored | None:
        """The document that was ever found under an address, or gave it as its own."""

    def versions(self, id: str) -> list[Version]:
        """All versions of a document, in the order in which their pages were fetched."""

    def diff(self, id: str, old: int, new: int) -> Difference:
        """What changed from one version to another; NoDocumentsError if one of them is not there."""

    def anchors(self, id: str) -> list[Anchor]:
        """The texts of all links that were seen to any of a document's addresses."""

    def documents(
        self,
        since: date | None = None,
        until: date | None = None,
        withdrawn: bool = True,
        every: bool = False,
        rewritten: bool = False,
    ) -> Iterator[Stored]:
        """One by one the documents of these days (of publication, or first seen), or every version of them.

        Only those that were `rewritten`, if so asked: that have several versions, or were withdrawn.
        """

    def count(self) -> int:
        """How many documents there are."""

    def forget(self) -> None:
        """Forget all documents of the newspaper, at once."""

    def close(self) -> None:
        """Let go of the store; what was not committed is forgotten."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
