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

from bench.extraction_sets import FOLDS, NO_DATA, SETS, SITE, Sample, cleaned, page_of, samples
from corpusbot.dom.cleanup import clean_page
from corpusbot.extract import cnr, gist, jsonld
from corpusbot.extract.gist.model import Model, model_of
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
    for name in names:
        read = reader_of(name, pages, options)
        own = [scored(name, page, read(page)) for page in pages]
        print("\n".join(table(name, own)), flush=True)
        scores += own
    speeds = {name: milliseconds(reader_of(name, pages, options), pages) for name in names}
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


_MODELS: dict[tuple[str, ...], dict[int, Model]]


def reader_of(name: str, pages: Sequence[Sample], options: argparse.Namespace) -> Reader:
    """What reads a page's text."""
    if name == "gist":
        models = {} if options.shipped else models_without(options)
        return lambda page: _text(page, lambda clean: gist.extracted(clean, SITE, options.prefer, models.get(page.fold)))
    if name in OWN:
        return lambda page: _text(page, lambda clean: OWN[name].extract(clean, SITE))
    return {"trafilatura": _trafilatura, "readability": _readability, "resiliparse": _resiliparse,
            "newspaper4k": _newspaper}[name]()  # fmt: skip
