"""A trial in words: the stages, the article with what found each field, and the sources that found nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpusbot.blocks_told import blocks_told
from corpusbot.line import Step
from corpusbot.model import Article, CleanPage, Drop, Page, PassedOver
from corpusbot.sites import SiteConfig
from corpusbot.sites.explain import source_text
from corpusbot.trial import Attempt, Trial

FIELDS = (
    "title", "authors", "published", "modified", "section", "language", "canonical_url", "lead", "tags",
    "paywalled", "rights", "publisher",
)  # fmt: skip
BEGINNING = 600  # characters of the text
WIDTH = 14


def told(trial: Trial, whole_text: bool = False, blocks: bool = False) -> str:
    """The whole trial; with `blocks`, how each block of the page was judged as well."""
    lines = [*_page(trial.page, trial.site), "", *(_step(step) for step in trial.steps), ""]
    articles = [step.result for step in trial.steps if isinstance(step.result, Article)]
    if articles:
        lines += _article(articles[-1], whole_text)
    drop = trial.steps[-1].result
    if not articles and isinstance(drop, Drop):
        lines += _passed_over(drop.passed_over)
    found_nothing = [attempt for attempt in trial.attempts if not attempt.matches]
    if found_nothing:
        lines += ["", "Found nothing", *map(_attempt, found_nothing)]
    clean = trial.steps[0].result
    if blocks and isinstance(clean, CleanPage):
        lines += ["", *blocks_told(clean, trial.site)]
    return "\n".join(lines)


def _page(page: Page, site: SiteConfig) -> Iterator[str]:
    yield page.url
    yield f"{len(page.body)} bytes, read as {site.id} of {page.fetched_at:%Y-%m-%d}"
    day = page.place.day or page.fetched_at.date()
    excluded = next((pattern.pattern for pattern in site.excluded(day) if pattern.search(page.url)), None)
    if excluded:
        yield f"a crawl would not ask for it: `exclude` has {excluded}"
    elif page.place.index:
        yield f"a crawl would find it through {page.place.index}, by the link pattern {page.place.link}"
    else:
        yield "a crawl would not find it: its address matches no link pattern"


def _step(step: Step) -> str:
    head, result = f"{step.name:<12}{step.seconds * 1000:7.1f} ms  ", step.result
    if isinstance(result, Drop):
        return f"{head}DROPPED  {result}"
    if isinstance(result, CleanPage):
        encoding = result.encoding
        declared = f", declared {encoding.declared}" if encoding.declared else ""
        return f"{head}read as {encoding.used} (by {encoding.source}{declared}); {len(result.jsonld)} JSON-LD objects"
    if step.name == "extraction":
        return f"{head}{len(result.body)} blocks, {len(result.text)} characters"
    return f"{head}kept" if step.name == "filtering" else f"{head}done"


def _article(article: Article, whole_text: bool) -> Iterator[str]:
    for name in FIELDS:
        value = getattr(article, name)
        if value not in (None, (), ""):
            shown = "; ".join(value) if isinstance(value, tuple) else str(value)
            yield f"  {name:<{WIDTH}}{shown}   [{article.origins.get(name, '?')}]"
    yield from _judged(article)
    cut = not whole_text and len(article.text) > BEGINNING
    yield f"  {'text':<{WIDTH}}[{article.origins.get('body', '?')}]"
    yield ""
    text = f"{article.text[:BEGINNING]} … (--text shows all of it)" if cut else article.text
    yield from (f"    {line}".rstrip() for line in text.split("\n"))


def _judged(article: Article) -> Iterator[str]:
    """What the page is, how sure its text is, and who was passed over."""
    if kind := article.kind:
        yield f"  {'kind':<{WIDTH}}{kind.name} ({kind.confidence:.2f})" + (f"   {kind.reason}" if kind.reason else "")
    if article.confidence is not None:
        yield f"  {'confidence':<{WIDTH}}{article.confidence:.2f}"
    yield from _passed_over(article.passed_over)
    if any(one.extractor == article.found_by for one in article.passed_over):
        yield f"  {'':<{WIDTH}}none passed the gate: what {article.found_by} found stays"


def _passed_over(passed_over: Iterable[PassedOver]) -> Iterator[str]:
    """Which extractors' bodies were not taken, and why."""
    for number, one in enumerate(passed_over):
        yield f"  {'' if number else 'passed over':<{WIDTH}}{one}"


def _attempt(attempt: Attempt) -> str:
    rule = attempt.rule
    return f"  {rule.to or 'style sheet':<{WIDTH}}{source_text(attempt.source)}   [{rule.where}]"
