"""What is wrong with a file of documents."""

from __future__ import annotations


class ExportError(Exception):
    """A file cannot be written or read in a format; the text says which, where, why, and what would work."""
