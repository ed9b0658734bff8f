"""JSON-LD as newspapers write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.dom.jsonld import MOST_OBJECTS, objects_in, values_in


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1};\n',
        '<!-- {"a": 1} -->',
        '<!--\n{"a": 1}\n//-->',
        '//<![CDATA[\n{"a": 1}\n//]]>',
        '/*<![CDATA[*/{"a": 1}/*]]>*/',
        '{"a": 1,}',
        "{&quot;a&quot;: 1}",
    ],
)
def test_wrappings_and_slips_are_put_up_with(text: str) -> None:
    """Comments, CDATA, semicolons, trailing commas, escaped quotes."""
    assert values_in(text) == [{"a": 1}]


def test_control_characters_and_bad_escapes_in_strings() -> None:
    """A line end inside a string, and an apostrophe that needs no escape."""
    assert values_in('{"a": "uno\ndos\tit\\\'s"}') == [{"a": "uno\ndos\tit\\'s"}]


def test_objects_one_after_the_other() -> None:
    """Some pages put several into one script."""
    assert values_in('{"a": 1}\n{"b": 2}') == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("text", ["", "nada", "{", "[" * 100_000, '{"a": ' + "9" * 10_000 + "}", "undefined"])
def test_what_is_no_json_gives_nothing(text: str) -> None:
    """Nor does it raise, however deep it nests or long its numbers are."""
    assert objects_in([text]) == ()


def test_graphs_and_arrays_are_taken_apart() -> None:
    """An object that is more than its graph is one too."""
    both = '{"n": 3, "@type": "A", "@graph": {"n": 4}}'
    found = objects_in(['[{"@graph": [{"n": 1}, [{"n": 2}]], "@context": "x"}]', both])
    assert [item["n"] for item in found] == [1, 2, 3, 4]


def test_no_more_than_so_many_objects() -> None:
    """A page cannot fill the memory."""
    assert len(objects_in(['{"a": 1}'] * (2 * MOST_OBJECTS))) == MOST_OBJECTS


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    """To values, or to none."""
    assert isinstance(values_in(text), list)
