"""Drops articles that were published too early or too late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from corpusbot.model import Article, Drop
from corpusbot.sites.options import OptionError, check_not_negative


@dataclass(frozen=True, slots=True)
class Options:
    """The first and last day wanted, both included; the greatest age; what becomes of undated articles."""

    since: date | None = None
    until: date | None = None
    max_age_days: int | None = None
    undated: Literal["keep", "drop"] = "keep"

    def __post_init__(self) -> None:
        check_not_negative(max_age_days=self.max_age_days)
        if self.since and self.until and self.until < self.since:
            raise OptionError(f"until: {self.since} (since) or later is wanted, not {self.until}")


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if the article's day is outside the days wanted."""
    if article.published is None:
        return Drop("wrong_date", "no date") if options.undated == "drop" else None
    day = article.published.date()
    if options.since and day < options.since:
        return Drop("wrong_date", f"{day}, {options.since} or later wanted")
    if options.until and day > options.until:
        return Drop("wrong_date", f"{day}, {options.until} or earlier wanted")
    if options.max_age_days is None or article.fetched_at is None:
        return None
    # Age on the day of the visit and not today, so that stored pages fare the same when they are replayed.
    age = (article.fetched_at.date() - day).days
    if age > options.max_age_days:
        return Drop("wrong_date", f"{age} days old, at most {options.max_age_days} wanted")
    return None
