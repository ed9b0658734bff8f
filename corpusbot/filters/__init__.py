"""Filters: which articles a site does not want. A filter is one module with `Options` and `rejection`.

`rejection(article, options)` returns a `Drop`, or None for an article that may stay. A filter whose options
depend on the site (the language that it prints in) has `for_site(options, site)` as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corpusbot.filters.options import OptionError, options_of
from corpusbot.model import Article, Drop
from corpusbot.plugins import plugin

if TYPE_CHECKING:
    from corpusbot.sites import SiteConfig

__all__ = ["OptionError", "checked_options", "rejection"]

NOT_PLUGINS = ("options", "words", "stopwords")


def rejection(article: Article, site: SiteConfig) -> Drop | None:
    """Why the first filter that minds the article does so; None if all let it pass."""
    for name, given in site.filters:
        module = _filter(name)
        options = checked_options(name, given)
        if hasattr(module, "for_site"):
            options = module.for_site(options, site)
        drop: Drop | None = module.rejection(article, options)
        if drop is not None:
            return drop
    return None


def checked_options(name: str, given: Any = None) -> Any:
    """A filter's options from a site file; raises OptionError for one that it does not have or cannot use."""
    kind = _filter(name).Options
    if isinstance(given, kind):
        return given
    return options_of(kind, given if isinstance(given, Mapping) else {})


@lru_cache(maxsize=64)
def _filter(name: str) -> ModuleType:
    # Looking a plug-in up reads a directory; that is too much for every article.
    return plugin("filters", name)
