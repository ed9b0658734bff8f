"""The compact form of an archive's file, `.warc.zst`: a frame of Zstandard for each record, all with one dictionary.

This is IIPC's "Zstandard Compression for WARC Files 1.0": the dictionary stands in the file's first frame, packed,
and every frame names it and has a checksum and its length. The dictionary is made of pages of the newspaper itself:
what stands on all of its pages is then stored once.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from corpusbot.store.members import HEAD_BYTES, LARGEST_RECORD, ZSTD_BEGINS, DamageError, Member, found_from

if sys.version_info >= (3, 14):  # pragma: no cover  (there it is a part of Python)
    from compression import zstd
else:
    from backports import zstd

FRAME_BEGINS, DICTIONARY_FRAME_BEGINS = ZSTD_BEGINS
SKIPPED_FRAME_ENDS = b"\x2a\x4d\x18"  # behind a byte from 0x50 to 0x5f
SKIPPED_HEAD_BYTES = 8
CHUNK_BYTES = 65_536
# What the specification asks of every reader: more might not be read elsewhere.
LARGEST_DICTIONARY = 8_388_608
LARGEST_WINDOW_LOG = 27
# Level 12 takes four times as long and saves 2%; measured on the pages of bench/store.py.
LEVEL = 9
DICTIONARY_LEVEL = 19
QUICK_LEVEL = 3
LEAST_DICTIONARY_ID, DICTIONARY_IDS = 32_768, 2_147_483_647 - 32_768


class Zstd:
    """Each record is a frame; the dictionary is read when the file is opened."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._dictionary = _dictionary_of(path, file)

    def member(self, file: IO[bytes], offset: int, head_only: bool = False) -> Member | None:
        """The record in the frame that begins there, or behind frames that hold none."""
        while (frame := _frame_at(file, offset)) is not None:
            if not _is_skipped(frame):
                return Member(offset, len(frame), self._unpacked(frame, head_only))
            offset += len(frame)
        return None

    def _unpacked(self, frame: bytes, head_only: bool) -> bytes:
        try:
            size = zstd.get_frame_info(frame).decompressed_size
            if size is not None and size > LARGEST_RECORD:
                raise DamageError(f"it unpacks to {size:,} bytes")
            unpacker = zstd.ZstdDecompressor(
                self._dictionary, {zstd.DecompressionParameter.window_log_max: LARGEST_WINDOW_LOG}
            )
            data: bytes = unpacker.decompress(frame, HEAD_BYTES if head_only else LARGEST_RECORD)
        except zstd.ZstdError as error:
            raise DamageError(str(error)) from error
        if not (unpacker.eof or head_only):
            raise DamageError(f"it unpacks to more than {LARGEST_RECORD:,} bytes")
        return data

    def next_begin(self, file: IO[bytes], offset: int) -> int | None:
        """Where a frame's first four bytes stand next."""
        return found_from(file, offset, FRAME_BEGINS)


def _frame_at(file: IO[bytes], offset: int) -> bytes | None:
    """The frame that begins there; None at the end of the file."""
    file.seek(offset)
    data = file.read(CHUNK_BYTES)
    if not data:
        return None
    if not (data.startswith(FRAME_BEGINS) or _is_skipped(data)):
        raise DamageError("no frame begins there")
    while True:
        try:
            return data[: zstd.get_frame_size(data)]
        except zstd.ZstdError as error:
            more = file.read(len(data))
            if not more:
                raise DamageError("it is unfinished", unfinished=True) from error
            if len(data) > 2 * LARGEST_RECORD:
                raise DamageError(str(error)) from error
            data += more


def _is_skipped(frame: bytes) -> bool:
    """Whether a frame is one that holds no record."""
    return frame[1:4] == SKIPPED_FRAME_ENDS and 0x50 <= frame[0] <= 0x5F


def _dictionary_of(path: Path, file: IO[bytes]) -> zstd.ZstdDict | None:
    """The dictionary in the file's first frame, packed or not; None if it has none."""
    file.seek(0)
    head = file.read(SKIPPED_HEAD_BYTES)
    if not head.startswith(DICTIONARY_FRAME_BEGINS):
        return None
    length = int.from_bytes(head[4:], "little")
    packed = file.read(min(length, LARGEST_DICTIONARY))
    try:
        if len(packed) < length:
            raise zstd.ZstdError("it is unfinished, or too large")
        if packed.startswith(FRAME_BEGINS):
            unpacker = zstd.ZstdDecompressor()
            packed = unpacker.decompress(packed, LARGEST_DICTIONARY)
            if not unpacker.eof:
                raise zstd.ZstdError(f"it unpacks to more than {LARGEST_DICTIONARY:,} bytes")
        return zstd.ZstdDict(packed)
    except (zstd.ZstdError, ValueError) as error:
        raise DamageError(f"{path}: its dictionary cannot be read ({error})") from error


class Packer:
    """Packs records with a dictionary of the newspaper's own pages, if there are any."""

    def __init__(self, pages: Sequence[bytes]) -> None:
        self._dictionary = _dictionary(pages) if pages else None
        parameter = zstd.CompressionParameter
        self._packer = zstd.ZstdCompressor(
            options={parameter.compression_level: LEVEL, parameter.checksum_flag: 1}, zstd_dict=self._dictionary
        )

    def head(self) -> bytes:
        """The frame that the file begins with; nothing where there is no dictionary."""
        if self._dictionary is None:
            return b""
        packed = packed_alone(self._dictionary.dict_content)
        return DICTIONARY_FRAME_BEGINS + len(packed).to_bytes(4, "little") + packed

    def packed(self, record: bytes) -> bytes:
        """The frame of a record."""
        return self._packer.compress(record, zstd.ZstdCompressor.FLUSH_FRAME)


def size_by(pages: Sequence[bytes], others: Sequence[bytes]) -> list[int]:
    """How long each of the other pages is when it is packed by these, quickly and not as well as it will be."""
    dictionary = zstd.ZstdDict(b"".join(pages), is_raw=True)
    return [len(zstd.compress(other, QUICK_LEVEL, zstd_dict=dictionary)) for other in others]


def packed_alone(data: bytes) -> bytes:
    """A frame without a dictionary, as small as it gets."""
    parameter = zstd.CompressionParameter
    return zstd.compress(
        data,
        options={parameter.compression_level: DICTIONARY_LEVEL, parameter.checksum_flag: 1, parameter.window_log: 23},
    )


def _dictionary(pages: Sequence[bytes]) -> zstd.ZstdDict:
    """A dictionary in the form of the specification, named by its content, so that the same pages make the same."""
    content = b"".join(pages)[-LARGEST_DICTIONARY + 100_000 :]
    made = zstd.finalize_dict(
        zstd.ZstdDict(content, is_raw=True), [page[:CHUNK_BYTES] for page in pages], LARGEST_DICTIONARY, LEVEL
    ).dict_content
    name = LEAST_DICTIONARY_ID + int.from_bytes(hashlib.sha256(content).digest()[:4], "little") % DICTIONARY_IDS
    # Behind its first four bytes every dictionary has its number.
    return zstd.ZstdDict(made[:4] + name.to_bytes(4, "little") + made[8:])
