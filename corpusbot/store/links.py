"""The shapes that the state of a crawl is told in: links, leases, outcomes, runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from corpusbot.freshness_visits import Visits


@dataclass(frozen=True, slots=True)
class Validators:
    """What to ask a server with whether a page is still the same, and what it was when last asked."""

    etag: str | None = None
    modified: str | None = None
    digest: str | None = None
    visited: str | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An address to ask for; `kind` and `place` are the spider's, `again` asks anew once in each run.

    With `if_due` only if its time has come. `lastmod` (seconds since 1970) and `usual_seconds` are what the page that
    it was found on says of when it changed and of how often it does.
    """

    url: str
    kind: str = "page"
    priority: int = 0
    place: Mapping[str, Any] = field(default_factory=dict)
    again: bool = False
    salt: str = ""
    validators: Validators | None = None
    if_due: bool = False
    lastmod: int | None = None
    usual_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """A wish to have known pages asked again whose time has come: at most so many, and of one section."""

    most: int | None = None
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Links that a callback yields, all at once, to be remembered without building requests."""

    links: tuple[Link, ...]

    def __init__(self, links: Iterable[Link]) -> None:
        object.__setattr__(self, "links", tuple(links))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How asking for an address ended: `done`, `unchanged`, `dropped`, `failed` or `withdrawn`, and why."""

    name: str = "done"
    cause: str | None = None
    detail: str | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """A link given out to be fetched, until it is acknowledged or given back; `visits` if it ever was kept."""

    id: int
    link: Link
    host: str
    attempts: int = 0
    visits: Visits | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl of the site, which may have been interrupted and resumed."""

    id: int
    started: str
    finished: str | None
    reason: str | None
    arguments: Mapping[str, Any]
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class ReportRow:
    """How many addresses of a section and day had one outcome and cause."""

    section: str | None
    day: str | None
    kind: str
    outcome: str
    cause: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Incident:
    """One address that was asked for, or one thing dropped, and what became of it."""

    url: str
    kind: str
    outcome: str
    cause: str | None
    detail: str | None
    section: str | None
    day: str | None
    index: str | None = None
