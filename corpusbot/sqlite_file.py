"""SQLite files of corpusbot's: opened, told from others' and later ones, carried forward, their errors in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

BUSY_TIMEOUT_SECONDS = 30.0

Step = Callable[[sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file is: its tables, how those of each earlier schema become the next one's, how it is spoken of.

    `error` is what is raised, `cure` what to do with a file that is no such file, or damaged.
    """

    noun: str
    application_id: int
    tables: str
    steps: Sequence[Step]
    error: type[Exception]
    cure: str
    synchronous: str = "NORMAL"

    @property
    def version(self) -> int:
        """The schema of the tables: the first had no step."""
        return len(self.steps) + 1


def opened(path: Path, kind: Kind) -> sqlite3.Connection:
    """The file, made if there is none; one that is not ours or too new is refused untouched."""
    with clear_errors(path, kind):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = connection_to(str(path))
        try:
            if _is_empty(connection):
                connection.execute("PRAGMA journal_mode = WAL")
                _make(connection, kind)
            check(connection, path, kind)
            _carry_forward(connection, kind)
            connection.execute(f"PRAGMA synchronous = {kind.synchronous}")
        except BaseException:
            connection.close()
            raise
    return connection


def opened_to_read(path: Path, kind: Kind) -> sqlite3.Connection:
    """The file, for reading only; one of an earlier schema is carried forward first."""
    with clear_errors(path, kind):
        connection = connection_to(address_to_read(path))
        try:
            check(connection, path, kind)
            is_current = pragma(connection, "user_version") == kind.version
        except BaseException:
            connection.close()
            raise
    if is_current:
        return connection
    connection.close()
    opened(path, kind).close()
    return opened_to_read(path, kind)


def address_to_read(path: Path) -> str:
    """The address by which SQLite opens or attaches a file for reading only, also on a disk that is read-only."""
    return f"{path.resolve().as_uri()}?mode=ro{_unless_written(path)}"


def check(connection: sqlite3.Connection, path: Path, kind: Kind) -> None:
    """Refuse a file that is not ours, or that a later release wrote."""
    if pragma(connection, "application_id") != kind.application_id:
        raise kind.error(f"{path}: not {kind.noun}. Move it away, or name another file")
    check_schema(pragma(connection, "user_version"), kind.version, str(path), kind.error)


def check_schema(found: int, known: int, where: str, error: type[Exception]) -> None:
    """Refuse a schema of a later release, whatever holds it."""
    if found > known:
        raise error(
            f"{where}: schema {found} was written by a newer corpusbot; this one reads up to {known}. "
            "Update corpusbot, or name another place"
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside is written, or none of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def run_statements(connection: sqlite3.Connection, statements: str) -> None:
    """Run statements that hold no semicolon, inside the caller's transaction, which `executescript` would end."""
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


def pragma(connection: sqlite3.Connection, name: str) -> int:
    """A number that the file keeps of itself."""
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def clear_errors(path: Path, kind: Kind) -> Iterator[None]:
    """Errors of SQLite and of the disk, in words that say what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise kind.error(
            f"{path}: {error}. See that its folder can be written to, that the disk has room, "
            f"and that no other program holds the file for more than {BUSY_TIMEOUT_SECONDS:.0f} s"
        ) from error
    except sqlite3.DatabaseError as error:
        raise kind.error(f"{path}: {error}. It is not {kind.noun}, or a damaged one: {kind.cure}") from error
    except OSError as error:
        raise kind.error(f"{path}: {error.strerror or error}. Name another file, or mend the folder") from error


def connection_to(database: str) -> sqlite3.Connection:
    """A connection to a path or address, each statement of which counts at once unless a transaction is begun."""
    is_address = database.startswith("file:")
    return sqlite3.connect(database, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, uri=is_address)


def _unless_written(path: Path) -> str:
    """What lets a file be read in a folder that cannot be written to, unless it has writing still to be taken in."""
    log = path.with_name(f"{path.name}-wal")
    with closing(connection_to(f"{path.resolve().as_uri()}?mode=ro")) as connection:
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            if path.exists() and not (log.exists() and log.stat().st_size):
                return "&immutable=1"
            raise
    return ""


def _is_empty(connection: sqlite3.Connection) -> bool:
    tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return tables == 0 and pragma(connection, "application_id") == 0


def _make(connection: sqlite3.Connection, kind: Kind) -> None:
    """Make the tables, unless another process has done so meanwhile."""
    with transaction(connection):
        if _is_empty(connection):
            run_statements(connection, kind.tables)
            connection.execute(f"PRAGMA application_id = {kind.application_id}")
            connection.execute(f"PRAGMA user_version = {kind.version}")


def _carry_forward(connection: sqlite3.Connection, kind: Kind) -> None:
    """Make of an earlier schema this one, step by step, unless another process has done so meanwhile."""
    while pragma(connection, "user_version") < kind.version:
        with transaction(connection):
            version = pragma(connection, "user_version")
            if version < kind.version:
                kind.steps[version - 1](connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")
