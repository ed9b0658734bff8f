"""The rules of a site file, and how those of one level give way to those of a more local one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from corpusbot.sites.frozenmap import FrozenMap

LEVELS = ("corpus", "site", "version", "index", "link")
KNOWN_FIELDS = (
    "title",
    "lead",
    "authors",
    "published",
    "modified",
    "section",
    "language",
    "canonical_url",
    "tags",
    "paywalled",
    "body",
)


@dataclass(frozen=True, slots=True)
class Where:
    """The file and line that a rule stands on, and its level."""

    file: str
    line: int
    level: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Source:
    """Where in a page something is found: by what kind of mark, and what is done to it."""

    kind: str
    query: str
    get: str | None = None
    without: tuple[str, ...] = ()
    match: str | None = None
    split: str | None = None
    json: str | None = None
    attribute: str | None = None
    value: str | None = None
    stylesheet: str | None = None

    @property
    def mark(self) -> tuple[str, str, str | None, str | None]:
        """What it looks for: two rules on one mark conflict, whatever they take of it."""
        return (self.kind, self.query, self.attribute, self.value)


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A field and its sources, of which the first that finds something counts."""

    to: str
    sources: tuple[Source, ...]
    where: Where


@dataclass(frozen=True, slots=True)
class TranslateRule:
    """A mark whose every match adds to one field."""

    to: str
    source: Source
    where: Where


@dataclass(frozen=True, slots=True)
class AppendRule:
    """A section that is not in the page, its text still with its variables."""

    name: str
    text: str
    where: Where


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A tag to let through, or a selector to take out."""

    text: str
    where: Where


Rule: TypeAlias = FieldRule | TranslateRule | AppendRule | ListedRule


@dataclass(frozen=True, slots=True)
class Level:
    """The rules of one place of a site file."""

    fields: tuple[FieldRule, ...] = ()
    translate: tuple[TranslateRule, ...] = ()
    append: tuple[AppendRule, ...] = ()
    ignore: tuple[ListedRule, ...] = ()
    remove: tuple[ListedRule, ...] = ()


NO_RULES = Level()
NO_LABELS: Mapping[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that hold for a page, after all levels have had their say."""

    fields: tuple[FieldRule, ...] = ()
    translate: tuple[TranslateRule, ...] = ()
    append: tuple[AppendRule, ...] = ()
    ignore: frozenset[str] = frozenset()
    remove: tuple[str, ...] = ()
    labels: Mapping[str, str] = NO_LABELS


@dataclass(frozen=True, slots=True)
class Displaced:
    """A rule that gave way, and the more local one that it gave way to."""

    rule: Rule
    by: Rule


def merged(levels: Iterable[Level]) -> tuple[Level, tuple[Displaced, ...]]:
    """The rules of all levels, from the corpus to the link, and those that gave way."""
    result = Level()
    displaced: list[Displaced] = []
    for level in levels:
        lost = _displaced(result, level)
        result = _overlaid(result, level, {id(gone.rule) for gone in lost})
        displaced += lost
    return result, tuple(displaced)


def _displaced(inherited: Level, local: Level) -> list[Displaced]:
    """The inherited rules that the local ones conflict with."""
    fields = {rule.to: rule for rule in local.fields}
    marks = {rule.source.mark: rule for rule in local.translate}
    translated = {rule.to: rule for rule in local.translate}
    appended = {rule.name: rule for rule in local.append}
    lost = [Displaced(old, fields[old.to]) for old in inherited.fields if old.to in fields]
    lost += [
        Displaced(old, translated[old.to]) for old in inherited.fields if old.to in translated and old.to not in fields
    ]
    for rule in inherited.translate:
        by = marks.get(rule.source.mark) or fields.get(rule.to)
        lost += [Displaced(rule, by)] if by else []
    return lost + [Displaced(old, appended[old.name]) for old in inherited.append if old.name in appended]


def _overlaid(inherited: Level, local: Level, lost: set[int]) -> Level:
    """The inherited rules that are left, and the local ones."""
    return Level(
        fields=_fields(inherited.fields, local.fields, lost),
        translate=(*(rule for rule in inherited.translate if id(rule) not in lost), *local.translate),
        append=(*(rule for rule in inherited.append if id(rule) not in lost), *local.append),
        ignore=_united(inherited.ignore, local.ignore),
        remove=_united(inherited.remove, local.remove),
    )


def _fields(inherited: tuple[FieldRule, ...], local: tuple[FieldRule, ...], lost: set[int]) -> tuple[FieldRule, ...]:
    """The fields in the order they were first named: a title given anew is still the first thing read."""
    anew = {rule.to: rule for rule in local}
    kept = [anew.pop(old.to, old) for old in inherited if old.to in anew or id(old) not in lost]
    return (*kept, *anew.values())


def _united(inherited: tuple[ListedRule, ...], local: tuple[ListedRule, ...]) -> tuple[ListedRule, ...]:
    """Both lists, each text once: these rules add up."""
    known = {rule.text for rule in inherited}
    return (*inherited, *{rule.text: rule for rule in local if rule.text not in known}.values())
