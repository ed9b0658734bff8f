"""The extractors on real pages with gold text: how much of it they find, what else they bring, and how fast.

`gist` is cross-validated by registered domain over all sets: the model that reads a page has seen no page of its
domain. The others have learnt nothing from these pages.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from typing import Any

from bench.extraction_sets import FOLDS, NO_DATA, SETS, SITE, Sample, page_of, samples
from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors import cnr, gist, jsonld
from corpusbot.extractors.gist.choice import Preference
from corpusbot.extractors.gist.model import Model, model_of
from corpusbot.metadata.findings import Findings
from corpusbot.model import CleanPage, Drop

GROUPS = ("aeb", "newspapers", "np4k", "wcxb articles", "evaldata", "wcxb others")
OWN: Mapping[str, Any] = {"cnr": cnr, "jsonld": jsonld}
PEERS = {
    "trafilatura": "trafilatura",
    "readability": "readability",
    "resiliparse": "resiliparse",
    "newspaper4k": "newspaper",
}
RESAMPLES = 1_000
TIMED_PAGES = 150
WORST = 15
_WORD = re.compile(r"\w+")
Reader = Callable[[Sample], str]


@dataclass(frozen=True, slots=True)
class Score:
    """How one extractor read one page: words, or phrases, right, wrong and missed."""

    extractor: str
    group: str
    page: str
    page_type: str
    language: str | None
    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of what was found that is wanted."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else float(not self.missed)

    @property
    def recall(self) -> float:
        """The share of what is wanted that was found."""
        return self.right / (self.right + self.missed) if self.right + self.missed else float(not self.wrong)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = _options(arguments)
    pages = list(samples(options.data, tuple(options.sets.split(",")), options.limit))
    if not pages:
        print(NO_DATA.format(folder=options.data / "extraction", target="eval-extract"), file=sys.stderr)
        return 2
    names = options.extractors.split(",") if options.extractors else ["gist", *OWN, *_installed()]
    scores: list[Score] = []
    print(f"{'':<13}" + "".join(f"{group:<24}" for group in GROUPS))
    readers = {name: reader_of(name, options) for name in names}
    for name, read in readers.items():
        own = [scored(name, page, read(page)) for page in pages]
        print("\n".join(table(name, own)), flush=True)
        scores += own
    speeds = {name: milliseconds(read, pages) for name, read in readers.items()}
    print("\n".join(["", "ms a page, HTML bytes in, text out: median, mean, most", *_speed_lines(speeds)]))
    print("\n".join(["", f"The worst pages of {names[0]}:", *worst(scores, names[0])]))
    if options.json:
        report = {"pages": [asdict(score) | {"f1": round(score.f1, 4)} for score in scores], "ms": speeds}
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.eval_extract", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--sets", default=",".join(SETS), help="only these, with commas between (%(default)s)")
    parser.add_argument("--extractors", help="only these; by default all that are installed")
    parser.add_argument("--limit", type=int, help="so many pages of each set only")
    parser.add_argument("--prefer", default="balanced", help="what gist is to prefer (%(default)s)")
    parser.add_argument("--shipped", action="store_true", help="gist's model as it ships, which has seen these pages")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every score there too")
    return parser.parse_args(arguments)


def _installed() -> list[str]:
    return [name for name, module in PEERS.items() if find_spec(module)]


def reader_of(name: str, options: argparse.Namespace) -> Reader:
    """What reads a page's text."""
    if name == "gist":
        models = {} if options.shipped else models_by_fold(options.data)
        return lambda page: _by_gist(page, options.prefer, models.get(page.fold))
    if name in OWN:
        return lambda page: _text(page, lambda clean: OWN[name].extract(clean, SITE))
    makers = {
        "trafilatura": _trafilatura, "readability": _readability, "resiliparse": _resiliparse,
        "newspaper4k": _newspaper,
    }  # fmt: skip
    return makers[name]()


def models_by_fold(data: Path) -> dict[int, Model]:
    """For each part of the domains, a model that has learnt from all others, of every set."""
    from bench.train import learnt, lesson_of  # training's libraries are needed for this alone

    lessons = [lesson for sample in samples(data) if (lesson := lesson_of(sample))]
    return {
        fold: model_of(learnt([lesson for lesson in lessons if lesson.fold != fold])) for fold in range(FOLDS)
    }


def _by_gist(page: Sample, prefer: Preference, model: Model | None) -> str:
    return _text(page, lambda clean: gist.extracted(clean, SITE, prefer, model))


def _text(page: Sample, read: Callable[[CleanPage], Findings | None]) -> str:
    """The text that one of our own extractors finds, from bytes on."""
    clean = clean_page(page_of(page), SITE)
    found = None if isinstance(clean, Drop) else read(clean)
    return "\n\n".join(block.text for block in found.body) if found else ""


def _trafilatura() -> Reader:
    from trafilatura import extract

    return lambda page: extract(page.html, include_comments=False) or ""


def _readability() -> Reader:
    from lxml.html import document_fromstring
    from readability import Document

    return lambda page: "\n".join(document_fromstring(Document(page.html).summary()).itertext())


def _resiliparse() -> Reader:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def read(page: Sample) -> str:
        markup = bytes_to_str(page.html, detect_encoding(page.html) or "utf-8")
        return extract_plain_text(markup, main_content=True, alt_texts=False, noscript=False)

    return read


def _newspaper() -> Reader:
    from newspaper import Article

    def read(page: Sample) -> str:
        article = Article(page.url)
        article.download(input_html=page.html.decode("utf-8", "replace"))
        article.parse()
        return str(article.text)

    return read


def scored(extractor: str, page: Sample, text: str) -> Score:
    """What was found, compared with the gold."""
    group = page.collection
    if group == "wcxb":
        group += " articles" if page.page_type == "article" else " others"
    right, wrong, missed = _by_phrases(page, text) if page.text is None else _by_words(page.text, text)
    return Score(extractor, group, page.id, page.page_type, page.language, right, wrong, missed)


def _by_words(wanted: str, text: str) -> tuple[int, int, int]:
    ours, theirs = Counter(_WORD.findall(text.lower())), Counter(_WORD.findall(wanted.lower()))
    right = (ours & theirs).total()
    return right, ours.total() - right, theirs.total() - right


def _by_phrases(page: Sample, text: str) -> tuple[int, int, int]:
    right = sum(phrase in text for phrase in page.wanted)
    return right, sum(phrase in text for phrase in page.unwanted), len(page.wanted) - right


def figure(scores: Sequence[Score], group: str) -> float:
    """The mean F1; for evaldata, whose pages have a handful of phrases each, the F1 of the sums."""
    if group != "evaldata":
        return mean(score.f1 for score in scores)
    return Score("", group, "", "", None, *(sum(column) for column in _columns(scores))).f1


def _columns(scores: Sequence[Score]) -> Iterator[Iterable[int]]:
    return iter(zip(*((score.right, score.wrong, score.missed) for score in scores), strict=True))


def interval(scores: Sequence[Score], group: str) -> tuple[float, float]:
    """Where the figure lies in 95 of 100 samples of these pages."""
    dice = random.Random(1)
    drawn = sorted(figure(dice.choices(scores, k=len(scores)), group) for _ in range(RESAMPLES))
    return drawn[RESAMPLES // 40], drawn[-RESAMPLES // 40]


def table(name: str, scores: Sequence[Score]) -> Iterator[str]:
    """F1 with its interval, and under it precision and recall and how many pages gave nothing."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        groups[score.group].append(score)
    figures, details = [], []
    for group in GROUPS:
        own = groups.get(group)
        if not own:
            figures.append("-")
            details.append("")
            continue
        least, most = interval(own, group)
        empty = sum(not score.right + score.wrong for score in own)
        figures.append(f"{figure(own, group):.4f} ({least:.3f}-{most:.3f})")
        details.append(f"P {mean(s.precision for s in own):.3f} R {mean(s.recall for s in own):.3f} 0: {empty}")
    yield f"{name:<13}" + "".join(f"{text:<24}" for text in figures)
    yield f"{'':<13}" + "".join(f"{text:<24}" for text in details)


def milliseconds(read: Reader, pages: Sequence[Sample]) -> list[float]:
    """How long it takes to read some pages, spread over all sets, each the quicker of two times."""
    found = []
    for page in pages[:: max(1, len(pages) // TIMED_PAGES)]:
        times = []
        for _ in range(2):
            start = time.perf_counter()
            read(page)
            times.append(time.perf_counter() - start)
        found.append(min(times) * 1_000)
    return found


def _speed_lines(speeds: Mapping[str, Sequence[float]]) -> Iterator[str]:
    for name, times in speeds.items():
        yield f"{name:<13}{median(times):8.2f}{mean(times):8.2f}{max(times):8.1f}"


def worst(scores: Iterable[Score], extractor: str) -> Iterator[str]:
    """The pages that one extractor read least well."""
    own = sorted((score for score in scores if score.extractor == extractor), key=lambda score: score.f1)
    for score in own[:WORST]:
        figures = f"{score.f1:.3f} P {score.precision:.3f} R {score.recall:.3f}"
        yield f"{figures}  {score.group:<15}{score.page_type:<15}{score.page}"


if __name__ == "__main__":
    sys.exit(main())
