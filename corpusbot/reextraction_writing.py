"""The outcomes of a reading become versions in the store of documents, and the index of duplicates knows the new texts.

What is written twice is the same version, so a writing that was killed is simply begun again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError
from corpusbot.export.document import Document
from corpusbot.reextraction import Work
from corpusbot.reextraction_former import FromFile
from corpusbot.store.documents import Documents, documents_of, open_documents, taken_back
from corpusbot.store.growing import StoreError
from corpusbot.store.runs import committed_length
from corpusbot.store.schema import lock
from corpusbot.verification_indexing import DUPLICATES, entry_of
from corpusbot.verification_kept import STATE

DOCUMENTS_PER_COMMIT = 200
CAUSE = "reextract"
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Writing:
    """How many documents became new ones, and new versions; how many the store was begun with."""

    new: int
    versions: int
    carried_over: int = 0


def write(work: Work, progress: Progress = lambda what, number: None) -> Writing:
    """Write all that was found; the newspaper must not be crawled meanwhile."""
    wanted = work.wanted
    state = wanted.folder / STATE
    with ExitStack() as stack:
        stack.enter_context(closing(lock(state)))
        documents = stack.enter_context(closing(open_documents(documents_of(wanted.data, wanted.site), wanted.site)))
        taken_back(documents, _committed(state, documents.name))
        carried = _carried_over(documents, work.former, progress) if isinstance(work.former, FromFile) else 0
        batch = _committed(state, DUPLICATES)
        try:
            index = stack.enter_context(closing(DuplicateIndex(wanted.data / DUPLICATES)))
            new, versions = _written(documents, index, batch, _found(work), progress)
        except DuplicateIndexError as error:
            raise StoreError(str(error)) from error
    work.plan.remove()
    return Writing(new, versions, carried)


def _found(work: Work) -> Iterator[Document]:
    for finding in work.plan.findings("outcome IN ('changed', 'gained') ORDER BY number"):
        if finding.document is not None:
            yield finding.document


def _written(
    documents: Documents, index: DuplicateIndex, batch: int, found: Iterator[Document], progress: Progress
) -> tuple[int, int]:
    """Write documents, so many at a time, first into the store."""
    new = versions = done = 0
    while some := [*islice(found, DOCUMENTS_PER_COMMIT)]:
        outcomes = [documents.write(document, _fetched(document), CAUSE).outcome for document in some]
        documents.commit()
        for document in some:
            index.add(entry_of(document))
        # The batch that the crawl's state stands by: the next crawl must not cut it off.
        index.commit(batch)
        new += outcomes.count("new")
        versions += outcomes.count("version")
        done += len(some)
        progress("documents written", done)
    return new, versions


def _carried_over(documents: Documents, former: FromFile, progress: Progress) -> int:
    """Begin a store with what the file of documents has, in its order: what came later is a later version."""
    number = 0
    found = former.every() if former.path.exists() else iter(())
    while some := [*islice(found, DOCUMENTS_PER_COMMIT)]:
        for document in some:
            documents.write(document, _fetched(document))
        documents.commit()
        number += len(some)
        progress("documents taken over", number)
    return number


def _fetched(document: Document) -> datetime:
    """When its page was fetched."""
    return datetime.fromisoformat(document.fetched_at) if document.fetched_at else datetime.now(UTC)


def _committed(state: Path, name: str) -> int:
    return committed_length(state, name) if state.exists() else 0
