"""An answer before it is put on the wire."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

HTML = "text/html; charset=utf-8"
XML = "application/xml; charset=utf-8"

# whole: as HTTP wants it; chunked: length unknown; truncated: promises more than it sends; reset: cut by TCP;
# drip: a few bytes at a time until the press loses patience.
Manner = Literal["whole", "chunked", "truncated", "reset", "drip"]


@dataclass(frozen=True, slots=True)
class Reply:
    """Status, headers and body; `chunks` makes a body too large to hold, `then` answers every later ask."""

    status: int = 200
    body: bytes = b""
    content_type: str = HTML
    headers: tuple[tuple[str, str], ...] = ()
    modified: datetime | None = None
    delay: float = 0.0
    manner: Manner = "whole"
    chunks: Callable[[], Iterator[bytes]] | None = None
    length: int | None = None
    then: "Reply | None" = None

    @property
    def is_plain(self) -> bool:
        """Whether it is an ordinary good answer, fit for compression, validators and the cache."""
        return (
            self.status == 200
            and self.manner == "whole"
            and self.chunks is None
            and not self.delay
            and not any(name == "Content-Encoding" for name, _ in self.headers)
        )
