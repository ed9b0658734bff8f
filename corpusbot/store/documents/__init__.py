"""Documents with all their versions, kept by `sqlite` (a file for each newspaper) or `postgresql`.

    with open_documents(documents_of("data", "gaceta"), "gaceta") as documents:
        print(documents.by_url("http://gaceta.example/politica/a1").version)

A store is one module: `opened(where, site, must_exist) -> Documents`.
"""

from __future__ import annotations

import os
from pathlib import Path

from corpusbot.plugins import NoSuchPlugin, plugin
from corpusbot.store.documents.contract import (
    Anchor,
    Documents,
    DocumentsError,
    NoDocumentsError,
    Stored,
    Version,
    Written,
)

__all__ = [
    "Anchor",
    "Documents",
    "DocumentsError",
    "NoDocumentsError",
    "Stored",
    "Version",
    "Written",
    "documents_of",
    "open_documents",
    "taken_back",
]

NOT_PLUGINS = ("collection", "content", "contract", "difference", "reading", "tables")
FILE = "documents.sqlite"


def open_documents(where: str | Path, site: str, *, must_exist: bool = False) -> Documents:
    """The documents of a newspaper, in a SQLite file or at `postgresql://…`; made if need be and allowed."""
    scheme, mark, _ = str(where).partition("://")
    name = {"postgres": "postgresql"}.get(scheme, scheme) if mark else "sqlite"
    try:
        module = plugin("store.documents", name)
    except NoSuchPlugin as error:
        raise DocumentsError(f"CORPUSBOT_DOCUMENTS: {error}") from error
    documents: Documents = module.opened(where, site, must_exist)
    return documents


def documents_of(data: str | Path, site: str, where: str | None = None) -> str | Path:
    """Where a newspaper's documents are: in its data folder, unless the setting or environment names a server."""
    return where or os.environ.get("CORPUSBOT_DOCUMENTS") or Path(data) / site / FILE


def taken_back(documents: Documents, committed: int) -> bool:
    """Take back the batch that a crawl wrote and died before its state stood by it; whether there was one.

    A store that is further ahead belongs to a state that was lost or brought back from a copy: all of it is kept.
    """
    is_ahead = documents.batch == committed + 1
    if is_ahead:
        documents.cut(committed)
    return is_ahead
