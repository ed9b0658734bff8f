"""The gate: whose body is taken. The first that is long enough and sure enough; all others are passed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpusbot.extractors import findings_by
from corpusbot.metadata.findings import Findings
from corpusbot.model import Article, CleanPage, Drop, PassedOver, by_rule
from corpusbot.sites import SiteConfig

NOTHING, TOO_SHORT, NOT_SURE = "nothing", "too short", "not sure"
# What a run counts of it, for its report.
FOUND_BY, NONE_PASSED, PASSED_OVER, KIND = "found by", "none passed the gate", "passed over", "kind"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an extractor said of a page, and why that did not pass the gate, if it did not."""

    extractor: str
    findings: Findings
    passed_over: PassedOver | None = None


def answers(clean: CleanPage, site: SiteConfig) -> Iterator[Answer]:
    """The answer of one extractor after the other, until one passes the gate."""
    for name, (plug_in, options) in zip(labels(site.extractor_names), site.extractors, strict=True):
        findings = findings_by(plug_in, options, clean, site) or Findings()
        answer = Answer(name, findings, misgiving(name, findings, site))
        yield answer
        if answer.passed_over is None:
            return


def labels(names: Iterable[str]) -> Iterator[str]:
    """The names to tell extractors by: one that is asked again, with other options, has its number.

    >>> list(labels(["gist", "cnr", "gist"]))
    ['gist', 'cnr', 'gist 2']
    """
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        yield f"{name} {seen[name]}" if seen[name] > 1 else name


def misgiving(name: str, findings: Findings, site: SiteConfig) -> PassedOver | None:
    """Why a body does not pass; None if it does. An extractor that cannot tell how sure it is need not be."""
    length, sure = findings.body_length, findings.confidence
    if not length:
        return PassedOver(name, NOTHING)
    if length < site.min_body:
        return PassedOver(name, TOO_SHORT, f"{length} of {site.min_body} characters")
    if sure is not None and sure < site.min_confidence:
        return PassedOver(name, NOT_SURE, f"confidence {sure:.2f} below {site.min_confidence:g}")
    return None


def taken(given: list[Answer]) -> Answer | None:
    """The answer that passed; if none did, the rules', or else the longest; None if nobody found any text."""
    with_body = [answer for answer in given if answer.findings.body]
    passed = (answer for answer in with_body if answer.passed_over is None)
    by_rules = (answer for answer in with_body if by_rule(answer.findings.origins["body"]))
    longest = max(with_body, key=lambda answer: answer.findings.body_length, default=None)
    return next(passed, None) or next(by_rules, longest)


def counted(result: Article | Drop) -> Iterator[tuple[str, str]]:
    """What a run counts of an extraction: a subject and a name each."""
    for one in result.passed_over:
        yield PASSED_OVER, f"{one.extractor}: {one.reason}"
    if isinstance(result, Article) and result.found_by:
        passed = all(one.extractor != result.found_by for one in result.passed_over)
        yield FOUND_BY if passed else NONE_PASSED, result.found_by
        if result.kind:
            yield KIND, result.kind.name
