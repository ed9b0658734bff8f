"""SQLite files: made, recognised, carried forward from schema to schema, and refused in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from corpusbot.sqlite_file import Kind, opened, opened_to_read, pragma, transaction


class ShelfError(Exception):
    """What is wrong with a shelf."""


def adding(statement: str) -> Callable[[sqlite3.Connection], None]:
    """The step that does one statement."""

    def step(connection: sqlite3.Connection) -> None:
        connection.execute(statement)

    return step


FIRST = Kind(
    noun="a shelf of books",
    application_id=0x7465,
    tables="CREATE TABLE books(title TEXT); CREATE INDEX titles ON books(title);",
    steps=(),
    error=ShelfError,
    cure="buy another",
)
THIRD = replace(
    FIRST,
    tables="CREATE TABLE books(title TEXT, year INTEGER, lent TEXT)",
    steps=(adding("ALTER TABLE books ADD COLUMN year INTEGER"), adding("ALTER TABLE books ADD COLUMN lent TEXT")),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the shelf is."""
    return tmp_path / "folder" / "shelf.sqlite"


def put_two(shelf: sqlite3.Connection) -> None:
    """Put a book on the shelf, and another on one that is not there."""
    with transaction(shelf):
        shelf.execute("INSERT INTO books VALUES ('Niebla')")
        shelf.execute("INSERT INTO nosuch VALUES ('Abel Sánchez')")


def columns(connection: sqlite3.Connection) -> list[str]:
    """The columns of the table of books."""
    return [row[1] for row in connection.execute("PRAGMA table_info(books)")]


def test_a_new_file(path: Path) -> None:
    """A file that is not there is made with its folder, and is of the newest schema."""
    with closing(opened(path, THIRD)) as shelf:
        assert columns(shelf) == ["title", "year", "lent"]
        assert pragma(shelf, "user_version") == 3


@pytest.mark.parametrize("open_it", [opened, opened_to_read])
def test_an_older_file_is_carried_forward(
    path: Path, open_it: Callable[[Path, Kind], sqlite3.Connection]
) -> None:
    """A file of the first schema becomes one of the third, step by step, and keeps what it holds."""
    with closing(opened(path, FIRST)) as shelf:
        shelf.execute("INSERT INTO books VALUES ('Niebla')")
    with closing(open_it(path, THIRD)) as shelf:
        assert shelf.execute("SELECT * FROM books").fetchall() == [("Niebla", None, None)]
        assert pragma(shelf, "user_version") == 3


def test_a_step_that_fails(path: Path) -> None:
    """A step is done whole or not at all: the file stays of the schema that it had reached."""
    opened(path, FIRST).close()
    broken = replace(THIRD, steps=(THIRD.steps[0], adding("ALTER TABLE nosuch ADD COLUMN lent TEXT")))
    with pytest.raises(ShelfError, match="no such table"):
        opened(path, broken)
    with closing(opened(path, THIRD)) as shelf:
        assert columns(shelf) == ["title", "year", "lent"]


@pytest.mark.parametrize("open_it", [opened, opened_to_read])
def test_a_newer_file(path: Path, open_it: Callable[[Path, Kind], sqlite3.Connection]) -> None:
    """A file of a later release is refused with both schemas, and left as it is."""
    opened(path, THIRD).close()
    with pytest.raises(ShelfError, match=r"schema 3 was written by a newer corpusbot; this one reads up to 1\. Update"):
        open_it(path, FIRST)
    with closing(opened(path, THIRD)) as shelf:
        assert pragma(shelf, "user_version") == 3


def test_another_file_in_its_place(path: Path) -> None:
    """What is no database, or another program's, is refused and left as it is."""
    path.parent.mkdir()
    path.write_bytes(b"recipes" * 1000)
    with pytest.raises(ShelfError, match="not a shelf of books, or a damaged one: buy another"):
        opened(path, FIRST)
    assert path.read_bytes() == b"recipes" * 1000
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes(name TEXT)")
    with pytest.raises(ShelfError, match=r"not a shelf of books\. Move it away"):
        opened(path, FIRST)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    """A path below a file is refused in words."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ShelfError, match="Name another file, or mend the folder"):
        opened(tmp_path / "file" / "shelf.sqlite", FIRST)


def test_all_or_nothing(path: Path) -> None:
    """A transaction that ends in an error leaves nothing."""
    with closing(opened(path, FIRST)) as shelf:
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            put_two(shelf)
        assert shelf.execute("SELECT count(*) FROM books").fetchone() == (0,)


def test_reading_while_another_writes(path: Path) -> None:
    """Who reads sees what was committed, while a transaction is under way."""
    with closing(opened(path, FIRST)) as writer, closing(opened_to_read(path, FIRST)) as reader:
        with transaction(writer):
            writer.execute("INSERT INTO books VALUES ('Niebla')")
            assert reader.execute("SELECT count(*) FROM books").fetchone() == (0,)
        assert reader.execute("SELECT count(*) FROM books").fetchone() == (1,)
