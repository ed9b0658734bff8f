"""Extraction: the site's extractors in turn, and what the page says about itself for whatever they leave open."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from corpusbot.extractors.gate import Answer, answers, taken
from corpusbot.extractors.kinds import kind_of
from corpusbot.extractors.lead import lead_of, without_lead
from corpusbot.extractors.sections import completed
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings, Found, first_of_each
from corpusbot.metadata.generic import metadata_of
from corpusbot.model import Article, CleanPage, Drop, PassedOver, by_rule
from corpusbot.sites import SiteConfig

BODY = frozenset(("body",))


def extract_article(clean: CleanPage, site: SiteConfig) -> Article | Drop:
    """The article of a page; what found each field is told in its `origins`."""
    return article_of(list(answers(clean, site)), clean, site)


def article_of(given: list[Answer], clean: CleanPage, site: SiteConfig) -> Article | Drop:
    """The article that the extractors' answers make, completed by what the page says about itself."""
    answer = taken(given)
    passed_over = tuple(one.passed_over for one in given if one.passed_over)
    if answer is None:
        return _without_text(clean, site, passed_over)
    several = [one.findings for one in given]
    chosen = first_of_each(several, skip=BODY) | {"body": _body(answer)}
    chosen |= first_of_each([metadata_of(facts_of(clean, site), known=chosen)], skip=frozenset(chosen))
    chosen |= {name: found for name, found in _by_default(clean, site).items() if name not in chosen}
    chosen |= _lead_apart(clean, chosen)
    article = _article(clean, site, several, chosen)
    return replace(
        article,
        kind=kind_of(clean, article.body, by_rule=article.is_by_rule("body")),
        confidence=answer.findings.confidence,
        found_by=answer.extractor,
        passed_over=passed_over,
    )


def _body(answer: Answer) -> Found:
    return Found(answer.findings.body, answer.findings.origins["body"])


def _lead_apart(clean: CleanPage, chosen: Mapping[str, Found]) -> dict[str, Found]:
    """Lead and body apart, unless a site's rules say what the body is: then they say what the lead is, too."""
    body = chosen["body"]
    if "lead" in chosen or by_rule(body.origin):
        return {}
    lead = lead_of(clean, body.value, chosen["title"].value if "title" in chosen else None)
    if lead is None:
        return {}
    rest = without_lead(body.value, lead.value)
    return {"lead": lead, "body": Found(rest, body.origin)} if rest else {}


def _without_text(clean: CleanPage, site: SiteConfig, passed_over: tuple[PassedOver, ...]) -> Drop:
    """The drop of a page without text; one that is no article is told by its kind."""
    detail = f"no text by {', '.join(site.extractor_names)}"
    kind = kind_of(clean, ())
    if kind.name != "article":
        detail += f"; {kind.name} ({kind.confidence:.2f})" + (f": {kind.reason}" if kind.reason else "")
    return Drop("no_text", detail, passed_over)


def _by_default(clean: CleanPage, site: SiteConfig) -> dict[str, Found]:
    """What is known of a page that says nothing: its index's section, its newspaper's language."""
    known = {"section": (clean.page.place.section, "index"), "language": (site.language, "site")}
    return {name: Found(value, origin) for name, (value, origin) in known.items() if value}


def _article(clean: CleanPage, site: SiteConfig, several: list[Findings], chosen: dict[str, Found]) -> Article:
    page = clean.page
    rules = site.rules_for(page.place, page.fetched_at.date())
    own = next((findings.sections for findings in several if findings.sections), ())
    return Article(
        site=page.site,
        url=page.url,
        fetched_at=page.fetched_at,
        encoding=clean.encoding,
        asked_url=page.asked_url,
        page_digest=hashlib.sha256(page.body).hexdigest(),
        record_id=page.record_id,
        place=page.place,
        visits=page.visits,
        sections=completed(own, rules, chosen),
        origins={name: found.origin for name, found in chosen.items()},
        **{name: found.value for name, found in chosen.items()},
    )
