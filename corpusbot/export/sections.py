"""Sections, as webreader wrote them: `.NAME` on a line of its own, then the text, and a blank line between two.

    .TITULO
    Finaliza la cumbre europea

    .CUERPO
    Los Quince …

    .

Two things are added, so that a program can read what a person reads. A line of a text that begins with a dot gets
one dot more (as in mail, RFC 5321), so that a line with a single dot in front is always a name. And a line that
is nothing but a dot ends a document, so that many stand in one file. A line of text is never changed otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpusbot.export.document import Document
from corpusbot.export.errors import ExportError
from corpusbot.export.output import Output

SUFFIX = ".txt"
END = "."

Pairs = Iterable[tuple[str, str]]


def header(file: Output) -> None:
    """Nothing: every document stands for itself."""


def write(document: Document, file: Output) -> None:
    """Add one document and its end."""
    file.write(f"{rendered(document.sections)}\n{END}\n\n".encode("utf-8", "replace"))


def rendered(sections: Pairs, form: str = "dot") -> str:
    """Sections in the form `.NAME` or, with the form `tag`, `<NAME>…</NAME>`.

    >>> print(rendered([("TITULO", "Uno"), ("AUTOR", ""), ("CUERPO", "...y dos")]), end="")
    .TITULO
    Uno
    <BLANKLINE>
    .AUTOR
    <BLANKLINE>
    .CUERPO
    ....y dos
    >>> print(rendered([("TITULO", "Uno")], form="tag"), end="")
    <TITULO>Uno</TITULO>
    """
    if form == "tag":
        return "".join(f"<{_name(name)}>{_untagged(text, name)}</{_name(name)}>\n" for name, text in sections)
    return "\n".join(f".{_name(name)}\n{_stuffed(text)}" for name, text in sections)


def read(path: str | Path) -> Iterator[tuple[tuple[str, str], ...]]:
    """The sections of each document of a file; the unfinished last one is not a document yet."""
    lines: list[str] = []
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if line.rstrip("\n") == END:
                yield tuple(_parsed(lines, f"{path}:{number}"))
                lines = []
            else:
                lines.append(line.rstrip("\n"))


def _parsed(lines: list[str], where: str) -> Iterator[tuple[str, str]]:
    """Names and texts of the lines of one document."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(".") and not line.startswith(".."):
            found.append((line[1:], []))
        elif found:
            found[-1][1].append(line.removeprefix("."))
        elif line:
            raise ExportError(f"{where}: the document above this line does not begin with a section's name (.NAME)")
    for name, text in found:
        yield name, "\n".join(text).strip("\n")


def _name(name: str) -> str:
    """A name that fits on its line and cannot be taken for the end of a document."""
    line = " ".join(name.split()).lstrip(".")
    if not line:
        raise ExportError(f"a section is named {name!r}: a name holds more than dots and spaces, as TITULO does")
    return line


def _stuffed(text: str) -> str:
    """The lines of a text, each with one dot more if it begins with one, and none of them left open."""
    bare = text.strip("\n")
    return re.sub(r"^\.", "..", bare, flags=re.MULTILINE) + "\n" if bare else ""


def _untagged(text: str, name: str) -> str:
    """A text in which the end of its own section cannot be mistaken; the tags that `ignore` let through stay."""
    return re.sub(rf"<(?=/(?:{re.escape(_name(name))}|DOC)\s*>)", "&lt;", text.strip("\n"), flags=re.IGNORECASE)
