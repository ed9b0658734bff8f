"""Plug-ins: a bare name is a module, known without importing it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corpusbot.plugins import NoSuchPlugin, check_options, plugin, plugin_names


def test_every_module_is_a_plugin_but_those_that_are_listed() -> None:
    """The chain of extractors is no extractor."""
    assert {"rules", "jsonld", "cnr", "trafilatura"} <= set(plugin_names("extractors"))
    assert "chain" not in plugin_names("extractors")
    assert plugin_names("extractors") == sorted(plugin_names("extractors"))


def test_a_plugin_is_its_module() -> None:
    """A name and no more."""
    assert plugin("filters", "length").__name__ == "corpusbot.filters.length"


def test_the_error_lists_what_there_is() -> None:
    """What would have worked."""
    with pytest.raises(NoSuchPlugin) as caught:
        plugin("extractors", "nosuch")
    assert str(caught.value) == f"No extractor 'nosuch'. Available: {', '.join(plugin_names('extractors'))}"


@pytest.mark.parametrize("name", ["chain", "__init__", "../model", "", "cnr.os"])
def test_what_is_no_plugin_is_not_imported(name: str) -> None:
    """Neither the package's other modules nor anything outside of it."""
    with pytest.raises(NoSuchPlugin):
        plugin("extractors", name)


def test_a_stage_that_there_is_not() -> None:
    """It has no plug-ins, which is no error until one is asked for."""
    assert plugin_names("nosuch") == []
    with pytest.raises(NoSuchPlugin, match=r"No plug-in 'a'\. Available: none"):
        plugin("nosuch", "a")


def test_options_are_checked_by_the_package() -> None:
    """A package with `checked_options` has its say; one without takes any."""
    with pytest.raises(ValueError, match="min_word"):
        check_options("filters", "length", {"min_word": 3})
    with pytest.raises(ValueError, match="unknown option 'any'"):
        check_options("extractors", "rules", {"any": "thing"})
    check_options("export", "jsonl", {"any": "thing"})


def test_names_are_had_without_importing() -> None:
    """Checking a name costs no heavy module."""
    code = (
        "import sys; from corpusbot.plugins import *; plugin_names('extractors');"
        "check_plugin('extractors', 'trafilatura');"
    )
    code += "sys.exit('trafilatura' in sys.modules or 'corpusbot.extractors' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
