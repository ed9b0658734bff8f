"""YAML as nodes that know their line: safe, of bounded size, and nothing made of a value before its key is known.

A scalar stays text until the key that holds it says what it takes; so `country: NO` is Norway and not False.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from corpusbot.sites.errors import Problem, SiteError

# libyaml's parser is some ten times faster; both give the same events.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MOST_BYTES = 256 * 1024
MOST_NODES = 20_000  # aliases count as what they stand for, or nine lines could make a billion
DEEPEST = 40

PLAIN_TAGS = {None, "!"} | {
    f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "seq", "map")
}
UNPRINTABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text as it was written, and whether it was in quotes."""

    line: int
    text: str
    quoted: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written, or YAML's word for nothing."""
        return not self.quoted and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    line: int
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping: its keys, each with its own line, and their values."""

    line: int
    entries: tuple[tuple[Scalar, Node], ...]


# The stubs know neither the tag nor the anchor of an event.
Event: TypeAlias = Any
Node: TypeAlias = Scalar | Items | Entries


def nodes_of(data: bytes, file: str, problems: list[Problem]) -> Node:
    """The nodes of a YAML file; what breaks the file off is raised, what does not joins the problems."""
    text = _text(data, file)
    try:
        return _Composer(file, problems, yaml.parse(text, Loader=LOADER)).document()
    except yaml.YAMLError as error:
        raise SiteError(*problems, _syntax_problem(error, text, file)) from None


def _text(data: bytes, file: str) -> str:
    """The file's text: UTF-8, of bounded size, of printable characters."""
    if len(data) > MOST_BYTES:
        raise SiteError(Problem(file, 1, f"{len(data):,} bytes; a site file has at most {MOST_BYTES:,}"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"not UTF-8 (byte 0x{data[error.start]:02x}). Save the file as UTF-8"
        raise SiteError(Problem(file, line, found)) from None
    if odd := UNPRINTABLE.search(text):
        line = text.count("\n", 0, odd.start()) + 1
        raise SiteError(Problem(file, line, f"the character U+{ord(odd[0]):04X} cannot stand in YAML"))
    return text


def _syntax_problem(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """The parser's complaint with its line; of tabs, which YAML names obscurely, in our own words."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else 1
    lines = text.splitlines() or [""]
    written = lines[min(line, len(lines)) - 1]
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return Problem(file, line, "a tab in the indentation. YAML is indented with spaces")
    said = [str(part) for part in (getattr(error, "context", None), getattr(error, "problem", None)) if part]
    return Problem(file, line, f"not YAML: {', '.join(said) or 'unreadable'}")


class _Composer:
    """Makes nodes of the parser's events, and stops at what could harm."""

    def __init__(self, file: str, problems: list[Problem], events: Iterator[Event]) -> None:
        self.file = file
        self.problems = problems
        self.events = events
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.count = 0

    def document(self) -> Node:
        """The one document of the file; an empty file is an empty mapping."""
        next(self.events)
        if isinstance(next(self.events), yaml.StreamEndEvent):
            return Entries(1, ())
        node = self.node(next(self.events), 0)
        next(self.events)
        after = next(self.events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise self.error(after, "a second document begins here. One file holds one site")
        return node

    def node(self, event: Event, depth: int) -> Node:
        """The node that begins with this event."""
        self.count += 1
        if self.count > MOST_NODES:
            raise self.error(event, f"more than {MOST_NODES:,} values, those that aliases stand for counted")
        if depth > DEEPEST:
            raise self.error(event, f"nested deeper than {DEEPEST} levels")
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event)
        if event.tag not in PLAIN_TAGS:
            raise self.error(event, f"the tag '{event.tag}' is not read. Write the plain value")
        before = self.count
        node = self.content(event, depth)
        if event.anchor:
            self.anchors[event.anchor] = (node, self.count - before + 1)
        return node

    def alias(self, event: Event) -> Node:
        """What an alias stands for, counted as often as it stands somewhere."""
        if event.anchor not in self.anchors:
            raise self.error(event, f"nothing before is marked '&{event.anchor}'")
        node, size = self.anchors[event.anchor]
        self.count += size
        return node

    def content(self, event: Event, depth: int) -> Node:
        """A scalar, a list or a mapping."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(line, event.value, quoted=bool(event.style))
        if isinstance(event, yaml.SequenceStartEvent):
            return Items(line, tuple(self.node(part, depth + 1) for part in self.until(yaml.SequenceEndEvent)))
        return Entries(line, tuple(self.pairs(depth)))

    def pairs(self, depth: int) -> Iterator[tuple[Scalar, Node]]:
        """The keys and values of a mapping; a key that comes twice is a problem, and the first one counts."""
        seen: dict[str, int] = {}
        for event in self.until(yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            if not isinstance(key, Scalar):
                raise self.error(event, "a key is one word, not a list or a mapping")
            if key.text in seen:
                text = f"the key '{key.text}' stands here twice, first on line {seen[key.text]}"
                self.problems.append(Problem(self.file, key.line, text))
                continue
            seen[key.text] = key.line
            yield key, value

    def until(self, end: type[yaml.Event]) -> Iterator[Event]:
        """The events up to the one that ends this list or mapping."""
        while not isinstance(event := next(self.events), end):
            yield event

    def error(self, event: Event, text: str) -> SiteError:
        """A problem that makes the rest of the file unreadable."""
        return SiteError(*self.problems, Problem(self.file, event.start_mark.line + 1, text))
