"""Makes the model of the extractor `gist` from pages with gold text: the same data, the same file, bit by bit."""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.extraction_sets import NO_DATA, SETS, Sample, cleaned, samples
from bench.gist_labels import labels_of
from corpusbot.extract.gist.evidence import evidence_in
from corpusbot.extract.gist.features import Draft, Floats, Lexicon, draft_of, table_of
from corpusbot.extract.gist.model import FILE, packed
from corpusbot.extract.gist.walk import outlined
from corpusbot.model import Drop

OUT = Path("corpusbot/extract/gist") / FILE
# A word is learnt if so many domains use it, so that none of them is known by its own words.
LEAST_DOMAINS = {"attributes": 3, "texts": 4}
LEARNING = {
    "iterations": 300, "depth": 6, "learning_rate": 0.12, "l2_leaf_reg": 5, "rsm": 0.3, "border_count": 64,
    "bootstrap_type": "Bernoulli", "subsample": 0.7, "random_seed": 1, "thread_count": 1,
    "allow_writing_files": False, "verbose": False,
}  # fmt: skip


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
    if not outline.runs:
        return None
    labels, weights = labels_of([run.text for run in outline.runs], sample)
    draft = draft_of(outline, evidence_in(clean.tree, clean.jsonld))
    return Lesson(sample.domain, sample.fold, draft, labels, weights)


def learnt(lessons: Sequence[Lesson]) -> dict[str, Any]:
    """The data of a model that learnt these lessons."""
    from catboost import CatBoostClassifier, Pool  # for training only

    names, matrix, labels, weights = _material(lessons)
    forest = CatBoostClassifier(**LEARNING)
    forest.fit(Pool(matrix, labels, weight=weights / weights.mean()))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "forest.json"
        forest.save_model(str(file), format="json")
        told = json.loads(file.read_text(encoding="utf-8"))
    lexicon = lexicon_of(lessons)
    return {
        "features": names,
        "usual": [round(float(value), 4) for value in np.median(matrix, axis=0)],
        "attributes": lexicon.attributes,
        "texts": lexicon.texts,
        **_trees(told),
    }


def _material(lessons: Sequence[Lesson]) -> tuple[list[str], Floats, Floats, Floats]:
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
                columns = table_of(lesson.draft, lexicon)
                names = list(columns)
                counts = lesson.weights > 0
                matrices.append(np.column_stack(list(columns.values())).astype(np.float32)[counts])
                labels.append(lesson.labels[counts])
                weights.append(np.minimum(lesson.weights[counts], 1))
    return names, np.concatenate(matrices), np.concatenate(labels), np.concatenate(weights)


def _trees(told: Mapping[str, Any]) -> dict[str, Any]:
    """The trees as the model's file has them."""
    used = [feature["flat_feature_index"] for feature in told["features_info"]["float_features"]]
    scale, (bias,) = told["scale_and_bias"]
    trees = [
        {
            "splits": [[used[split["float_feature_index"]], split["border"]] for split in tree["splits"]],
            "leaves": [round(scale * value, 4) for value in tree["leaf_values"]],
        }
        for tree in told["oblivious_trees"]
    ]
    return {"trees": trees, "bias": bias}


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
