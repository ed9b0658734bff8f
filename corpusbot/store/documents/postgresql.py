"""Documents in a PostgreSQL database, all newspapers in one: `postgresql://user@host/database`, extra `postgresql`.

The tables stand in a schema of their own, `corpusbot`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from corpusbot.sqlite_file import check_schema
from corpusbot.store.documents.collection import Collection
from corpusbot.store.documents.contract import Documents, DocumentsError, NoDocumentsError
from corpusbot.store.documents.tables import tables

SCHEMA = "corpusbot"
LOCK = 0x63726463  # of those who make or carry forward the tables, against each other

_STEPS: tuple[str, ...] = ()  # what makes the tables of each schema those of the next one
_TABLES = tables(serial="BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", blob="BYTEA")


def opened(where: str | Path, site: str, must_exist: bool = False) -> Documents:
    """The documents of a newspaper in this database, whose tables are made if there are none and they may be."""
    address = str(where)
    connection = Connection(address)
    try:
        if must_exist and not connection.schema():
            raise NoDocumentsError(
                f"{connection.name}: holds no documents. A crawl of {site} begins them; "
                f"of a corpus made before, fill them from the archive: corpusbot reextract {site} --write"
            )
        connection.prepare()
        return Collection(connection, site, connection.name)
    except BaseException:
        connection.close()
        raise


class Connection:
    """The database; a first question or writing since a commit begins a transaction."""

    def __init__(self, address: str) -> None:
        self._driver = _driver()
        self.name = _without_password(self._driver, address)
        self._wrote = False
        with self._clear_errors():
            options = {"autocommit": False, "application_name": "corpusbot"}
            self._connection: Any = self._driver.connect(address, options=f"-c search_path={SCHEMA}", **options)

    # -- the schema

    def schema(self) -> int:
        """The version of the tables; 0 if there are none."""
        with self._clear_errors():
            there = self._connection.execute("SELECT to_regclass('corpusbot.schemas')").fetchone()[0]
            found = self._connection.execute("SELECT max(version) FROM schemas").fetchone()[0] if there else 0
            self._connection.rollback()
        return int(found or 0)

    def prepare(self, steps: Sequence[str] = _STEPS) -> None:
        """Make the tables, or those of an earlier release these; refuse those of a later one."""
        newest = len(steps) + 1
        check_schema(self.schema(), newest, self.name, DocumentsError)
        if self.schema() == newest:
            return
        with self._clear_errors(), self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            self._connection.execute("CREATE TABLE IF NOT EXISTS schemas(version INTEGER NOT NULL)")
            found = self._connection.execute("SELECT coalesce(max(version), 0) FROM schemas").fetchone()[0]
            for version in range(found, newest):
                self._connection.execute(steps[version - 1] if version else _TABLES)
                self._connection.execute("INSERT INTO schemas VALUES (%s)", (version + 1,))

    # -- statements

    @property
    def has_unwritten(self) -> bool:
        """Whether anything was written since the last commit."""
        return self._wrote

    def execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        """Do one statement."""
        with self._clear_errors():
            self._wrote = self._wrote or not statement.startswith("SELECT")
            return self._connection.execute(_marked(statement), values)

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Do one statement for each row."""
        with self._clear_errors(), self._connection.cursor() as cursor:
            self._wrote = True
            cursor.executemany(_marked(statement), rows)

    def commit(self) -> None:
        """Make all since the last commit lasting."""
        with self._clear_errors():
            self._connection.commit()
            self._wrote = False

    def rollback(self) -> None:
        """Undo all since the last commit."""
        with self._clear_errors():
            self._connection.rollback()
            self._wrote = False

    def close(self) -> None:
        """Let go of the database; what was not committed is undone."""
        self._connection.close()

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        """Errors of the database, in words that say what to do."""
        try:
            yield
        except self._driver.Error as error:
            said = " ".join(str(error).split())
            raise DocumentsError(
                f"{self.name}: {said}. See that the server runs, that it lets this user in, and that the address is "
                "postgresql://user:password@host/database; all that was committed is safe"
            ) from error


def _marked(statement: str) -> str:
    """A statement as the driver wants it."""
    return statement.replace("?", "%s")


def _without_password(driver: ModuleType, address: str) -> str:
    """The address as it may be told."""
    try:
        parts = driver.conninfo.conninfo_to_dict(address)
    except driver.Error as error:
        raise DocumentsError(f"CORPUSBOT_DOCUMENTS: {error}. Write postgresql://user@host/database") from error
    host = parts.get("host") or "localhost"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{host}{port}/{parts.get('dbname') or ''}"


def _driver() -> ModuleType:
    """The library, which is an extra."""
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError as error:
        cure = "pip install corpusbot[postgresql]"
        raise DocumentsError(f"PostgreSQL needs psycopg, which is not here: {cure}") from error
    return psycopg
