"""Clusters, syndication and boilerplate as tables for people, and as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from corpusbot.dedup.clusters import Cluster, Syndication
from corpusbot.dedup.discovery import Recurring
from corpusbot.dedup.streamed import Differences

Phrases = Mapping[str, Sequence[tuple[str, int]]]


def clusters_as_text(found: Sequence[Cluster], differ: Differences) -> Iterator[str]:
    """Each cluster with its members, then how many there are and where the streaming stage decided otherwise."""
    for cluster in found:
        yield f"{cluster.id}: {len(cluster.members)} documents"
        for member in cluster.members:
            how = "first" if member.id == cluster.id else f"{member.similarity:.0%}"
            when = f"{member.dated:%Y-%m-%d %H:%M}" if member.id == cluster.id else f"+{duration(member.delay)}"
            yield f"  {how:>5}  {when:<16}  {member.site:<16}  {member.url}"
        yield ""
    members = sum(len(cluster.members) for cluster in found)
    yield f"{differ.articles:,} articles, {members:,} of them in {len(found):,} clusters."
    yield (
        f"One at a time, {differ.repeats:,} were taken for duplicates. Judged otherwise than here: {differ.share:.2%} "
        f"({differ.joined:,} joined that are none, {differ.missed:,} not seen to be duplicates)."
    )


def clusters_as_json(found: Iterable[Cluster], differ: Differences) -> Iterator[str]:
    """An object for each cluster, and a last one about the streaming stage."""
    for cluster in found:
        members = [{**asdict(member), "dated": member.dated.isoformat()} for member in cluster.members]
        yield _line({"cluster": cluster.id, "members": [_rounded(member) for member in members]})
    yield _line({"streaming": {**asdict(differ), "share": round(differ.share, 4)}})


def syndication_as_text(rows: Sequence[Syndication]) -> Iterator[str]:
    """Who printed whose texts, how often, how late."""
    if not rows:
        yield "No newspaper printed another's text."
        return
    yield f"{'printed by':<20}  {'first in':<20}  {'texts':>7}  median delay"
    for row in rows:
        yield f"{row.printed_by:<20}  {row.first:<20}  {row.texts:>7,}  {duration(row.delay)}"


def syndication_as_json(rows: Iterable[Syndication]) -> Iterator[str]:
    """An object for each two newspapers; the delay in seconds."""
    for row in rows:
        yield _line(asdict(row))


def boilerplate_as_text(rows: Sequence[Recurring], phrases: Phrases) -> Iterator[str]:
    """What is left out of each newspaper's texts, with examples."""
    yield f"{'newspaper':<20}  {'articles':>9}  {'runs of words':>13}  share of its texts"
    for row in rows:
        yield f"{row.site:<20}  {row.documents:>9,}  {row.keys:>13,}  {row.share:.1%}"
        for phrase, number in phrases.get(row.site, ()):
            yield f"    in {number}: {_short(phrase)}"


def boilerplate_as_json(rows: Iterable[Recurring], phrases: Phrases) -> Iterator[str]:
    """An object for each newspaper."""
    for row in rows:
        examples = [{"text": text, "documents": number} for text, number in phrases.get(row.site, ())]
        yield _line({**asdict(row), "share": round(row.share, 4), "examples": examples})


def duration(seconds: float) -> str:
    """A time in its greatest unit.

    >>> [duration(12), duration(600), duration(5400), duration(260_000)]
    ['12 s', '10 min', '1.5 h', '3.0 days']
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 86_400 else f"{seconds / 86_400:.1f} days"


def _short(phrase: str, most: int = 90) -> str:
    return phrase if len(phrase) <= most else f"{phrase[:most]}…"


def _rounded(member: dict[str, object]) -> dict[str, object]:
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in member.items()}


def _line(values: Mapping[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False)
