"""The index of duplicates of a data folder, for commands that look into it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from corpusbot.dedup.index import DuplicateIndex, DuplicateIndexError
from corpusbot.store.growing import StoreError

FILE = "duplicates.sqlite"


@contextmanager
def opened_index(data: Path) -> Iterator[DuplicateIndex]:
    """The index; where there is none, none is made."""
    path = data / FILE
    if not path.exists():
        raise StoreError(f"{path}: no such file. A crawl makes it; --data names the folder that crawls wrote to")
    try:
        with closing(DuplicateIndex(path)) as index:
            yield index
    except DuplicateIndexError as error:
        raise StoreError(str(error)) from error
