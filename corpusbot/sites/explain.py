"""Tells which rules hold for a page, where each stands, and which others it displaced: `corpusbot explain elpais`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from corpusbot.model import Place
from corpusbot.sites.config import Duplicates, Index, Revisit, SiteConfig
from corpusbot.sites.rules import (
    NO_RULES,
    AppendRule,
    Displaced,
    FieldRule,
    Level,
    ListedRule,
    Rule,
    Source,
    TranslateRule,
    merged,
)

Row = tuple[str, str, str, str, str]

HEAD: Row = ("rule", "stands in", "level", "instead of", "source")
NOWHERE = Place()


def explanation(site: SiteConfig, place: Place | None = None, day: date | None = None) -> str:
    """The rules for a place; without one, the site's and those of every index and link that differ."""
    parts = [_summary(site, day)] if place is None else []
    places = [NOWHERE, *_places_of_their_own(site)] if place is None else [place]
    parts += [f"{_title(one, day)}\n{_table(site.levels_for(one, day))}" for one in places]
    return "\n\n".join(parts)


def _summary(site: SiteConfig, day: date | None) -> str:
    """What is not rules: where it begins, who extracts and filters, where it writes."""
    version = site.version_on(day)
    lines = [f"{site.name} ({site.id}), {site.home}"]
    lines += [line for index in site.indexes for line in _index_lines(index)]
    lines += [f"exclude     {text}" for text in site.exclude]
    lines += [f"extractors  {', '.join(_plug_in(*one) for one in site.extractors)}"]
    lines += [f"gate        {_gate(site)}"]
    lines += [f"filters     {', '.join(_plug_in(*one) for one in site.filters) or 'none'}"]
    lines += [_duplicates(site.duplicates)]
    lines += [f"revisit     {_revisit(site.revisit)}"]
    lines += [f"target      {site.target.path}/{site.target.file} ({site.target.format})"]
    lines += [f"setting     {name}: {value}" for name, value in site.settings.items()]
    lines += [f"version     of the layout until {version.valid_until}"] if version else []
    return "\n".join(lines)


def _duplicates(wanted: Duplicates) -> str:
    near = f"{wanted.containment:.0%} shared, or {wanted.distance} bits apart and nearly as much"
    return f"duplicates  {near}, across newspapers: {wanted.across}"


def _revisit(wanted: Revisit) -> str:
    if not wanted.articles:
        return "articles never; index pages and feeds as often as they bring news"
    return f"articles for {wanted.articles} days, ever more seldom; index pages and feeds as often as they bring news"


def _index_lines(index: Index) -> Iterator[str]:
    """An index and its link patterns."""
    name = "" if index.name == index.url else f"{index.name}: "
    yield f"{index.kind:<10}  {name}{index.url}  ({index.where})"
    yield from (f"  link      {link.match}  ({link.where})" for link in index.links)


def _gate(site: SiteConfig) -> str:
    """Whose body is taken."""
    sure = f", {site.min_confidence:g} sure where it can tell" if site.min_confidence else ""
    return f"the first body of {site.min_body} characters{sure}"


def _plug_in(name: str, options: Mapping[str, object]) -> str:
    """A filter or an extractor, with its options if it has any."""
    given = ", ".join(f"{key}: {_value(value)}" for key, value in options.items())
    return f"{name} ({given})" if given else name


def _value(value: object) -> str:
    """An option's value, as a site file has it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return ", ".join(_plug_in(*one) for one in value.items())
    return str(value)


def _places_of_their_own(site: SiteConfig) -> Iterator[Place]:
    """The indexes and links that have rules of their own."""
    for index in site.indexes:
        if index.rules != NO_RULES:
            yield Place(index=index.name)
        for link in index.links:
            if link.rules != NO_RULES:
                yield Place(index=index.name, link=link.name)


def _title(place: Place, day: date | None) -> str:
    """Which pages a table is about."""
    named = (("index", place.index), ("link", place.link), ("day", day))
    about = ", ".join(f"{what} {name}" for what, name in named if name)
    return f"Rules for {about or 'every page'}:"


def _table(levels: Iterable[Level]) -> str:
    """The rules as a table, the source last as it may be long."""
    level, displaced = merged(levels)
    rows = [HEAD, *_rows(level, displaced)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD) - 1)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: Row, widths: list[int]) -> str:
    """One line, its columns below each other."""
    columns = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
    return "  ".join([*columns, row[-1]]).rstrip()


def _rows(level: Level, displaced: Iterable[Displaced]) -> Iterator[Row]:
    """A row for every rule, and one more for every further source."""
    groups: tuple[tuple[Rule, ...], ...] = (level.append, level.fields, level.translate, level.ignore, level.remove)
    names = ("append", "field", "translate", "ignore", "remove")
    for name, rules in zip(names, groups, strict=True):
        for rule in rules:
            first, *others = _sources(rule)
            lost = [f"{gone.rule.where} ({gone.rule.where.level})" for gone in displaced if gone.by is rule]
            yield (f"{name} {_name(rule)}".rstrip(), str(rule.where), rule.where.level, ", ".join(lost), first)
            yield from (("", "", "", "", f"or {other}") for other in others)


def _name(rule: Rule) -> str:
    """What a rule makes."""
    if isinstance(rule, AppendRule):
        return rule.name
    return "" if isinstance(rule, ListedRule) else rule.to


def _sources(rule: Rule) -> list[str]:
    """What a rule makes it of."""
    if isinstance(rule, FieldRule):
        return [source_text(source) for source in rule.sources]
    return [source_text(rule.source) if isinstance(rule, TranslateRule) else rule.text]


def source_text(source: Source) -> str:
    """A source on one line."""
    query = source.query
    if source.attribute:
        query += f"[{source.attribute}={source.value}]" if source.value is not None else f"[{source.attribute}]"
    said = [f"{source.kind}: {' '.join(query.split())}"]
    said += [f"without {', '.join(source.without)}"] if source.without else []
    parts = (("get", source.get), ("json", source.json), ("match", source.match), ("split", source.split))
    return ", ".join(said + [f"{name} {value}" for name, value in parts if value is not None])
