"""Filters: which articles a site does not want. A filter is one module with `Options` and `rejection`.

`rejection(article, options)` returns a `Drop`, or None for an article that may stay. A filter whose options
depend on the site (the language that it prints in) has `for_site(options, site)` as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from corpusbot.model import Article, Drop
from corpusbot.plugins import plugin
from corpusbot.sites.options import Option, OptionError, fields_of, read_options

if TYPE_CHECKING:
    from corpusbot.sites import SiteConfig

__all__ = ["OptionError", "checked_options", "options_of", "rejection"]

NOT_PLUGINS = ("words", "stopwords")


def rejection(article: Article, site: SiteConfig) -> Drop | None:
    """Why the first filter that minds the article does so; None if all let it pass."""
    for name, given in site.filters:
        module = plugin("filters", name)
        options = checked_options(name, given)
        if hasattr(module, "for_site"):
            options = module.for_site(options, site)
        drop: Drop | None = module.rejection(article, options)
        if drop is not None:
            return drop
    return None


def checked_options(name: str, given: Any = None) -> Any:
    """A filter's options from a site file; raises OptionError for one that it does not have or cannot use."""
    kind = plugin("filters", name).Options
    if isinstance(given, kind):
        return given
    return kind(**read_options(fields_of(kind), given)) if isinstance(given, Mapping) and given else kind()


def options_of(name: str) -> tuple[Option, ...]:
    """The options that a filter has."""
    return fields_of(plugin("filters", name).Options)
