"""Clusters: all documents of a corpus that are one text, who printed it first, and who again, and how late."""

from __future__ import annotations

import json
import statistics
import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from corpusbot.dedup.discovery import Discovery, Recurring, Tell
from corpusbot.dedup.entry import Entry
from corpusbot.dedup.groups import Groups
from corpusbot.dedup.search import USUAL, Search


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a cluster: how much of the shorter text it shares with the first one, and how much later it came.

    What is no near-duplicate of the first is one of another member's; that similarity is given then.
    """

    id: str
    site: str
    url: str
    dated: datetime
    similarity: float
    delay: float  # seconds


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents that are one text, the first of them first; the cluster has its id."""

    members: tuple[Member, ...]

    @property
    def id(self) -> str:
        """The id of the first document."""
        return self.members[0].id


@dataclass(frozen=True, slots=True)
class Syndication:
    """How often a newspaper printed what another one had printed first, and the median delay in seconds."""

    first: str
    printed_by: str
    texts: int
    delay: float


class Clusters:
    """The clusters of documents; they are the same in whatever order the documents are given."""

    def __init__(
        self,
        entries: Iterable[Entry],
        search: Search = USUAL,
        tell: Tell = lambda what, number: None,
    ) -> None:
        self.number = 0
        with _Cards() as cards, Discovery(search, tell) as discovery:
            for entry in entries:
                cards.add(entry)
                discovery.add(entry.fingerprint, entry.site)
                self.number += 1
            similarities: dict[tuple[int, int], float] = {}
            groups = Groups(self.number)
            for one, other, similarity in discovery.pairs():
                similarities[one, other] = similarity
                groups.join_two(one, other)
            self.found = sorted(_clusters(groups, similarities, cards), key=lambda one: one.id)
            self.recurring: list[Recurring] = discovery.recurring()


def clusters(entries: Iterable[Entry], search: Search = USUAL) -> Iterator[Cluster]:
    """All clusters of more than one document, by their ids."""
    yield from Clusters(entries, search).found


def syndication(found: Iterable[Cluster]) -> list[Syndication]:
    """Who printed whose texts: of each cluster, every other newspaper counts once, by its first copy."""
    delays: dict[tuple[str, str], list[float]] = defaultdict(list)
    for cluster in found:
        first, *others = cluster.members
        seen = {first.site}
        for member in others:
            if member.site not in seen:
                seen.add(member.site)
                delays[first.site, member.site].append(member.delay)
    table = [Syndication(*names, len(late), statistics.median(late)) for names, late in delays.items()]
    return sorted(table, key=lambda row: (-row.texts, row.first, row.printed_by))


class _Cards:
    """What is to be told of each document, in a file: it is read again for those in clusters only."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+b", prefix="corpusbot-")  # noqa: SIM115 - closed by __exit__
        self._begins = array("Q")
        self._end = 0

    def add(self, entry: Entry) -> None:
        """One document more."""
        line = json.dumps([entry.id, entry.site, entry.url, entry.dated.isoformat()]).encode() + b"\n"
        self._begins.append(self._end)
        self._end += len(line)
        self._file.write(line)

    def __getitem__(self, place: int) -> tuple[str, str, str, datetime]:
        self._file.seek(self._begins[place])
        id, site, url, dated = json.loads(self._file.readline())
        return id, site, url, datetime.fromisoformat(dated).astimezone(UTC)

    def __enter__(self) -> _Cards:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _clusters(groups: Groups, similarities: dict[tuple[int, int], float], cards: _Cards) -> Iterator[Cluster]:
    joined = sorted({place for pair in similarities for place in pair})
    members: dict[int, list[int]] = defaultdict(list)
    best: dict[int, float] = defaultdict(float)
    for place in joined:
        members[groups.of(place)].append(place)
    for (one, other), similarity in similarities.items():
        best[one], best[other] = max(best[one], similarity), max(best[other], similarity)
    for places in members.values():
        told = {place: cards[place] for place in places}
        places.sort(key=lambda place: (told[place][3], told[place][0]))
        first, start = places[0], told[places[0]][3]
        yield Cluster(
            tuple(
                Member(
                    *told[place],
                    1.0 if place == first else similarities.get((min(first, place), max(first, place)), best[place]),
                    (told[place][3] - start).total_seconds(),
                )
                for place in places
            )
        )
