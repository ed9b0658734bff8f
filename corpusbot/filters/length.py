"""Drops articles whose body has too few words, or too many."""

from __future__ import annotations

from dataclasses import dataclass

from corpusbot.filters.words import word_count
from corpusbot.model import Article, Drop
from corpusbot.sites.options import OptionError, check_not_negative


@dataclass(frozen=True, slots=True)
class Options:
    """The fewest and the most words that the body may have."""

    min_words: int = 30
    max_words: int | None = None

    def __post_init__(self) -> None:
        check_not_negative(min_words=self.min_words, max_words=self.max_words)
        if self.max_words is not None and self.max_words < self.min_words:
            raise OptionError(f"max_words: {self.min_words} (min_words) or more is wanted, not {self.max_words}")


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if the body is shorter or longer than wanted."""
    count = word_count(article.text)
    if count < options.min_words:
        return Drop("too_short", f"{count} words, at least {options.min_words} wanted")
    if options.max_words is not None and count > options.max_words:
        return Drop("too_long", f"{count} words, at most {options.max_words} wanted")
    return None
