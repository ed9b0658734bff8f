"""Parquet, for analysis: made from a file of JSON Lines when that is finished, since it cannot be added to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from corpusbot.export.document import FIELDS, Document
from corpusbot.export.errors import ExportError
from corpusbot.export.jsonl import read

SUFFIX = ".parquet"
MADE_FROM = "jsonl"
DOCUMENTS_PER_GROUP = 1000  # about 10 MB of text, which is all that is held at a time

_TIMES = frozenset({"published", "modified", "fetched_at"})


def convert(source: str | Path, target: str | Path) -> int:
    """Write the documents of a JSON Lines file to a Parquet file, and say how many; all of it or nothing."""
    return write_all(read(source), target)


def write_all(documents: Iterable[Document], target: str | Path) -> int:
    """Write documents to a Parquet file, and say how many; all of it or nothing."""
    pyarrow, parquet = _pyarrow()
    unfinished = Path(f"{target}.unfinished")
    try:
        written = _written(pyarrow, parquet, iter(documents), unfinished)
        _flush(unfinished)
        os.replace(unfinished, target)
    except OSError as error:
        raise ExportError(f"{target}: {error.strerror or error}. Make room, or name another file") from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return written


def number_of_documents(path: str | Path) -> int:
    """How many documents a Parquet file has, by its end alone."""
    _, parquet = _pyarrow()
    try:
        return int(parquet.ParquetFile(path).metadata.num_rows)
    except (OSError, ValueError) as error:
        raise ExportError(f"{path}: cannot be read as Parquet ({error}). Move it away to have it made anew") from error


def _written(pyarrow: Any, parquet: Any, documents: Iterator[Document], path: Path) -> int:
    """Write the documents group by group, and say how many."""
    schema, count = _schema(pyarrow), 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := [*islice(documents, DOCUMENTS_PER_GROUP)]:
            writer.write_table(pyarrow.table(_columns(group), schema=schema))
            count += len(group)
    return count


def _columns(documents: Iterable[Document]) -> dict[str, list[object]]:
    """The values of each field."""
    listed = [*documents]
    return {name: [_value(name, getattr(document, name)) for document in listed] for name in FIELDS}


def _value(name: str, value: Any) -> object:
    """A value in the type of its column."""
    if name in _TIMES and value is not None:
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if name == "blocks":
        return [{"kind": kind, "text": text} for kind, text in value]
    if name == "sections":
        return [{"name": section, "text": text} for section, text in value]
    return [*value.items()] if name == "origins" else value


def _schema(pyarrow: Any) -> Any:
    """The type of each column: texts, but for those listed here."""
    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    types = dict.fromkeys(FIELDS, text) | dict.fromkeys(("authors", "tags", "rights"), texts)
    types |= dict.fromkeys(_TIMES, pyarrow.timestamp("us", tz="UTC"))
    types["blocks"] = pyarrow.list_(pyarrow.struct([("kind", text), ("text", text)]))
    types["sections"] = pyarrow.list_(pyarrow.struct([("name", text), ("text", text)]))
    types["origins"] = pyarrow.map_(text, text)
    types["paywalled"] = pyarrow.bool_()
    types["confidence"] = pyarrow.float64()
    types["version"] = pyarrow.int32()
    types["similarity"] = pyarrow.float64()
    return pyarrow.schema([*types.items()])


def _flush(path: Path) -> None:
    """Have the file on the disk before it takes the place of another."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    """The library, which is an extra and takes a while to load."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ExportError("Parquet needs pyarrow, which is not here: pip install corpusbot[parquet]") from error
    return pyarrow, parquet
