"""A file of documents out of their stores, in any format: written whole or not at all, however many they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from pathlib import Path

from corpusbot.export.document import Document
from corpusbot.export.output import Output
from corpusbot.plugins import plugin
from corpusbot.store.documents import Stored, documents_of, open_documents
from corpusbot.store.growing import GrowingFile, StoreError

Tell = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which documents: of these days, every version or the latest, those withdrawn or that repeat others as well."""

    since: date | None = None
    until: date | None = None
    every: bool = False
    withdrawn: bool = False
    duplicates: bool = True


def wanted_documents(data: Path, sites: Iterable[str], wanted: Wanted) -> Iterator[Document]:
    """The documents of newspapers, one after the other; none is read before all the stores were found."""
    stores = [open_documents(documents_of(data, site), site, must_exist=True) for site in sites]
    for store in stores:
        with store as documents:
            for one in documents.documents(wanted.since, wanted.until, wanted.withdrawn, wanted.every):
                if wanted.duplicates or one.document.duplicate_of is None:
                    yield _marked(one)


def write_file(documents: Iterable[Document], format: str, target: Path) -> int:
    """Write a file, and say how many documents it has; what stood there stays if that fails or there are none."""
    module, documents = plugin("export", format), iter(documents)
    first = next(documents, None)
    if first is None:
        return 0
    documents = chain([first], documents)
    if hasattr(module, "write_all"):
        count: int = module.write_all(documents, target)
        return count
    with GrowingFile(target, fresh=True) as file:
        return write_stream(documents, format, file)


def write_stream(documents: Iterable[Document], format: str, output: Output) -> int:
    """Write documents to something that is open already, and say how many."""
    module, count = plugin("export", format), 0
    if hasattr(module, "write_all"):
        raise StoreError(f"{format} cannot be written to a stream. Name a file: --output corpus{module.SUFFIX}")
    module.header(output)
    for document in documents:
        module.write(document, output)
        count += 1
    return count


def counted(documents: Iterable[Document], tell: Tell) -> Iterator[Document]:
    """The same documents, told of as they go by."""
    for number, document in enumerate(documents, 1):
        tell("documents", number)
        yield document


def _marked(one: Stored) -> Document:
    """The document, with when it was withdrawn."""
    if one.withdrawn is None:
        return one.document
    return replace(one.document, withdrawn=one.withdrawn.isoformat(timespec="seconds"))
