"""Site files: one YAML file for each newspaper, read into a SiteConfig or refused with file, line and cure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusbot.sites.config import Duplicates, Index, LinkPattern, Revisit, SiteConfig, Target, Version
from corpusbot.sites.errors import Problem, SiteError, UnknownSiteError
from corpusbot.sites.rules import (
    KNOWN_FIELDS,
    AppendRule,
    FieldRule,
    Level,
    Rules,
    Source,
    TranslateRule,
    Where,
)

if TYPE_CHECKING:
    from corpusbot.sites.catalogue import load_site, load_site_file, site_names, sites_that_mention

__all__ = [
    "KNOWN_FIELDS",
    "AppendRule",
    "Duplicates",
    "FieldRule",
    "Index",
    "Level",
    "LinkPattern",
    "Problem",
    "Revisit",
    "Rules",
    "SiteConfig",
    "SiteError",
    "Source",
    "Target",
    "TranslateRule",
    "UnknownSiteError",
    "Version",
    "Where",
    "load_site",
    "load_site_file",
    "site_names",
    "sites_that_mention",
]


def __getattr__(name: str) -> Any:
    # What reads site files brings a parser of YAML with it, of which the library has no need.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corpusbot.sites import catalogue

    return getattr(catalogue, name)
