"""Sections between tags, `<TITULO>…</TITULO>`; each document stands between `<DOC>` and `</DOC>`.

Not XML: the tags that `ignore` let through stand in the text as they are. Only the end of a text's own section or
of the document, if the text holds it, is written `&lt;/…>`.
"""

from __future__ import annotations

from corpusbot.export.document import Document
from corpusbot.export.output import Output
from corpusbot.export.sections import rendered

SUFFIX = ".txt"


def header(file: Output) -> None:
    """Nothing: every document stands for itself."""


def write(document: Document, file: Output) -> None:
    """Add one document."""
    file.write(f"<DOC>\n{rendered(document.sections, form='tag')}</DOC>\n\n".encode("utf-8", "replace"))
