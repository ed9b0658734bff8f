"""How well pages are told apart: articles from front pages, lists, shops, forums, manuals and the like.

The model is cross-validated by registered domain: what judges a page has seen no page of its domain. The rules
(live blogs, galleries, films, pay walls, errors, walls of consent) have learnt nothing; no page is labelled as one
of these, so that what they find among the articles is listed, to be looked at.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from bench.extraction_sets import FOLDS, NO_DATA
from bench.kind_pages import KindPage, kind_pages, without_head
from bench.train_kinds import learnt, lessons_of
from corpusbot.extractors.kinds import kind_by, kind_of
from corpusbot.extractors.kinds.judgement import Judge, judge_of, shipped_judge
from corpusbot.filters.kind import Options
from corpusbot.model import KINDS, Kind

# Real newspapers, where a lost article is worst; of their live blogs JSON-LD tells, and they are no loss.
NEWSPAPERS = ("aeb", "newspapers", "np4k", "sites")
NOT_LOST = ("article", "live_blog")
EXPECTED = ("article", "collection", "other")
BINS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)
LISTED = 40


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page is, and what it was taken for."""

    collection: str
    id: str
    url: str
    expected: str
    found: str
    confidence: float
    reason: str

    @property
    def is_right(self) -> bool:
        """Whether it was taken for what it is."""
        return self.found == self.expected


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = _options(arguments)
    pages = list(kind_pages(options.data, options.limit))
    if not pages:
        print(NO_DATA.format(folder=options.data / "extraction", target="eval-kinds"), file=sys.stderr)
        return 2
    judges = {fold: shipped_judge() for fold in range(FOLDS)} if options.shipped else judges_by_fold(pages)
    verdicts = [verdict(page, kind_by(page.signs, judges[page.fold])) for page in pages]
    bare = [verdict(page, kind_by(without_head(page.signs), judges[page.fold])) for page in pages]
    print("\n".join([*confusion(verdicts), "", *figures(verdicts), "", *kept(verdicts, "whole pages")]))
    print("\n".join([*kept(bare, "without head and address"), "", *calibration(verdicts)]))
    print("\n".join(["", *milliseconds(pages), "", *listed(verdicts)]))
    if options.json:
        report = [asdict(one) for one in verdicts]
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.eval_kinds", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--limit", type=int, help="so many pages of each set only")
    parser.add_argument("--shipped", action="store_true", help="the model as it ships, which has seen these pages")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every verdict there too")
    return parser.parse_args(arguments)


def judges_by_fold(pages: Sequence[KindPage]) -> dict[int, Judge]:
    """For each part of the domains, a model that has learnt from all others."""
    lessons = [lesson for page in pages for lesson in lessons_of(page)]
    return {fold: judge_of(learnt([lesson for lesson in lessons if lesson.fold != fold])) for fold in range(FOLDS)}


def verdict(page: KindPage, kind: Kind) -> Verdict:
    """The page beside what it was taken for."""
    return Verdict(page.collection, page.id, page.url, page.kind, kind.name, kind.confidence, kind.reason)


def confusion(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What pages of each set and kind were taken for."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in verdicts:
        counts[one.collection, one.expected][one.found] += 1
    yield f"{'taken for':<24}" + "".join(f"{name:>11}" for name in KINDS)
    for (collection, expected), found in sorted(counts.items()):
        yield f"{collection:<12}{expected:<12}" + "".join(f"{found[name] or '-':>11}" for name in KINDS)


def figures(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Precision and recall of each kind that pages are labelled with."""
    for name in EXPECTED:
        right = sum(one.is_right for one in verdicts if one.expected == name)
        found, there = (sum(getattr(one, key) == name for one in verdicts) for key in ("found", "expected"))
        yield f"{name:<12}precision {right / max(found, 1):.3f}  recall {right / max(there, 1):.3f}  of {there}"


def kept(verdicts: Sequence[Verdict], what: str) -> Iterator[str]:
    """How many articles stay articles, and how many of the others are seen to be none.

    In brackets, how many the filter `kind` drops as it is set by default: those that are surely none.
    """
    yield f"{what}: lost or seen (dropped by the filter)"
    for label, names in (("newspapers", NEWSPAPERS), ("wcxb", ("wcxb",)), ("evaldata", ("evaldata",))):
        own = [one for one in verdicts if one.collection in names]
        articles = [one for one in own if one.expected == "article"]
        others = [one for one in own if one.expected != "article"]
        live = sum(one.found == "live_blog" for one in articles)
        line = f"  {label:<12}{len(articles)} articles: {_apart(articles)} lost, {live} live blogs"
        yield line + (f"; {len(others)} others: {_apart(others)} seen" if others else "")


def _apart(verdicts: Sequence[Verdict]) -> str:
    """How many are taken for something else than articles, and how many of these the filter drops."""
    found = [one for one in verdicts if one.found not in NOT_LOST]
    dropped = sum(one.confidence >= Options().least for one in found)
    total = len(verdicts) or 1
    return f"{len(found)} = {len(found) / total:.1%} ({dropped} = {dropped / total:.1%})"


def calibration(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """How often a verdict of some confidence is right; what rules say is left out, for which there are no labels."""
    yield "confidence    pages  mean  right"
    learnt_kinds = [one for one in verdicts if one.found in EXPECTED]
    for least, most in pairwise(BINS):
        own = [one for one in learnt_kinds if least <= one.confidence < most]
        if own:
            said, right = mean(one.confidence for one in own), mean(one.is_right for one in own)
            yield f"{least:.2f}-{min(most, 1):.2f}{len(own):>10}{said:>7.3f}{right:>7.3f}"


def milliseconds(pages: Sequence[KindPage]) -> Iterator[str]:
    """What it takes on top of the outline that gist has made."""
    shipped_judge()
    times = []
    for page in pages[::5]:
        signs, taken = page.signs, []
        for _ in range(3):
            start = time.perf_counter()
            kind_of(signs.clean, signs.body)
            taken.append(time.perf_counter() - start)
        times.append(min(taken) * 1_000)
    yield f"ms a page on top of the outline: median {median(times):.2f}, mean {mean(times):.2f}, most {max(times):.1f}"


def listed(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What rules found, and articles of newspapers that were lost; then the worst of the others."""
    yield "Found by rules, and newspapers' articles that were not taken for such:"
    for one in verdicts:
        is_lost = one.collection in NEWSPAPERS and one.expected == "article" and one.found != "article"
        if is_lost or one.found not in EXPECTED:
            yield _line(one)
    yield "Taken for articles most surely:"
    wrong = [one for one in verdicts if one.found == "article" and not one.is_right]
    yield from (_line(one) for one in sorted(wrong, key=lambda one: -one.confidence)[:LISTED])


def _line(one: Verdict) -> str:
    page = f"{one.collection} {one.expected} {one.id[:30]} {one.url[:70]}"
    return f"  {one.found} {one.confidence:.2f}  {page}: {one.reason}"


if __name__ == "__main__":
    sys.exit(main())
