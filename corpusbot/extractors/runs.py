"""The runs of text of a page as columns, for extractors that judge them by length, links and tags around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.walk import Outline, outline_of
from corpusbot.metadata.findings import Findings, Found, findings_of
from corpusbot.model import Block, CleanPage

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
# A run has a word for as many characters at least: without spaces between them, words are not seen.
LONG_WORD = 8


@dataclass(frozen=True, slots=True)
class Runs:
    """For each run: characters, those in links, words, links, the tags since the run before, and its kind.

    Only tags that break the flow are counted here: the others format text, and so the textbook leaves them out.
    """

    outline: Outline
    characters: Floats
    linked: Floats
    words: Floats
    anchors: Floats
    tags: Floats
    kinds: tuple[str, ...]

    @property
    def link_density(self) -> Floats:
        """The share of the characters that is in links."""
        return self.linked / np.maximum(self.characters, 1)

    def of_kind(self, *kinds: str) -> Flags:
        """Which runs are of some kinds."""
        return np.array([kind in kinds for kind in self.kinds], np.bool_)


def runs_of(outline: Outline) -> Runs:
    """The runs of a page."""
    runs = outline.runs
    characters = np.array([len(run.text) for run in runs], np.float64)
    tags = np.bincount([*outline.firsts, *outline.lasts], minlength=len(runs) + 1)[: len(runs)]
    return Runs(
        outline=outline,
        characters=characters,
        linked=np.minimum(np.array([run.linked for run in runs], np.float64), characters),
        words=np.maximum([len(run.text.split()) for run in runs], characters / LONG_WORD),
        anchors=np.array([run.anchors for run in runs], np.float64),
        tags=tags.astype(np.float64),
        kinds=tuple(run.kind for run in runs),
    )


def kept_by(judge: Callable[[Runs], Flags], clean: CleanPage, origin: str) -> Findings | None:
    """The runs of a page that a judge keeps; None if there are none."""
    runs = runs_of(clean.once(outline_of))
    if not runs.kinds:
        return None
    kept = np.flatnonzero(judge(runs)).tolist()
    found = tuple(Block(run.text, run.kind) for run in map(runs.outline.runs.__getitem__, kept))
    return findings_of({"body": Found(found, origin)}) if found else None
