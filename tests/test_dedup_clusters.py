"""Clusters: the same for the same documents in any order, however many; who was first, who printed it again."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from corpusbot.dedup import fingerprint
from corpusbot.dedup.clusters import Clusters, clusters, syndication
from corpusbot.dedup.entry import Entry
from corpusbot.dedup.phrases import common_phrases
from corpusbot.dedup.repeats import Repeat
from corpusbot.dedup.streamed import differences

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
WORDS = [f"palabra{number}" for number in range(3_000)]


def text_of(seed, words=150):
    """A text that shares no run of words with others."""
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def entry(name, text, site="gaceta", hours=0):
    """A document, printed so many hours after noon."""
    url = f"https://{site}.example/{name}"
    return Entry(name, site, url, url, fingerprint(text), NOON + timedelta(hours=hours), NOON)


REPORT = text_of(1)
ENTRIES = [
    entry("copy", "Agencias. " + REPORT, "eco", hours=3),
    entry("late", REPORT + " fin", "diario", hours=9),
    entry("first", REPORT),
    entry("other", text_of(2)),
    entry("short", "Mañana, cerrado por la fiesta", "eco"),
    entry("short too", "Mañana: cerrado por la fiesta", "diario", hours=1),
    *(entry(f"plain{number}", text_of(10 + number), "eco") for number in range(5)),
]


def test_what_a_cluster_tells():
    """The first document names it; each other one has its similarity and its delay."""
    first, second = clusters(ENTRIES)
    assert [(member.id, member.site, member.delay / 3600) for member in first.members] == [
        ("first", "gaceta", 0), ("copy", "eco", 3), ("late", "diario", 9),
    ]  # fmt: skip
    assert all(0.9 < member.similarity <= 1 for member in first.members)
    assert [member.id for member in second.members] == ["short", "short too"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("in_memory", [True, False])
def test_neither_order_nor_number_matters(monkeypatch, seed, in_memory):
    """The same clusters whatever comes first, and also if next to nothing fits into memory."""
    expected = list(clusters(ENTRIES))
    if not in_memory:
        monkeypatch.setattr("corpusbot.dedup.spill.MOST_IN_MEMORY", 50)
    assert list(clusters(random.Random(seed).sample(ENTRIES, len(ENTRIES)))) == expected


def test_syndication():
    """Of each cluster every other newspaper counts once, by its first copy."""
    again = entry("again", REPORT + " y más", "eco", hours=5)
    rows = syndication(clusters([*ENTRIES, again]))
    assert [(row.first, row.printed_by, row.texts, row.delay) for row in rows] == [
        ("eco", "diario", 1, 3600), ("gaceta", "diario", 1, 9 * 3600), ("gaceta", "eco", 1, 3 * 3600),
    ]  # fmt: skip


def test_boilerplate_is_counted():
    """How many runs of words recur in a newspaper, and what share of its texts that is."""
    menu = text_of(9, 60)
    compared = Clusters(entry(f"page{number}", f"{menu} {text_of(50 + number, 60)}") for number in range(12))
    (row,) = compared.recurring
    assert compared.found == []
    assert (row.site, row.documents, row.keys) == ("gaceta", 12, 56)
    assert row.share == pytest.approx(56 / 116)


def test_where_the_streaming_stage_differed():
    """What it joined and should not have, what it did not join and should have."""
    found = list(clusters(ENTRIES))
    by_id = {one.id: one for one in ENTRIES}

    def noted(name, first):
        return Repeat(by_id[name], "near_duplicate", first, by_id[first].site, 0.9, False, NOON)

    right = [noted("copy", "first"), noted("late", "first"), noted("short too", "short")]
    assert differences(11, found, right).share == 0
    differ = differences(11, found, [right[0], noted("plain1", "plain2"), right[2]])
    assert (differ.repeats, differ.joined, differ.missed) == (3, 1, 1)
    assert differ.share == pytest.approx(2 / 11)


def test_common_phrases():
    """The longest run that most texts have comes once, not its parts; a text printed again is no phrase."""
    texts = [f"{text_of(number, 40)} Suscríbete para leer esta noticia hasta el final" for number in range(5)]
    assert common_phrases(texts) == [("Suscríbete para leer esta noticia hasta el final", 5)]
    assert common_phrases([REPORT] * 4) == []
