"""The line that a page goes down, without Scrapy: cleanup, extraction, normalising, filtering."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors.chain import extract_article
from corpusbot.filters import rejection
from corpusbot.model import Article, CleanPage, Drop, Page
from corpusbot.sites import SiteConfig
from corpusbot.stages import normalise


@dataclass(frozen=True, slots=True)
class Step:
    """A stage of the line: what it made of the page, and the seconds that it took."""

    name: str
    result: CleanPage | Article | Drop
    seconds: float


def read(page: Page, site: SiteConfig) -> Article | Drop:
    """The article that a page becomes, or why it becomes none."""
    result: Any = page
    for _, stage in _STAGES:
        result = stage(result, site)
        if isinstance(result, Drop):
            return result
    article: Article = result
    return article


def trace(page: Page, site: SiteConfig) -> Iterator[Step]:
    """Each stage with its result, down to the last or to the one that drops the page."""
    result: Any = page
    for name, stage in _STAGES:
        started = perf_counter()
        result = stage(result, site)
        yield Step(name, result, perf_counter() - started)
        if isinstance(result, Drop):
            return


def _filter(article: Article, site: SiteConfig) -> Article | Drop:
    return rejection(article, site) or article


_STAGES: tuple[tuple[str, Callable[[Any, SiteConfig], CleanPage | Article | Drop]], ...] = (
    ("cleanup", clean_page),
    ("extraction", extract_article),
    ("normalising", normalise),
    ("filtering", _filter),
)
