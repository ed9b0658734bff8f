"""Where the streaming stage, which saw one document at a time, decided otherwise than a look at all together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corpusbot.dedup.clusters import Cluster
from corpusbot.dedup.repeats import Repeat


@dataclass(frozen=True, slots=True)
class Differences:
    """How many articles the streaming stage judged otherwise.

    `joined` were taken for duplicates and are none, mostly of a newspaper whose boilerplate was not known yet;
    `missed` are duplicates, and were taken for new.
    """

    articles: int
    repeats: int
    joined: int
    missed: int

    @property
    def share(self) -> float:
        """The share of all articles."""
        return (self.joined + self.missed) / self.articles if self.articles else 0.0


def differences(articles: int, found: Iterable[Cluster], repeats: Iterable[Repeat]) -> Differences:
    """What clusters say, beside what was decided when each of the articles came."""
    noted = {
        repeat.entry.id: repeat.first
        for repeat in repeats
        if repeat.kind != "same_page" and repeat.first != repeat.entry.id
    }
    cluster_of = {member.id: cluster.id for cluster in found for member in cluster.members}
    joined = sum(cluster_of.get(id) is None or cluster_of[id] != cluster_of.get(first) for id, first in noted.items())
    new: dict[str, int] = {}
    for id, cluster in cluster_of.items():
        new[cluster] = new.get(cluster, 0) + (id not in noted)
    missed = sum(max(0, number - 1) for number in new.values())
    return Differences(articles, len(noted), joined, missed)
