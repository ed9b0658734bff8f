"""Versions of documents, in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from corpusbot.store.documents import Anchor, Stored, Version
from corpusbot.store.documents.difference import ADDED, CHANGED, KEPT, Change, Difference

TITLE_CHARACTERS = 70


def row(stored: Stored) -> str:
    """A document in one line."""
    about = f"withdrawn {_moment(stored.withdrawn)} ({stored.status})" if stored.withdrawn else ""
    title = (stored.document.title or stored.document.url)[:TITLE_CHARACTERS]
    versions = f"{stored.versions:>3} version{'s' if stored.versions > 1 else ' '}  {_moment(stored.version.at)}"
    return f"{stored.document.id}  {versions}  {title}  {about}".rstrip()


def row_as_json(stored: Stored) -> str:
    """The same for programs."""
    return json.dumps(_summary(stored), ensure_ascii=False)


def document(stored: Stored, versions: Sequence[Version], anchors: Sequence[Anchor]) -> str:
    """A document, its versions, and the texts of links to it."""
    lines = [stored.document.title or "(no title)", stored.document.url]
    lines.append(f"id {stored.document.id}, first seen {_moment(stored.first_seen)}, last {_moment(stored.last_seen)}")
    if stored.withdrawn:
        lines.append(f"withdrawn: {_moment(stored.withdrawn)}, the server said {stored.status}")
    lines += ["", f"{'version':>7}  {'fetched':<16}  {'cause':<10}  changed"]
    lines += [
        f"{one.number:>7}  {_moment(one.at)}  {one.cause:<10}  {', '.join(one.changed) or '–'}" for one in versions
    ]
    if anchors:
        lines += ["", "links to it:", *(f"  {one.text}  ({one.found_on})" for one in anchors)]
    return "\n".join(lines)


def document_as_json(stored: Stored, versions: Sequence[Version], anchors: Sequence[Anchor]) -> str:
    """The same for programs."""
    told = _summary(stored) | {
        "versions": [
            {
                "number": one.number, "at": one.at.isoformat(), "cause": one.cause, "changed": one.changed,
                "record_id": one.record_id, "site_digest": one.site_digest, "made_by": one.made_by,
            }
            for one in versions
        ],
        "anchors": [
            {"url": one.url, "text": one.text, "found_on": one.found_on, "seen": one.seen.isoformat()}
            for one in anchors
        ],
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False)


def difference(found: Difference) -> str:
    """What changed, the words marked as `wdiff` marks them."""
    words = f"{found.words_removed} words gone, {found.words_added} new"
    lines = ["", f"from version {found.old} to {found.new}: {words}"]
    lines += [f"  {change.name}: {_pieces(change)}" for change in found.fields]
    return "\n".join([*lines, *_paragraphs(found.paragraphs)])


def difference_as_json(id: str, found: Difference) -> str:
    """The same for programs."""
    told = {
        "id": id, "old": found.old, "new": found.new,
        "words_added": found.words_added, "words_removed": found.words_removed,
        "fields": [_change(change) for change in found.fields],
        "paragraphs": [_change(change) for change in found.paragraphs],
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False)


def _summary(stored: Stored) -> dict[str, Any]:
    return {
        "id": stored.document.id,
        "url": stored.document.url,
        "title": stored.document.title,
        "version": stored.version.number,
        "count": stored.versions,
        "first_seen": stored.first_seen.isoformat(),
        "last_seen": stored.last_seen.isoformat(),
        "withdrawn": stored.withdrawn.isoformat() if stored.withdrawn else None,
        "status": stored.status,
    }


def _change(change: Change) -> dict[str, Any]:
    told: dict[str, Any] = {"name": change.name, "kind": change.kind, "old": change.old, "new": change.new}
    return told | ({"pieces": [[one.kind, one.text] for one in change.pieces]} if change.kind == CHANGED else {})


def _paragraphs(paragraphs: Sequence[Change]) -> Iterator[str]:
    """The paragraphs that changed, and how many of the others stand between."""
    kept = 0
    for change in paragraphs:
        if change.kind == KEPT:
            kept += 1
            continue
        if kept:
            yield f"  … {kept} as before"
        kept = 0
        yield f"  {'~' if change.kind == CHANGED else '+' if change.kind == ADDED else '-'} {_pieces(change)}"
    if kept:
        yield f"  … {kept} as before"


def _pieces(change: Change) -> str:
    marks = {KEPT: "{}", ADDED: "{{+{}+}}"}
    return "".join(marks.get(one.kind, "[-{}-]").format(one.text) for one in change.pieces)


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""
