"""Drops articles of which only the beginning can be read without paying."""

from __future__ import annotations

from dataclasses import dataclass

from corpusbot.filters.words import word_count
from corpusbot.model import Article, Drop
from corpusbot.sites.options import check_not_negative


@dataclass(frozen=True, slots=True)
class Options:
    """The words from which an article counts as whole, though its page says that one must pay."""

    min_words: int = 150

    def __post_init__(self) -> None:
        check_not_negative(min_words=self.min_words)


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if the page says that it is for subscribers and the body is a mere beginning."""
    if not article.paywalled:
        return None
    count = word_count(article.text)
    if count >= options.min_words:
        return None
    return Drop("paywalled", f"{count} words, at least {options.min_words} wanted of a page for subscribers")
