"""What was found out about an article, and what found each part of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, NamedTuple

from corpusbot.model import Block, Section


class Found(NamedTuple):
    """A value and what found it, such as `jsonld:headline`."""

    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Findings:
    """The fields of an article as far as one way of looking found them; `origins` names what found each.

    `confidence` is about the body: the F1 that its extractor expects; None if it cannot tell.
    """

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
    confidence: float | None = None
    sections: tuple[Section, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def body_length(self) -> int:
        """The number of characters in the body."""
        return sum(len(block.text) for block in self.body)


FIELDS = tuple(item.name for item in fields(Findings) if item.name not in ("origins", "sections", "confidence"))


def findings_of(found: Mapping[str, Found | None]) -> Findings:
    """The findings of the fields for which something was found."""
    there = {name: item for name, item in found.items() if item is not None and not is_absent(item.value)}
    return Findings(
        **{name: item.value for name, item in there.items()},
        origins={name: item.origin for name, item in there.items()},
    )


def is_absent(value: object) -> bool:
    """Whether a value says nothing; False is a value, as for a page that is free to read."""
    return value is None or value == "" or value == ()


def first_of_each(several: Iterable[Findings], skip: frozenset[str] = frozenset()) -> dict[str, Found]:
    """Each field as the first that found it has it."""
    chosen: dict[str, Found] = {}
    for findings in several:
        for name, origin in findings.origins.items():
            if name not in chosen and name not in skip:
                chosen[name] = Found(getattr(findings, name), origin)
    return chosen
