"""Models of `gist` that have not seen the page they read: one for each part of the domains, learnt from all others."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.evaluation.pages import Choice, Progress
from bench.evaluation.shelf import Shelf, digest, digest_of_files, versions_of
from bench.extraction_sets import FOLDS, SETS
from corpusbot.extractors.gist.model import Model, model_of

if TYPE_CHECKING:
    from bench.gist_lessons import Lesson

# What a model depends on besides the pages.
CODE = (
    "bench/train.py", "bench/gist_labels.py", "bench/gist_lessons.py", "bench/gist_lexicon.py",
    "bench/extraction_sets.py", "corpusbot/extractors/gist", "corpusbot/dom",
)  # fmt: skip
_ROOT = Path(__file__).parents[2]


@dataclass(slots=True)
class FoldModels:
    """The models for some data, with all features or without some; made when first asked for, then kept.

    A limit is of the pages that are learnt from, of each set: to try something out.
    """

    data: Path
    shelf: Shelf
    limit: int | None = None
    _lessons: list[Lesson] | None = None
    _key: str | None = None

    @property
    def key(self) -> str:
        """What the models depend on: pages with their gold, and the code that learns."""
        if self._key is None:
            code = digest_of_files(
                file
                for place in (_ROOT / name for name in CODE)
                for file in ([place] if place.is_file() else sorted(place.rglob("*.py")))
            )
            pages = digest_of_files(self.data / "extraction" / name for name in SETS)
            self._key = digest([code, pages, versions_of("lightgbm", "numpy", "lxml"), str(self.limit)])
        return self._key

    def models(self, without: Collection[str] = (), called: str = "gist") -> dict[int, Model]:
        """A model for each part; those that are kept from an earlier run are not made again."""
        key, place = digest([self.key, *sorted(without)]), f"models-{called}"
        kept = self.shelf.kept(place, key)
        for fold in range(FOLDS):
            if str(fold) not in kept:
                lessons = [lesson for lesson in self.lessons() if lesson.fold != fold]
                print(f"  {called}: learning part {fold + 1} of {FOLDS}, {len(lessons):,} pages", file=sys.stderr)
                kept[str(fold)] = _learnt(lessons, without)
                self.shelf.keep(place, key, kept)
        return {int(fold): model_of(data) for fold, data in kept.items()}

    def lessons(self) -> list[Lesson]:
        """What the pages teach, read once."""
        if self._lessons is None:
            self._lessons = list(self._taught())
        return self._lessons

    def _taught(self) -> Iterator[Lesson]:
        from bench.gist_lessons import lesson_of  # its libraries are needed for this alone

        pages = Choice(self.data, limit=self.limit)
        progress = Progress("reading what is to be learnt", sum(1 for _ in pages.whole()))
        for page in pages.whole():
            lesson = lesson_of(page)
            progress.step()
            if lesson:
                yield lesson


def _learnt(lessons: Sequence[Lesson], without: Collection[str]) -> Mapping[str, Any]:
    from bench.train import learnt

    return learnt(lessons, without) if without else learnt(lessons)
