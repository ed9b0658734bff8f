"""The options of plug-ins: what the code says they take is what a site file may say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

import pytest

from corpusbot.plugins import options_of, plugin_names
from corpusbot.sites.options import Between, OptionError, fields_of, parameters_of, read_options


@dataclass(frozen=True, slots=True)
class Options:
    """As a filter has them."""

    words: int = 30
    least: float | None = None
    since: date | None = None
    only: tuple[str, ...] = ()
    what: Literal["keep", "drop"] = "keep"


def some_extractor(
    page: NotImportedAtRunTime,  # type: ignore[name-defined]  # noqa: F821
    *,
    share: Annotated[float, Between(0, 1)] = 0.1,
    prefer: Literal["precision", "recall"] = "recall",
    strict: bool = False,
) -> None:
    """As an extractor has them; what its page is need not be known."""


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({}, {}),
        ({"words": 3}, {"words": 3}),
        ({"least": 2}, {"least": 2}),
        ({"least": 0.5, "since": "2024-05-31"}, {"least": 0.5, "since": date(2024, 5, 31)}),
        ({"only": "es"}, {"only": ("es",)}),
        ({"only": ("es", "en"), "what": "drop"}, {"only": ("es", "en"), "what": "drop"}),
    ],
)
def test_the_fields_of_a_dataclass(given: dict[str, object], values: dict[str, object]) -> None:
    """Each value comes in the type of its field; one text will do for a list."""
    assert read_options(fields_of(Options), given) == values


@pytest.mark.parametrize(
    ("given", "values"), [({"share": 0.2}, {"share": 0.2}), ({"prefer": "precision", "strict": True},) * 2]
)
def test_the_parameters_of_a_function(given: dict[str, object], values: dict[str, object]) -> None:
    """Only those that have to be named count."""
    assert [option.name for option in parameters_of(some_extractor)] == ["share", "prefer", "strict"]
    assert read_options(parameters_of(some_extractor), given) == values


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"shar": 0.2}, "unknown option 'shar'. Did you mean 'share'?"),
        ({"page": "x"}, "unknown option 'page'. Available: prefer, share, strict"),
        ({"share": 1.2}, "share: a number from 0 to 1 is wanted, not 1.2"),
        ({"share": "much"}, "share: a number from 0 to 1 is wanted, not 'much'"),
        ({"share": True}, "share: a number from 0 to 1 is wanted, not True"),
        ({"prefer": "presision"}, "prefer: one of precision, recall is wanted, not 'presision'"),
        ({"strict": 1}, "strict: true or false is wanted, not 1"),
    ],
)
def test_what_does_not_fit(given: dict[str, object], told: str) -> None:
    """The error names the option and says what would work."""
    with pytest.raises(OptionError) as caught:
        read_options(parameters_of(some_extractor), given)
    assert str(caught.value) == told


def test_an_extractor_without_options() -> None:
    """It takes none, and says so."""
    with pytest.raises(OptionError, match=r"unknown option 'a'\. It takes none"):
        read_options(options_of("extractors", "rules"), {"a": 1})


@pytest.mark.parametrize(
    ("stage", "name"), [(stage, name) for stage in ("filters", "extractors") for name in plugin_names(stage)]
)
def test_every_option_of_every_plug_in_can_be_read(stage: str, name: str) -> None:
    """Each has a type that a site file can hold, a default, and a word for the reference."""
    for option in options_of(stage, name):
        assert option.reader.label
        assert option.reader.schema, f"say in options.py what a JSON Schema has for '{option.name}' of {name}"
