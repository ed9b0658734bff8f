"""JSON Lines: one document a line, everything that is known of it; the format that the others are made from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from corpusbot.export.document import Document, as_dict, from_dict
from corpusbot.export.errors import ExportError
from corpusbot.export.output import Output

SUFFIX = ".jsonl"


def header(file: Output) -> None:
    """Nothing: every line stands for itself."""


def write(document: Document, file: Output) -> None:
    """Add one line."""
    line = json.dumps(as_dict(document), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    # A lone surrogate cannot be written in UTF-8; normalising takes them out of texts, not of addresses.
    file.write(line.encode("utf-8", "replace") + b"\n")


def read(path: str | Path) -> Iterator[Document]:
    """The documents of a file; an unfinished last line, as a crawl at work may leave it, is not one yet."""
    return (document for _, document in placed(path))


def placed(path: str | Path, end: int | None = None) -> Iterator[tuple[int, Document]]:
    """The same, each with the byte that it begins at; those that begin before the end, if one is given."""
    with Path(path).open("rb") as file:
        start = 0
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n") or (end is not None and start >= end):
                return
            yield start, document_of_line(line, f"{path}:{number}")
            start += len(line)


def document_of_line(line: bytes, where: str) -> Document:
    """The document of a line; `where` is what an error says of it."""
    try:
        return from_dict(json.loads(line))
    except KeyError as error:
        raise ExportError(f"{where}: no field {error}. Is it a file of corpusbot's?") from error
    except (ValueError, TypeError) as error:
        raise ExportError(
            f"{where}: not a document ({error}). Take the line out, or bring back a copy of the file"
        ) from error
