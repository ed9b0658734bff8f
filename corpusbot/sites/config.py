"""A site's configuration: frozen, hashable, and picklable into the worker processes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, TypeAlias

from corpusbot.freshness_visits import REREAD_DAYS
from corpusbot.model import Place
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.rules import NO_RULES, Displaced, Level, Rules, Where, merged
from corpusbot.sites.variables import filled_pattern


@dataclass(frozen=True, slots=True)
class LinkPattern:
    """Which links lead to articles; `match` may hold the variables of the day."""

    match: str
    name: str
    where: Where
    section: str | None = None
    follow: bool = False
    extract: bool = True
    rules: Level = NO_RULES

    def regex(self, day: date) -> re.Pattern[str]:
        """The pattern of that day, to be searched anywhere in an address."""
        return re.compile(filled_pattern(self.match, day))


@dataclass(frozen=True, slots=True)
class Index:
    """Where links to articles are found: an index page, a feed or a sitemap."""

    kind: str
    url: str
    name: str
    where: Where
    section: str | None = None
    links: tuple[LinkPattern, ...] = ()
    next: str | None = None
    pages: int = 1
    follow: bool = True
    extract: bool = False
    recent: int = 3
    rules: Level = NO_RULES


@dataclass(frozen=True, slots=True)
class Version:
    """The rules of an older layout, and the last day on which they hold."""

    valid_until: date
    rules: Level


@dataclass(frozen=True, slots=True)
class Target:
    """Where the documents are written: a folder inside of the data folder, and a file in it."""

    path: str
    file: str
    format: str = "jsonl"
    append: bool = True


@dataclass(frozen=True, slots=True)
class Duplicates:
    """What share of a text makes it the same, or how few bits; and what is done with other newspapers' copies."""

    containment: float = 0.5
    distance: int = 6
    across: str = "drop"


@dataclass(frozen=True, slots=True)
class Revisit:
    """For how many days articles are asked again for corrections."""

    articles: int = REREAD_DAYS


USUAL_DUPLICATES = Duplicates()
USUAL_REVISIT = Revisit()
EMPTY: FrozenMap[Any] = FrozenMap()
# Plug-ins in their order, each with the options that the site file gives it.
PlugIns: TypeAlias = tuple[tuple[str, FrozenMap[Any]], ...]
USUAL_EXTRACTORS: PlugIns = (("rules", EMPTY), ("gist", EMPTY))
USUAL_MIN_BODY = 250


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """All that its file, and the corpus's, say of one newspaper."""

    id: str
    name: str
    home: str
    digest: str
    target: Target
    language: str | None = None
    country: str | None = None
    timezone: str = "UTC"
    indexes: tuple[Index, ...] = ()
    links: tuple[LinkPattern, ...] = ()
    exclude: tuple[str, ...] = ()
    robots_sitemaps: bool = False
    recent: int = 3
    extractors: PlugIns = USUAL_EXTRACTORS
    min_body: int = USUAL_MIN_BODY
    min_confidence: float = 0.0
    filters: PlugIns = ()
    duplicates: Duplicates = USUAL_DUPLICATES
    revisit: Revisit = USUAL_REVISIT
    quotes: str = "keep"
    settings: FrozenMap[Any] = EMPTY
    labels: FrozenMap[str] = EMPTY
    levels: tuple[Level, ...] = ()
    versions: tuple[Version, ...] = ()
    _rules: dict[tuple[int, ...], Rules] = field(
        default_factory=dict, init=False, repr=False, compare=False, hash=False
    )

    def __hash__(self) -> int:
        return hash((self.id, self.digest))

    def __reduce__(self) -> tuple[type[SiteConfig], tuple[object, ...]]:
        # Without the rules merged so far: they are quickly merged again.
        return SiteConfig, tuple(getattr(self, own.name) for own in fields(self) if own.init)

    @property
    def further_labels(self) -> FrozenMap[str]:
        """The section names of fields that no rule asks for; none where rules alone say what is written."""
        return EMPTY if self.extractor_names == ("rules",) else self.labels

    @property
    def extractor_names(self) -> tuple[str, ...]:
        """Who may find the body, without the options."""
        return tuple(name for name, _ in self.extractors)

    def rules_for(self, place: Place, day: date | None = None) -> Rules:
        """The rules for a page found at this place, by the layout of that day; without a day, today's."""
        levels = self.levels_for(place, day)
        key = tuple(map(id, levels))
        if key not in self._rules:
            self._rules[key] = self._merged_rules(levels)
        return self._rules[key]

    def levels_for(self, place: Place, day: date | None = None) -> tuple[Level, ...]:
        """The rules from the corpus's to the link's; a place that the site does not know adds none."""
        version = self.version_on(day)
        index = next((index for index in self.indexes if index.name == place.index), None)
        links = index.links if index else self.links if place.index is None else ()
        link = next((link for link in links if link.name == place.link), None)
        return (*self.levels, *(part.rules for part in (version, index, link) if part is not None))

    def overridden_for(self, place: Place, day: date | None = None) -> tuple[Displaced, ...]:
        """The rules that gave way to more local ones."""
        return merged(self.levels_for(place, day))[1]

    def version_on(self, day: date | None) -> Version | None:
        """The older layout that held on that day: of those that still held, the first to end."""
        if isinstance(day, datetime):
            day = day.date()  # a moment is a date to Python, but cannot be compared with one
        holding = [version for version in self.versions if day is not None and day <= version.valid_until]
        return min(holding, key=lambda version: version.valid_until, default=None)

    def excluded(self, day: date) -> tuple[re.Pattern[str], ...]:
        """What is searched in an address to leave it out."""
        return tuple(re.compile(filled_pattern(text, day)) for text in self.exclude)

    def _merged_rules(self, levels: tuple[Level, ...]) -> Rules:
        """The rules of these levels, in the form for extraction."""
        level, _ = merged(levels)
        return Rules(
            fields=level.fields,
            translate=level.translate,
            append=level.append,
            ignore=frozenset(rule.text for rule in level.ignore),
            remove=tuple(rule.text for rule in level.remove),
            labels=self.labels,
        )
