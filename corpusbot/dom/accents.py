"""Accents by the thousand on one letter: to put them in Unicode's order takes time by the square of their number."""

from __future__ import annotations

import re
import unicodedata

MOST_ACCENTS = 30  # as Unicode's stream-safe texts have them (UAX 15)
FEW_CHARACTERS = 1_000  # which are put in order in no time, whatever they are
_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{MOST_ACCENTS + 1},}}")  # accents are neither letters nor spaces


def thinned(text: str) -> str:
    """The text with no more accents on one letter than any script has use for.

    >>> len(thinned("a" + "\\u0301" * 5000))
    31
    """
    return text if len(text) < FEW_CHARACTERS or text.isascii() else _RUN.sub(_few, text)


def _few(run: re.Match[str]) -> str:
    kept: list[str] = []
    accents = 0
    for character in run[0]:
        accents = accents + 1 if unicodedata.combining(character) else 0
        if accents <= MOST_ACCENTS:
            kept.append(character)
    return "".join(kept)
