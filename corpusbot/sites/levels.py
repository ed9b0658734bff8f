"""Makes the rules of one level from the record that was read of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from corpusbot.sites.kinds import Record
from corpusbot.sites.rules import AppendRule, FieldRule, Level, ListedRule, Source, TranslateRule
from corpusbot.sites.sense import KINDS

# The text of a style sheet by the site file that names it, and the name.
Stylesheets: TypeAlias = Mapping[tuple[str, str], str]


def level_of(record: Record, labels: Mapping[str, str], stylesheets: Stylesheets) -> Level:
    """The rules of one place of a file; names that are labels of fields become the fields."""
    field_of = {label: name for name, label in labels.items()}
    return Level(
        fields=tuple(_fields(record, field_of, stylesheets)),
        translate=tuple(
            TranslateRule(_field(rule.get("to", str) or "", field_of), _source(rule, stylesheets), where)
            for rule, where in record.listed("translate", Record)
        ),
        append=tuple(_append(record)),
        ignore=tuple(ListedRule(text, where) for text, where in record.listed("ignore", str)),
        remove=tuple(ListedRule(text, where) for text, where in record.listed("remove", str)),
    )


def _fields(record: Record, field_of: Mapping[str, str], stylesheets: Stylesheets) -> Iterator[FieldRule]:
    """The field rules, in the order of the file."""
    fields = record.get("fields", Record)
    for name in fields.values if fields else ():
        sources = tuple(_source(source, stylesheets) for source in fields.all(name, Record)) if fields else ()
        if fields and sources:
            yield FieldRule(_field(name, field_of), sources, fields.place_of(name))


def _append(record: Record) -> Iterator[AppendRule]:
    """The appended sections, in the order of the file."""
    append = record.get("append", Record)
    for name, text in append.values.items() if append else ():
        if append and isinstance(text, str):
            yield AppendRule(name, text, append.place_of(name))


def _field(name: str, field_of: Mapping[str, str]) -> str:
    """The field that a name means: `TITULO` is the title where that is the title's label."""
    return field_of.get(name, name)


def _source(record: Record, stylesheets: Stylesheets) -> Source:
    """A source."""
    kind = next(kind for kind in KINDS if kind in record.lines)
    query = record.get(kind, str) or ""
    return Source(
        kind=kind,
        query=query,
        get=record.get("get", str),
        without=record.all("without", str),
        match=record.get("match", str),
        split=record.get("split", str),
        json=record.get("json", str),
        attribute=record.get("attribute", str),
        value=record.get("value", str),
        stylesheet=stylesheets.get((record.where.file, query)) if kind == "xslt" else None,
    )
