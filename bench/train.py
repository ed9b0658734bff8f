"""Makes the model of the extractor `gist` from pages with gold text: the same data, the same file, bit by bit."""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.extraction_sets import NO_DATA, SETS, SITE, Sample, cleaned, samples
from bench.gist_labels import labels_of
from corpusbot.extractors.gist.evidence import evidence_in
from corpusbot.extractors.gist.features import Draft, Floats, Lexicon, draft_of, table_of
from corpusbot.extractors.gist.model import FILE, packed
from corpusbot.extractors.gist.second_look import second_look
from corpusbot.extractors.gist.walk import outlined
from corpusbot.model import Drop

OUT = Path("corpusbot/extractors/gist") / FILE
# A word is learnt if so many domains use it, so that none of them is known by its own words.
LEAST_DOMAINS = {"attributes": 3, "texts": 4}
ROUNDS = 150
DEPTH = 8
# Tuned by `make eval-extract`; one thread and fixed seeds, so that the same data make the same trees.
LEARNING = {
    "objective": "binary", "learning_rate": 0.1, "num_leaves": 20, "max_depth": DEPTH, "min_data_in_leaf": 80,
    "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 20, "max_bin": 127,
    "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": 1, "verbose": -1,
}  # fmt: skip
# Forums, products, lists and the like are few among the pages, and the hardest.
WEIGHT_OF_OTHERS = 3


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page to learn from: its draft, and for each run whether it is content and how much it counts."""

    domain: str
    fold: int
    draft: Draft
    labels: Floats
    weights: Floats


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the data, learn, write the model."""
    parser = argparse.ArgumentParser(prog="python -m bench.train", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--out", type=Path, default=OUT, help="where to write the model (%(default)s)")
    parser.add_argument("--limit", type=int, help="so many pages of each set only: to try it out")
    options = parser.parse_args(arguments)
    lessons = [lesson for sample in samples(options.data, SETS, options.limit) if (lesson := lesson_of(sample))]
    if not lessons:
        print(NO_DATA.format(folder=options.data / "extraction", target="train"), file=sys.stderr)
        return 2
    content = packed(learnt(lessons))
    options.out.write_bytes(content)
    print(f"{options.out}: {len(content):,} bytes, from {len(lessons):,} pages")
    return 0


def lesson_of(sample: Sample) -> Lesson | None:
    """What can be learnt from a page; None if it has no text."""
    clean = cleaned(sample)
    if isinstance(clean, Drop):
        return None
    outline = outlined(clean.tree)
    again = second_look(clean, SITE, sum(len(run.text) for run in outline.runs))
    if again is not None:
        clean, outline = again, outlined(again.tree)
    if not outline.runs:
        return None
    labels, weights = labels_of([run.text for run in outline.runs], sample)
    draft = draft_of(outline, evidence_in(clean.tree, clean.jsonld))
    weights = np.minimum(weights, 1) * (1 if sample.page_type == "article" else WEIGHT_OF_OTHERS)
    return Lesson(sample.domain, sample.fold, draft, labels, weights)


def learnt(lessons: Sequence[Lesson], without: Collection[str] = ()) -> dict[str, Any]:
    """The data of a model that learnt these lessons; some features may be left out, to see what they are worth."""
    import lightgbm  # for training only

    names, matrix, labels, weights = _material(lessons, without)
    learners = lightgbm.Dataset(matrix, labels, weight=weights / weights.mean())
    forest = lightgbm.train(LEARNING, learners, ROUNDS).dump_model()
    lexicon = lexicon_of(lessons)
    return {
        "features": names,
        "usual": [round(float(value), 4) for value in np.median(matrix, axis=0)],
        "attributes": lexicon.attributes,
        "texts": lexicon.texts,
        "depth": DEPTH,
        "trees": [_nodes(tree["tree_structure"]) for tree in forest["tree_info"]],
    }


def _material(lessons: Sequence[Lesson], without: Collection[str]) -> tuple[list[str], Floats, Floats, Floats]:
    """All runs that count, with features, labels and weights.

    What words say is learnt for each part of the lessons from the others: from a page's own labels, the model
    would learn to trust words more than it may.
    """
    matrices, labels, weights = [], [], []
    names: list[str] = []
    for fold in sorted({lesson.fold for lesson in lessons}):
        lexicon = lexicon_of([lesson for lesson in lessons if lesson.fold != fold])
        for lesson in lessons:
            if lesson.fold == fold:
                columns = {
                    name: values for name, values in table_of(lesson.draft, lexicon).items() if name not in without
                }
                names = list(columns)
                counts = lesson.weights > 0
                matrices.append(np.column_stack(list(columns.values())).astype(np.float32)[counts])
                labels.append(lesson.labels[counts])
                weights.append(lesson.weights[counts])
    return names, np.concatenate(matrices), np.concatenate(labels), np.concatenate(weights)


def _nodes(node: Mapping[str, Any]) -> list[Any]:
    """The nodes of a tree, its root first: [feature, border, left, right], or a leaf's value."""
    found: list[Any] = []
    waiting: list[tuple[Mapping[str, Any], int, int]] = [(node, -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        if parent >= 0:
            found[parent][2 + side] = len(found)
        if "split_index" in node:
            waiting += [(node["right_child"], len(found), 1), (node["left_child"], len(found), 0)]
            found.append([node["split_feature"], _not_above(node["threshold"]), 0, 0])
        else:
            found.append(round(node["leaf_value"], 4))
    return found


def _not_above(border: float) -> float:
    """The greatest number of single precision that is not above the border: features are compared as such."""
    near = np.float32(border)
    return float(np.format_float_positional(near if near <= border else np.nextafter(near, np.float32(-np.inf))))


Counts = dict[str, dict[str, list[float]]]


def lexicon_of(lessons: Iterable[Lesson]) -> Lexicon:
    """How much words speak for content; each domain that uses a word has one vote."""
    attributes: Counts = defaultdict(dict)
    texts: Counts = defaultdict(dict)
    for lesson in lessons:
        if lesson.weights.any():
            _count_attributes(lesson, attributes)
            for words, label, weight in zip(lesson.draft.said, lesson.labels, lesson.weights, strict=True):
                if weight > 0:
                    _vote(texts, words, lesson.domain, float(label), 1 - float(label))
    return Lexicon(
        _odds(attributes, LEAST_DOMAINS["attributes"]),
        _odds(texts, LEAST_DOMAINS["texts"]),
    )


def _count_attributes(lesson: Lesson, counts: Counts) -> None:
    """A region's words are as good as the runs in it."""
    draft = lesson.draft
    good = _over(lesson.weights * lesson.labels, draft)
    bad = _over(lesson.weights * (1 - lesson.labels), draft)
    for words, right, wrong in zip(draft.called, good.tolist(), bad.tolist(), strict=True):
        if right + wrong > 0:
            _vote(counts, words, lesson.domain, right, wrong)


def _over(values: Floats, draft: Draft) -> NDArray[np.float64]:
    summed = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(summed[draft.lasts] - summed[draft.firsts])


def _vote(counts: Counts, words: Collection[str], domain: str, right: float, wrong: float) -> None:
    for word in words:
        entry = counts[word].setdefault(domain, [0.0, 0.0])
        entry[0] += right
        entry[1] += wrong


def _odds(counts: Counts, least: int) -> dict[str, float]:
    """The logarithm of the odds that what a word names is content."""
    found = {}
    for word, domains in counts.items():
        if len(domains) >= least:
            shares = [right / (right + wrong) for right, wrong in domains.values() if right + wrong > 0]
            found[word] = round(math.log((sum(shares) + 0.5) / (len(shares) - sum(shares) + 0.5)), 2)
    return found


if __name__ == "__main__":
    sys.exit(main())
