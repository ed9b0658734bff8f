"""The site files on real pages of their newspapers: how near what they find is to what is there."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import mean

from bench.site_gold import GoldPage, authors_agree, dates_agree, titles_agree, word_f1
from bench.site_gold import gold_pages as gold_pages_in
from corpusbot.line import trace
from corpusbot.model import Article, Body, CleanPage, Drop, Page
from corpusbot.sites import SiteConfig, SiteError, load_site

LEAST_AUTHORS = 0.95
LEAST_MEAN_BODY = 0.99
LEAST_BODY = 0.95
SHOWN_ORIGINS = ("title", "published", "authors", "lead", "body")
NO_DATA = """No pages in {folder}.
This measurement needs pages of newspapers and what is to be found on them, which are no part of this project.
Take them where they are free: the test pages of flairNLP/fundus (a page and its JSON for each publisher) and
the tests of newspaper4k. Lay them out as DATA/sites/NAME/DATE.html.gz beside DATE.json (url, title, authors,
published, and lead and sections of headline and paragraphs, or text), NAME being the stem of a site file,
and say where: make eval-sites DATA=/where/they/are"""


@dataclass(frozen=True, slots=True)
class Score:
    """How well one page was read; None where there is nothing to compare with."""

    site: str
    page: str
    title: bool | None = None
    date: bool | None = None
    authors: bool | None = None
    lead: float | None = None
    body: float | None = None
    link: bool | None = None
    language: bool | None = None
    trouble: str | None = None
    defect: str | None = None
    origins: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and tell whether the floor holds."""
    options = _options(arguments)
    folder = options.data / "sites"
    pages = list(gold_pages_in(folder, options.site))
    if not pages:
        print(NO_DATA.format(folder=folder / (options.site or "")), file=sys.stderr)
        return 2
    scores = [scored(page, options.generic) for page in pages]
    print("\n".join(table(scores)))
    faults = below_floor(scores)
    print("\n".join(["", *summary(scores)]))
    if options.json:
        report = {"pages": [asdict(score) for score in scores], "below_floor": faults}
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if options.generic:
        return 0
    print("\n".join(["", "Below the floor:", *faults] if faults else ["", "The floor holds."]))
    return 1 if faults else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.eval_sites", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds sites/")
    parser.add_argument("--site", help="only this newspaper")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every score there too")
    parser.add_argument("--generic", action="store_true", help="as if the site had no rules")
    return parser.parse_args(arguments)


def scored(page: GoldPage, generic: bool = False) -> Score:
    """One page read by its site file and compared with its gold."""
    score = Score(page.site, page.name, defect=page.defect)
    try:
        site = load_site(page.site)
    except SiteError as error:
        return replace(score, trouble=str(error))
    result, clean = _read(page, without_rules(site) if generic else site)
    score = replace(score, link=is_link(site, page), language=_speaks(site, clean))
    if isinstance(result, Drop):
        return replace(score, trouble=str(result))
    return _compared(score, result, page, site.timezone)


def _read(page: GoldPage, site: SiteConfig) -> tuple[Article | Drop, CleanPage | None]:
    """The article before any filter, and the tree that it was taken from; its day chooses the layout."""
    clean: CleanPage | None = None
    fetched = Page(site.id, page.gold.url, Body(page.body), page.fetched_at)
    for step in trace(fetched, site):
        if isinstance(step.result, CleanPage):
            clean = step.result
        elif step.name == "normalising" or isinstance(step.result, Drop):
            return step.result, clean
    raise LookupError("no step 'normalising' in the line: take its new name into bench/eval_sites.py")


def _compared(score: Score, article: Article, page: GoldPage, timezone: str) -> Score:
    gold = page.gold
    text = article.text
    if gold.holds_lead and article.lead:
        text = f"{article.lead}\n{text}"
    return replace(
        score,
        title=titles_agree(article.title, gold.title) if gold.title else None,
        date=dates_agree(article.published, gold.published, timezone) if gold.published else None,
        authors=authors_agree(article.authors, gold.authors) if gold.authors is not None else None,
        lead=word_f1(article.lead or "", gold.lead) if gold.lead else None,
        body=word_f1(text, gold.body),
        origins=dict(article.origins),
        values={
            "title": str(article.title),
            "date": str(article.published),
            "authors": "; ".join(article.authors),
        },
    )


def without_rules(site: SiteConfig) -> SiteConfig:
    """The site as if its file held no rules."""
    others = tuple(one for one in site.extractors if one[0] != "rules")
    return replace(site, levels=(), versions=(), extractors=others)


def is_link(site: SiteConfig, page: GoldPage) -> bool:
    """Whether the site's patterns would have led to the page."""
    day, url = page.fetched_at.date(), page.gold.url
    patterns = [*site.links, *(link for index in site.indexes for link in index.links)]
    wanted = any(pattern.regex(day).search(url) for pattern in patterns)
    return wanted and not any(excluded.search(url) for excluded in site.excluded(day))


def _speaks(site: SiteConfig, clean: CleanPage | None) -> bool | None:
    """Whether the page says that it is in the site's language; None if it says nothing."""
    said = str(clean.tree.xpath("string(/html/@lang)")).strip().lower() if clean else ""
    return said.split("-")[0] == site.language if said and site.language else None


def table(scores: Iterable[Score]) -> Iterator[str]:
    """A line for each page, and under it what found each field."""
    names = f"{'title':<7}{'date':<7}{'authors':<9}{'lead':<7}{'body':<8}{'link':<6}language"
    yield f"{'site':<19}{'page':<12}{names}"
    for score in scores:
        figures = f"{_figure(score.lead, 3):<7}{_figure(score.body, 4):<8}"
        yield (
            f"{score.site:<19}{score.page:<12}{_mark(score.title):<7}{_mark(score.date):<7}"
            f"{_mark(score.authors):<9}{figures}{_mark(score.link):<6}{_mark(score.language)}"
        )
        if score.trouble:
            yield f"    {score.trouble}"
        if score.defect:
            yield f"    body not held to the floor: {score.defect}"
        if score.origins:
            places = (f"{name} {_place(score.origins.get(name, '-'))}" for name in SHOWN_ORIGINS)
            yield f"    {' · '.join(places)}"
        yield from _wrong(score)


def _wrong(score: Score) -> Iterator[str]:
    """What was found where something else should have been."""
    for name, right in (("title", score.title), ("date", score.date), ("authors", score.authors)):
        if right is False:
            yield f"    {name} found: {score.values.get(name)}"


def _place(origin: str) -> str:
    """An origin without the text of its selector: file, line and kind."""
    place, _, mark = origin.partition(" ")
    return f"{place} {mark.partition(':')[0]}".strip()


def _mark(right: bool | None) -> str:
    return "-" if right is None else "ok" if right else "WRONG"


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def summary(scores: Sequence[Score]) -> Iterator[str]:
    """The means over all pages."""
    yield f"{len(scores)} pages of {len({score.site for score in scores})} newspapers"
    for name in ("title", "date", "authors", "link", "language"):
        marks = [mark for score in scores if (mark := getattr(score, name)) is not None]
        yield f"  {name:<9} {sum(marks)} of {len(marks)}"
    leads = [score.lead for score in scores if score.lead is not None]
    yield f"  {'lead':<9} mean F1 {mean(leads):.4f} over {len(leads)}" if leads else "  lead      -"
    sound = _sound_bodies(scores)
    if sound:
        yield f"  {'body':<9} mean F1 {mean(sound):.4f}, least {min(sound):.4f} over {len(sound)}"
    if len(sound) < len(scores):
        every = mean(score.body or 0.0 for score in scores)
        yield f"            {every:.4f} with the {len(scores) - len(sound)} whose gold is faulty"


def _sound_bodies(scores: Iterable[Score]) -> list[float]:
    """The F1 of the bodies whose gold is fit to be held to; a page that was not read counts as 0."""
    return [score.body or 0.0 for score in scores if score.defect is None]


def below_floor(scores: Sequence[Score]) -> list[str]:
    """What misses the floor, in words; nothing if it holds."""
    return [*_wrong_fields(scores), *_poor_bodies(scores)]


def _wrong_fields(scores: Sequence[Score]) -> Iterator[str]:
    for score in scores:
        if score.trouble:
            yield f"{score.site} {score.page}: {score.trouble}"
        for name in ("title", "date", "link", "language"):
            if getattr(score, name) is False:
                yield f"{score.site} {score.page}: wrong {name}"
    marks = [score.authors for score in scores if score.authors is not None]
    if marks and mean(marks) < LEAST_AUTHORS:
        yield f"authors: {mean(marks):.3f}, and the floor is {LEAST_AUTHORS}"


def _poor_bodies(scores: Sequence[Score]) -> Iterator[str]:
    for score in scores:
        if score.defect is None and (score.body or 0.0) < LEAST_BODY:
            yield f"{score.site} {score.page}: body F1 {score.body or 0.0:.4f}, and the floor is {LEAST_BODY}"
    bodies = _sound_bodies(scores)
    if bodies and mean(bodies) < LEAST_MEAN_BODY:
        yield f"body: mean F1 {mean(bodies):.4f}, and the floor is {LEAST_MEAN_BODY}"


if __name__ == "__main__":
    sys.exit(main())
