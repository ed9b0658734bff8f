"""The words of a text as filters see them: counted, and compared without case and accents."""

from __future__ import annotations

import re
import unicodedata

from corpusbot.dom.accents import thinned

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_PLAIN_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")


def word_count(text: str) -> int:
    """How many words a text has; d'accord, EE.UU and médico-legal are one each."""
    return len(_WORD.findall(text))


def folded(text: str) -> str:
    """The words of a text in lower case and without accents, apart by single spaces.

    >>> folded("«Política»: ¿qué Política?")
    'politica que politica'
    """
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", thinned(text.casefold())))
    return " ".join(_PLAIN_WORD.findall(bare))
