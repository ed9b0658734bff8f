"""How gzip members are packed and unpacked: by Intel's ISA-L, or by zlib on machines that it is not made for.

Both make what every program reads. Measured by bench/store.py on pages of 152 KB: zlib's level 6 takes more than
twice as long as its level 1 and saves a sixth; ISA-L's level 3 takes half as long as that and saves a twentieth.
"""

from __future__ import annotations

import zlib
from importlib import import_module
from importlib.util import find_spec
from typing import Any

isal_zlib: Any = import_module("isal.isal_zlib") if find_spec("isal") else None

GZIP = 31  # zlib's way to say: with the header and trailer of gzip
ZLIB_LEVEL = 1
ISAL_LEVEL = 3
ERRORS: tuple[type[Exception], ...] = (zlib.error,) if isal_zlib is None else (zlib.error, isal_zlib.error)


def library() -> str:
    """The name of what packs."""
    return "zlib" if isal_zlib is None else "isal"


def packed(*parts: bytes) -> bytes:
    """These parts together as one gzip member."""
    if isal_zlib is None:
        packer: Any = zlib.compressobj(ZLIB_LEVEL, zlib.DEFLATED, GZIP)
    else:
        packer = isal_zlib.compressobj(ISAL_LEVEL, zlib.DEFLATED, GZIP)
    return b"".join((*(packer.compress(part) for part in parts), packer.flush()))


def unpacker() -> Any:
    """What unpacks a gzip member, as zlib's `decompressobj` does."""
    return zlib.decompressobj(GZIP) if isal_zlib is None else isal_zlib.decompressobj(GZIP)
