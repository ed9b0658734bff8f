"""A site file against its live site: a small crawl into a folder that is thrown away, and what it shows."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpusbot.sites import SiteConfig, load_site
from corpusbot.store.frontier import Incident, Runs

_FIELDS = ("title", "authors", "published", "section", "lead", "text")


@dataclass(slots=True)
class Finding:
    """What the small crawl found out about one index page, feed or sitemap."""

    name: str
    url: str
    answered: bool = False
    problem: str = ""
    asked: int = 0
    documents: int = 0
    filled: Counter[str] = field(default_factory=Counter)
    by_rule: Counter[str] = field(default_factory=Counter)

    @property
    def sound(self) -> bool:
        """Whether it answered, led to articles and every one became a document with title and text."""
        return self.answered and 0 < self.documents == self.filled["title"] == self.filled["text"]


def checkup(name: str, sample: int) -> int:
    """Check a site file and print what was found; 0 if all of it works."""
    site = load_site(name)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "checkup.jsonl"
        settings = ["-s", f"CORPUSBOT_DATA={folder}", "-s", "LOG_LEVEL=WARNING", "-O", f"{target}:jsonl"]
        command = [sys.executable, "-m", "scrapy", "crawl", name, "-a", f"sample={sample}", *settings]
        subprocess.run(command, check=False)  # noqa: S603 - our own interpreter and checked names
        state = Path(folder) / name / "state.sqlite"
        documents = _documents(target)
        findings = _findings(site, state, documents)
    print(told(site, findings))  # noqa: T201 - this is what the command is for
    return 0 if findings and all(finding.sound for finding in findings) else 1


def told(site: SiteConfig, findings: Iterable[Finding]) -> str:
    """The findings as a table, and under it what fails."""
    rows = list(findings)
    width = max([len(row.name) for row in rows] + [5])
    head = f"{'index':<{width}}  answered  asked  documents  " + "  ".join(f"{name:>9}" for name in _FIELDS)
    lines = [f"{site.name} ({site.id})", head]
    for row in rows:
        filled = "  ".join(f"{row.filled[name]:>5}/{row.documents:<3}" for name in _FIELDS)
        answer = "yes" if row.answered else "NO"
        lines.append(f"{row.name:<{width}}  {answer:<8}  {row.asked:>5}  {row.documents:>9}  {filled}")
    problems = [f"  {row.name}: {row.problem}  ({row.url})" for row in rows if row.problem]
    return "\n".join([*lines, *(["", "What fails"] if problems else ["", "All of it works."]), *problems])


def _findings(site: SiteConfig, state: Path, documents: list[Mapping[str, Any]]) -> list[Finding]:
    runs = Runs(state)
    every = runs.runs()
    incidents = list(runs.incidents(every[-1].id, ("done", "unchanged", "dropped", "failed"))) if every else []
    return [_finding(index.name, index.url, incidents, documents) for index in site.indexes]


def _finding(
    name: str, url: str, incidents: Iterable[Incident], documents: Iterable[Mapping[str, Any]]
) -> Finding:
    found = Finding(name, url)
    causes: Counter[str] = Counter()
    for incident in (i for i in incidents if i.index == name):
        if incident.kind == "article":
            found.asked += 1
        elif incident.outcome in ("done", "unchanged"):
            found.answered = True
        if incident.outcome in ("failed", "dropped"):
            causes[f"{incident.kind} {incident.cause}"] += 1
    for document in (d for d in documents if d.get("index") == name):
        found.documents += 1
        found.filled.update(field for field in _FIELDS if document.get(field))
    found.problem = _problem(found, causes)
    return found


def _problem(found: Finding, causes: Counter[str]) -> str:
    if causes:
        return ", ".join(f"{count} × {cause}" for cause, count in causes.most_common(4))
    if not found.answered:
        return "it was never asked for; is another rule sending its address away?"
    if not found.asked:
        return "no link of it matches a link pattern"
    empty = [name for name in ("title", "text") if found.filled[name] < found.documents]
    return f"not always filled: {', '.join(empty)}" if empty else ""


def _documents(path: Path) -> list[Mapping[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
