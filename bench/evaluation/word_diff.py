"""Which words of two texts are not in both: as many as the score counts, marked where they stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from bench.evaluation.scores import LETTER, WORD, Measure

RUN = 3  # so many words alike in a row are taken for the same place in both texts
LOOKED_AT = 50  # places of a run; what is said a thousand times need not be told apart


class Piece(NamedTuple):
    """A stretch of a text, and whether its words are missing from the other."""

    text: str
    is_marked: bool


def marked(gold: str, text: str, measure: Measure = "words") -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces: what the gold alone has, what the text alone has.

    Words are paired where the same run of words stands in both, wherever that is; those left over are paired one
    by one. So the marked words are exactly the missed and the wrong ones of the score.
    """
    token = LETTER if measure == "characters" else WORD
    places = [list(token.finditer(each)) for each in (gold, text)]
    words = [[place[0].lower() for place in found] for found in places]
    pairs = _paired(words[0], words[1])
    taken = set(pairs.values()), set(pairs)
    return _pieces(gold, places[0], taken[0]), _pieces(text, places[1], taken[1])


def _paired(gold: Sequence[str], text: Sequence[str]) -> dict[int, int]:
    """For each word of the text that is in the gold, its place there."""
    starts: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(gold) - RUN + 1):
        starts[tuple(gold[place : place + RUN])].append(place)
    found: dict[int, int] = {}
    used: set[int] = set()
    here = expected = 0
    while here < len(text):
        start = _place(starts.get(tuple(text[here : here + RUN]), ()), used, expected)
        if start is None:
            here += 1
            continue
        place = start
        while here < len(text) and place < len(gold) and place not in used and text[here] == gold[place]:
            found[here] = place
            used.add(place)
            here, place = here + 1, place + 1
        expected = place
    return found | dict(_left_over(gold, text, found, used))


def _place(places: Sequence[int], used: set[int], expected: int) -> int | None:
    """The first place that is free from where the last run ended, or else the first that is free before it."""
    after = bisect_left(places, expected)
    near = chain(range(after, len(places)), range(after))
    return next((places[number] for number in islice(near, LOOKED_AT) if places[number] not in used), None)


def _left_over(
    gold: Sequence[str], text: Sequence[str], found: dict[int, int], used: set[int]
) -> Iterator[tuple[int, int]]:
    waiting: dict[str, list[int]] = defaultdict(list)
    for place in range(len(gold) - 1, -1, -1):
        if place not in used:
            waiting[gold[place]].append(place)
    for here, word in enumerate(text):
        if here not in found and waiting.get(word):
            yield here, waiting[word].pop()


def _pieces(text: str, places: Sequence[re.Match[str]], taken: set[int]) -> list[Piece]:
    """The text cut where marking begins and ends; what stands between two marked words is marked with them."""
    found: list[Piece] = []
    end = 0
    number = 0
    while number < len(places):
        first = number
        is_marked = number not in taken
        while number < len(places) and (number not in taken) == is_marked:
            number += 1
        start, stop = places[first].start(), places[number - 1].end()
        if start > end:
            found.append(Piece(text[end:start], False))
        found.append(Piece(text[start:stop], is_marked))
        end = stop
    return [*found, Piece(text[end:], False)] if end < len(text) else found


def phrases_marked(text: str, phrases: Sequence[str]) -> list[Piece]:
    """A text in pieces: the phrases, wherever they stand, and the rest."""
    there = [re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True) if phrase]
    if not there:
        return [Piece(text, False)] if text else []
    parts = re.split(f"({'|'.join(there)})", text)
    return [Piece(part, number % 2 == 1) for number, part in enumerate(parts) if part]


