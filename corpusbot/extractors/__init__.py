"""Extraction: who can find an article in a page, one file each, and the chain that asks them in turn.

An extractor is a module with `extract(clean: CleanPage, site: SiteConfig, *, …) -> Findings | None`; it changes
nothing in the page, and None means that it found nothing. Its options are the keyword-only parameters; one whose
options must fit each other has a `check(…)` of the same parameters as well, which raises OptionError.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from corpusbot.plugins import plugin
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.options import Option, parameters_of, read_options

if TYPE_CHECKING:
    from corpusbot.metadata.findings import Findings
    from corpusbot.model import CleanPage
    from corpusbot.sites import SiteConfig

__all__ = ["checked_options", "findings_by", "options_of"]

NOT_PLUGINS = ("chain", "gate", "kinds", "lead", "runs", "sections", "sources", "stylesheet", "values")


def findings_by(name: str, given: Mapping[str, Any], clean: CleanPage, site: SiteConfig) -> Findings | None:
    """What one extractor finds in a page, by its options from the site file."""
    options = _options(name, FrozenMap(given)) if given else {}
    found: Findings | None = plugin("extractors", name).extract(clean, site, **options)
    return found


def checked_options(name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """An extractor's options from a site file; raises OptionError for one that it does not have or cannot use."""
    options = options_of(name)
    values = read_options(options, given)
    check = getattr(plugin("extractors", name), "check", None)
    if check:
        check(**({option.name: option.default for option in options} | values))
    return values


@lru_cache(maxsize=64)
def _options(name: str, given: FrozenMap[Any]) -> Mapping[str, Any]:
    # What was checked when the file was read need not be made anew for every page.
    return checked_options(name, given)


def options_of(name: str) -> tuple[Option, ...]:
    """The options that an extractor has."""
    return parameters_of(plugin("extractors", name).extract)
