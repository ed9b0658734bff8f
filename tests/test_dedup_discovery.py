"""All near-duplicates among documents: in whatever order they come, and whatever else their newspapers print."""

import random

import pytest

from corpusbot.dedup.discovery import near_duplicates

WORDS = [f"palabra{number}" for number in range(3_000)]


def text_of(seed, words=200):
    """A text that shares no run of words with others."""
    return " ".join(random.Random(seed).choices(WORDS, k=words))


ONE, OTHER = text_of(1), text_of(2)
DOCUMENTS = [
    ("original", ONE, "gaceta"),
    ("copy", ONE.upper(), "eco"),
    ("cut", " ".join(ONE.split()[:60]), "diario"),
    ("longer", f"{text_of(3, 100)} {ONE}", "eco"),
    ("other", OTHER, "gaceta"),
    ("empty", "", "gaceta"),
    ("empty too", "", "eco"),
]


def joined(documents):
    """The pairs of names that are found."""
    return {frozenset((pair.one, pair.other)): pair for pair in near_duplicates(documents)}


def test_what_is_found():
    """Copies, parts and what holds them, with how much is shared; nothing else."""
    found = joined(DOCUMENTS)
    names = ("original", "copy", "cut", "longer")
    assert set(found) == {frozenset((a, b)) for a in names for b in names if a < b}
    assert found[frozenset(("original", "copy"))].kind == "exact"
    assert found[frozenset(("original", "cut"))].kind == "near"
    assert all(pair.similarity > 0.95 for pair in found.values())


@pytest.mark.parametrize("seed", range(5))
def test_the_order_does_not_matter(seed):
    """The same pairs, as alike, whatever comes first."""
    shuffled = random.Random(seed).sample(DOCUMENTS, len(DOCUMENTS))
    expected = {names: pair.similarity for names, pair in joined(DOCUMENTS).items()}
    assert {names: pair.similarity for names, pair in joined(shuffled).items()} == expected


def test_boilerplate_joins_nothing():
    """What every page of a newspaper holds makes none of them alike, and hides no copy in another newspaper."""
    menu = text_of(9, 400)
    pages = [(f"page{number}", f"{menu} {text_of(100 + number)}", "gaceta") for number in range(6)]
    copy = ("copy", text_of(103), "eco")
    assert set(joined([*pages, copy])) == {frozenset(("page3", "copy"))}


def test_versions_of_a_text_are_no_boilerplate():
    """A newspaper that prints a text again and again: all are joined, and with the copy elsewhere."""
    versions = [(f"version{number}", f"{ONE} {text_of(50 + number, 10)}", "gaceta") for number in range(5)]
    found = joined([*versions, ("copy", ONE, "eco")])
    assert len(found) == 15
