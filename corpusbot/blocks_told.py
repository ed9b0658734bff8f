"""The blocks of a page as the generic extractor sees them, in a table: each with its score, kept or not, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from typing import cast
from unicodedata import combining, east_asian_width

from corpusbot.extractors import gist
from corpusbot.extractors.gist import ScoredBlock
from corpusbot.extractors.gist.choice import Preference
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig

KEPT, LEFT = "+", "-"
KIND = 9  # columns: as long as "paragraph"
BEFORE_TEXT = len("  + 0.00  ") + KIND + 2
NARROWEST = 72
USUAL_SIZE = (110, 24)  # where nobody looks, as in a file
SHARE_OF_TEXT = 0.5
LEAST_MOVED = 0.005  # less is nought in two digits


def blocks_told(clean: CleanPage, site: SiteConfig, columns: int | None = None) -> Iterator[str]:
    """A line for each block, no wider than the terminal."""
    width = max(NARROWEST, columns or get_terminal_size(USUAL_SIZE).columns) - BEFORE_TEXT
    blocks = gist.scored_blocks(clean.tree, clean.jsonld, _preference(site))
    if not blocks:
        yield "The page has no text"
        return
    kept = sum(block.kept for block in blocks)
    yield f"Blocks as gist sees them: {kept} of {len(blocks)} kept ({KEPT}), and what moved each score most"
    text = int(width * SHARE_OF_TEXT)
    yield from (_line(block, text, width - text - 2) for block in blocks)


def _preference(site: SiteConfig) -> Preference:
    """What the site's file tells gist to prefer, if it asks for it."""
    given = (options.get("prefer") for name, options in site.extractors if name == "gist")
    return cast(Preference, next(given, None) or "balanced")


def _line(scored: ScoredBlock, text: int, reasons: int) -> str:
    """One block: its mark, score, kind, the beginning of its text, its reasons."""
    head = f"  {KEPT if scored.kept else LEFT} {scored.score:4.2f}  {scored.block.kind[:KIND]:<{KIND}}  "
    return f"{head}{fitted(scored.block.text, text)}  {_reasons(scored.reasons, reasons)}".rstrip()


def _reasons(reasons: Iterable[tuple[str, float]], columns: int) -> str:
    """As many reasons as there is room for, without those that moved nothing that is shown."""
    told = ""
    for name, moved in reasons:
        longer = f"{told}, {name} {moved:+.2f}" if told else f"{name} {moved:+.2f}"
        if abs(moved) >= LEAST_MOVED and len(longer) <= columns:
            told = longer
    return told


def fitted(text: str, columns: int) -> str:
    """A text in exactly so many columns: filled up, or cut with an ellipsis.

    >>> fitted("Sube el pan", 6), fitted("Sube", 6)
    ('Sube …', 'Sube  ')
    """
    text = " ".join(text.split())
    widths = [_width(character) for character in text]
    if sum(widths) <= columns:
        return text + " " * (columns - sum(widths))
    end = taken = 0
    while taken + widths[end] <= columns - 1:
        taken += widths[end]
        end += 1
    return text[:end] + "…" + " " * (columns - 1 - taken)


def _width(character: str) -> int:
    """The columns that a terminal gives a character: Chinese and Japanese ones have two, accents apart none."""
    return 0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
