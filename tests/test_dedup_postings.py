"""Postings: however they are spread over memory, table and segments, each is found, once."""

import threading
from collections import defaultdict
from contextlib import ExitStack, closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.dedup import merging, segments
from corpusbot.dedup.facts import Facts
from corpusbot.dedup.postings import Postings
from corpusbot.dedup.segments import Segment, SegmentError, stored_keys, written
from corpusbot.dedup.tables import opened

KEYS = [0, 1 << 16, 5 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sets(st.sampled_from(KEYS), max_size=4), st.integers(1, 3)),
        st.just(("write",)),
        st.just(("rest",)),
        st.just(("merge",)),
        st.just(("other process",)),
    ),
    max_size=20,
)


@pytest.fixture
def postings_in():
    """Opens the postings of an index, as another process each time; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda path: postings_at(stack, path)


def postings_at(stack, path):
    """The postings of an index, closed with the stack."""
    connection = stack.enter_context(closing(opened(path)))
    return stack.enter_context(closing(Postings(connection, path.parent / "segments")))


def facts_of(site):
    """Facts of a newspaper's document."""
    return Facts(site, 1, (4, 3, 2, 1), (1 << 64) - 1)


def keys_of(numbers):
    """Keys as grams are: sorted, each once."""
    return np.array(sorted(numbers), np.uint64)


def merge(postings):
    """Merge what should be, to the end."""
    postings.tend()
    while postings.finish():
        postings.adopt()
        postings.tend()


def found(postings):
    """All that is found of the keys there are, as (key, newspaper, document)."""
    keys = keys_of(KEYS)
    hits = postings.find(keys)
    stored = stored_keys(keys).tolist()
    listed = [(stored[place], site, document) for place, site, document in zip(*map(list, hits), strict=True)]
    assert len(listed) == len(set(listed))
    assert all(postings.facts_of(document) == facts_of(site) for _, site, document in listed)
    return set(listed)


@settings(deadline=None, max_examples=50)  # the time is the disk's
@given(acts=ACTS)
def test_what_was_added_is_found(acts, tmp_path_factory):
    """Whatever was written, made a segment or merged, and in whichever process."""
    path = tmp_path_factory.mktemp("index") / "d.sqlite"
    expected, unwritten = set(), defaultdict(set)
    with ExitStack() as stack:
        postings = postings_at(stack, path)
        for document, (act, *values) in enumerate(acts):
            if act == "add":
                numbers, site = values
                postings.add(keys_of(numbers), document, facts_of(site))
                unwritten[document] = {(key, site, document) for key in stored_keys(keys_of(numbers)).tolist()}
            elif act == "write":
                postings.write(list(unwritten))
                expected |= set().union(*unwritten.values())
                unwritten.clear()
            elif act == "rest":
                postings.rest()
            elif act == "merge":
                merge(postings)
            else:
                postings = postings_at(stack, path)
                unwritten.clear()
            assert found(postings) == expected.union(*unwritten.values())


def test_a_document_that_is_written_again_is_found_once(tmp_path, postings_in):
    """Its keys may be in two segments: it is one document all the same, with its newest facts."""
    postings = postings_in(tmp_path / "d.sqlite")
    for _ in range(2):
        postings.add(keys_of(KEYS), 7, facts_of(1))
        postings.write([7])
        postings.rest()
    assert len(found(postings)) == len({key >> 16 for key in KEYS})
    postings.add(keys_of(KEYS[:2]), 7, facts_of(1)._replace(step=2))
    assert postings.facts_of(7).step == 2


def rested(postings, documents, keys=20, seed=1):
    """The keys of so many documents, each in a segment of its own."""
    dice = np.random.default_rng(seed)
    held = [np.unique(dice.integers(0, 1 << 64, keys, np.uint64)) for _ in range(documents)]
    for document, keys in enumerate(held):
        postings.add(keys, document, facts_of(1))
        postings.write([document])
        postings.rest()
        postings.tend()
        postings.adopt()
    return held


def test_segments_are_merged(tmp_path, monkeypatch, postings_in):
    """However many there were, a handful are left, whole, also when they are merged piece by piece."""
    monkeypatch.setattr(segments, "MERGED_AT_ONCE", 50)
    postings = postings_in(tmp_path / "d.sqlite")
    held = rested(postings, 64)
    merge(postings)
    with closing(opened(tmp_path / "d.sqlite")) as connection:
        listed = connection.execute("SELECT file, postings FROM segments").fetchall()
    assert len(listed) < 12
    assert sum(number for _, number in listed) == 64 * 20
    for document, keys in enumerate(held):
        assert set(postings.find(keys).documents.tolist()) == {document}
    postings.clear()
    assert {path.name for path in (tmp_path / "segments").glob("*.[ps]*")} == {file for file, _ in listed}


def test_two_processes_do_not_merge_the_same(tmp_path, postings_in, monkeypatch):
    """While one merges the segments of a size, the other leaves them alone; what came too late is thrown away."""
    goes_on = threading.Event()
    monkeypatch.setattr(merging, "merged", lambda *given: goes_on.wait(10) and segments.merged(*given))
    one, other = (postings_in(tmp_path / "d.sqlite") for _ in range(2))
    rested(one, 4)
    other.tend()
    assert len(list((tmp_path / "segments").glob("*.lock"))) == 1
    assert not other.finish(0)
    with closing(opened(tmp_path / "d.sqlite")) as connection:
        connection.execute("DELETE FROM segments WHERE rowid = 1")  # as if a third had been quicker
    goes_on.set()
    assert one.finish()
    one.adopt()
    assert not list((tmp_path / "segments").glob("*.part"))
    with closing(opened(tmp_path / "d.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM segments").fetchone() == (3,)


def test_what_a_killed_process_was_merging_is_taken_away(tmp_path, postings_in):
    """A part that nobody holds is no use to anybody; the segments that it was made of are still there."""
    postings = postings_in(tmp_path / "d.sqlite")
    held = rested(postings, 3)
    left = tmp_path / "segments" / f"{(20).bit_length() // 2}-dead.part"
    left.write_bytes(b"half of a segment")
    rested(postings, 1, seed=2)
    merge(postings)
    assert not left.exists()
    assert set(postings.find(held[1]).documents.tolist()) == {1}


def test_errors_of_merging_are_raised(tmp_path, postings_in, monkeypatch):
    """A full disk is told at the next commit, and nothing is lost."""

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(merging, "merged", full)
    postings = postings_in(tmp_path / "d.sqlite")
    held = rested(postings, 3)
    postings.add(held[0], 9, facts_of(1))
    postings.write([9])
    postings.rest()
    postings.tend()
    assert postings.finish()
    with pytest.raises(OSError, match="No space left"):
        postings.adopt()
    assert not list((tmp_path / "segments").glob("*.part"))
    assert set(postings.find(held[0]).documents.tolist()) == {0, 9}


def test_a_crash_while_resting_loses_nothing(tmp_path, postings_in):
    """A segment that was written and not listed is no part of the index, and is cleared away."""
    with closing(opened(tmp_path / "d.sqlite")) as connection:
        postings = Postings(connection, tmp_path / "segments")
        postings.add(keys_of(KEYS), 7, facts_of(1))
        postings.write([7])
        connection.execute("BEGIN IMMEDIATE")
        postings.rest()
        connection.execute("ROLLBACK")
    again = postings_in(tmp_path / "d.sqlite")
    assert len(found(again)) == len({key >> 16 for key in KEYS})
    assert len(list((tmp_path / "segments").glob("*.segment"))) == 1
    again.clear()
    assert not list((tmp_path / "segments").glob("*.segment"))


def test_two_processes_see_each_other(tmp_path, postings_in):
    """What one writes the other finds, also when a third has made segments of it."""
    one, other, third = (postings_in(tmp_path / "d.sqlite") for _ in range(3))
    one.add(keys_of(KEYS[:2]), 1, facts_of(1))
    other.add(keys_of(KEYS[:2]), 2, facts_of(2))
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


@settings(deadline=None, max_examples=50)
@given(postings=st.lists(st.tuples(st.integers(0, (1 << 64) - 1), st.integers(0, 1 << 31)), min_size=1, max_size=200))
@pytest.mark.parametrize("most_mapped", [0, 1_000], ids=["read", "mapped"])
def test_however_one_looks(tmp_path_factory, most_mapped, postings):
    """Of small segments and large ones: the postings are those that were written."""
    path = tmp_path_factory.mktemp("segment") / "one.segment"
    keys, owners = stored_keys(np.array([key for key, _ in postings], np.uint64)), [owner for _, owner in postings]
    written(path, keys, np.array(owners, np.uint32))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "MOST_MAPPED", most_mapped)
        segment, wanted = Segment(path), np.unique(keys)
        expected = sorted(zip(np.searchsorted(wanted, keys).tolist(), owners, strict=True))
        places, documents = segment.find(wanted)
    assert sorted(zip(places.tolist(), documents.tolist(), strict=True)) == expected


@pytest.mark.parametrize("harm", [b"", b"something else, and long enough to be a head of it", None], ids=repr)
def test_what_is_no_segment_is_told(tmp_path, harm):
    """A file that was emptied, replaced or cut short is no segment."""
    path = tmp_path / "one.segment"
    written(path, keys_of(KEYS), np.zeros(len(KEYS), np.uint32))
    path.write_bytes(path.read_bytes()[:-1] if harm is None else harm)
    with pytest.raises(SegmentError, match=r"one\.segment: not a whole segment"):
        Segment(path)
