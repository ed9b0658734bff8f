"""The variables of site files: their values, how they are written, and the days they run over."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.sites.variables import days, filled, filled_pattern, variables_in

DAY = date(2000, 12, 9)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("http://www.elpais.es/p/d/$YYYY$$MM$$DD$/internac/", "http://www.elpais.es/p/d/20001209/internac/"),
        ("$DD$N0", "09N0"),
        ("$DD$-$MM$-$YYYY$", "09-12-2000"),
        ("$YYYY/$MM/$DD", "2000/12/09"),
        ("$YYYY$MM$DD", "20001209"),
        ("$YY$", "00"),
        ("$URL$ de $SITE$, $SECTION$, $PAGE$", "http://a.es/ de El País, España, 2"),
        ("cuesta 5 $ o $5", "cuesta 5 $ o $5"),
    ],
)
def test_filled(text: str, wanted: str) -> None:
    """Variables get their values, with the closing $ or without; other dollars stay."""
    assert filled(text, DAY, url="http://a.es/", site="El País", section="España", page=2) == wanted


def test_a_variable_without_a_value_leaves_nothing() -> None:
    """There are no placeholders in a document."""
    assert filled("[$SECTION$$PAGE$]", DAY) == "[]"


def test_the_pattern_of_the_seed() -> None:
    """$DD$N0 finds 09N0001.html on the 9th, and on no other day."""
    pattern = re.compile(filled_pattern("$DD$N0", DAY))
    assert pattern.search("http://www.elmundo.es/diario/espana/09N0001.html")
    assert not pattern.search("http://www.elmundo.es/diario/espana/10N0001.html")


def test_a_dollar_that_opens_no_variable_is_the_end() -> None:
    """A regular expression keeps its own dollars."""
    assert filled_pattern(r"/$DD$/x\.html$|(?:[?#]|$)", DAY) == r"/09/x\.html$|(?:[?#]|$)"


def test_what_looks_like_a_variable() -> None:
    """Unknown names are found, so that the reader of the file can refuse them."""
    assert variables_in("$YYYY$$FOO$ $dd$ $DDN0 $ $5 html$") == ["YYYY", "FOO", "dd", "DDN"]


def test_years_have_four_digits() -> None:
    """The gazettes of the year 988 too."""
    assert filled("$YYYY$", date(988, 1, 1)) == "0988"


def test_days_include_both_ends() -> None:
    """A range of days over the end of a leap February."""
    assert list(days(date(2024, 2, 28), date(2024, 3, 1))) == [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]
    assert list(days(DAY, DAY)) == [DAY]


def test_days_in_the_wrong_order() -> None:
    """A range that ends before it begins is told, not taken for an empty one."""
    with pytest.raises(ValueError, match="from 2000-12-09 to 2000-12-08: the first day is after the last"):
        days(DAY, date(2000, 12, 8))


@given(st.text(alphabet=st.characters(exclude_characters="$")), st.dates())
def test_a_text_without_dollars_stays_as_it_is(text: str, day: date) -> None:
    """Filling changes variables and nothing else."""
    assert filled(text, day) == filled_pattern(text, day) == text


@given(st.text(alphabet="$YMD-N0 "), st.dates())
def test_filling_twice_changes_nothing_more(text: str, day: date) -> None:
    """No variable appears by filling: the values are digits."""
    once = filled(text, day)
    assert once.count("$") <= text.count("$")
