"""The generated reference: every key is described, and the files are up to date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpusbot.sites.reference import PAGE_FILE, SCHEMA_FILE, TABLES, json_schema_text, reference_text, write_reference
from corpusbot.sites.tables import Key, Table

DOCS = Path(__file__).parents[1] / "docs" / "reference"
KEYS = [pytest.param(table, key, id=f"{table.name}.{key.name}") for table in TABLES for key in table.keys]


@pytest.mark.parametrize(("table", "key"), KEYS)
def test_every_key_is_described(table: Table, key: Key) -> None:
    """In a sentence, for the reference and for editors."""
    cure = f"say in one sentence what '{key.name}' of a {table.name} means, in its Key"
    assert key.meaning.endswith("."), cure
    assert len(key.meaning.split()) >= 3, cure


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_is_described(table: Table) -> None:
    """Its keys have names of their own, aliases included."""
    assert table.meaning.endswith(".")
    names = [name for key in table.keys for name in (key.name, *key.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("name", "text"), [(SCHEMA_FILE, json_schema_text()), (PAGE_FILE, reference_text())])
def test_the_files_are_up_to_date(name: str, text: str) -> None:
    """What is in docs/reference is what the tables say now."""
    assert (DOCS / name).read_text(encoding="utf-8") == text, f"docs/reference/{name} is out of date: run `make docs`"


def test_writing_them(tmp_path: Path) -> None:
    """Both files, into a folder that need not be there."""
    assert [path.name for path in write_reference(tmp_path / "new")] == [SCHEMA_FILE, PAGE_FILE]


def test_the_schema_describes_what_an_editor_shows() -> None:
    """Every property of every object has a description, and every reference leads somewhere."""
    schema = json.loads(json_schema_text())
    for part in _objects(schema):
        for name, value in part.get("properties", {}).items():
            assert value["description"], name
        if "$ref" in part:
            assert part["$ref"].removeprefix("#/$defs/") in schema["$defs"]


def _objects(part: Any) -> list[dict[str, Any]]:
    """All objects of a JSON value."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return ([part] if isinstance(part, dict) else []) + [one for value in inner for one in _objects(value)]
