"""Pages to learn from: what is known of each, and which of its runs are content."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.extraction_sets import SITE, Sample, cleaned
from bench.gist_labels import labels_of
from corpusbot.extractors.gist.evidence import evidence_in
from corpusbot.extractors.gist.features import Draft, Floats, draft_of
from corpusbot.extractors.gist.second_look import second_look
from corpusbot.extractors.gist.walk import outlined
from corpusbot.model import Drop

# Forums, products, lists and the like are few among the pages, and the hardest. Tuned by `make eval-extract`.
WEIGHT_OF_OTHERS = 2


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page to learn from: its draft, and for each run whether it is content and how much it counts."""

    domain: str
    fold: int
    draft: Draft
    labels: Floats
    weights: Floats


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
