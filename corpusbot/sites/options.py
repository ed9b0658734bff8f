"""The options of a plug-in: what its code says it takes, and what stands in a site file made into that.

A filter's are the fields of its frozen dataclass, an extractor's the keyword-only parameters of its `extract`: name,
annotation and default are all there is to write.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import date
from types import SimpleNamespace
from typing import Annotated, Any, Literal, Protocol, get_args, get_origin, get_type_hints

from corpusbot.sites.errors import cure

_WANTED = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    date: "a day such as 2024-05-31",
    tuple: "a list of texts",
}
_JSON: Mapping[type, Mapping[str, object]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    date: {"type": "string", "format": "date"},
    tuple: {"type": ["array", "string"], "items": {"type": "string"}},
}


class OptionError(ValueError):
    """An option that a plug-in does not have, or a value that it cannot use; the text says what would work."""


class Reader(Protocol):
    """What more than its type is known of an option: it stands in the annotation, `Annotated[float, Between(0, 1)]`."""

    @property
    def label(self) -> str:
        """What a reference page says that the option takes."""

    @property
    def schema(self) -> Mapping[str, object]:
        """What a JSON Schema says of it."""

    def read(self, value: Any) -> object:
        """The value in its proper form; raises OptionError."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number within bounds."""

    least: float
    most: float

    @property
    def label(self) -> str:
        """The bounds."""
        return f"a number from {self.least:g} to {self.most:g}"

    @property
    def schema(self) -> Mapping[str, object]:
        """The bounds."""
        return {"type": "number", "minimum": self.least, "maximum": self.most}

    def read(self, value: Any) -> object:
        """The number, if it is within them."""
        if not _is_a(float, value) or not self.least <= value <= self.most:
            raise OptionError(f"{self.label} is wanted, not {value!r}")
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words: what `Literal["a", "b"]` means."""

    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """The words."""
        return " or ".join(f"`{word}`" for word in self.words)

    @property
    def schema(self) -> Mapping[str, object]:
        """The words."""
        return {"enum": list(self.words)}

    def read(self, value: Any) -> object:
        """The word."""
        if value not in self.words:
            raise OptionError(f"one of {', '.join(self.words)} is wanted, not {value!r}")
        return value


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of one type."""

    kind: type

    @property
    def label(self) -> str:
        """The type in words."""
        return _WANTED[self.kind]

    @property
    def schema(self) -> Mapping[str, object]:
        """The type."""
        return _JSON[self.kind]

    def read(self, value: Any) -> object:
        """The value in that type."""
        if self.kind is tuple:
            listed = value if isinstance(value, (tuple, list)) else (value,)
            if all(isinstance(one, str) for one in listed):
                return tuple(listed)
        elif self.kind is date and isinstance(value, str):
            try:
                return date.fromisoformat(value)
            except ValueError:
                pass
        elif _is_a(self.kind, value):
            return value
        raise OptionError(f"{self.label} is wanted, not {value!r}")


def _is_a(kind: type, value: object) -> bool:
    """Whether a value is of a type: to Python true is a number, to the reader of a site file it is not."""
    wanted = (int, float) if kind is float else kind
    return isinstance(value, wanted) and isinstance(value, bool) == (kind is bool)


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name, what reads it, and what holds if it is left out."""

    name: str
    reader: Reader
    default: object

    @property
    def label(self) -> str:
        """What it takes, and what holds if it is left out."""
        default = ", ".join(map(str, self.default)) if isinstance(self.default, tuple) else self.default
        usual = "" if default in (None, "") else f", {default} if left out"
        return f"{self.reader.label}{usual}"


def fields_of(kind: type) -> tuple[Option, ...]:
    """The options that are the fields of a dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        Option(field.name, _reader(hints[field.name]), None if field.default is MISSING else field.default)
        for field in fields(kind)
    )


def parameters_of(function: Callable[..., object]) -> tuple[Option, ...]:
    """The options that are the keyword-only parameters of a function."""
    every = inspect.signature(function).parameters.values()
    own = [parameter for parameter in every if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    # Only theirs: the annotations of the others may name what is imported for the type checker alone.
    annotated: Any = SimpleNamespace(__annotations__={parameter.name: parameter.annotation for parameter in own})
    hints = get_type_hints(annotated, getattr(function, "__globals__", {}), include_extras=True)
    return tuple(Option(parameter.name, _reader(hints[parameter.name]), parameter.default) for parameter in own)


def read_options(options: Iterable[Option], given: Mapping[str, object]) -> dict[str, object]:
    """The values of the options that are given; raises OptionError for one that there is not, or a value unfit."""
    known = {option.name: option.reader for option in options}
    values: dict[str, object] = {}
    for name, value in given.items():
        if name not in known:
            told = cure(name, known) if known else "It takes none"
            raise OptionError(f"unknown option '{name}'. {told}")
        try:
            values[name] = known[name].read(value)
        except ValueError as error:
            raise OptionError(f"{name}: {error}") from None
    return values


def _reader(hint: Any) -> Reader:
    """What reads a value of this annotation."""
    if get_origin(hint) is Annotated:
        found: Reader = hint.__metadata__[0]
        return found
    if get_origin(hint) is Literal:
        return OneOf(get_args(hint))
    if get_origin(hint) is tuple:
        return Plain(tuple)
    choices = [hint] if hint in _WANTED else [one for one in get_args(hint) if one is not type(None)]
    return Plain(choices[0]) if choices[0] in _WANTED else _reader(choices[0])


def check_not_negative(**numbers: int | None) -> None:
    """Raises OptionError for a number below nought."""
    for name, number in numbers.items():
        if number is not None and number < 0:
            raise OptionError(f"{name}: 0 or more is wanted, not {number}")
