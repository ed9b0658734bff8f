"""The rows of the index of raw pages: a record as SQLite keeps it, in few bytes."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from corpusbot.addresses import key_of
from corpusbot.store.members import Damage, Member
from corpusbot.store.warc import Summary, summary_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_UUID = "urn:uuid:"
_SHA256 = "sha256:"
_SHA256_HEX = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(Summary):
    """A record, and where it stands."""

    file: str
    offset: int
    length: int

def row_of(number: int, member: Member) -> tuple[Any, ...] | Damage | None:
    """The row of a record; None for one that is no page."""
    try:
        summary = summary_of(member.data)
    except (ValueError, KeyError) as error:
        return Damage(member.offset, member.length, f"its head cannot be read: {error!r}")
    return row(number, member.offset, member.length, summary) if summary else None


def row(file: int, offset: int, length: int, summary: Summary) -> tuple[Any, ...]:
    """The row of a record that stands there."""
    return (
        *(file, offset, length, key_of(summary.url), summary.url, microseconds(summary.fetched_at), summary.status),
        *(summary.mime, _packed_digest(summary.digest), packed_id(summary.record_id), packed_id(summary.refers_to)),
    )


def insert(database: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
    """Write rows; one that is there already is written over."""
    database.executemany(
        "INSERT OR REPLACE INTO pages(file, offset, length, key, url, at, status, mime, digest, record, refers)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def stored_of(row: tuple[Any, ...]) -> Stored:
    """The record that a row tells of."""
    file, offset, length, url, at, status, mime, digest, record, refers, *_ = row
    return Stored(
        record_id=_id_text(record) or "",
        url=url,
        fetched_at=EPOCH + at * MICROSECOND,
        status=status,
        digest=f"{_SHA256}{digest.hex()}" if isinstance(digest, bytes) else digest,
        mime=mime,
        refers_to=_id_text(refers),
        file=file,
        offset=offset,
        length=length,
    )


def microseconds(moment: datetime) -> int:
    """A time as microseconds; one without a zone is taken for UTC."""
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH) // MICROSECOND


def packed_id(record_id: str | None) -> bytes | str | None:
    """The 16 bytes of a name that is a UUID, as nearly all are; any other as it is."""
    if record_id and record_id.startswith(_UUID):
        try:
            made = UUID(record_id)
        except ValueError:
            return record_id
        return made.bytes if made.urn == record_id else record_id
    return record_id


def _id_text(packed: bytes | str | None) -> str | None:
    return UUID(bytes=packed).urn if isinstance(packed, bytes) else packed


def _packed_digest(digest: str | None) -> bytes | str | None:
    """The 32 bytes of a SHA-256 in hexadecimal; any other as it is."""
    if digest and _SHA256_HEX.fullmatch(digest):
        return bytes.fromhex(digest.removeprefix(_SHA256))
    return digest
