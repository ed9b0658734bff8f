"""A site file against its live site: a small crawl into a folder that is thrown away, and what it shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpusbot.brief_crawl import crawl_into
from corpusbot.model import Page
from corpusbot.sites import KNOWN_FIELDS, FieldRule, SiteConfig, TranslateRule, load_site
from corpusbot.store.archive import pages_of
from corpusbot.store.frontier import Incident, Runs

FIELDS = ("title", "authors", "published", "section", "lead", "text")
# An article that is not kept for one of these was read as it should be.
AS_INTENDED = frozenset(
    ("paywalled", "keyword", "wrong_date", "wrong_section", "same_page", "exact_duplicate", "near_duplicate",
     "unchanged", "redirect_to_known")
)  # fmt: skip
# What every article has: a rule for it that never finds anything is out of date.
NEVER_ABSENT = frozenset(("title", "published", "body"))
# What few articles have: that its rule finds nothing in a sample says nothing.
SELDOM_THERE = frozenset(("paywalled", "modified"))


@dataclass(slots=True)
class Finding:
    """What the small crawl found out about one index page, feed or sitemap."""

    name: str
    url: str
    follows: bool = True
    answered: bool = False
    links: int = 0
    read: int = 0
    documents: int = 0
    filled: Counter[str] = field(default_factory=Counter)
    failed: list[Incident] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def problem(self) -> str:
        """What is wrong with it as a whole, in words; nothing if it is sound, or if what failed says it."""
        if not self.answered:
            return "" if self.failed else "was not asked for: another one has the same address"
        if self.follows and not self.links:
            return "none of its links matches a link pattern"
        if not self.documents and self.left_out:
            return "nothing to judge by: no article was kept; a larger --sample may have some"
        empty = [name for name in ("title", "text") if self.filled[name] < self.documents]
        return f"documents without {' and '.join(empty)}" if empty else ""

    @property
    def sound(self) -> bool:
        """Whether it answered, led to articles, and all that was read of it could be read."""
        return not (self.problem or self.failed)


@dataclass(frozen=True, slots=True)
class DeadRule:
    """A rule that found nothing in any document it was tried on, and what found the field instead."""

    rule: FieldRule | TranslateRule
    tried: int
    instead: str | None

    @property
    def is_fault(self) -> bool:
        """Whether it must have found something; many articles have no lead, and few a paywall."""
        return self.rule.to in NEVER_ABSENT or (self.rule.to == "authors" and self.instead is not None)


@dataclass(frozen=True, slots=True)
class Checkup:
    """All that a small crawl shows of a site file."""

    site: SiteConfig
    findings: tuple[Finding, ...]
    dead: tuple[DeadRule, ...]

    @property
    def sound(self) -> bool:
        """Whether all of it works."""
        rules_work = not any(dead.is_fault for dead in self.dead)
        return bool(self.findings) and rules_work and all(finding.sound for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Read:
    """A document of the small crawl and the page that it was made of."""

    document: Mapping[str, Any]
    page: Page


def checkup(name: str, sample: int) -> Checkup:
    """Check a site file against its live site, by so many articles of each index page."""
    site = load_site(name)
    with TemporaryDirectory(prefix="corpusbot-") as temporary:
        folder = Path(temporary)
        target = folder / "checkup.jsonl"
        status = crawl_into(folder, name, "-a", f"sample={sample}", "-O", f"{target}:jsonl")
        state = folder / name / "state.sqlite"
        if not state.exists():
            raise OSError(f"{name} could not be crawled (exit status {status}); the messages above say why")
        pages = {page.record_id: page for page in pages_of(folder / name)}
        read = [Read(document, pages[document["record_id"]]) for document in _documents(target)]
        return Checkup(site, tuple(_findings(site, _incidents(state), read)), tuple(_dead_rules(site, read)))


def _documents(path: Path) -> list[Mapping[str, Any]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


def _incidents(state: Path) -> list[Incident]:
    runs = Runs(state)
    outcomes = ("done", "unchanged", "dropped", "failed")
    return [incident for run in runs.runs() for incident in runs.incidents(run.id, outcomes)]


def _findings(site: SiteConfig, incidents: Sequence[Incident], read: Iterable[Read]) -> list[Finding]:
    found = {index.name: Finding(index.name, index.url, index.follow and not index.extract) for index in site.indexes}
    for incident in incidents:
        name = incident.index
        if name is not None:  # the sitemaps of robots.txt are in no list of the site's
            _note(found.setdefault(name, Finding(name, incident.url)), incident)
    for one in read:
        if finding := found.get(one.page.place.index or ""):
            finding.documents += 1
            finding.filled.update(name for name in FIELDS if one.document.get(name))
    return list(found.values())


def _note(found: Finding, incident: Incident) -> None:
    """Count what became of an address."""
    if incident.kind == "article":
        found.read += incident.outcome in ("done", "dropped")
    elif incident.kind != "item" and incident.outcome != "failed":
        found.answered = True
        found.links += int(incident.detail.partition(" ")[0]) if incident.outcome == "done" and incident.detail else 0
    if incident.outcome == "failed" or (incident.outcome == "dropped" and incident.cause not in AS_INTENDED):
        found.failed.append(incident)
    elif incident.outcome == "dropped":
        found.left_out[incident.cause or "dropped"] += 1


def _dead_rules(site: SiteConfig, read: Iterable[Read]) -> Iterator[DeadRule]:
    """The rules that found nothing in any of the documents of their place."""
    tried: Counter[FieldRule | TranslateRule] = Counter()
    alive: set[FieldRule | TranslateRule] = set()
    instead: dict[FieldRule | TranslateRule, str] = {}
    for one in read:
        rules = site.rules_for(one.page.place, one.page.fetched_at.date())
        names = {name for name, _ in one.document["sections"]}
        listed: tuple[FieldRule | TranslateRule, ...] = (*rules.fields, *rules.translate)
        for rule in listed:
            tried[rule] += 1
            origin = one.document["origins"].get(rule.to, "")
            by_name = rule.to not in KNOWN_FIELDS and rules.labels.get(rule.to, rule.to) in names
            if by_name or origin.startswith(f"{rule.where} "):
                alive.add(rule)
            elif origin:
                instead[rule] = origin
    if "rules" in site.extractor_names:
        dead = (rule for rule in tried if rule not in alive and rule.to not in SELDOM_THERE)
        yield from (DeadRule(rule, tried[rule], instead.get(rule)) for rule in dead)
