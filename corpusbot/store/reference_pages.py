"""Which pages of a newspaper its other pages are packed by: a few that have little in common, so that all are like one.

The first is one of usual length; then, time after time, the one of a sample that those chosen pack worst.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpusbot.store.members import RecordFile
from corpusbot.store.zstd import size_by

# Tuned on bench/store.py: five pages chosen so save nearly as much as all others, three 40% more than any three; a
# file of which nothing is in memory yet is read some ms later for every million bytes.
LARGEST = 2_000_000
SHARE = 0.05  # of a file's unpacked pages: a small file's own pages would not repay a large dictionary
SAMPLE = 96


def reference_pages(file: RecordFile, places: Sequence[tuple[int, int]]) -> list[bytes]:
    """The chosen ones of the records that stand at these places, the most usual last, where it is cheapest to name."""
    sample = [member.data for offset, _ in _spread(places) if (member := file.read(offset))]
    if not sample:
        return []
    return chosen_pages(sample, min(LARGEST, SHARE * len(places) * sum(map(len, sample)) / len(sample)))


def chosen_pages(sample: Sequence[bytes], room: float, most: int = SAMPLE) -> list[bytes]:
    """As many of these as there is room for."""
    chosen: list[bytes] = []
    rest = sorted(sample, key=len)
    candidate: bytes | None = rest.pop(len(rest) // 2)
    while candidate is not None and len(chosen) < most and sum(map(len, chosen)) + len(candidate) <= room:
        chosen.insert(0, candidate)
        sizes = size_by(chosen, rest)
        candidate = rest.pop(sizes.index(max(sizes))) if rest else None
    return chosen


def _spread(places: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """A sample over the whole length of a file."""
    step = max(1, len(places) // SAMPLE)
    return places[::step][:SAMPLE]
