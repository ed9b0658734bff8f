"""Tables, and how they are written as text, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: a title, the names of its columns, its rows, and a sentence on how to read it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def as_text(grid: Grid) -> Iterator[str]:
    """In columns, for a terminal."""
    widths = [max(len(cell) for cell in column) for column in zip(grid.head, *grid.rows, strict=True)]
    yield grid.title
    for row in (grid.head, *grid.rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    if grid.note:
        yield grid.note


def as_markdown(grid: Grid) -> Iterator[str]:
    """As a table of Markdown, to be pasted."""
    yield f"**{grid.title}**"
    yield ""
    for row in (grid.head, ("---",) * len(grid.head), *grid.rows):
        yield _line(row)
    if grid.note:
        yield ""
        yield grid.note


def _line(row: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
