"""Whether a page that becomes a document only now says what the corpus holds already, as a crawl would ask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError, Search
from corpusbot.reextraction_page import Reread
from corpusbot.sites import SiteConfig
from corpusbot.store.growing import StoreError
from corpusbot.verification_indexing import DUPLICATES, entry_of


class Twins:
    """The index of duplicates, to be asked; what is added to it here stays in memory."""

    def __init__(self, data: Path, site: SiteConfig) -> None:
        self._path = data / DUPLICATES
        self._wanted = site.duplicates
        self._site = site.id
        self._index: DuplicateIndex | None = None
        self._aside: TemporaryDirectory[str] | None = None

    def looked_up(self, gained: Reread) -> tuple[str | None, Reread]:
        """Why the corpus does not need the document, if so; and the document, which may name another's."""
        assert gained.document is not None
        try:
            entry = entry_of(gained.document)
            index = self._opened()
            search = Search(self._wanted.distance, self._wanted.containment)
            match = index.find(entry, search)
            if match is not None and match.known.site != self._site and self._wanted.across == "keep":
                match = index.find(entry, replace(search, across=False)) or match
            if match is not None and (match.known.site == self._site or self._wanted.across == "drop"):
                return f"{match.kind}: {match.detail}", gained
            index.add(entry, settled=False)
        except DuplicateIndexError as error:
            raise StoreError(str(error)) from error
        twin = match.known.id if match else None
        return None, replace(gained, document=replace(gained.document, duplicate_of=twin))

    def _opened(self) -> DuplicateIndex:
        if self._index is None:
            if not self._path.exists():  # an empty one in its place would say that nothing is known
                self._aside = TemporaryDirectory(prefix="corpusbot-")
                self._path = Path(self._aside.name) / DUPLICATES
            self._index = DuplicateIndex(self._path)
        return self._index

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._index is not None:
            self._index.close()
        if self._aside is not None:
            self._aside.cleanup()
