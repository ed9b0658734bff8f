"""What a reading came to, for people and as lines of JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from corpusbot.reextraction import Work
from corpusbot.reextraction_page import CHANGED, DROPPED, GAINED, LOST, UNCHANGED
from corpusbot.reextraction_plan import Finding
from corpusbot.store.documents.difference import KEPT, REMOVED, Difference, difference

LARGEST = 5
MOST_PARAGRAPHS = 4
WIDTH = 110
_MEANING = {
    UNCHANGED: "say what they said",
    CHANGED: "say something else",
    GAINED: "become documents only now",
    LOST: "would be documents no more; what is kept of them stays",
    DROPPED: "are no documents, as before",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """A reading in numbers: pages by outcome, changed fields, reasons, words added and removed by outcome."""

    site: str
    compared_with: str
    pages: int
    outcomes: dict[str, int]
    fields: dict[str, int]
    reasons: dict[str, dict[str, int]]
    words: dict[str, tuple[int, int]]


def summary_of(work: Work) -> Summary:
    """The numbers."""
    fields: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = {LOST: Counter(), DROPPED: Counter()}
    words: dict[str, tuple[int, int]] = {}
    outcomes: Counter[str] = Counter()
    for finding in work.plan.findings():
        outcomes[finding.outcome] += 1
        fields.update(finding.fields)
        if finding.outcome in reasons and finding.reason:
            reasons[finding.outcome][finding.reason.partition(":")[0]] += 1
        added, removed = words.get(finding.outcome, (0, 0))
        words[finding.outcome] = (added + finding.words_added, removed + finding.words_removed)
    return Summary(
        work.site.id, work.former.says, outcomes.total(), dict(outcomes), dict(fields.most_common()),
        {name: dict(counted.most_common()) for name, counted in reasons.items() if counted},
        {name: counted for name, counted in words.items() if any(counted)},
    )  # fmt: skip


def told(work: Work) -> str:
    """The summary, and the largest differences."""
    summary = summary_of(work)
    lines = [f"{summary.site}: {summary.pages:,} stored pages read again, beside {summary.compared_with}", ""]
    for outcome, meaning in _MEANING.items():
        number = summary.outcomes.get(outcome, 0)
        if number:
            added, removed = summary.words.get(outcome, (0, 0))
            words = f" (words: +{added:,} -{removed:,})" if added or removed else ""
            lines.append(f"  {number:>8,} {outcome:<10} {meaning}{words}")
    lines += [f"\nChanged fields: {_listed(summary.fields)}"] if summary.fields else []
    lines += [f"\n{name.title()}: {_listed(counted)}" for name, counted in summary.reasons.items()]
    largest = "outcome IN ('changed', 'gained', 'lost') ORDER BY words_added + words_removed DESC, number"
    shown = [line for finding in work.plan.findings(largest, LARGEST) for line in _shown(work, finding)]
    return "\n".join([*lines, *(["", "The largest differences", *shown] if shown else [])])


def _listed(counted: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counted.items())


def _shown(work: Work, finding: Finding) -> Iterator[str]:
    words = f"words: +{finding.words_added:,} -{finding.words_removed:,}"
    yield f"\n  {finding.outcome}  {finding.url}  ({words})"
    if finding.reason:
        yield f"    {finding.reason}"
    changes = _difference(work, finding)
    if changes is None:
        return
    for change in changes.fields:
        yield f"    {change.name}: {_short(change.old)} -> {_short(change.new)}"
    told = [change for change in changes.paragraphs if change.kind != KEPT]
    for change in told[:MOST_PARAGRAPHS]:
        sign, text = ("-", change.old) if change.kind == REMOVED else ("+", change.new)
        yield f"    {sign} {_short(text)}"
    if len(told) > MOST_PARAGRAPHS:
        yield f"    and {len(told) - MOST_PARAGRAPHS} more paragraphs"


def _short(text: str | None) -> str:
    return textwrap.shorten(text, WIDTH, placeholder=" …") if text else "nothing"


def _difference(work: Work, finding: Finding) -> Difference | None:
    """What changed in a document."""
    known = work.plan.known_of(finding.former_id) if finding.former_id else None
    former = work.former.get(known) if known else None
    if finding.outcome != CHANGED or former is None or finding.document is None:
        return None
    return difference(former, finding.document)


def as_json(work: Work) -> Iterator[str]:
    """The numbers, and then an object for each page that is not what it was."""
    summary = summary_of(work)
    yield json.dumps(
        {
            "site": summary.site, "compared_with": summary.compared_with, "pages": summary.pages,
            "outcomes": summary.outcomes, "fields": summary.fields, "reasons": summary.reasons,
            "words": {name: {"added": one, "removed": other} for name, (one, other) in summary.words.items()},
        },
        ensure_ascii=False,
    )  # fmt: skip
    for finding in work.plan.findings("outcome <> 'unchanged' ORDER BY number"):
        changes = _difference(work, finding)
        yield json.dumps(
            {
                "url": finding.url, "outcome": finding.outcome, "reason": finding.reason,
                "id": finding.document.id if finding.document else finding.former_id,
                "words_added": finding.words_added, "words_removed": finding.words_removed,
                "fields": {change.name: [change.old, change.new] for change in changes.fields} if changes else {},
                "paragraphs": [
                    [change.kind, change.old, change.new] for change in changes.paragraphs if change.kind != KEPT
                ] if changes else [],
            },
            ensure_ascii=False,
        )  # fmt: skip
