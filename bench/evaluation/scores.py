"""How near a text is to the gold: words, characters or phrases that are right, wrong and missed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from bench.extraction_sets import Sample

Measure = Literal["words", "characters", "phrases"]
WORD = re.compile(r"\w+")
LETTER = re.compile(r"\w")
# Kana, Han, Thai, Lao, Burmese, Khmer: what stands between two spaces there is a sentence, not a word.
_WITHOUT_SPACES = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
)
LEAST_SHARE_WITHOUT_SPACES = 0.3


@dataclass(frozen=True, slots=True)
class Reading:
    """What an extractor found on a page; `trouble` is the error that it raised, `confidence` what it says of itself."""

    text: str
    confidence: float | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How one extractor read one page."""

    extractor: str
    collection: str
    page: str
    domain: str
    page_type: str
    language: str
    measure: Measure
    right: int
    wrong: int
    missed: int
    confidence: float | None = None
    trouble: str = ""

    @property
    def precision(self) -> float:
        """The share of what was found that is wanted."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else float(not self.missed)

    @property
    def recall(self) -> float:
        """The share of what is wanted that was found."""
        return self.right / (self.right + self.missed) if self.right + self.missed else float(not self.wrong)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 1.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was found where there was something to find."""
        return not self.right and not self.wrong and self.missed > 0

    @property
    def key(self) -> tuple[str, str]:
        """The page, over all sets."""
        return self.collection, self.page


def scored(extractor: str, page: Sample, reading: Reading, words_only: bool = False) -> Score:
    """What was found on a page, compared with its gold."""
    measure = measure_of(page, words_only)
    counts = _by_phrases(page, reading.text) if page.text is None else _by(measure, page.text, reading.text)
    return Score(
        extractor, page.collection, page.id, page.domain, page.page_type, page.language or "unknown", measure,
        *counts, reading.confidence, reading.trouble,
    )  # fmt: skip


def measure_of(page: Sample, words_only: bool = False) -> Measure:
    """What is counted on a page: phrases if its gold has no text, characters if it is written without spaces."""
    if page.text is None:
        return "phrases"
    return "characters" if not words_only and is_without_spaces(page.text) else "words"


def is_without_spaces(text: str) -> bool:
    """Whether a text is in a writing that has no spaces between words."""
    return len(_WITHOUT_SPACES.findall(text)) > LEAST_SHARE_WITHOUT_SPACES * len(LETTER.findall(text))


def _by(measure: Measure, wanted: str, text: str) -> tuple[int, int, int]:
    """What both texts share as multisets, what only the text has, what only the gold has."""
    token = LETTER if measure == "characters" else WORD
    ours, theirs = Counter(token.findall(text.lower())), Counter(token.findall(wanted.lower()))
    right = (ours & theirs).total()
    return right, ours.total() - right, theirs.total() - right


def _by_phrases(page: Sample, text: str) -> tuple[int, int, int]:
    right = sum(phrase in text for phrase in page.wanted)
    return right, sum(phrase in text for phrase in page.unwanted), len(page.wanted) - right
