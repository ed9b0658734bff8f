"""Verifications as a table for people, and as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from corpusbot.verification import Check, Verification

HEAD = ("site", "check", "looked at", "wrong")


def told(results: Sequence[Verification]) -> str:
    """A line for each check, and under the table what is wrong, with its cure."""
    checks = [check for result in results for check in result.checks]
    lines = [*_table(checks)]
    lines += [f"\n{line}" for result in results for line in result.made_anew]
    wrong = [check for check in checks if check.wrong]
    for check in wrong:
        lines += ["", *_failing(check)]
    notes = [f"{check.site}, {check.name}: {check.note}" for check in checks if check.note]
    lines += ["", "Worth knowing", *notes] if notes else []
    lines += ["", "All of it holds." if not wrong else f"{len(wrong)} of {len(checks)} checks fail."]
    return "\n".join(lines)


def as_json(result: Verification) -> Iterator[str]:
    """An object for each check, as lines."""
    for check in result.checks:
        found = {
            "site": check.site, "check": check.name, "says": check.question.says, "looked_at": check.looked_at,
            "wrong": check.wrong, "examples": check.examples, "cure": check.cure if check.wrong else None,
            "note": check.note or None,
        }  # fmt: skip
        yield json.dumps(found, ensure_ascii=False)
    for line in result.made_anew:
        yield json.dumps({"site": result.site, "made_anew": line}, ensure_ascii=False)


def _table(checks: Sequence[Check]) -> Iterator[str]:
    rows = [HEAD, *((check.site, check.name, f"{check.looked_at:,}", f"{check.wrong:,}") for check in checks)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    for row in rows:
        yield "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )


def _failing(check: Check) -> Iterator[str]:
    yield f"{check.site}, {check.name}: {check.wrong:,} wrong. It should be: {check.question.says}"
    yield from (f"  {example}" for example in check.examples)
    if check.wrong > len(check.examples):
        yield f"  and {check.wrong - len(check.examples):,} more"
    yield f"  What to do: {check.cure}"
