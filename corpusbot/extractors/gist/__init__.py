"""The default extractor: each run of text is judged by its form and by all that it stands in and beside.

It is built on CNR's idea of characters per node: of the run, of its container, of that one's container. One walk
over the tree reads the runs; a small model, learnt from pages with gold text, tells how likely each is content, and
a second one judges each anew by what the first says of those around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
from lxml.etree import _Element as Element
from numpy.typing import NDArray

from corpusbot.extractors.gist.choice import Preference, chosen
from corpusbot.extractors.gist.evidence import evidence_in
from corpusbot.extractors.gist.features import Draft, Floats, Table, draft_of, table_of
from corpusbot.extractors.gist.hindsight import seen_again
from corpusbot.extractors.gist.model import Model, shipped_model
from corpusbot.extractors.gist.roles import is_role
from corpusbot.extractors.gist.second_look import ELSEWHERE, elsewhere, second_look
from corpusbot.extractors.gist.walk import Outline, Run, outline_of, outlined, parts_of
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import Block, CleanPage
from corpusbot.sites import SiteConfig

REASONS = 3
AROUND = "what is around"  # the reason that is the second judgement
# A page whose text a script would fetch: its JSON-LD says far more than what is on it.
FEW_CHARACTERS = 400
FAR_MORE = 3


@dataclass(frozen=True, slots=True)
class ScoredBlock:
    """A block of the page, how likely it is content, whether it was kept, and what spoke for and against it most."""

    block: Block
    score: float
    kept: bool
    reasons: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Gist:
    """What is content on a page, and how sure that is: the F1 that such pages had in training."""

    blocks: tuple[Block, ...]
    confidence: float


def extract(clean: CleanPage, site: SiteConfig, *, prefer: Preference = "balanced") -> Findings | None:
    """The content of a page; None if it has no text at all."""
    return extracted(clean, site, prefer)


def extracted(
    clean: CleanPage, site: SiteConfig, prefer: Preference = "balanced", model: Model | None = None
) -> Findings | None:
    """The same by another preference or model; a page that holds nearly no text may say it in its JSON-LD."""
    outline = clean.once(outline_of)
    again = second_look(clean, site, sum(len(run.text) for run in outline.runs))
    if again is not None:
        clean, outline = again, outlined(again.tree)
    gist = _gist(clean.tree, outline, clean.jsonld, prefer, model or shipped_model())
    found, origin, confidence = gist.blocks, "gist", gist.confidence
    length = _length(found)
    if length < FEW_CHARACTERS:
        longest, others = elsewhere(clean, site, if_nothing=not found)
        if _length(others) > FAR_MORE * length:
            found, origin, confidence = others, longest, ELSEWHERE[longest]
    return replace(findings_of({"body": Found(found, origin)}), confidence=confidence) if found else None


def _length(found: Iterable[Block]) -> int:
    return sum(len(block.text) for block in found)


def gist_of(
    tree: Element,
    jsonld: Iterable[Mapping[str, object]] = (),
    prefer: Preference = "balanced",
    model: Model | None = None,
) -> Gist:
    """The blocks that are content, by the model that ships or another; at least one if the page has any."""
    return _gist(tree, outlined(tree), jsonld, prefer, model or shipped_model())


def _gist(
    tree: Element, outline: Outline, jsonld: Iterable[Mapping[str, object]], prefer: Preference, model: Model
) -> Gist:
    check_preference(prefer)
    runs = outline.runs
    if not runs:
        return Gist((), 0.0)
    scores, lengths, captions = _judged(tree, outline, jsonld, model)
    kept, expected = chosen(scores, lengths, prefer)
    blocks = tuple(_block(runs[place], bool(captions[place])) for place in np.flatnonzero(kept))
    return Gist(blocks, model.confidence(expected))


def _judged(
    tree: Element, outline: Outline, jsonld: Iterable[Mapping[str, object]], model: Model
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The score of each run, its length, and whether it is in what is called a caption."""
    evidence = evidence_in(tree, tuple(jsonld))
    found = []
    for part in parts_of(outline):
        draft = draft_of(part, evidence, model.forms)
        table = table_of(draft, model.lexicon)
        first = model.scores([table.columns[name] for name in model.features])
        scores = _second(first, draft, table, model)
        found.append((scores, table.columns["characters"], is_role(table.roles, "caption")))
    scores, lengths, captions = (np.concatenate(column) for column in zip(*found, strict=True))
    return scores, lengths, captions


def _block(run: Run, is_caption: bool) -> Block:
    """The run as a block; a paragraph in what is called a caption is one."""
    return Block(run.text, "caption" if is_caption and run.kind == "paragraph" else run.kind)


def scored_blocks(
    tree: Element, jsonld: Iterable[Mapping[str, object]] = (), prefer: Preference = "balanced"
) -> list[ScoredBlock]:
    """Every block of the page with its score and reasons, kept or not; slower, to explain a result."""
    check_preference(prefer)
    model = shipped_model()
    outline = outlined(tree)
    runs = outline.runs
    if not runs:
        return []
    draft = draft_of(outline, evidence_in(tree, tuple(jsonld)))
    table = table_of(draft, model.lexicon)
    matrix = np.array([table.columns[name] for name in model.features], np.float32)
    first = model.scores(matrix)
    scores = _second(first, draft, table, model)
    kept, _ = chosen(scores, table.columns["characters"], prefer)
    reasons = _reasons(matrix, first, scores, model)
    captions = is_role(table.roles, "caption")
    return [
        ScoredBlock(_block(run, bool(caption)), float(score), bool(keep), why)
        for run, caption, score, keep, why in zip(runs, captions, scores, kept, reasons, strict=True)
    ]


def check_preference(prefer: str) -> None:
    """Raises ValueError, with those that there are, unless it is a preference."""
    if prefer not in get_args(Preference):
        raise ValueError(f"No preference '{prefer}'. Available: {', '.join(get_args(Preference))}")


def _second(first: Floats, draft: Draft, table: Table, model: Model) -> Floats:
    """The second judgement; the first if the model has no other."""
    if model.second is None:
        return first
    again = seen_again(first, draft, table)
    return model.second.scores([again[name] for name in model.second.features])


def _reasons(matrix: Floats, first: Floats, scores: Floats, model: Model) -> list[tuple[tuple[str, float], ...]]:
    """The features that moved each score most: by how much, were they as they usually are; and what is around it."""
    moved = np.empty((len(matrix) + 1, len(first)), np.float32)
    for place, usual in enumerate(model.usual):
        own = matrix[place].copy()
        matrix[place] = usual
        moved[place] = first - model.scores(matrix)
        matrix[place] = own
    moved[-1] = scores - first
    names = (*model.features, AROUND)
    most = np.argsort(-np.abs(moved), axis=0, kind="stable")[:REASONS]
    return [
        tuple((names[place], round(float(moved[place, run]), 3)) for place in most[:, run])
        for run in range(matrix.shape[1])
    ]
