"""Makes the model that tells articles from collections and other pages: the same data, the same file, bit by bit."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.extraction_sets import NO_DATA
from bench.kind_pages import KindPage, kind_pages, plain_page, without_head
from corpusbot.extractors.gist.model import packed
from corpusbot.extractors.kinds.judgement import FILE, LEARNT
from corpusbot.extractors.kinds.measures import measures_of

Floats = NDArray[np.float64]
OUT = Path("corpusbot/extractors/kinds") / FILE
# Tuned by `python -m bench.eval_kinds`; one thread and fixed seeds, so that the same data make the same tables.
# Trees of one split each: their sum is one table for each measure.
ROUNDS = 400
LEARNING = {
    "objective": "multiclass", "num_class": len(LEARNT), "learning_rate": 0.1, "num_leaves": 2, "min_data_in_leaf": 20,
    "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5, "max_bin": 31,
    "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": 1, "verbose": -1,
}  # fmt: skip
# Collections and others are few among the pages; evaldata's are not known for sure.
WEIGHT_OF_OTHERS = 1.4
WEIGHT_OF_UNSURE = 0.5
# Not every page has a head that tells of it, nor an address, and some are hardly more than their text: without
# these, the model takes all such pages for others. The plain ones are of articles' gold, so many paragraphs of it.
WEIGHT_WITHOUT_HEAD = 0.4
WEIGHT_OF_PLAIN = 0.1
PLAIN = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class KindLesson:
    """A page, or what is left of it without its head, as the model is told of it."""

    fold: int
    kind: int
    weight: float
    measures: Mapping[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the data, learn, write the model."""
    parser = argparse.ArgumentParser(prog="python -m bench.train_kinds", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--out", type=Path, default=OUT, help="where to write the model (%(default)s)")
    parser.add_argument("--limit", type=int, help="so many pages of each set only: to try it out")
    options = parser.parse_args(arguments)
    lessons = [lesson for page in kind_pages(options.data, options.limit) for lesson in lessons_of(page)]
    if not lessons:
        print(NO_DATA.format(folder=options.data / "extraction", target="train"), file=sys.stderr)
        return 2
    content = packed(learnt(lessons))
    options.out.write_bytes(content)
    print(f"{options.out}: {len(content):,} bytes, from {len(lessons):,} pages and parts of pages")
    return 0


def lessons_of(page: KindPage) -> Iterator[KindLesson]:
    """What can be learnt from a page, whole and in part."""
    kind = LEARNT.index(page.kind)
    weight = (WEIGHT_OF_OTHERS if kind else 1.0) * (WEIGHT_OF_UNSURE if page.collection == "evaldata" else 1.0)
    yield KindLesson(page.fold, kind, weight, measures_of(page.signs))
    yield KindLesson(page.fold, kind, weight * WEIGHT_WITHOUT_HEAD, measures_of(without_head(page.signs)))
    if page.kind == "article":
        for paragraphs in PLAIN:
            plain = plain_page(page, paragraphs)
            if plain is not None:
                for signs in (plain, without_head(plain)):
                    yield KindLesson(page.fold, kind, weight * WEIGHT_OF_PLAIN, measures_of(signs))


def learnt(lessons: Sequence[KindLesson]) -> dict[str, Any]:
    """The data of a model that learnt these lessons: a table of points for each measure, on average nought."""
    import lightgbm  # for training only

    names = sorted(lessons[0].measures)
    matrix = np.array([[lesson.measures[name] for name in names] for lesson in lessons])
    weights = np.array([lesson.weight for lesson in lessons])
    learners = lightgbm.Dataset(matrix, np.array([lesson.kind for lesson in lessons]), weight=weights)
    trees = lightgbm.train(LEARNING, learners, ROUNDS).dump_model()["tree_info"]
    base = np.zeros(len(LEARNT))
    borders: dict[str, list[float]] = {}
    points: dict[str, list[list[float]]] = {}
    for column, (own, table) in sorted(_tables(trees, base).items()):
        ranges = np.searchsorted(own, matrix[:, column])
        usual = np.average(table[ranges], axis=0, weights=weights)
        base += usual
        borders[names[column]] = own
        points[names[column]] = (table - usual).round(4).tolist()
    return {"base": base.round(4).tolist(), "borders": borders, "points": points}


def _tables(trees: Iterable[Mapping[str, Any]], base: Floats) -> dict[int, tuple[list[float], Floats]]:
    """For each column its borders, and the points of each kind in each range; trees without a split go to the base."""
    splits: dict[int, list[tuple[float, int, float, float]]] = defaultdict(list)
    for tree in trees:
        kind, root = tree["tree_index"] % len(LEARNT), tree["tree_structure"]
        if "split_feature" in root:
            left, right = root["left_child"]["leaf_value"], root["right_child"]["leaf_value"]
            splits[root["split_feature"]].append((_short(root["threshold"]), kind, left, right))
        else:
            base[kind] += root["leaf_value"]
    found = {}
    for column, own in splits.items():
        borders = sorted({border for border, *_ in own})
        table = np.zeros((len(borders) + 1, len(LEARNT)))
        for border, kind, left, right in own:
            upto = borders.index(border) + 1  # a value that is the border itself belongs to the left
            table[:upto, kind] += left
            table[upto:, kind] += right
        found[column] = (borders, table)
    return found


def _short(border: float) -> float:
    return float(f"{border:.6g}")


if __name__ == "__main__":
    sys.exit(main())
