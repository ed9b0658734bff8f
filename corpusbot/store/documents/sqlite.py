"""Documents in a SQLite file: the default, one file for each newspaper; others may read while a crawl writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpusbot import sqlite_file
from corpusbot.store.documents.collection import Collection
from corpusbot.store.documents.contract import Documents, DocumentsError, NoDocumentsError
from corpusbot.store.documents.tables import tables

KIND = sqlite_file.Kind(
    noun="a store of documents",
    application_id=0x63726463,  # "crdc": how the file is known as ours
    tables=tables(serial="INTEGER PRIMARY KEY", blob="BLOB", compact="WITHOUT ROWID"),
    steps=(),
    error=DocumentsError,
    cure="move it away, and fill a new one from the archive: corpusbot reextract SITE --write",
    # With less, a power cut could take back what the crawl's state and the files have for good.
    synchronous="FULL",
)
CACHE_KIBIBYTES = 16_000


def opened(where: str | Path, site: str, must_exist: bool = False) -> Documents:
    """The documents of a newspaper in this file, made if there is none and it may be."""
    path = Path(where)
    if must_exist and not path.exists():
        raise NoDocumentsError(
            f"{path}: no such file. A crawl of {site} begins it; "
            f"of a corpus made before, fill it from the archive: corpusbot reextract {site} --write"
        )
    return Collection(Connection(path, must_exist), site, path.name)


class Connection:
    """The file; its first statement since a commit begins a transaction if it writes."""

    def __init__(self, path: Path, to_read: bool) -> None:
        self._path = path
        self._connection = sqlite_file.opened_to_read(path, KIND) if to_read else sqlite_file.opened(path, KIND)
        self._connection.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")

    @property
    def has_unwritten(self) -> bool:
        """Whether anything was written since the last commit."""
        return self._connection.in_transaction

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Do one statement."""
        with sqlite_file.clear_errors(self._path, KIND):
            self._begin(statement)
            return self._connection.execute(statement, tuple(values))

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Do one statement for each row."""
        with sqlite_file.clear_errors(self._path, KIND):
            self._begin(statement)
            self._connection.executemany(statement, rows)

    def _begin(self, statement: str) -> None:
        if not self._connection.in_transaction and not statement.startswith("SELECT"):
            self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make all since the last commit lasting."""
        with sqlite_file.clear_errors(self._path, KIND):
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """Undo all since the last commit."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Let go of the file; what was not committed is undone."""
        self._connection.close()
