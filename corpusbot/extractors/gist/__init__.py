"""The default extractor: each run of text is judged by its form and by all that it stands in and beside.

It is built on CNR's idea of characters per node: of the run, of its container, of that one's container. One walk
over the tree reads the runs; a small model, learnt from pages with gold text, tells how likely each is content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

import numpy as np
from lxml.etree import _Element as Element

from corpusbot.dom.jsonld import clean_text
from corpusbot.extractors.gist.choice import Preference, chosen
from corpusbot.extractors.gist.evidence import article_body, evidence_in
from corpusbot.extractors.gist.features import Floats, draft_of, table_of
from corpusbot.extractors.gist.model import Model, shipped_model
from corpusbot.extractors.gist.second_look import scripted_text, second_look
from corpusbot.extractors.gist.walk import Outline, outlined, parts_of
from corpusbot.extractors.sources import View, lines_of
from corpusbot.metadata.facts import facts_of
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import Block, CleanPage
from corpusbot.sites import SiteConfig

REASONS = 3
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
    """What is content on a page, and how sure that is: the F1 to be expected."""

    blocks: tuple[Block, ...]
    confidence: float


def extract(clean: CleanPage, site: SiteConfig, *, prefer: Preference = "balanced") -> Findings | None:
    """The content of a page; None if it has no text at all."""
    return extracted(clean, site, prefer)


def extracted(
    clean: CleanPage, site: SiteConfig, prefer: Preference = "balanced", model: Model | None = None
) -> Findings | None:
    """The same by another preference or model; a page that holds nearly no text may say it in its JSON-LD."""
    outline = outlined(clean.tree)
    again = second_look(clean, site, sum(len(run.text) for run in outline.runs))
    if again is not None:
        clean, outline = again, outlined(again.tree)
    gist = _gist(clean.tree, outline, clean.jsonld, prefer, model or shipped_model())
    found, origin = gist.blocks, "gist"
    length = _length(found)
    if length < FEW_CHARACTERS:
        others = _elsewhere(clean, site)
        longest = max(others, key=lambda name: _length(others[name]))
        if _length(others[longest]) > FAR_MORE * length:
            found, origin = others[longest], longest
    return findings_of({"body": Found(found, origin)}) if found else None


def _elsewhere(clean: CleanPage, site: SiteConfig) -> dict[str, tuple[Block, ...]]:
    """What else could be the text of a page that shows nearly none, by where it is from."""
    body = article_body(clean.jsonld)
    return {
        "gist:articleBody": lines_of(clean_text(body), View(facts_of(clean, site))) if body else (),
        "gist:script": scripted_text(clean),
    }


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
    scores, lengths = _scores(tree, outline, jsonld, model)
    kept, confidence = chosen(scores, lengths, prefer)
    return Gist(tuple(Block(runs[place].text, runs[place].kind) for place in np.flatnonzero(kept)), confidence)


def _scores(
    tree: Element, outline: Outline, jsonld: Iterable[Mapping[str, object]], model: Model
) -> tuple[Floats, Floats]:
    """The score of each run, and its length."""
    evidence = evidence_in(tree, tuple(jsonld))
    tables = (table_of(draft_of(part, evidence), model.lexicon) for part in parts_of(outline))
    found = [(model.scores([table[name] for name in model.features]), table["characters"]) for table in tables]
    return np.concatenate([scores for scores, _ in found]), np.concatenate([lengths for _, lengths in found])


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
    columns = _columns(tree, outline, jsonld, model)
    matrix = np.array([columns[name] for name in model.features], np.float32)
    scores = model.scores(matrix)
    kept, _ = chosen(scores, columns["characters"], prefer)
    reasons = _reasons(matrix, scores, model)
    return [
        ScoredBlock(Block(run.text, run.kind), float(score), bool(keep), why)
        for run, score, keep, why in zip(runs, scores, kept, reasons, strict=True)
    ]


def check_preference(prefer: str) -> None:
    """Raises ValueError, with those that there are, unless it is a preference."""
    if prefer not in get_args(Preference):
        raise ValueError(f"No preference '{prefer}'. Available: {', '.join(get_args(Preference))}")


def _columns(
    tree: Element, outline: Outline, jsonld: Iterable[Mapping[str, object]], model: Model
) -> dict[str, Floats]:
    """The features of each run."""
    return table_of(draft_of(outline, evidence_in(tree, tuple(jsonld))), model.lexicon)


def _reasons(matrix: Floats, scores: Floats, model: Model) -> list[tuple[tuple[str, float], ...]]:
    """The features that moved each score most: by how much, were they as they usually are."""
    moved = np.empty_like(matrix)
    for place, usual in enumerate(model.usual):
        own = matrix[place].copy()
        matrix[place] = usual
        moved[place] = scores - model.scores(matrix)
        matrix[place] = own
    most = np.argsort(-np.abs(moved), axis=0, kind="stable")[:REASONS]
    return [
        tuple((model.features[place], round(float(moved[place, run]), 3)) for place in most[:, run])
        for run in range(matrix.shape[1])
    ]
