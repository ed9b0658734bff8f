"""What of a document counts as said by the newspaper, and the bytes that a version of it is kept as."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corpusbot.export.document import ADDED, FIELDS, Document, as_dict, from_dict
from corpusbot.store.deflate import ERRORS, isal_zlib
from corpusbot.store.documents.contract import DocumentsError

# What the newspaper says; all else tells how a page was come by and read.
SAID = (
    *("title", "authors", "published", "modified", "section", "language", "lead", "text", "blocks", "tags"),
    *("paywalled", "rights", "sections", "publisher", "kind"),
)
# Many newspapers set it anew whenever they make the page anew, whatever has changed.
TOUCHED = "modified"
OF_THE_STORE = frozenset({"version", "withdrawn"})  # told of a document that is read, not kept with it
DIGEST_BYTES = 16
# Tuned on bench/documents.py: isal takes 4% more room than zlib's best, and a fifth of its time.
ISAL_LEVEL = 2
ZLIB_LEVEL = 6
PARAGRAPHS_APART = "\n\n"

_DIGESTED = tuple(name for name in SAID if name != TOUCHED)
_REST = tuple(name for name in FIELDS if name not in _DIGESTED and name not in OF_THE_STORE)
_DAMAGE: tuple[type[Exception], ...] = (*ERRORS, ValueError, TypeError)
_NEEDED = dict.fromkeys(name for name in FIELDS if name not in ADDED)


@dataclass(frozen=True, slots=True)
class Packed:
    """A document as it is kept: its bytes, and the digest of what it says."""

    content: bytes
    digest: bytes


def packed(document: Document) -> Packed:
    """The bytes of a document, what it says first."""
    values = as_dict(document)
    if values["text"] == PARAGRAPHS_APART.join(text for _, text in document.blocks):
        values["text"] = None
    said = _json({name: values[name] for name in _DIGESTED if values[name] is not None})
    rest = _json({name: values[name] for name in _REST if values[name] is not None})
    digest = hashlib.blake2b(said, digest_size=DIGEST_BYTES).digest()
    return Packed(_deflated(said + b"\n" + rest), digest)


def unpacked(content: bytes, where: str = "a document") -> Document:
    """The document of those bytes; `where` is what an error says of them."""
    try:
        said, _, rest = (isal_zlib or zlib).decompress(content).partition(b"\n")
        values: dict[str, Any] = {**_NEEDED, **json.loads(said), **json.loads(rest)}
        if values["text"] is None:
            values["text"] = PARAGRAPHS_APART.join(text for _, text in values["blocks"])
        return from_dict(values)
    except _DAMAGE as error:
        raise DocumentsError(
            f"{where}: damaged ({error}). Bring back a copy of the store, or begin another and fill it from the "
            "archive: corpusbot reextract SITE --write"
        ) from error


def changed_fields(old: Document, new: Document, cause: str = "crawl") -> tuple[str, ...]:
    """The fields in which two readings of a page say something else; a `modified` alone is nothing on a visit."""
    names = tuple(name for name in SAID if getattr(old, name) != getattr(new, name))
    if cause == "crawl" and names == (TOUCHED,):
        return ()
    # The blocks hold the text: they are told of where only their kinds have changed.
    return tuple(name for name in names if name != "blocks" or "text" not in names)


def addresses(document: Document, others: Iterable[str | None] = ()) -> list[str]:
    """The addresses of a document, its own ones first."""
    found = (document.url, document.canonical_url, *others)
    return list(dict.fromkeys(url for url in found if url))


def _deflated(data: bytes) -> bytes:
    deflated: bytes = zlib.compress(data, ZLIB_LEVEL) if isal_zlib is None else isal_zlib.compress(data, ISAL_LEVEL)
    return deflated


def _json(values: dict[str, Any]) -> bytes:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate, which an address may hold, cannot be written in UTF-8.
    return text.encode("utf-8", "replace")
