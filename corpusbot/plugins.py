"""Plug-ins: a bare name in a site file is a module of a stage's package, `vote` -> corpusbot/extractors/vote.py.

Every module of the package is a plug-in, but for those whose name begins with `_` and those that the package's
`__init__.py` lists as not being one: `NOT_PLUGINS = ("chain",)`. So a new plug-in is one new file. The list is
read from the source, without importing anything: a name is checked in a moment, however heavy its module is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

NOUNS = {
    "extractors": "extractor",
    "filters": "filter",
    "export": "format",
    "store": "store",
    "store.documents": "store of documents",
    "languages": "language",
}


class NoSuchPlugin(ValueError):  # noqa: N818  # its name says it without the word
    """No plug-in has that name; the text lists those that there are."""


def plugin_names(stage: str) -> list[str]:
    """The names of a stage's plug-ins, sorted; nothing is imported, and a zipped package will do."""
    spec = find_spec(f"corpusbot.{stage}")
    if spec is None or spec.submodule_search_locations is None:
        return []
    others = _not_plugins(_source(spec.loader, spec.name))
    found = iter_modules(spec.submodule_search_locations)
    return sorted(module.name for module in found if not module.name.startswith("_") and module.name not in others)


@lru_cache(maxsize=128)
def plugin(stage: str, name: str) -> ModuleType:
    """The module of a plug-in; found once, for looking it up reads a directory, too much for every article."""
    check_plugin(stage, name)
    return import_module(f"corpusbot.{stage}.{name}")


def check_options(stage: str, name: str, options: Mapping[str, object]) -> None:
    """Raises ValueError for options that the plug-in cannot use, if its package has a `checked_options` to ask."""
    checked = getattr(import_module(f"corpusbot.{stage}"), "checked_options", None)
    if checked:
        checked(name, options)


def options_of(stage: str, name: str) -> Iterable[Any]:
    """The options of a plug-in, if its package has an `options_of` to ask."""
    found = getattr(import_module(f"corpusbot.{stage}"), "options_of", None)
    return found(name) if found else ()


def meaning_of(stage: str, name: str) -> str:
    """What a plug-in is for, by the first line of its module."""
    return (plugin(stage, name).__doc__ or "").strip().partition("\n")[0]


def check_plugin(stage: str, name: str) -> None:
    """Raises NoSuchPlugin, with the names that there are, unless the stage has this plug-in."""
    names = plugin_names(stage)
    if name not in names:
        noun = NOUNS.get(stage, "plug-in")
        raise NoSuchPlugin(f"No {noun} '{name}'. Available: {', '.join(names) or 'none'}")


def _source(loader: object, name: str) -> str:
    """The source of the package's __init__; none where there is no such file or no source of it."""
    read = getattr(loader, "get_source", None)
    return (read(name) if read else None) or ""


def _not_plugins(source: str) -> set[str]:
    """The value of NOT_PLUGINS in a package's source."""
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "NOT_PLUGINS" for target in targets):
            return set(ast.literal_eval(node.value))  # type: ignore[attr-defined]  # assignments have a value
    return set()
