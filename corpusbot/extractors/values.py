"""From the texts that a rule found to the value of a field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from corpusbot.dom.text import folded
from corpusbot.extractors.sources import Match
from corpusbot.metadata.byline import names
from corpusbot.metadata.dates import moment
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.jsonld import truth
from corpusbot.metadata.language import language_code
from corpusbot.metadata.links import absolute
from corpusbot.model import Block

_BYLINE = re.compile(r"(?:written by|escrito por|by|por|von|par|di)[:\s]", re.IGNORECASE)

# Fields of which every match counts; of all others it is the first with something in it.
ADDITIVE = frozenset(("lead", "body", "authors", "tags"))

Reader = Callable[[Sequence[Match], str | None, Facts], Any]


def value_of(field: str, found: Sequence[Match], split: str | None, facts: Facts) -> Any:
    """The value of a known field; None or empty if the texts say nothing that fits."""
    return _READERS[field](found, split, facts)


def texts_for(field: str, found: Sequence[Match], split: str | None, facts: Facts) -> list[str]:
    """The texts of a field's section: all of them, or that of the first match where one is wanted."""
    if field in ("authors", "tags"):
        return list(value_of(field, found, split, facts))
    texts = [match.text for match in found if match.blocks]
    return texts if field in ADDITIVE or field not in _READERS else texts[:1]


def _line(found: Sequence[Match], split: str | None, facts: Facts) -> str | None:
    """The first text, on one line."""
    return next((folded(match.text) for match in found if match.blocks), None)


def _lines(found: Sequence[Match], split: str | None, facts: Facts) -> str | None:
    """All texts, line by line."""
    return "\n".join(match.text for match in found if match.blocks) or None


def _blocks(found: Sequence[Match], split: str | None, facts: Facts) -> tuple[Block, ...]:
    return tuple(block for match in found for block in match.blocks)


def _authors(found: Sequence[Match], split: str | None, facts: Facts) -> tuple[str, ...]:
    """Names; a line that begins as a byline does may hold several."""
    listed = (name for text in _split(found, split) for name in _named(text))
    return tuple(dict.fromkeys(name for name in listed if not name.startswith(("http://", "https://"))))


def _named(text: str) -> list[str]:
    return (names(text) if _BYLINE.match(text) else []) or [text]


def _tags(found: Sequence[Match], split: str | None, facts: Facts) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_split(found, split)))


def _split(found: Sequence[Match], split: str | None) -> Iterator[str]:
    """The texts, block by block, in parts where the rule says how."""
    for match in found:
        for block in match.blocks:
            parts: Iterable[str | None] = re.split(split, block.text) if split else [block.text]
            yield from (part for raw in parts if (part := folded(raw or "")))


def _moment(found: Sequence[Match], split: str | None, facts: Facts) -> datetime | None:
    """The first moment that can be read: the one a TIME holds for machines rather than the one it shows."""
    for match in found:
        machine = match.element.get("datetime") if match.element is not None else None
        for text in filter(None, (machine, match.text)):
            read = moment(text, facts.zone, facts.month_first)
            if read:
                return read
    return None


def _language(found: Sequence[Match], split: str | None, facts: Facts) -> str | None:
    return next((code for match in found if (code := language_code(match.text))), None)


def _address(found: Sequence[Match], split: str | None, facts: Facts) -> str | None:
    """The first address, in full; that of a link rather than its text."""
    for match in found:
        link = match.element.get("href") if match.element is not None else None
        address = absolute(Found(link or match.text, ""), facts.url)
        if address:
            return str(address.value)
    return None


def _truth(found: Sequence[Match], split: str | None, facts: Facts) -> bool | None:
    """What the text says if it says yes or no; otherwise that the mark is there says yes."""
    for match in found:
        said = truth(match.text)
        if said is not None or match.element is not None:
            return True if said is None else said
    return None


_READERS: Final[Mapping[str, Reader]] = {
    "title": _line,
    "section": _line,
    "lead": _lines,
    "body": _blocks,
    "authors": _authors,
    "tags": _tags,
    "published": _moment,
    "modified": _moment,
    "language": _language,
    "canonical_url": _address,
    "paywalled": _truth,
}
KNOWN = frozenset(_READERS)
