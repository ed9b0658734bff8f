"""A document's sections as they grow: every further text goes to the section of its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from corpusbot.metadata.findings import Found, is_absent
from corpusbot.model import Block, Section, by_rule
from corpusbot.sites import KNOWN_FIELDS, Rules


class Sections:
    """Names in the order in which they were first named, each with its texts."""

    def __init__(self, sections: Iterable[Section] = ()) -> None:
        self._texts: dict[str, list[str]] = {}
        for section in sections:
            self.add(section.name, [section.text])

    def add(self, name: str, texts: Iterable[str] = ()) -> None:
        """Adds texts to a section, which is there from now on even if they are none."""
        self._texts.setdefault(name, []).extend(filter(None, texts))

    def finished(self) -> tuple[Section, ...]:
        """The sections, the texts of each one under the other."""
        return tuple(Section(name, "\n".join(texts)) for name, texts in self._texts.items())


def label_of(field: str, rules: Rules) -> str:
    """The name of a field's section; a section of the site's own is its own label."""
    return rules.labels.get(field, field)


def completed(own: tuple[Section, ...], rules: Rules, chosen: Mapping[str, Found]) -> tuple[Section, ...]:
    """The sections of the rules, with the fields that they ask for and that something else had to find.

    A body found by another extractor takes the place of the one that was too short; whatever else the rules found,
    be it an empty tag, stays as it is.
    """
    texts = {section.name: section.text for section in own}
    body = chosen.get("body")
    if body and label_of("body", rules) in texts and not by_rule(body.origin):
        texts[label_of("body", rules)] = text_of_value(body.value)
    fields = {label_of(rule.to, rules): rule.to for rule in rules.fields}
    order = [name for name in texts if name not in fields or not _is_last(name, fields, own)]
    order += [name for name in fields if name not in order]
    for name in order:
        field = fields.get(name, "")
        if name not in texts and field in chosen and not is_absent(chosen[field].value):
            texts[name] = text_of_value(chosen[field].value)
    # A known field that has no label is told elsewhere in the document, and is no section of its own.
    return tuple(Section(name, texts[name]) for name in order if name in texts and name not in KNOWN_FIELDS)


def _is_last(name: str, fields: Mapping[str, str], own: tuple[Section, ...]) -> bool:
    """Whether only fields follow a field's section: one that is appended or translated too stands further up."""
    names = [section.name for section in own]
    return all(other in fields for other in names[names.index(name) :])


def text_of_value(value: object) -> str:
    """A field's value as the text of a section."""
    if isinstance(value, tuple):
        return "\n".join(part.text if isinstance(part, Block) else str(part) for part in value)
    return value.isoformat() if isinstance(value, datetime) else str(value)
