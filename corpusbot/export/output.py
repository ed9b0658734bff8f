"""What a format writes to: anything that takes bytes."""

from __future__ import annotations

from typing import Protocol


class Output(Protocol):
    """A file opened in binary, or whatever else has its `write`."""

    def write(self, data: bytes, /) -> object:
        """Take these bytes."""
