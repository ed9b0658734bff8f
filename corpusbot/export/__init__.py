"""Formats: how documents are written. A format is one module that writes to a file opened in binary.

A format that can be added to has `SUFFIX`, `header(file)`, which is called once when the file is new, and
`write(document, file)`, which writes a whole document with one call of the file's `write`, so that a file that
is cut between documents is a whole file. One that cannot has `SUFFIX`, `MADE_FROM`, the format that it is made
from when the run is over, `convert(source, target)`, and `write_all(documents, target)` for who has them all.
"""

from __future__ import annotations

from corpusbot.export.errors import ExportError

__all__ = ["ExportError"]

NOT_PLUGINS = ("document", "errors", "output")
