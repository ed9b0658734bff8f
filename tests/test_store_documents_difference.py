"""What changed between two readings of a document."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from corpusbot.store.documents.difference import ADDED, KEPT, REMOVED, Change, difference, words
from tests.test_store_documents import document

TEXTS = st.lists(st.sampled_from(["pan", "sube", "baja", " ", "\n", ",", ".", "¿"])).map("".join)
BODIES = st.lists(st.lists(st.sampled_from(["el", "pan", "sube", "hoy"]), min_size=1).map(" ".join), min_size=1)


@given(TEXTS, TEXTS)
def test_both_texts_are_in_the_pieces(old: str, new: str) -> None:
    """What is kept and gone is the one text, what is kept and new the other."""
    pieces = words(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != ADDED) == old
    assert "".join(piece.text for piece in pieces if piece.kind != REMOVED) == new


@given(BODIES, BODIES)
def test_both_bodies_are_in_the_paragraphs(old: list[str], new: list[str]) -> None:
    """Every paragraph of either body stands in its order."""
    found = difference(document(body="\n".join(old)), document(body="\n".join(new))).paragraphs
    assert [change.old for change in found if change.old is not None] == old
    assert [change.new for change in found if change.new is not None] == new


def test_nothing_changed() -> None:
    """Two equal readings differ in nothing."""
    found = difference(document(), document())
    assert (found.fields, found.words_added, found.words_removed) == ((), 0, 0)
    assert [change.kind for change in found.paragraphs] == [KEPT]


def test_a_rewritten_paragraph_stands_beside_its_former_self() -> None:
    """Between two that are kept, the rewritten one is told from the new one."""
    old = "Uno.\nEl pan sube hoy en toda la ciudad.\nFin."
    new = "Uno.\nHabla el alcalde.\nEl pan sube mañana en toda la ciudad.\nFin."
    kinds = [change.kind for change in difference(document(body=old), document(body=new)).paragraphs]
    assert kinds == ["kept", "added", "changed", "kept"]


def test_fields_beside_the_text() -> None:
    """A field that came, one that went and one that is another."""
    found = difference(document(title="Uno"), document(title="Dos"))
    assert found.fields == (Change("title", "Uno", "Dos", words("Uno", "Dos")),)


def test_long_texts_are_compared_in_time() -> None:
    """A single paragraph of ten thousand words, half of them others, takes no more than seconds."""
    old = " ".join(f"palabra{number % 700}" for number in range(10_000))
    new = " ".join(f"palabra{number % 900}" for number in range(10_000))
    started = time.process_time()
    assert difference(document(body=old), document(body=new)).words_added
    assert time.process_time() - started < 10
