"""The extractor that follows the site's rules: `append`, `translate` and `fields`.

What no rule claims is dropped. A document's sections stand in this order: what is appended, from the corpus's to
the link's; what is translated, as it occurs in the page; then the fields, as the site file has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from corpusbot.extractors.sections import Sections, label_of
from corpusbot.extractors.sources import Match, View, lines_of, matches
from corpusbot.extractors.values import KNOWN, texts_for, value_of
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings, Found, findings_of, is_absent
from corpusbot.model import CleanPage
from corpusbot.sites import FieldRule, Rules, SiteConfig, Source, TranslateRule, Where
from corpusbot.sites.variables import filled

# Origins stand in every document; the line says the rest of a long selector.
LONGEST_HOW = 60


@dataclass(frozen=True, slots=True)
class Translated:
    """One match of a translate rule: which section it goes to, and what found it."""

    to: str
    match: Match
    source: Source
    where: Where


def extract(clean: CleanPage, site: SiteConfig) -> Findings | None:
    """What the site's rules find in a page; None if it has no rules."""
    rules = site.rules_for(clean.page.place, clean.page.fetched_at.date())
    if not (rules.fields or rules.translate or rules.append):
        return None
    return Reading(rules, View(facts_of(clean, site), rules.ignore)).findings(appended(rules, clean, site))


def appended(rules: Rules, clean: CleanPage, site: SiteConfig) -> dict[str, tuple[str, Where]]:
    """The appended texts with their variables; one that is nothing but a variable without a value is left out."""
    page = clean.page
    day = page.place.day or page.fetched_at.date()
    section = page.place.section or ""
    texts = {
        rule.name: (filled(rule.text, day, url=page.url, site=site.name, section=section), rule.where)
        for rule in rules.append
    }
    empty = {rule.name for rule in rules.append if rule.text and not texts[rule.name][0]}
    return {name: text for name, text in texts.items() if name not in empty}


class Reading:
    """One page read by one set of rules."""

    def __init__(self, rules: Rules, view: View) -> None:
        self.rules = rules
        self.view = view
        self.sections = Sections()
        self.found: dict[str, Found | None] = {}

    def findings(self, appended_texts: Mapping[str, tuple[str, Where]]) -> Findings:
        """All that the rules find."""
        field_of = {label: field for field, label in self.rules.labels.items()}
        last: dict[str, Found] = {}
        for name, (text, where) in appended_texts.items():
            self.sections.add(name, [text])
            field = field_of.get(name, name)
            if field in KNOWN:
                match = Match(lines_of(text, self.view))
                last[field] = Found(value_of(field, [match], None, self.view.facts), f"{where} append")
        self._translate()
        for rule in self.rules.fields:
            self._field(rule)
        findings = findings_of(last | {name: item for name, item in self.found.items() if item is not None})
        return replace(findings, sections=self.sections.finished())

    def _translate(self) -> None:
        """Every match of every translate rule, in page order."""
        grouped: dict[str, list[Translated]] = {}
        for item in in_page_order(_translated(self.rules, self.view), self.view.facts.tree):
            grouped.setdefault(item.to, []).append(item)
            self.sections.add(label_of(item.to, self.rules), [item.match.text])
        for field, items in grouped.items():
            if field in KNOWN:
                found = [item.match for item in items]
                self._note(field, found, items[0].source, items[0].where)

    def _field(self, rule: FieldRule) -> None:
        """The first source of a field that finds something; one that finds an empty tag is remembered."""
        empty = False
        for source in rule.sources:
            found = matches(source, self.view)
            found = found[:1] if source.kind == "xslt" else found
            texts = texts_for(rule.to, found, source.split, self.view.facts)
            if rule.to in KNOWN:
                self._note(rule.to, found, source, rule.where)
            if texts or (rule.to in self.found and rule.to == "paywalled"):
                self.sections.add(label_of(rule.to, self.rules), texts)
                return
            empty = empty or bool(found)
        if empty:
            self.sections.add(label_of(rule.to, self.rules))

    def _note(self, field: str, found: list[Match], source: Source, where: Where) -> None:
        """Keeps a field's value, unless there is none."""
        value: Any = value_of(field, found, source.split, self.view.facts)
        if not is_absent(value):
            self.found.setdefault(field, Found(value, origin_of(source, where)))


def origin_of(source: Source, where: Where) -> str:
    """The line of the site file, and how it looks for its mark: `elpais.yaml:14 jsonld:headline`."""
    how = f"{source.kind}:{source.query}"
    return f"{where} {how if len(how) <= LONGEST_HOW else source.kind}"


def _translated(rules: Rules, view: View) -> list[Translated]:
    """The matches of all rules, rule by rule; the parts of a style sheet may be named as the fields' labels are."""
    field_of = {label: field for field, label in rules.labels.items()}
    return [
        Translated(rule.to or field_of.get(match.name or "", match.name or ""), match, rule.source, rule.where)
        for rule in rules.translate
        for match in _wanted(rule, matches(rule.source, view))
    ]


def _wanted(rule: TranslateRule, found: list[Match]) -> list[Match]:
    """Of a style sheet either the whole, or each part under its own name if the rule gives none."""
    if rule.source.kind != "xslt":
        return found
    return found[:1] if rule.to else [match for match in found if match.name]


def in_page_order(items: list[Translated], tree: HtmlElement) -> list[Translated]:
    """The matches as they stand in the page; what stands nowhere in it comes first."""
    elements = {item.match.element for item in items} - {None}
    place: dict[Element | None, int] = {None: -1}
    if len(elements) > 1:
        place |= {element: number for number, element in enumerate(tree.iter()) if element in elements}
    return sorted(items, key=lambda item: place.get(item.match.element, 0))
