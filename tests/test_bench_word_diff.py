"""What differs between two texts: as much is marked as the score counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bench.evaluation.scores import LETTER, WORD, Measure, Reading, scored
from bench.evaluation.word_diff import Piece, marked, phrases_marked
from tests.test_bench_scores import sample

WORDS = ("a", "b", "c", "d", "e", "the", "ferry", "sails", ".", "\n")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
WRITING = st.text(alphabet="港船人百は。\u30fc a", max_size=30)


def counted(pieces: list[Piece], measure: Measure) -> int:
    """How many words, or characters, are marked."""
    token = LETTER if measure == "characters" else WORD
    return sum(len(token.findall(piece.text)) for piece in pieces if piece.is_marked)


def check(gold: str, text: str, measure: Measure) -> None:
    """The laws of marking."""
    missed, added = marked(gold, text, measure)
    assert "".join(piece.text for piece in missed) == gold
    assert "".join(piece.text for piece in added) == text
    score = scored("one", sample(gold), Reading(text), words_only=measure == "words")
    if score.measure == measure:
        assert (counted(missed, measure), counted(added, measure)) == (score.missed, score.wrong)


@given(TEXTS, TEXTS)
def test_marks_are_the_words_that_the_score_counts(gold: str, text: str) -> None:
    """No letter is lost, and missed and wrong words are marked, no others."""
    check(gold, text, "words")


@given(WRITING, WRITING)
def test_marks_are_the_characters_that_the_score_counts(gold: str, text: str) -> None:
    """Where writing has no spaces."""
    check(gold, text, "characters")


def test_the_marked_word_is_the_one_in_the_wrong_place() -> None:
    """Of two words alike, the one that stands in the same run of words in both is not marked."""
    missed, added = marked("the ferry sails at noon", "Menu at home the ferry sails at noon")
    assert missed == [Piece("the ferry sails at noon", False)]
    assert added == [Piece("Menu at home", True), Piece(" ", False), Piece("the ferry sails at noon", False)]


def test_paragraphs_that_changed_places_are_not_marked() -> None:
    """The score does not care about order either."""
    missed, added = marked("one two three four\nfive six seven eight", "five six seven eight\none two three four")
    assert not any(piece.is_marked for piece in (*missed, *added))


def test_phrases_are_marked_where_they_stand() -> None:
    """The longest first; their signs mean nothing."""
    assert phrases_marked("Read more (here). End", ("Read more", "Read more (here)")) == [
        Piece("Read more (here)", True), Piece(". End", False),
    ]  # fmt: skip
    assert phrases_marked("", ("a",)) == []
