"""The words of a text as fingerprints see them: without case, punctuation and white space."""

from __future__ import annotations

import re

from corpusbot.dedup.letters import folded

# An accent that has no composed form belongs to the letter before it.
_WORD = re.compile("[^\\W_][^\\W_\u0300-\u036f]*(?:[\u0300-\u036f]+[^\\W_]*)*")


def folded_words(text: str) -> list[str]:
    """The words of a text, folded.

    >>> folded_words("«Año 2024»: ¡Se acabó!")
    ['año', '2024', 'se', 'acabó']
    """
    return words_in(folded(text))


def words_in(text: str) -> list[str]:
    """The words of a text that is folded already."""
    return _WORD.findall(text)
