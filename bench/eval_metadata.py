"""Generic metadata on real pages: how often title, authors, date and language are right, beside others' readers.

Nothing is known of a page but its address and bytes: no site's rules, name, zone or language.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from typing import Any

from bench.extraction_sets import NO_DATA, SITE
from bench.metadata_gold import Case, Metadata, cases, marks, within_a_day
from corpusbot.dom.cleanup import clean_page
from corpusbot.metadata import jsonld, opengraph
from corpusbot.metadata.byline import is_name
from corpusbot.metadata.facts import Facts, facts_of
from corpusbot.metadata.findings import FIELDS, Findings
from corpusbot.metadata.generic import FINDERS, Finder, metadata_of
from corpusbot.model import Article, Body, CleanPage, Drop, Page
from corpusbot.normalise import normalised

SETS = ("sites", "newspapers")
# Sets without gold for metadata: good enough to compare places of one page, and for speed.
UNMARKED = ("aeb", "np4k")
NOBODYS = replace(SITE, name="")
MOST_OF_DOMAIN = 3
NAMES = ("title", "title, but for marks", "authors", "authors F1", "day", "minute", "language")
PEERS = {"trafilatura": "trafilatura", "newspaper4k": "newspaper", "htmldate": "htmldate"}
# What a reader does not look for is not held against it.
NEVER = {"trafilatura": ("language", "minute"), "htmldate": tuple(name for name in NAMES if name != "day")}
RESAMPLES = 1_000
Reader = Callable[[Case], tuple[Metadata, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Score:
    """How right one reader was about one page."""

    reader: str
    case: Case
    found: Metadata
    origins: Mapping[str, str]
    marks: Mapping[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = _options(arguments)
    pages = list(cases(options.data, tuple(options.sets.split(","))))
    if not pages:
        print(NO_DATA.format(folder=options.data, target="eval-metadata"), file=sys.stderr)
        return 2
    names = options.readers.split(",") if options.readers else ["corpusbot", *_installed()]
    scores = [scored(name, reader, page) for name in names for reader in [_reader(name)] for page in pages]
    for collection in dict.fromkeys(page.collection for page in pages):
        print("\n".join([*table([score for score in scores if score.case.collection == collection]), ""]))
    print("\n".join(failures(score for score in scores if score.reader == names[0])))
    if not options.readers:
        more = list(cases(options.data, UNMARKED))
        print("\n".join(["", *finders_table([*pages, *more]), "", *speeds([*pages, *more])]))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.eval_metadata", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds sites/")
    parser.add_argument("--sets", default=",".join(SETS), help="only these, with commas between (%(default)s)")
    parser.add_argument("--readers", help="only these and only their figures; by default all that are installed")
    return parser.parse_args(arguments)


def _installed() -> list[str]:
    return [name for name, module in PEERS.items() if find_spec(module)]


def _reader(name: str) -> Reader:
    return {
        "corpusbot": _corpusbot, "trafilatura": _trafilatura, "newspaper4k": _newspaper, "htmldate": _htmldate,
    }[name]  # fmt: skip


def scored(name: str, read: Reader, case: Case) -> Score:
    """What a reader finds, compared with the gold."""
    found, origins = read(case)
    return Score(name, case, found, origins, marks(found, case.gold))


def cleaned(case: Case) -> CleanPage | None:
    """The page as the line's first stage leaves it."""
    seen = datetime.combine(case.seen_on, datetime.max.time(), UTC) if case.seen_on else datetime.now(UTC)
    clean = clean_page(Page(SITE.id, case.url, Body(case.html), seen), SITE)
    return None if isinstance(clean, Drop) else clean


def article_of(clean: CleanPage, findings: Findings) -> Article:
    """What was found as the line would hand it on."""
    values = {name: getattr(findings, name) for name in FIELDS}
    article = Article(SITE.id, clean.page.url, clean.page.fetched_at, **values, origins=findings.origins)
    return normalised(article)


def _corpusbot(case: Case) -> tuple[Metadata, Mapping[str, str]]:
    clean = cleaned(case)
    if clean is None:
        return Metadata(), {}
    article = article_of(clean, metadata_of(facts_of(clean, NOBODYS)))
    return Metadata(article.title, article.authors, article.published, article.language), article.origins


def _trafilatura(case: Case) -> tuple[Metadata, Mapping[str, str]]:
    from trafilatura import bare_extraction

    document: Any = bare_extraction(case.html, url=case.url, with_metadata=True)
    if document is None:
        return Metadata(), {}
    authors = tuple(document.author.split("; ")) if document.author else ()
    return Metadata(document.title, authors, _day(document.date), document.language), {}


def _newspaper(case: Case) -> tuple[Metadata, Mapping[str, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of language packages that metadata does not need
        from newspaper import Article as Theirs

    article = Theirs(case.url, fetch_images=False)
    article.download(input_html=case.html.decode("utf-8", "replace"))
    # It looks for the text last, with a word list that it lacks for some languages.
    with contextlib.suppress(ImportError):
        article.parse()
    language = article.meta_lang or None
    return Metadata(article.title, tuple(article.authors), article.publish_date, language), {}


def _htmldate(case: Case) -> tuple[Metadata, Mapping[str, str]]:
    from htmldate import find_date

    return Metadata(published=_day(find_date(case.html, url=case.url, original_date=True))), {}


def _day(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def table(scores: Sequence[Score]) -> Iterator[str]:
    """A line for each reader: the mean of each field, and where it lies in 95 of 100 draws of domains."""
    collection = scores[0].case.collection
    yield f"{collection:<13}" + "".join(f"{name:<23}" for name in NAMES)
    for reader in dict.fromkeys(score.reader for score in scores):
        own = [score for score in scores if score.reader == reader]
        yield f"{reader:<13}" + "".join(f"{_figure(own, name):<23}" for name in NAMES)


def _figure(scores: Sequence[Score], name: str) -> str:
    groups: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        if name in score.marks and name not in NEVER.get(score.reader, ()):
            groups[score.case.group].append(score.marks[name])
    if not groups:
        return "-"
    listed = list(groups.values())
    everything = [mark for group in listed for mark in group]
    dice = random.Random(1)
    draws = (dice.choices(listed, k=len(listed)) for _ in range(RESAMPLES))
    drawn = sorted(mean(mark for group in draw for mark in group) for draw in draws)
    span = f"({drawn[RESAMPLES // 40]:.2f}-{drawn[-RESAMPLES // 40]:.2f})"
    return f"{mean(everything):.3f} {span} {len(everything)}"


def failures(scores: Iterable[Score]) -> Iterator[str]:
    """Each field that is wrong: the page, what it should be, what was found and where."""
    for score in scores:
        gold, found = score.case.gold, score.found
        for name, mark in score.marks.items():
            if mark == 1 or name in ("authors F1", "title, but for marks"):
                continue
            field = "published" if name in ("day", "minute") else name
            wanted, ours = str(getattr(gold, field)), str(getattr(found, field))
            yield f"{score.case.collection} {score.case.id}: {name} by {score.origins.get(field, '-')}"
            yield f"    wanted {wanted}"
            yield f"    found  {ours}"


def finders_table(pages: Iterable[Case]) -> Iterator[str]:
    """Each finder asked alone: on how many pages it finds anything, how often that is right, its ms on the median page.

    What is right is here what the article's JSON-LD says, which the finders of other places are not shown.
    """
    hidden = list(_hidden(pages))
    yield f"{'':<45}finds   right    ms   of {len(hidden)} pages"
    for field, mark in (("authors", "authors"), ("published", "day")):
        for finder in FINDERS[field]:
            if finder.__module__ != jsonld.__name__:
                own = [page for page in hidden if getattr(page.gold, field) is not None]
                yield _finder_line(field, mark, finder, own)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A page whose JSON-LD is known and taken out; its META tags are shown only to those who read them."""

    gold: Metadata
    with_metas: Facts
    bare: Facts


def _hidden(pages: Iterable[Case]) -> Iterator[Hidden]:
    seen: Counter[str] = Counter()
    for case in pages:
        clean = cleaned(case)
        if clean is None or seen[case.group] >= MOST_OF_DOMAIN:
            continue
        facts = facts_of(clean, NOBODYS)
        people, published = jsonld.persons(facts), jsonld.published(facts)
        named = people.value if people and all(map(is_name, people.value)) else None
        gold = Metadata(authors=named, published=published.value if published else None)
        if gold != Metadata():
            seen[case.group] += 1
            yield Hidden(gold, facts, facts_of(_without_data(clean), NOBODYS))


def _without_data(clean: CleanPage) -> CleanPage:
    """The page without what it says for machines."""
    tree = deepcopy(clean.tree)
    for element in list(tree.iter("script", "meta")):
        if element.get("itemprop") is None:
            element.drop_tree()
    return replace(clean, tree=tree, jsonld=())


def _finder_line(field: str, mark: str, finder: Finder, pages: Iterable[Hidden]) -> str:
    right: list[float] = []
    times: list[float] = []
    for page in pages:
        facts = page.with_metas if finder.__module__ == opengraph.__name__ else page.bare
        start = time.process_time()
        item = finder(facts)
        times.append((time.process_time() - start) * 1_000)
        if item is not None:
            found = replace(Metadata(), **{field: item.value})
            right.append(within_a_day(found, page.gold) if mark == "day" else marks(found, page.gold)[mark])
    name = f"{finder.__module__.rsplit('.', 1)[-1]}.{finder.__name__}"
    share = f"{mean(right):.3f}" if right else "    -"
    return f"{field:<10}{name:<35}{len(right):5}   {share} {median(times):7.3f}"


def speeds(pages: Iterable[Case]) -> Iterator[str]:
    """Milliseconds for all fields of a page, from the parsed tree on: median, mean, most."""
    trees = [clean for case in pages if (clean := cleaned(case))]
    yield "ms a page: median, mean, most"
    yield _speed_line("corpusbot", [_milliseconds(partial(_all_fields, clean)) for clean in trees])
    if find_spec("trafilatura"):
        from trafilatura.metadata import extract_metadata

        yield _speed_line("trafilatura", [_milliseconds(partial(extract_metadata, clean.tree)) for clean in trees])


def _all_fields(clean: CleanPage) -> Findings:
    return metadata_of(facts_of(clean, NOBODYS))


def _speed_line(name: str, times: Sequence[float]) -> str:
    return f"{name:<13}{median(times):8.2f}{mean(times):8.2f}{max(times):8.1f}"


def _milliseconds(act: Callable[[], object]) -> float:
    times = []
    for _ in range(2):
        start = time.process_time()
        act()
        times.append(time.process_time() - start)
    return min(times) * 1_000


if __name__ == "__main__":
    sys.exit(main())
