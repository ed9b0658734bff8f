"""One page side by side: what is wanted, what ours found, what the best peer found; and what differs, marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bench.evaluation.groups import set_of
from bench.evaluation.page_table import Poor
from bench.evaluation.scores import Score
from bench.evaluation.word_diff import Piece, marked, phrases_marked
from bench.extraction_sets import Sample

MOST_SHOWN = 30_000  # characters of a text


@dataclass(frozen=True, slots=True)
class View:
    """A page with the texts that are to be compared."""

    name: str
    poor: Poor
    gold: Sample
    ours: str
    best: str

    def html(self) -> str:
        """The section of the report."""
        score = self.poor.ours
        said = " · ".join((set_of(score), score.page_type, score.language, self.gold.domain))
        title = f'<h3>{escape(score.page)} <a href="#list" aria-label="back to the list">↑</a></h3>'
        head = f'{title}<p class="said">{escape(said)}<br>{_link(self.gold.url)}</p>'
        columns = self._by_phrases() if self.gold.text is None else self._by_text(self.gold.text)
        inside = f'{head}<div class="columns">{"".join(columns)}</div>'
        return f'<section class="page" id="{self.name}">{inside}</section>'

    def _by_text(self, wanted: str) -> Iterator[str]:
        measure = self.poor.ours.measure
        gold, ours = marked(wanted, self.ours, measure)
        yield _column("Gold", f"{self.poor.ours.missed:,} {measure} missed by ours", gold, "missed")
        yield _column(_title(self.poor.ours), _figures(self.poor.ours), ours, "added")
        if self.poor.best:
            theirs = marked(wanted, self.best, measure)[1]
            yield _column(_title(self.poor.best), _figures(self.poor.best), theirs, "added")

    def _by_phrases(self) -> Iterator[str]:
        rows = [*self._phrases(self.gold.wanted, True), *self._phrases(self.gold.unwanted, False)]
        yield '<div><h4>Phrases</h4><p class="said">✓ right, ✗ wrong: first ours, then the best peer</p>'
        yield f'<ul class="text" tabindex="0">{"".join(rows)}</ul></div>'
        found = [(self.poor.ours, self.ours)] + ([(self.poor.best, self.best)] if self.poor.best else [])
        for score, text in found:
            pieces = phrases_marked(text, (*self.gold.wanted, *self.gold.unwanted))
            yield _column(_title(score), _figures(score), pieces, "added", self.gold.wanted)

    def _phrases(self, phrases: Sequence[str], is_wanted: bool) -> Iterator[str]:
        for phrase in phrases:
            signs = "".join("✓" if (phrase in text) == is_wanted else "✗" for text in (self.ours, self.best))
            yield f"<li>{signs} {'' if is_wanted else 'not wanted: '}“{escape(phrase)}”</li>"


def _title(score: Score) -> str:
    return f"{score.extractor} {score.f1:.3f}"


def _figures(score: Score) -> str:
    trouble = f" · {score.trouble}" if score.trouble else ""
    return f"{score.wrong:,} added, {score.missed:,} missed, {score.right:,} right{trouble}"


def _column(title: str, said: str, pieces: Sequence[Piece], mark: str, wanted: Sequence[str] = ()) -> str:
    """A text with its marks; phrases that are wanted are marked as found."""
    marks = ((piece, "found" if piece.text in wanted else mark) for piece in _beginning(pieces))
    text = "".join(_marked(piece, name) for piece, name in marks) or '<em class="said">nothing</em>'
    head = f'<h4>{escape(title)}</h4><p class="said">{escape(said)}</p>'
    return f'<div>{head}<div class="text" dir="auto" tabindex="0">{text}</div></div>'


def _beginning(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """As much as is shown, and a word on the rest."""
    left = MOST_SHOWN
    for piece in pieces:
        if left > 0:
            yield Piece(piece.text[:left], piece.is_marked)
        left -= len(piece.text)
    if left < 0:
        yield Piece(f"\n[{-left:,} characters more]", False)


def _marked(piece: Piece, mark: str) -> str:
    text = escape(piece.text)
    return f'<mark class="{mark}">{text}</mark>' if piece.is_marked else text


def _link(url: str) -> str:
    shown = escape(url if len(url) <= 110 else f"{url[:109]}…")
    is_address = url.startswith(("http://", "https://"))
    return f'<a href="{escape(url, quote=True)}" rel="noreferrer">{shown}</a>' if is_address else shown
