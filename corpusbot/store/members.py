"""Files of records, each packed by itself: read one by one or from a place on, whatever is wrong with them.

`.warc.gz` is what crawls write and every program reads; `.warc.zst` is the compact form (see `corpusbot.store.zstd`).
Both are read without trust: a record that unpacks to more than LARGEST_RECORD bytes is no record, and what is
damaged is told and passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from corpusbot.store import deflate

GZIP_SUFFIX = ".warc.gz"
ZSTD_SUFFIX = ".warc.zst"
GZIP_BEGINS = b"\x1f\x8b\x08"
ZSTD_BEGINS = (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")  # a record, or the dictionary of all
CHUNK_BYTES = 65_536
LARGEST_RECORD = 256_000_000
HEAD_BYTES = 65_536
RECORD_BEGINS = b"WARC/"


class DamageError(Exception):
    """No record can be read at a place; `unfinished` if the file ends in the middle of it."""

    def __init__(self, reason: str, unfinished: bool = False) -> None:
        super().__init__(reason)
        self.unfinished = unfinished


@dataclass(frozen=True, slots=True)
class Member:
    """A record as it stands in a file, and unpacked (its beginning at least, where no more was asked for)."""

    offset: int
    length: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of a file where no record can be read; a torn one is its end, as a crash leaves it."""

    offset: int
    length: int
    reason: str
    torn: bool = False

    def __str__(self) -> str:
        if self.torn:
            return f"the record at byte {self.offset:,} is unfinished"
        return f"no record can be read in {self.length:,} bytes from byte {self.offset:,} on ({self.reason})"


class Packing(Protocol):
    """How the records of a file are packed."""

    def member(self, file: IO[bytes], offset: int, head_only: bool = False) -> Member | None:
        """The record that begins there, None at the end of the file. DamageError if there is none."""

    def next_begin(self, file: IO[bytes], offset: int) -> int | None:
        """Where the next bytes stand that a record may begin with."""


class Gzip:
    """Each record is a gzip member."""

    def member(self, file: IO[bytes], offset: int, head_only: bool = False) -> Member | None:
        """The record that begins there; to know where it ends, it has to be unpacked to the end."""
        file.seek(offset)
        unpacker, parts, size, taken = deflate.unpacker(), list[bytes](), 0, 0
        while not unpacker.eof:
            if not (packed := file.read(CHUNK_BYTES)):
                if not taken:
                    return None
                raise DamageError("it is unfinished", unfinished=True)
            taken += len(packed)
            try:
                parts.append(unpacker.decompress(packed, LARGEST_RECORD - size + 1))
            except deflate.ERRORS as error:
                raise DamageError(str(error)) from error
            size += len(parts[-1])
            if size > LARGEST_RECORD:
                raise DamageError(f"it unpacks to more than {LARGEST_RECORD:,} bytes")
        return Member(offset, taken - len(unpacker.unused_data), b"".join(parts))

    def next_begin(self, file: IO[bytes], offset: int) -> int | None:
        """Where gzip's first three bytes stand next."""
        return found_from(file, offset, GZIP_BEGINS)


def found_from(file: IO[bytes], offset: int, wanted: bytes) -> int | None:
    """Where these bytes stand next in a file."""
    kept = b""
    file.seek(offset)
    while piece := file.read(CHUNK_BYTES):
        window = kept + piece
        if (place := window.find(wanted)) >= 0:
            return offset - len(kept) + place
        offset += len(piece)
        kept = window[-len(wanted) + 1 :]
    return None


class RecordFile:
    """A file of records, open for reading."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file = self.path.open("rb")
        try:
            self._packing = packing_of(self.path, self._file)
        except BaseException:
            self._file.close()
            raise

    def read(self, offset: int) -> Member | None:
        """The record that begins there; None at the end of the file. DamageError if none does."""
        return _checked(self._packing.member(self._file, offset))

    def walk(self, offset: int = 0, end: int | None = None, head_only: bool = False) -> Iterator[Member | Damage]:
        """The records from a place on, up to another if one is given; what lies between whole ones is told."""
        while end is None or offset < end:
            try:
                member = _checked(self._packing.member(self._file, offset, head_only))
            except DamageError as error:
                damage = self._damage(offset, error)
                yield damage
                offset += damage.length
                continue
            if member is None:
                return
            yield member
            offset = member.offset + member.length  # frames without a record may stand before it

    def _damage(self, offset: int, error: DamageError) -> Damage:
        """The damage from a place to the next whole beginning of a record, or to the file's end."""
        place = self._packing.next_begin(self._file, offset + 1)
        while place is not None:
            with suppress(DamageError):
                if _checked(self._packing.member(self._file, place)):
                    return Damage(offset, place - offset, str(error))
            place = self._packing.next_begin(self._file, place + 1)
        length = self._file.seek(0, 2) - offset
        return Damage(offset, length, str(error), torn=error.unfinished or self._is_empty(offset))

    def _is_empty(self, offset: int) -> bool:
        """Whether only zeros follow, as where the disk had made room for what was never written."""
        self._file.seek(offset)
        return not any(piece.strip(b"\0") for piece in iter(lambda: self._file.read(CHUNK_BYTES), b""))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _checked(member: Member | None) -> Member | None:
    """The member, if it is a record."""
    if member is not None and not member.data.startswith(RECORD_BEGINS):
        raise DamageError(f"begins with {member.data[:20]!r}, not with WARC/1.1")
    return member


def files_in(folder: str | Path, below: bool = False) -> list[Path]:
    """The files of the archive in a folder, or also below it, in the order in which they were written.

    Of a file that is there in both forms, since compacting was interrupted, only the one is named that others read.
    """
    folder = Path(folder)
    paths = [path for suffix in (ZSTD_SUFFIX, GZIP_SUFFIX) for path in folder.glob(f"{'**/' * below}*{suffix}")]
    by_stem = {path.with_name(path.name.removesuffix(ZSTD_SUFFIX).removesuffix(GZIP_SUFFIX)): path for path in paths}
    return [by_stem[stem] for stem in sorted(by_stem)]


def packing_of(path: Path, file: IO[bytes]) -> Packing:
    """How a file is packed, by what it begins with."""
    if file.read(4) in ZSTD_BEGINS:
        from corpusbot.store.zstd import Zstd

        return Zstd(path, file)
    return Gzip()
