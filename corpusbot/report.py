"""The incident report of a run: what was asked for, what came, what did not and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from corpusbot.extractors.gate import FOUND_BY, KIND, NONE_PASSED, PASSED_OVER
from corpusbot.store.frontier import Incident, ReportRow, Run, Runs
from corpusbot.store.visited import AGAIN, ASLEEP, CHANGED, LEFT, REVISITS, WITHDRAWN

_OUTCOMES = ("done", "unchanged", "dropped", "failed")
_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run in numbers, and every page that was asked for and is not in the corpus."""

    site: str
    run: Run
    rows: tuple[ReportRow, ...]
    incidents: tuple[Incident, ...]
    waiting: int
    seconds: float
    stages: Mapping[str, float]
    fruitless: tuple[str, ...] = ()
    tallies: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def entrances_failed(self) -> int:
        """How many index pages, feeds and sitemaps could not be had."""
        return self._count(lambda row: row.kind in _INDEXES and row.outcome == "failed")

    @property
    def entrances_asked(self) -> int:
        """How many index pages, feeds and sitemaps were asked for."""
        return self._count(lambda row: row.kind in _INDEXES)

    @property
    def documents(self) -> int:
        """How many documents the run added."""
        return self._count(lambda row: row.kind == "article" and row.outcome == "done")

    @property
    def revisits(self) -> Mapping[str, int]:
        """How many known pages were asked again, had changed, were withdrawn, and were due and are left."""
        return self.tallies.get(REVISITS, {})

    def counts(self) -> Counter[str]:
        """Pages by outcome."""
        counts: Counter[str] = Counter()
        for row in self.rows:
            counts[row.outcome] += row.count
        return counts

    def _count(self, wanted: Any) -> int:
        return sum(row.count for row in self.rows if wanted(row))


_INDEXES = frozenset({"page", "feed", "sitemap", "robots"})


def run_report(
    site: str, runs: Runs, run: Run, seconds: float = 0.0, stages: Mapping[str, float] | None = None
) -> RunReport:
    """The report of a run, from the state of the site's crawl."""
    # What the file says of it, for the crawl's word counts only once it is written there.
    run = next((kept for kept in runs.runs() if kept.id == run.id), run)
    return RunReport(
        site=site,
        run=run,
        rows=tuple(runs.report(run.id)),
        incidents=tuple(runs.incidents(run.id)),
        waiting=runs.totals(run.id)["waiting"],
        seconds=seconds,
        stages=dict(stages or {}),
        tallies=runs.tallies(run.id),
        fruitless=tuple(page.url for page in runs.incidents(run.id, ("done",)) if page.cause == "no_links"),
    )


def reason_of(incident: Incident) -> str:
    """Why a page is not in the corpus, in a few words; of an HTTP status there is no more to be said."""
    cause = incident.cause or incident.outcome
    said_all = not incident.detail or cause.startswith("http_")
    return cause if said_all else f"{cause} ({incident.detail})"


def exit_status(report: RunReport) -> int:
    """What cron is to be told: 0 all is well; 2 an index page could not be had, nothing was asked for, or no end."""
    asked = report.rows or report.revisits.get(ASLEEP)  # that nothing was due is well
    return 2 if report.entrances_failed or not asked or not report.run.finished else 0


def as_json(report: RunReport) -> str:
    """The whole report as JSON, for programs."""
    told = {
        "site": report.site,
        "run": asdict(report.run),
        "seconds": round(report.seconds, 1),
        "counts": dict(report.counts()),
        "waiting": report.waiting,
        "stages": {name: round(spent, 2) for name, spent in report.stages.items()},
        "fruitless": report.fruitless,
        "found_by": report.tallies.get(FOUND_BY, {}),
        "none_passed_the_gate": report.tallies.get(NONE_PASSED, {}),
        "passed_over": _passed_over(report),
        "kinds": report.tallies.get(KIND, {}),
        "revisits": report.revisits,
        "rows": [asdict(row) for row in report.rows],
        "incidents": [asdict(incident) for incident in report.incidents],
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def as_text(report: RunReport) -> str:
    """The report as a table, for people."""
    counts = report.counts()
    head = f"{report.site}, run {report.run.id}: {sum(counts.values())} pages asked for in {report.seconds:.0f} s"
    lines = [f"{head} ({report.run.reason or 'not finished'})"]
    lines += [f"  {report.documents:>6} documents", f"  {report.entrances_asked:>6} index pages, feeds and sitemaps"]
    lines += [f"  {counts[outcome]:>6} {outcome}" for outcome in _OUTCOMES[1:] if counts[outcome]]
    lines += [f"  {report.waiting:>6} waiting for the next run"] if report.waiting else []
    lines += _revisits(report.revisits)
    articles = [row for row in report.rows if row.kind not in _INDEXES]
    lines += ["", *_by_section(articles)] if articles else []
    causes = Counter({(r.outcome, r.cause): 0 for r in report.rows if r.outcome in ("failed", "dropped")})
    for row in report.rows:
        if row.outcome in ("failed", "dropped"):
            causes[row.outcome, row.cause] += row.count
    if causes:
        lines += ["", "Not in the corpus, by cause", *_causes(causes, report.incidents)]
    if extraction := list(_extraction(report)):
        lines += ["", *extraction]
    if report.fruitless:
        lines += ["", "Index pages none of whose links matches a link pattern", *_shown(report.fruitless)]
    if report.stages:
        lines += ["", _stages(report.stages)]
    return "\n".join(lines) + "\n"


def write_report(report: RunReport, folder: Path) -> Path:
    """Write the report as text and JSON; the path of the text."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"run-{report.run.id:05}.json").write_text(as_json(report), encoding="utf-8")
    text = folder / f"run-{report.run.id:05}.txt"
    text.write_text(as_text(report) + _listing(report.incidents), encoding="utf-8")
    return text


def _revisits(counts: Mapping[str, int]) -> list[str]:
    """What became of pages that the corpus holds."""
    told = (AGAIN, "asked again"), (CHANGED, "of them changed"), (WITHDRAWN, "of them withdrawn (404, 410)")
    due = (LEFT, "due and left for another run"), (ASLEEP, "index pages, feeds and sitemaps not due")
    return [f"  {counts[name]:>6} {words}" for name, words in (*told, *due) if counts.get(name)]


def _by_section(rows: Iterable[ReportRow]) -> list[str]:
    table: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        table.setdefault((row.section or "-", row.day or "-"), Counter())[row.outcome] += row.count
    width = max([len(section) for section, _ in table] + [7])
    lines = [f"{'section':<{width}}  {'day':<10}" + "".join(f"{outcome:>11}" for outcome in _OUTCOMES)]
    for (section, day), counts in sorted(table.items()):
        lines.append(f"{section:<{width}}  {day:<10}" + "".join(f"{counts[name]:>11}" for name in _OUTCOMES))
    return lines


def _causes(causes: Counter[tuple[str, str | None]], incidents: Iterable[Incident]) -> list[str]:
    examples: dict[tuple[str, str | None], str] = {}
    for incident in incidents:
        examples.setdefault((incident.outcome, incident.cause), incident.url)
    return [
        f"  {count:>6} {key[0]:<8} {key[1] or '-':<22} {examples.get(key, '')}"
        for key, count in causes.most_common(_MOST_SHOWN)
    ]


def _extraction(report: RunReport) -> Iterator[str]:
    """Who found the bodies, who was passed over for what, and what the pages were."""
    passed_over = {name: _listed(reasons) for name, reasons in _passed_over(report).items()}
    told = {
        "Found by": _listed(report.tallies.get(FOUND_BY, {})),
        "None passed the gate": _listed(report.tallies.get(NONE_PASSED, {})),
        "Passed over": "; ".join(f"{name}: {reasons}" for name, reasons in passed_over.items()),
        "Kinds": _listed(report.tallies.get(KIND, {})),
    }
    return (f"{what}: {counts}" for what, counts in told.items() if counts)


def _passed_over(report: RunReport) -> dict[str, dict[str, int]]:
    """How often each extractor was passed over, by reason."""
    found: dict[str, dict[str, int]] = {}
    for name, count in report.tallies.get(PASSED_OVER, {}).items():
        extractor, _, reason = name.partition(": ")
        found.setdefault(extractor, {})[reason] = count
    return found


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _shown(urls: Sequence[str]) -> list[str]:
    more = [f"  and {len(urls) - _MOST_SHOWN} more"] if len(urls) > _MOST_SHOWN else []
    return [*(f"  {url}" for url in urls[:_MOST_SHOWN]), *more]


def _stages(stages: Mapping[str, float]) -> str:
    total = sum(stages.values()) or 1.0
    shares = sorted(stages.items(), key=lambda item: -item[1])
    return "Time by stage: " + ", ".join(f"{name} {spent / total:.0%}" for name, spent in shares)


def _listing(incidents: Iterable[Incident]) -> str:
    lines = [f"{i.outcome}\t{i.cause or '-'}\t{' '.join((i.detail or '').split())}\t{i.url}" for i in incidents]
    return "\n".join(["", "Every one of them", *lines, ""]) if lines else ""
