"""Undoes Content-Encoding while a page arrives, and never unpacks more than a page may hold."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Protocol

_GZIP_MAGIC = b"\x1f\x8b"


class TooMuchError(Exception):
    """More came, or came out, than a page may hold."""


class CorruptError(Exception):
    """The packed bytes are broken or end too early."""


class Decoder(Protocol):
    """Unpacks one encoding, piece by piece."""

    def unpack(self, data: bytes, room: int) -> bytes:
        """What comes out of these bytes: all of it, or if that is more than `room`, at least one more."""

    def complete(self) -> bool:
        """Whether the packed stream has come to its end."""


class _Inflate:
    """gzip (also of several members) and deflate (with or without zlib's header)."""

    def __init__(self, gzip: bool) -> None:
        self._gzip = gzip
        self._first = b""
        self._plain = False
        self._stream: Any = None

    def unpack(self, data: bytes, room: int) -> bytes:
        """What comes out; a body that is said to be gzip and is not comes out as it is."""
        if self._stream is None and not self._plain:
            data = self._first + data
            if len(data) < 2:
                self._first = data
                return b""
            self._begin(data)
        if self._plain:
            return data
        unpacked: bytes = self._stream.decompress(data, min(room + 1, 1 << 62))
        while self._gzip and self._stream.eof and self._stream.unused_data.startswith(_GZIP_MAGIC):
            rest, self._stream = self._stream.unused_data, zlib.decompressobj(31)
            unpacked += self._stream.decompress(rest, max(1, room + 1 - len(unpacked)))
            if len(unpacked) > room:
                break
        return unpacked

    def _begin(self, data: bytes) -> None:
        if self._gzip:
            self._plain = not data.startswith(_GZIP_MAGIC)
            bits = 31
        else:
            headed = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            bits = 15 if headed else -15
        self._stream = zlib.decompressobj(bits)

    def complete(self) -> bool:
        """Whether the end was seen; raw deflate has none that could be relied on."""
        return self._plain or not self._gzip or (self._stream is not None and bool(self._stream.eof))


class _Brotli:
    """br, if the library can stop at a limit."""

    def __init__(self, library: Any) -> None:
        self._stream = library.Decompressor()

    def unpack(self, data: bytes, room: int) -> bytes:
        """What comes out."""
        pieces = [self._stream.process(data, output_buffer_limit=min(room + 1, 1 << 30))]
        while not self._stream.can_accept_more_data() and sum(map(len, pieces)) <= room:
            pieces.append(self._stream.process(b"", output_buffer_limit=min(room + 1, 1 << 30)))
        return b"".join(pieces)

    def complete(self) -> bool:
        """Whether the end was seen."""
        return bool(self._stream.is_finished())


class _Zstandard:
    """zstd, of one frame or several."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._stream = library.ZstdDecompressor()

    def unpack(self, data: bytes, room: int) -> bytes:
        """What comes out."""
        unpacked: bytes = self._stream.decompress(data, min(room + 1, 1 << 62))
        while self._stream.eof and self._stream.unused_data and len(unpacked) <= room:
            rest, self._stream = self._stream.unused_data, self._library.ZstdDecompressor()
            unpacked += self._stream.decompress(rest, room + 1 - len(unpacked))
        return unpacked

    def complete(self) -> bool:
        """Whether the end was seen."""
        return bool(self._stream.eof)


class Encodings:
    """The content encodings that can be undone here: gzip and deflate, br and zstd if installed."""

    def __init__(self) -> None:
        brotli = _library("brotli", "brotlicffi")
        can_stop = brotli is not None and hasattr(brotli.Decompressor, "can_accept_more_data")
        self._brotli = brotli if can_stop else None
        self._zstd = _library("compression.zstd", "backports.zstd")
        errors = [zlib.error, *(lib.error for lib in [self._brotli] if lib)]
        self.errors = (*errors, *(lib.ZstdError for lib in [self._zstd] if lib))

    @property
    def accepted(self) -> str:
        """The value of Accept-Encoding."""
        return "gzip, deflate" + ", br" * bool(self._brotli) + ", zstd" * bool(self._zstd)

    def decoders(self, content_encoding: str) -> tuple[list[Decoder], str]:
        """What undoes these encodings, the last applied first, and those left that nothing here undoes."""
        names = [name.strip().lower() for name in content_encoding.split(",")]
        found: list[Decoder] = []
        while names:
            decoder = self._decoder(names[-1])
            if decoder is None and names[-1] not in ("", "identity"):
                break
            names.pop()
            if decoder is not None:
                found.append(decoder)
        return found, ", ".join(names)

    def _decoder(self, name: str) -> Decoder | None:
        if name in ("gzip", "x-gzip", "deflate"):
            return _Inflate(gzip=name != "deflate")
        if name == "br" and self._brotli:
            return _Brotli(self._brotli)
        if name == "zstd" and self._zstd:
            return _Zstandard(self._zstd)
        return None


class BodyReader:
    """Collects a body piece by piece, unpacked, up to the size that a page may have."""

    def __init__(self, encodings: Encodings, decoders: Iterable[Decoder], limit: int) -> None:
        self._errors = encodings.errors
        self._decoders = list(decoders)
        self._limit = limit if limit > 0 else 1 << 62
        self._pieces: list[bytes] = []
        self._packed = 0
        self.size = 0

    def feed(self, data: bytes) -> None:
        """Take in the next bytes."""
        self._packed += len(data)
        if self._packed > self._limit:
            raise TooMuchError(self._packed)
        for decoder in self._decoders:
            try:
                data = decoder.unpack(data, self._limit - self.size)
            except self._errors as error:
                raise CorruptError(str(error)) from error
            if len(data) > self._limit - self.size:
                self._pieces.clear()
                raise TooMuchError(self.size + len(data))
        self._pieces.append(data)
        self.size += len(data)

    def body(self) -> bytes:
        """All that came, whether or not it is whole."""
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)

    def check_whole(self) -> None:
        """Complain of a packed body that broke off."""
        if self._packed and not all(decoder.complete() for decoder in self._decoders):
            raise CorruptError("the packed body ends too early")


def _library(*names: str) -> Any:
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None
