"""The shapes that travel down the line: each stage takes one and returns the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from lxml.html import HtmlElement

Reading = TypeVar("Reading")


def header_pairs(headers: Iterable[tuple[bytes, Iterable[bytes]]]) -> Iterator[tuple[str, str]]:
    """The headers of an answer one by one, from those that a framework has under their names."""
    for name, values in headers:
        for value in values:
            yield name.decode("latin-1"), value.decode("latin-1")


class Body(bytes):
    """The bytes of a page, which print as their number and not as themselves."""

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page was found: the index page and link pattern of the site file, and the day asked for."""

    index: str | None = None
    link: str | None = None
    section: str | None = None
    day: date | None = None
    found_on: str | None = None
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was fetched; `sent` are the headers that it was asked with, until it is archived."""

    site: str
    url: str
    body: Body
    fetched_at: datetime
    headers: tuple[tuple[str, str], ...] = ()
    status: int = 200
    asked_url: str | None = None
    place: Place = Place()
    visits: int = 0
    record_id: str | None = None
    sent: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str | None:
        """The value of a header, by its name in any case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding a page was read in, the one it claimed, and how the one used was found."""

    used: str
    declared: str | None
    source: str


@dataclass(frozen=True, slots=True)
class CleanPage:
    """A page parsed once and rid of what is never content; every extractor reads this one tree, and changes nothing."""

    page: Page
    tree: HtmlElement
    encoding: Encoding
    jsonld: tuple[Mapping[str, object], ...] = ()
    _read: dict[Callable[[CleanPage], Any], Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, read: Callable[[CleanPage], Reading]) -> Reading:
        """What a function reads off the page: it is called the first time, whoever asks for it."""
        if read not in self._read:
            self._read[read] = read(self)
        reading: Reading = self._read[read]
        return reading


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of running text: a paragraph, heading, item, quote or table row."""

    text: str
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a document in the form of its users: a name and its text."""

    name: str
    text: str


# What a page can be. A stub is the beginning of an article that one must pay for; a wall asks for consent, or to prove
# that one is no robot, in an article's stead; an error is one that was served as if it were a page.
KINDS = ("article", "collection", "live_blog", "gallery", "video", "stub", "error", "wall", "other")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a page is, how sure that is (0 to 1), and what told it."""

    name: str
    confidence: float
    reason: str = ""

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        """A kind is also equal to its name, so that `article.kind == "article"` asks what it seems to."""
        if isinstance(other, str):
            return self.name == other
        if not isinstance(other, Kind):
            return NotImplemented
        return (self.name, self.confidence, self.reason) == (other.name, other.confidence, other.reason)

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An extractor whose body was not taken, and why: a reason from a short list, and its particulars."""

    extractor: str
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.extractor}: {self.reason}" + (f": {self.detail}" if self.detail else "")


def by_rule(origin: str) -> bool:
    """Whether an origin is a line of a site file."""
    return ".yaml:" in origin or ".yml:" in origin


@dataclass(frozen=True, slots=True)
class Article:
    """What a page says, whatever newspaper printed it; `origins` tells what found each field.

    `confidence` is how sure the extractor of the body is of it: the F1 that it expects; None if it cannot tell.
    `found_by` names that extractor; it is among those `passed_over` if no body passed the gate.
    `fetched_at` is None for a page that was not fetched but given.
    """

    site: str
    url: str
    fetched_at: datetime | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    section: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    lead: str | None = None
    body: tuple[Block, ...] = ()
    tags: tuple[str, ...] = ()
    paywalled: bool | None = None
    rights: tuple[str, ...] = ()
    publisher: str | None = None
    kind: Kind | None = None
    confidence: float | None = None
    found_by: str | None = None
    passed_over: tuple[PassedOver, ...] = ()
    sections: tuple[Section, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    encoding: Encoding | None = None
    asked_url: str | None = None
    page_digest: str | None = None
    record_id: str | None = None
    place: Place = Place()
    visits: int = 0

    def is_by_rule(self, field: str) -> bool:
        """Whether a line of the site file found a field, and not a heuristic."""
        return by_rule(self.origins.get(field, ""))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The body, by the name that the library has for it."""
        return self.body

    @property
    def text(self) -> str:
        """The body, its paragraphs apart by a blank line."""
        return "\n\n".join(block.text for block in self.body)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is left of a text to know it again by: an exact checksum, a simhash, and a sample of its runs of words.

    The keys are those of its runs' 64-bit hashes that are 0 modulo the step, as bytes.
    """

    checksum: str
    simhash: int
    words: int = 0
    keys: bytes = b""
    step: int = 1


@dataclass(frozen=True, slots=True)
class Distinct:
    """An article that the corpus does not hold yet, or holds in another newspaper's name.

    One that `is_known` is a document of the corpus whose text is what it was; its title may not be.
    """

    article: Article
    fingerprint: Fingerprint
    duplicate_of: str | None = None
    is_known: bool = False
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """Why a page does not become a document: a reason from a short list, and its particulars.

    One of the extractors' tells as well why each of them was passed over, for the run's report to count.
    """

    reason: str
    detail: str = ""
    passed_over: tuple[PassedOver, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason
