"""Postings: however they are spread over memory, table and segments, each is found, once."""

from collections import defaultdict
from contextlib import ExitStack, closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.dedup import postings as module
from corpusbot.dedup.postings import Postings, stored_keys
from corpusbot.dedup.tables import opened

KEYS = [0, 1 << 16, 5 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sets(st.sampled_from(KEYS), max_size=4), st.integers(1, 3)),
        st.just(("write",)),
        st.just(("rest",)),
        st.just(("other process",)),
    ),
    max_size=20,
)


@pytest.fixture
def postings_in():
    """Opens the postings of an index, as another process each time; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda path: Postings(stack.enter_context(closing(opened(path))), path.parent / "segments")


def keys_of(numbers):
    """Keys as grams are: sorted, each once."""
    return np.array(sorted(numbers), np.uint64)


def found(postings):
    """All that is found of the keys there are, as (key, newspaper, document)."""
    keys = keys_of(KEYS)
    hits = postings.find(keys)
    stored = stored_keys(keys).tolist()
    listed = [(stored[place], site, document) for place, site, document in zip(*map(list, hits), strict=True)]
    assert len(listed) == len(set(listed))
    return set(listed)


@settings(deadline=None)  # the time is the disk's
@given(acts=ACTS)
def test_what_was_added_is_found(acts, tmp_path_factory):
    """Whatever was written, made a segment or merged, and in whichever process."""
    path = tmp_path_factory.mktemp("index") / "d.sqlite"
    expected, unwritten = set(), defaultdict(set)
    with ExitStack() as stack:
        postings = Postings(stack.enter_context(closing(opened(path))), path.parent)
        for document, (act, *values) in enumerate(acts):
            if act == "add":
                numbers, site = values
                postings.add(keys_of(numbers), site, document)
                unwritten[document] = {(key, site, document) for key in stored_keys(keys_of(numbers)).tolist()}
            elif act == "write":
                postings.write(list(unwritten))
                expected |= set().union(*unwritten.values())
                unwritten.clear()
            elif act == "rest":
                postings.rest()
            else:
                postings = Postings(stack.enter_context(closing(opened(path))), path.parent)
                unwritten.clear()
            assert found(postings) == expected.union(*unwritten.values())


def test_segments_are_merged(tmp_path, monkeypatch, postings_in):
    """However many there were, a handful are left, whole, also when they are merged piece by piece."""
    monkeypatch.setattr(module, "MERGED_AT_ONCE", 50)
    postings = postings_in(tmp_path / "d.sqlite")
    dice = np.random.default_rng(1)
    held = [np.unique(dice.integers(0, 1 << 64, 20, np.uint64)) for _ in range(64)]
    for document, keys in enumerate(held):
        postings.add(keys, 1, document)
        postings.write([document])
        postings.rest()
    with closing(opened(tmp_path / "d.sqlite")) as connection:
        listed = connection.execute("SELECT file, postings FROM segments").fetchall()
    assert len(listed) < 8
    assert sum(number for _, number in listed) == 64 * 20
    for document, keys in enumerate(held):
        assert set(postings.find(keys).documents.tolist()) == {document}
    postings.clear()
    assert {path.name for path in (tmp_path / "segments").iterdir()} == {file for file, _ in listed}


def test_a_crash_while_resting_loses_nothing(tmp_path, postings_in):
    """A segment that was written and not listed is no part of the index, and is cleared away."""
    with closing(opened(tmp_path / "d.sqlite")) as connection:
        postings = Postings(connection, tmp_path / "segments")
        postings.add(keys_of(KEYS), 1, 7)
        postings.write([7])
        connection.execute("BEGIN IMMEDIATE")
        postings.rest()
        connection.execute("ROLLBACK")
    again = postings_in(tmp_path / "d.sqlite")
    assert len(found(again)) == len({key >> 16 for key in KEYS})
    assert len(list((tmp_path / "segments").iterdir())) == 1
    again.clear()
    assert not list((tmp_path / "segments").iterdir())


def test_two_processes_see_each_other(tmp_path, postings_in):
    """What one writes the other finds, also when a third has made segments of it."""
    one, other, third = (postings_in(tmp_path / "d.sqlite") for _ in range(3))
    one.add(keys_of(KEYS[:2]), 1, 1)
    other.add(keys_of(KEYS[:2]), 2, 2)
    assert {document for _, _, document in found(other)} == {2}
    one.write([1])
    assert {document for _, _, document in found(other)} == {1, 2}
    third.rest()
    other.write([2])
    assert {document for _, _, document in found(one)} == {1, 2}


@pytest.mark.parametrize("number", [0, 1])
def test_nothing_is_found_where_nothing_is(tmp_path, number, postings_in):
    """An empty index, and a text without keys."""
    postings = postings_in(tmp_path / "d.sqlite")
    assert postings.find(keys_of(KEYS[:number])).documents.tolist() == []
