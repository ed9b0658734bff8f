"""CSV (RFC 4180, UTF-8): one row a document, for spreadsheets.

Lists stand in one cell, apart by "; "; sections and origins as JSON; the blocks are left out, the text has them.
A cell that a spreadsheet would take for a formula gets an apostrophe in front: pages are written by strangers,
and a formula can send the sheet away. Whoever needs the exact text takes JSON Lines.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

from corpusbot.export.document import FIELDS, Document
from corpusbot.export.errors import ExportError
from corpusbot.export.output import Output

SUFFIX = ".csv"
COLUMNS = tuple(name for name in FIELDS if name != "blocks")

_LISTS = frozenset({"authors", "tags", "rights"})
_NESTED = frozenset({"sections", "origins"})
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def header(file: Output) -> None:
    """The names of the columns; for a new file only."""
    file.write(_row(COLUMNS))


def check_head(path: Path) -> None:
    """Raises ExportError for a file that was begun with other columns, as by another version."""
    with path.open("rb") as file:
        begun = file.readline()
    if begun != _row(COLUMNS):
        missing = ", ".join(name for name in COLUMNS if name not in begun.decode("utf-8", "replace").strip().split(","))
        raise ExportError(
            f"{path}: its first line names other columns than documents have now (new: {missing or 'their order'}). "
            "Move it away, and the next run begins another"
        )


def write(document: Document, file: Output) -> None:
    """Add one row."""
    file.write(_row(_cell(name, getattr(document, name)) for name in COLUMNS))


def _cell(name: str, value: object) -> str:
    """A value as a spreadsheet shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if name in _LISTS and isinstance(value, tuple):
        value = "; ".join(value)
    elif name in _NESTED:
        value = json.dumps(value, ensure_ascii=False)
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _row(cells: Iterable[str]) -> bytes:
    """One line with its end; cells with line breaks are quoted."""
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue().encode("utf-8", "replace")
