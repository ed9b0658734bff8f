"""Drops pages that are no articles: front pages, galleries, films, errors, walls and the like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from corpusbot.model import KINDS, Article, Drop
from corpusbot.sites.options import Between, OptionError


@dataclass(frozen=True, slots=True)
class Options:
    """The kinds that become documents, and how sure it must be that a page is of another one to drop it."""

    keep: tuple[str, ...] = ("article",)
    least: Annotated[float, Between(0, 1)] = 0.5

    def __post_init__(self) -> None:
        unknown = [name for name in self.keep if name not in KINDS]
        if unknown:
            raise OptionError(f"keep: some of {', '.join(KINDS)} are wanted, not {', '.join(map(repr, unknown))}")
        if not self.keep:
            raise OptionError(f"keep: at least one of {', '.join(KINDS)} is wanted")


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if the page is of a kind that is not wanted; a page whose kind nobody told may stay."""
    kind = article.kind
    if kind is None or kind.name in options.keep or kind.confidence < options.least:
        return None
    why = f": {kind.reason}" if kind.reason else ""
    return Drop("kind", f"{kind.name} ({kind.confidence:.2f}){why}")
