"""What a correct crawler finds at an address: the yardstick of recall and precision."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Gold:
    """One printed address; `expected` is `document` or the family of reasons for which it is none.

    Texts are plain: NFC, no soft hyphens, ordinary spaces. The body is its paragraphs, subheads and list
    items joined by blank lines; the lead is apart. `same_as` is the address of the text that is repeated.
    """

    newspaper: str
    url: str
    title: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime
    section: str
    lead: str
    body: str
    language: str
    kind: str
    expected: str
    same_as: str | None = None
    revision: int = 1
    tags: tuple[str, ...] = ()

    def json_line(self) -> str:
        """The row as one line of JSON, dates in ISO 8601."""
        return json.dumps(asdict(self), ensure_ascii=False, default=datetime.isoformat)
