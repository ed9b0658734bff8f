"""Extractors node by node, as the table of CNR's authors has it: which text nodes of a page they find.

A page's gold nodes are its text nodes whose words stand in the gold text, by aligning the words of both; what an
extractor found is told in the same way from its text, so that all are measured alike. For each set: mean recall,
precision and F1 over pages, pages that are exact, and pages on which recall or precision is whole, as it always is
by construction where the one block found stands above or below the right one.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from bench.evaluation.fold_models import FoldModels
from bench.evaluation.readers import Read, Readers
from bench.evaluation.shelf import Shelf
from bench.extraction_sets import NO_DATA, Sample, cleaned, samples
from bench.gist_labels import labels_of
from corpusbot.dom.text import SILENT
from corpusbot.model import CleanPage, Drop

SETS = ("aeb", "newspapers", "np4k", "wcxb")  # those with a gold text
AUTHORS = "cnr: {share: 0.1, of: all, ranked: all, spaces: true, whole: true, hollow: [form, br, button, -footer]}"
USUAL = (
    AUTHORS, "cnr: {prefer: precision}", "cnr", "cnr: {prefer: recall}", "slope", "slope: {window: 5}", "cetr",
    "cetr: {by: threshold}", "dom_filters", "density", "trafilatura",
)  # fmt: skip
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Nodes:
    """How many nodes of a page are right, found and wanted."""

    right: int
    found: int
    wanted: int

    @property
    def recall(self) -> float:
        """The share of what is wanted that was found."""
        return self.right / self.wanted

    @property
    def precision(self) -> float:
        """The share of what was found that is wanted; nothing found has nothing wrong in it."""
        return self.right / self.found if self.found else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.right / (self.found + self.wanted)

    @property
    def is_exact(self) -> bool:
        """Whether they are the same nodes."""
        return self.right == self.found == self.wanted

    @property
    def is_one_whole(self) -> bool:
        """Whether recall or precision is 100%, and the other is more than nothing."""
        return 0 < self.right in (self.found, self.wanted)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.nodes", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--out", type=Path, default=Path("data/eval"), help="where models are kept (%(default)s)")
    parser.add_argument("--also", action="append", default=[], metavar="YAML", help="a plug-in with its options too")
    parser.add_argument("--only", action="store_true", help="only those, not the usual ones")
    parser.add_argument("--limit", type=int, help="so many pages of each set only, spread over it")
    options = parser.parse_args(arguments)
    readers = Readers(FoldModels(options.data, Shelf(options.out / "kept")))
    try:
        asked = {line: readers.of_yaml(line).ready() for line in (*(() if options.only else USUAL), *options.also)}
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    found = measured(asked, samples(options.data, SETS, options.limit))
    if not any(found.values()):
        print(NO_DATA.format(folder=options.data / "extraction", target="eval-nodes"), file=sys.stderr)
        return 2
    print("\n".join(table(found)))
    return 0


def measured(asked: dict[str, Read], pages: Iterator[Sample]) -> dict[str, dict[str, list[Nodes]]]:
    """For each extractor and set the pages' nodes; pages none of whose nodes is wanted are left out."""
    found: dict[str, dict[str, list[Nodes]]] = {name: defaultdict(list) for name in asked}
    for page in pages:
        clean = cleaned(page)
        if page.text is None or isinstance(clean, Drop):
            continue
        texts = text_nodes(clean)
        wanted = in_text(texts, page, page.text)
        if not wanted.any():
            continue
        name_of_set = page.collection
        if name_of_set == "wcxb":
            name_of_set += " articles" if page.page_type == "article" else " others"
        for name, read in asked.items():
            got = in_text(texts, page, read(page).text)
            nodes = Nodes(int((got & wanted).sum()), int(got.sum()), int(wanted.sum()))
            found[name][name_of_set].append(nodes)
    return found


def text_nodes(clean: CleanPage) -> list[str]:
    """The text nodes of a page in order: those that say something, and stand in no element that is never text."""
    texts: list[str] = []
    walk = etree.iterwalk(clean.tree, events=("start", "end"))
    for event, element in walk:
        if event == "start" and (element.tag in SILENT or not isinstance(element.tag, str)):
            walk.skip_subtree()
            continue
        text = element.text if event == "start" else element.tail
        if text and not text.isspace():
            texts.append(text)
    return texts


def in_text(texts: Sequence[str], page: Sample, text: str) -> Flags:
    """Which nodes' words stand in a text."""
    labels, _ = labels_of(texts, replace(page, text=text))
    flags: Flags = labels > 0
    return flags


def table(found: dict[str, dict[str, list[Nodes]]]) -> Iterator[str]:
    """A line for each set under each extractor."""
    yield f"{'':<16}{'pages':>6}{'recall':>9}{'precision':>11}{'F1':>8}{'exact':>8}{'one is 100%':>13}"
    for name, sets in found.items():
        yield name
        for called, pages in sets.items():
            means = (mean(page.recall for page in pages), mean(page.precision for page in pages))
            figures = f"{means[0]:>9.1%}{means[1]:>11.1%}{mean(page.f1 for page in pages):>8.1%}"
            exact, whole = sum(page.is_exact for page in pages), mean(page.is_one_whole for page in pages)
            yield f"  {called:<14}{len(pages):>6}{figures}{exact:>8}{whole:>13.1%}"


if __name__ == "__main__":
    sys.exit(main())
