"""Moments as newspapers write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.metadata.dates import moment, zone_of

MADRID = zone_of("Europe/Madrid")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-10-15T08:22:57+02:00", "2024-10-15T08:22:57+02:00"),
        ("2024-10-15T06:22:57.123Z", "2024-10-15T06:22:57.123000+00:00"),
        ("2024-10-15 08:22:57 +0200", "2024-10-15T08:22:57+02:00"),
        ("2024-10-15T08:22", "2024-10-15T08:22:00+02:00"),
        ("2024-01-15", "2024-01-15T00:00:00+01:00"),
        ("20241015T062257Z", "2024-10-15T06:22:57+00:00"),
        ("Tue, 15 Oct 2024 06:22:57 GMT", "2024-10-15T06:22:57+00:00"),
        ("1728973377", "2024-10-15T06:22:57+00:00"),
        ("1728973377000", "2024-10-15T06:22:57+00:00"),
        ("15 de octubre de 2024, 08:22 h", "2024-10-15T08:22:00+02:00"),
        ("Actualizado a las 8.22 del 15 octubre 2024", "2024-10-15T08:22:00+02:00"),
        ("October 15, 2024 at 3:05 p.m. EDT", "2024-10-15T15:05:00-04:00"),
        ("15th October 2024 12:05 AM", "2024-10-15T00:05:00+02:00"),
        ("15. Oktober 2024, 8:22 Uhr", "2024-10-15T08:22:00+02:00"),
        ("le 1er août 2024 à 08h22", "2024-08-01T08:22:00+02:00"),
        ("15 ottobre 2024 alle 08:22", "2024-10-15T08:22:00+02:00"),
        ("15 de outubro de 2024", "2024-10-15T00:00:00+02:00"),
        ("15/10/2024 08:22", "2024-10-15T08:22:00+02:00"),
        ("10/15/2024", "2024-10-15T00:00:00+02:00"),
        ("15.10.24", "2024-10-15T00:00:00+02:00"),
    ],
)
def test_the_forms_that_are_read(text: str, iso: str) -> None:
    """In the newspaper's zone where they name none."""
    found = moment(text, MADRID)
    assert found is not None
    assert found.isoformat() == iso


@pytest.mark.parametrize(
    "value", ["", "ayer", "32/13/2024", "2024-02-30", "0001-01-01", None, True, ["2024"], "9" * 999]
)
def test_what_names_no_moment(value: object) -> None:
    """Nothing is made up."""
    assert moment(value) is None


def test_where_the_month_comes_first() -> None:
    """As the country has it, where both are possible."""
    assert [moment("3/4/2024", month_first=first) for first in (False, True)] == [
        datetime(2024, 4, 3, tzinfo=UTC),
        datetime(2024, 3, 4, tzinfo=UTC),
    ]


@pytest.mark.parametrize("name", [None, "", "Nowhere/City", "../etc/passwd"])
def test_a_zone_that_is_not_known_is_utc(name: str | None) -> None:
    """The site file refuses it earlier."""
    assert zone_of(name) is UTC


@given(st.text(max_size=60) | st.integers() | st.floats())
def test_any_value_is_read_or_not(value: object) -> None:
    """Whatever is found has a zone."""
    found = moment(value)
    assert found is None or found.tzinfo is not None


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), st.integers(-12, 12))
def test_iso_is_read_back(day: datetime, hours: int) -> None:
    """With any offset."""
    whole = day.replace(tzinfo=zone_of(None)).astimezone(UTC) + timedelta(hours=hours)
    assert moment(whole.isoformat()) == whole
