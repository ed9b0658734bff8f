"""Search by simhash alone: whatever the width and the distance, all that are near are found."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.dedup import simhash_table as module
from corpusbot.dedup.simhash import distance, simhash
from corpusbot.dedup.simhash_table import SimhashTable


@pytest.mark.parametrize("new", [0, 10_000], ids=["in order", "new"])
@pytest.mark.parametrize(("bits", "most"), [(8, 1), (64, 3), (64, 0), (70, 5), (128, 6), (384, 12)])
def test_all_that_are_near_are_found(bits, most, new, monkeypatch):
    """As a comparison with every one finds them, before and after the orders were made."""
    monkeypatch.setattr(module, "FEWEST_NEW", new)
    dice = random.Random(bits)
    listed = [dice.getrandbits(bits) for _ in range(500)]
    listed += [one ^ sum(1 << bit for bit in dice.sample(range(bits), most + place % 2)) for place, one in
               enumerate(listed[:200])]
    table = SimhashTable(bits, most)
    for place in range(0, len(listed), 70):
        table.add(listed[place : place + 70])
    for one in listed[::7]:
        expected = [(n, distance(one, other)) for n, other in enumerate(listed) if distance(one, other) <= most]
        assert list(table.find(one)) == expected


@given(st.lists(st.integers(0, 255), max_size=40), st.integers(0, 7))
def test_any_numbers(numbers, most):
    """However many are the same."""
    table = SimhashTable(8, most)
    table.add(numbers)
    assert [place for place, _ in table.find(0)] == [n for n, one in enumerate(numbers) if one.bit_count() <= most]


def test_texts_are_found_by_their_simhashes():
    """The way from text to text: an edited one is found, another one is not."""
    words = [f"palabra{number}" for number in range(300)]
    table = SimhashTable(128, 12)
    table.add([simhash(" ".join(words), 128), simhash(" ".join(reversed(words)), 128)])
    assert [place for place, _ in table.find(simhash(" ".join([*words[:150], "otra", *words[151:]]), 128))] == [0]


def test_size():
    """A fingerprint of 64 bits takes no more than 37 bytes, at a distance of 3."""
    table = SimhashTable()
    table.add_rows(np.random.default_rng(1).integers(0, 1 << 64, 1_000_000, np.uint64))
    assert len(table) == 1_000_000
    assert table.nbytes < 37 * len(table)


@pytest.mark.parametrize(("bits", "most"), [(0, 0), (513, 3), (64, 64), (64, -1)])
def test_what_is_refused(bits, most):
    """The error says what would work."""
    with pytest.raises(ValueError, match="a number from"):
        SimhashTable(bits, most)
