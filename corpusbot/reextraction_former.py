"""The documents as they are before stored pages are read again: of the store, or of a file of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from corpusbot.addresses import key_of
from corpusbot.export.document import Document
from corpusbot.export.errors import ExportError
from corpusbot.export.jsonl import document_of_line, placed
from corpusbot.sites import SiteConfig
from corpusbot.store.documents import Documents, NoDocumentsError, documents_of, open_documents
from corpusbot.store.growing import StoreError


@dataclass(frozen=True, slots=True)
class Known:
    """A document in short: its id, the key of its address, the record of its page, and which reading of it this is."""

    id: str
    key: bytes
    record: str | None
    token: str


class Former(Protocol):
    """Where the documents are."""

    @property
    def says(self) -> str:
        """What they are, for people."""

    def known(self) -> Iterator[Known]:
        """All of them, each as it is now; of several with one id, the last counts."""

    def get(self, known: Known) -> Document | None:
        """One of them, whole."""

    def close(self) -> None:
        """Let go of them."""


@dataclass(frozen=True, slots=True)
class FromStore:
    """The latest versions of a store."""

    documents: Documents
    says: str

    def known(self) -> Iterator[Known]:
        """All of them."""
        for stored in self.documents.documents():
            document, version = stored.document, stored.version
            yield Known(document.id, key_of(document.url), document.record_id, str(version.number))

    def get(self, known: Known) -> Document | None:
        """One of them, whole."""
        stored = self.documents.get(known.id)
        return stored.document if stored else None

    def close(self) -> None:
        """Let go of the store."""
        self.documents.close()


@dataclass(frozen=True, slots=True)
class FromFile:
    """The lines of a file; none if it is not there."""

    path: Path
    site: str

    @property
    def says(self) -> str:
        """The file's name."""
        return str(self.path)

    def known(self) -> Iterator[Known]:
        """All of them."""
        if not self.path.exists():
            return
        try:
            for start, document in placed(self.path):
                if document.site == self.site:
                    yield Known(document.id, key_of(document.url), document.record_id, str(start))
        except ExportError as error:
            raise StoreError(str(error)) from error

    def get(self, known: Known) -> Document | None:
        """One of them, whole."""
        with self.path.open("rb") as lines:
            lines.seek(int(known.token))
            return document_of_line(lines.readline(), str(self.path))

    def every(self) -> Iterator[Document]:
        """All that was ever written, in its order: several of one id are its versions."""
        try:
            yield from (document for _, document in placed(self.path) if document.site == self.site)
        except ExportError as error:
            raise StoreError(str(error)) from error

    def close(self) -> None:
        """Nothing is held."""


def former_documents(data: Path, site: SiteConfig, where: str | None = None) -> Former:
    """The documents of a newspaper: those of its store; where there is none, or an empty one, those of its target."""
    place = documents_of(data, site.id, where)
    try:
        store = open_documents(place, site.id, must_exist=True)
    except NoDocumentsError:
        return target_of(data, site)
    if not store.count():
        store.close()
        return target_of(data, site)
    return FromStore(store, str(place))


def target_of(data: Path, site: SiteConfig) -> FromFile:
    """The file of documents that crawls have written; a Parquet file is made from one of JSON lines."""
    target = site.target
    if target.format not in ("jsonl", "parquet"):
        raise StoreError(
            f"{data / target.path / target.file}: documents in the format {target.format} cannot be read again. "
            f"Crawl {site.id} once, which begins a store of documents, or set `target: {{format: jsonl}}`"
        )
    ending = ".jsonl" if target.format == "parquet" else ""
    return FromFile(data / target.path / (target.file + ending), site.id)
