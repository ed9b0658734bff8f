"""The options of a filter: from what stands in a site file to the fields of its frozen dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from difflib import get_close_matches
from typing import Any, TypeVar, get_args, get_type_hints

T = TypeVar("T")

_WANTED = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    date: "a day such as 2024-05-31",
    tuple: "a list of texts",
}


class OptionError(ValueError):
    """An option that a filter does not have, or a value that it cannot use; the text says what would work."""


def options_of(kind: type[T], given: Mapping[str, object]) -> T:
    """The options with these values, all others at their defaults."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # all Options are dataclasses
    for name in given:
        if name not in names:
            raise OptionError(f"unknown option '{name}'. {_cure(name, names)}")
    return kind(**{name: _value(name, hints[name], value) for name, value in given.items()})


def _cure(name: str, names: list[str]) -> str:
    near = get_close_matches(name, names, n=1)
    return f"Did you mean '{near[0]}'?" if near else f"Available: {', '.join(sorted(names))}"


def _value(name: str, hint: Any, value: object) -> object:
    """The value in the type that the option has."""
    wanted = _plain_type(hint)
    if wanted is tuple:
        listed = value if isinstance(value, (tuple, list)) else (value,)
        if all(isinstance(one, str) for one in listed):
            return tuple(listed)
    elif wanted is date and isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    # To Python true is a number, to the reader of a site file it is not.
    elif isinstance(value, wanted) and isinstance(value, bool) == (wanted is bool):
        return value
    raise OptionError(f"{name}: {_WANTED[wanted]} is wanted, not {value!r}")


def _plain_type(hint: Any) -> type:
    """`int` of `int | None`, `tuple` of `tuple[str, ...]`."""
    choices = [one for one in get_args(hint) if one in _WANTED] if hint not in _WANTED else [hint]
    origin = getattr(hint, "__origin__", None)
    plain: type = tuple if origin is tuple else choices[0]
    return plain


def check_not_negative(**numbers: int | None) -> None:
    """Raises OptionError for a number below nought."""
    for name, number in numbers.items():
        if number is not None and number < 0:
            raise OptionError(f"{name}: 0 or more is wanted, not {number}")
