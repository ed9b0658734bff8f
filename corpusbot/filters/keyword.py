"""Drops articles by the words and phrases that they hold or lack."""

from __future__ import annotations

from dataclasses import dataclass

from corpusbot.filters.words import folded
from corpusbot.model import Article, Drop


@dataclass(frozen=True, slots=True)
class Options:
    """Words or phrases, without case and accents: at least one of `any`, each of `all`, not one of `none`."""

    any: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    none: tuple[str, ...] = ()


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if title, lead and body do not hold the words wanted, or hold one that is not."""
    text = f" {folded(' '.join(filter(None, (article.title, article.lead, article.text))))} "
    present = [phrase for phrase in options.none if _holds(text, phrase)]
    if present:
        return Drop("keyword", f"'{present[0]}' found, none of {', '.join(options.none)} wanted")
    missing = [phrase for phrase in options.all if not _holds(text, phrase)]
    if missing:
        return Drop("keyword", f"'{missing[0]}' not found, all of {', '.join(options.all)} wanted")
    if options.any and not any(_holds(text, phrase) for phrase in options.any):
        return Drop("keyword", f"none found of {', '.join(options.any)}, at least one wanted")
    return None


def _holds(text: str, phrase: str) -> bool:
    """Whether whole words of the text, one after the other, are the phrase."""
    return f" {folded(phrase)} " in text
