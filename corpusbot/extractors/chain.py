"""Extraction: the site's extractors in turn, and what the page says about itself for whatever they leave open."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from corpusbot.extractors.sections import completed
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings, Found, first_of_each
from corpusbot.metadata.generic import metadata_of
from corpusbot.model import Article, CleanPage, Drop, by_rule
from corpusbot.plugins import plugin
from corpusbot.sites import SiteConfig

BODY = frozenset(("body",))


def extract_article(clean: CleanPage, site: SiteConfig) -> Article | Drop:
    """The article of a page; what found each field is told in its `origins`."""
    several = list(_asked(clean, site))
    body = _body(several, site.min_body)
    if body is None:
        return Drop("no_text", f"no text by {', '.join(site.extractors)}")
    chosen = first_of_each(several, skip=BODY) | {"body": body}
    chosen |= first_of_each([metadata_of(facts_of(clean, site), known=chosen)], skip=frozenset(chosen))
    chosen |= {name: found for name, found in _by_default(clean, site).items() if name not in chosen}
    return _article(clean, site, several, chosen)


def _asked(clean: CleanPage, site: SiteConfig) -> Iterator[Findings]:
    """The findings of one extractor after the other, until one of them has a body that is long enough."""
    for name in site.extractors:
        findings = plugin("extractors", name).extract(clean, site)
        if findings is not None:
            yield findings
            if findings.body_length >= site.min_body:
                return


def _body(several: list[Findings], min_body: int) -> Found | None:
    """The first body that is long enough; if none is, what the rules found, or else the longest."""
    with_body = [findings for findings in several if findings.body]
    if not with_body:
        return None
    long_enough = (findings for findings in with_body if findings.body_length >= min_body)
    by_rules = (findings for findings in with_body if by_rule(findings.origins["body"]))
    longest = max(with_body, key=lambda findings: findings.body_length)
    best = next(long_enough, None) or next(by_rules, longest)
    return Found(best.body, best.origins["body"])


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
