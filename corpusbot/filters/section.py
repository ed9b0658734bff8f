"""Drops articles by the section of the newspaper that they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpusbot.filters.words import folded
from corpusbot.model import Article, Drop

_LEVELS = re.compile(r"[/>|»]")


@dataclass(frozen=True, slots=True)
class Options:
    """The only sections wanted (none: all), and those never wanted; case and accents do not matter."""

    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if the section, or one that it is part of (Deportes > Fútbol), is not wanted."""
    section = article.section or ""
    names = {folded(section), *(folded(part) for part in _LEVELS.split(section))}
    if any(folded(name) in names for name in options.never):
        return Drop("wrong_section", f"{section}, never wanted")
    if options.only and not any(folded(name) in names for name in options.only):
        return Drop("wrong_section", f"{section or 'no section'}, one of {', '.join(options.only)} wanted")
    return None
