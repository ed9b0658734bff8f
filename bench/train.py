"""Makes the model of the extractor `gist` from pages with gold text: the same data, the same file, bit by bit.

The first judgement learns from the pages. The second learns from what the first says of pages that it has not seen:
it must know how far the first is to be trusted. What comes of both is, on pages that neither has seen, the
reliability of the confidence.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.extraction_sets import NO_DATA, SETS, samples
from bench.gist_lessons import Lesson, lesson_of
from bench.gist_lexicon import lexicon_of
from corpusbot.extractors.gist.asked import FIRST, SECOND
from corpusbot.extractors.gist.choice import chosen
from corpusbot.extractors.gist.features import Floats, Table, table_of
from corpusbot.extractors.gist.hindsight import seen_again
from corpusbot.extractors.gist.model import FILE, packed

OUT = Path("corpusbot/extractors/gist") / FILE
# Tuned by `make eval-extract`; one thread and fixed seeds, so that the same data make the same trees.
DEPTH = 8
ROUNDS = 150
LEARNING = {
    "objective": "binary", "learning_rate": 0.1, "num_leaves": 20, "max_depth": DEPTH, "min_data_in_leaf": 80,
    "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 20, "max_bin": 63,
    "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": 1, "verbose": -1,
}  # fmt: skip
ROUNDS_AGAIN = 90
LEARNING_AGAIN = {**LEARNING, "learning_rate": 0.08, "feature_fraction": 0.3, "lambda_l2": 50}
# How far a run counts by its text: for the second judgement more than for the first.
BY_TEXT, BY_TEXT_AGAIN = 0.5, 0.75
# Features that do less of the trees' work than this are not asked.
LEAST_WORTH = 0.001
STEPS_OF_RELIABILITY = 12


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the data, learn, write the model."""
    parser = argparse.ArgumentParser(prog="python -m bench.train", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--out", type=Path, default=OUT, help="where to write the model (%(default)s)")
    parser.add_argument("--limit", type=int, help="so many pages of each set only: to try it out")
    parser.add_argument("--choose", action="store_true", help="print what features are worth asking, for asked.py")
    options = parser.parse_args(arguments)
    lessons = [lesson for sample in samples(options.data, SETS, options.limit) if (lesson := lesson_of(sample))]
    if not lessons:
        print(NO_DATA.format(folder=options.data / "extraction", target="train"), file=sys.stderr)
        return 2
    if options.choose:
        for name, asked in zip(("FIRST", "SECOND"), worth_asking(lessons), strict=True):
            print(f"{name} = {asked}")
        return 0
    content = packed(learnt(lessons))
    options.out.write_bytes(content)
    print(f"{options.out}: {len(content):,} bytes, from {len(lessons):,} pages")
    return 0


@dataclass(frozen=True, slots=True)
class Material:
    """What a judgement learns from, page by page: features, labels and weights of all runs."""

    names: Sequence[str]
    pages: list[Floats]
    labels: list[Floats]
    weights: list[Floats]
    folds: list[int]

    def forest(self, learning: dict[str, Any], rounds: int, without: int | None = None) -> Any:
        """The trees that learn from all pages, or from all but those of one part."""
        import lightgbm  # for training only

        of_part = [place for place, fold in enumerate(self.folds) if fold != without]
        counts = [self.weights[place] > 0 for place in of_part]
        matrix, labels, weights = (
            np.concatenate([column[place][those] for place, those in zip(of_part, counts, strict=True)])
            for column in (self.pages, self.labels, self.weights)
        )
        return lightgbm.train(learning, lightgbm.Dataset(matrix, labels, weight=weights / weights.mean()), rounds)

    def worthwhile(self, learning: dict[str, Any], rounds: int) -> list[str]:
        """Those of the features that the trees have a use for."""
        gains = self.forest(learning, rounds).feature_importance("gain")
        enough = (gains >= LEAST_WORTH * gains.sum()).tolist()
        return [name for name, is_enough in zip(self.names, enough, strict=True) if is_enough]

    def unseen(self, learning: dict[str, Any], rounds: int) -> list[Floats]:
        """The scores of each page's runs by trees that have learnt from the other parts."""
        found: list[Floats] = [np.empty(0, np.float32)] * len(self.pages)
        parts = sorted(set(self.folds))
        for fold in parts:
            forest = self.forest(learning, rounds, without=fold if len(parts) > 1 else None)
            for place, own in enumerate(self.folds):
                if own == fold:
                    found[place] = forest.predict(self.pages[place]).astype(np.float32)
        return found


def learnt(lessons: Sequence[Lesson], without: Collection[str] = ()) -> dict[str, Any]:
    """The data of a model that learnt these lessons; some features may be left out, to see what they are worth."""
    tables = list(_tables(lessons))
    first = _first(lessons, tables, [name for name in FIRST if name not in without])
    scores = first.unseen(LEARNING, ROUNDS)
    second = _second(lessons, tables, scores, [name for name in SECOND if name not in without])
    lexicon = lexicon_of(lessons)
    return {
        "features": first.names,
        "usual": [round(float(value), 4) for value in np.median(np.concatenate(first.pages), axis=0)],
        "attributes": lexicon.attributes,
        "texts": lexicon.texts,
        "trees": _trees(first.forest(LEARNING, ROUNDS)),
        "second": {"features": second.names, "trees": _trees(second.forest(LEARNING_AGAIN, ROUNDS_AGAIN))},
        "reliability": reliability(lessons, second.unseen(LEARNING_AGAIN, ROUNDS_AGAIN)),
    }


def worth_asking(lessons: Sequence[Lesson]) -> tuple[list[str], list[str]]:
    """The features that each judgement has a use for, out of all that there are."""
    tables = list(_tables(lessons))
    first = _first(lessons, tables, list(tables[0].columns))
    scores = first.unseen(LEARNING, ROUNDS)
    second = _second(lessons, tables, scores, list(seen_again(scores[0], lessons[0].draft, tables[0])))
    return first.worthwhile(LEARNING, ROUNDS), second.worthwhile(LEARNING_AGAIN, ROUNDS_AGAIN)


def _tables(lessons: Sequence[Lesson]) -> Iterator[Table]:
    """What is known of each page's runs.

    What words say is learnt for each part of the lessons from the others: from a page's own labels, the model
    would learn to trust words more than it may.
    """
    lexicons = {
        fold: lexicon_of([lesson for lesson in lessons if lesson.fold != fold])
        for fold in sorted({lesson.fold for lesson in lessons})
    }
    return (table_of(lesson.draft, lexicons[lesson.fold]) for lesson in lessons)


def _first(lessons: Sequence[Lesson], tables: Sequence[Table], names: Sequence[str]) -> Material:
    """For the first judgement, short runs count for more than their share of the text: they are many, and alike."""
    return Material(
        names,
        [np.column_stack([table.columns[name] for name in names]) for table in tables],
        [lesson.labels for lesson in lessons],
        [lesson.weights**BY_TEXT for lesson in lessons],
        [lesson.fold for lesson in lessons],
    )


def _second(
    lessons: Sequence[Lesson], tables: Sequence[Table], scores: Sequence[Floats], names: Sequence[str]
) -> Material:
    """For the second judgement a page counts more by its text, and less by how many runs it has."""
    found = [seen_again(own, lesson.draft, table) for own, lesson, table in zip(scores, lessons, tables, strict=True)]
    return Material(
        names,
        [np.column_stack([columns[name] for name in names]) for columns in found],
        [lesson.labels for lesson in lessons],
        [lesson.weights**BY_TEXT_AGAIN for lesson in lessons],
        [lesson.fold for lesson in lessons],
    )


def reliability(lessons: Sequence[Lesson], scores: Sequence[Floats]) -> tuple[list[float], list[float]]:
    """What F1 the extractor expects, in steps, and what F1 came of it: on pages of which all is known."""
    rows = []
    for lesson, own in zip(lessons, scores, strict=True):
        if lesson.weights.all():
            length = lesson.draft.form[:, 0]
            kept, expected = chosen(own, length)
            right = float((length * lesson.labels * kept).sum())
            rows.append((expected, 2 * right / float((length * kept).sum() + (length * lesson.labels).sum())))
    rows.sort()
    steps = [np.mean(step, axis=0) for step in np.array_split(np.array(rows), STEPS_OF_RELIABILITY) if len(step)]
    rising = np.maximum.accumulate([came for _, came in steps])
    return [round(float(expected), 3) for expected, _ in steps], [round(float(came), 3) for came in rising]


def _trees(forest: Any) -> list[list[Any]]:
    return [_nodes(tree["tree_structure"]) for tree in forest.dump_model()["tree_info"]]


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


if __name__ == "__main__":
    sys.exit(main())
