"""A checkup in words: a table with a line for each index page, and under it what fails and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import urlsplit

from corpusbot.checkup import FIELDS, Checkup, DeadRule, Finding
from corpusbot.report import reason_of
from corpusbot.sites import FieldRule
from corpusbot.sites.explain import source_text

HEAD = ("index", "answered", "links", "read", "documents", *FIELDS)
MOST_EXAMPLES = 3
LONGEST_NAME = 48


def told(result: Checkup) -> str:
    """The whole checkup: what works stands in the table, what does not under it."""
    fails = [line for finding in result.findings for line in _failing(finding)]
    fails += [_dead(dead) for dead in result.dead if dead.is_fault]
    notes = [line for finding in result.findings for line in _noted(finding)]
    notes += [_dead(dead) for dead in result.dead if not dead.is_fault]
    lines = [f"{result.site.name} ({result.site.id})", "", *_table(result.findings), ""]
    lines += ["What fails", *fails] if fails else ["All of it works."]
    lines += ["", "Worth a look", *notes] if notes else []
    return "\n".join(lines)


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    rows = [HEAD, *(_row(finding) for finding in findings)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    for name, *numbers in rows:
        yield "  ".join([name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])])


def _row(finding: Finding) -> tuple[str, ...]:
    documents = finding.documents
    filled = (_share(finding.filled[name], documents) for name in FIELDS)
    links = str(finding.links) if finding.follows and finding.answered else "-"
    return (_name(finding), "yes" if finding.answered else "NO", links, str(finding.read), str(documents), *filled)


def _share(filled: int, documents: int) -> str:
    """How many documents have the field; out of how many only where it is not all."""
    if not documents:
        return "-"
    return str(filled) if filled == documents else f"{filled} of {documents}"


def _name(finding: Finding) -> str:
    """The index's name; an address in its place is told without its host."""
    name = finding.name
    if name == finding.url:
        parts = urlsplit(name)
        name = f"{parts.path}?{parts.query}" if parts.query else parts.path or name
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _failing(finding: Finding) -> Iterator[str]:
    if finding.problem:
        yield f"  {_name(finding)}: {finding.problem}  ({finding.url})"
    for incident in islice(finding.failed, MOST_EXAMPLES):
        yield f"  {_name(finding)}: {reason_of(incident)}  {incident.url}"
    if len(finding.failed) > MOST_EXAMPLES:
        yield f"  {_name(finding)}: and {len(finding.failed) - MOST_EXAMPLES} more"


def _noted(finding: Finding) -> Iterator[str]:
    for cause, count in finding.left_out.most_common():
        yield f"  {_name(finding)}: {count} left out as {cause}"
    if finding.answered and finding.links and not finding.read and not finding.failed:
        yield f"  {_name(finding)}: its articles were read through other indexes"


def _dead(dead: DeadRule) -> str:
    rule = dead.rule
    sources = rule.sources if isinstance(rule, FieldRule) else (rule.source,)
    looked_for = " or ".join(source_text(source) for source in sources)
    instead = f"; {dead.instead} has it" if dead.instead else ""
    name = rule.to or "a style sheet"
    return f"  {rule.where}: {name} ({looked_for}) found nothing in {_documents(dead.tried)}{instead}"


def _documents(count: int) -> str:
    return "the only document" if count == 1 else f"any of {count} documents"
