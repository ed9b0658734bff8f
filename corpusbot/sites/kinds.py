"""The kinds of value that a key of a site file takes: how each is read, and how a JSON Schema says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeAlias, TypeVar

from corpusbot.sites.errors import MisfitError, Problem, cure
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.nodes import Entries, Items, Node, Scalar
from corpusbot.sites.rules import Where

T = TypeVar("T")
JSON: TypeAlias = dict[str, Any]

LONGEST_TEXT = 2_000
WORDS_FOR_TRUE = ("true", "yes", "on")
WORDS_FOR_FALSE = ("false", "no", "off")


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as it is read: which one, at which level we are, and what was wrong so far."""

    file: str
    level: str
    problems: list[Problem]
    folder: Traversable | None = None
    key: str = ""

    def problem(self, line: int, text: object) -> None:
        """Notes what is wrong, and reading goes on: all problems of a file are told at once."""
        self.problems.append(Problem(self.file, line, f"{self.key}: {text}" if self.key else str(text)))

    def under(self, key: str) -> Reading:
        """The same, inside of a key."""
        return replace(self, key=key)

    def at(self, level: str | None) -> Reading:
        """The same, at a more local level."""
        return replace(self, level=level) if level else self


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping that was read: its values by key, each key's line, and its place."""

    where: Where
    values: Mapping[str, object] = field(default_factory=FrozenMap)
    lines: Mapping[str, int] = field(default_factory=FrozenMap)

    def get(self, key: str, of: type[T]) -> T | None:
        """The value of a key, if it was given."""
        value = self.values.get(key)
        return value if isinstance(value, of) else None

    def listed(self, key: str, of: type[T]) -> tuple[tuple[T, Where], ...]:
        """The items of a list, each with its place."""
        items = self.get(key, tuple) or ()
        return tuple((item, replace(self.where, line=line)) for item, line in items if isinstance(item, of))

    def all(self, key: str, of: type[T]) -> tuple[T, ...]:
        """The items of a list."""
        return tuple(item for item, _ in self.listed(key, of))

    def place_of(self, key: str) -> Where:
        """Where a key stands."""
        return replace(self.where, line=self.lines[key])


class Kind(Protocol):
    """A kind of value."""

    @property
    def label(self) -> str:
        """What a reference page calls it."""

    def read(self, node: Node, at: Reading) -> object:
        """The value; raises MisfitError, or notes the problems of its parts."""

    def schema(self, definitions: JSON) -> JSON:
        """What a JSON Schema says of it; larger kinds are put among the definitions."""


def attempted(kind: Kind, node: Node, at: Reading) -> object | None:
    """The value, or None and a problem more."""
    try:
        return kind.read(node, at)
    except MisfitError as misfit:
        at.problem(node.line, misfit)
        return None


def _scalar(node: Node, wanted: str) -> Scalar:
    """The node, if it is one value with something in it."""
    if not isinstance(node, Scalar):
        raise MisfitError(f"takes {wanted}, not a {'list' if isinstance(node, Items) else 'mapping'}")
    if node.is_empty:
        raise MisfitError(f"has no value. It takes {wanted}; one that begins with '#' is put in quotes")
    return node


@dataclass(frozen=True, slots=True)
class Text:
    """A text; `check` returns it in its proper form or raises MisfitError; a loose one may look like a number."""

    label: str = "text"
    check: Callable[[str], str] | None = None
    choices: Callable[[], Iterable[str]] | None = None
    is_loose: bool = False

    def read(self, node: Node, at: Reading) -> str:
        """The text as it was written, checked."""
        text = _scalar(node, self.label).text
        if len(text) > LONGEST_TEXT:
            raise MisfitError(f"longer than {LONGEST_TEXT:,} characters")
        return self.check(text) if self.check else text

    def schema(self, definitions: JSON) -> JSON:
        """A string; of plain texts YAML 1.2 may think that they are numbers or truth values."""
        if self.choices:
            return {"type": "string", "examples": list(self.choices())}
        return {"type": "string" if self.check and not self.is_loose else ["string", "number", "boolean"]}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """The words."""
        return " or ".join(f"`{word}`" for word in self.words)

    def read(self, node: Node, at: Reading) -> str:
        """The word."""
        text = _scalar(node, "one of " + ", ".join(self.words)).text
        if text not in self.words:
            raise MisfitError(f"there is no '{text}' here. {cure(text, self.words)}")
        return text

    def schema(self, definitions: JSON) -> JSON:
        """The words as an enumeration."""
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    label: str = "`true` or `false`"

    def read(self, node: Node, at: Reading) -> bool:
        """The truth value."""
        word = _scalar(node, "true or false").text.lower()
        if word not in WORDS_FOR_TRUE + WORDS_FOR_FALSE:
            raise MisfitError(f"takes true or false, not '{word}'")
        return word in WORDS_FOR_TRUE

    def schema(self, definitions: JSON) -> JSON:
        """A truth value."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds, whole unless fractions are allowed."""

    least: int
    most: int
    whole: bool = True

    @property
    def label(self) -> str:
        """What it is and its bounds."""
        return f"{'whole ' if self.whole else ''}number from {self.least:,} to {self.most:,}"

    def read(self, node: Node, at: Reading) -> int | float:
        """The number."""
        text = _scalar(node, f"a {self.label}").text
        form = r"-?\d{1,12}" if self.whole else r"-?\d{1,12}(\.\d{1,12})?"
        number = (int(text) if text.lstrip("-").isdigit() else float(text)) if _is(form, text) else None
        if number is None or not self.least <= number <= self.most:
            raise MisfitError(f"takes a {self.label}, not '{text}'")
        return number

    def schema(self, definitions: JSON) -> JSON:
        """A number with its bounds."""
        return {"type": "integer" if self.whole else "number", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar."""

    label: str = "day, as 2024-05-31"

    def read(self, node: Node, at: Reading) -> date:
        """The day."""
        text = _scalar(node, "a day, as 2024-05-31").text
        try:
            # fromisoformat alone would also take 20240531 and 2024-W22-5.
            return date.fromisoformat(text if _is(r"\d{4}-\d{2}-\d{2}", text) else "")
        except ValueError:
            raise MisfitError(f"there is no day '{text}'. Write it as 2024-05-31") from None

    def schema(self, definitions: JSON) -> JSON:
        """A date."""
        return {"type": "string", "format": "date"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A list; one value alone is a list of it."""

    of: Kind
    may_be_empty: bool = True

    @property
    def label(self) -> str:
        """What it is a list of."""
        return f"list of: {self.of.label}"

    def read(self, node: Node, at: Reading) -> tuple[tuple[object, int], ...]:
        """The values that are right, each with its line."""
        nodes = node.items if isinstance(node, Items) else (node,)
        if not nodes and not self.may_be_empty:
            raise MisfitError("the list is empty")
        values = [(attempted(self.of, part, at), part.line) for part in nodes]
        return tuple((value, line) for value, line in values if value is not None)

    def schema(self, definitions: JSON) -> JSON:
        """A list, or the value alone."""
        one = self.of.schema(definitions)
        return {"anyOf": [{"type": "array", "items": one}, one]}


@dataclass(frozen=True, slots=True)
class Free:
    """Any value: a plug-in's own options, which it alone understands."""

    label: str = "any value"

    def read(self, node: Node, at: Reading) -> object:
        """The value as YAML would have it, in shapes that cannot change."""
        if isinstance(node, Items):
            return tuple(self.read(part, at) for part in node.items)
        if isinstance(node, Entries):
            return FrozenMap((key.text, self.read(value, at)) for key, value in node.entries)
        return node.text if node.quoted else plain_value(_scalar(node, "a value").text)

    def schema(self, definitions: JSON) -> JSON:
        """Anything."""
        return {}


def plain_value(text: str) -> bool | int | float | str:
    """What an unquoted text of YAML 1.2 stands for."""
    if text in ("true", "false"):
        return text == "true"
    if _is(r"[-+]?\d{1,15}", text):
        return int(text)
    return float(text) if _is(r"[-+]?\d{1,15}\.\d{0,15}", text) else text


def _is(form: str, text: str) -> bool:
    """Whether the whole text has this form, in ASCII digits."""
    return re.fullmatch(form, text, re.ASCII) is not None
