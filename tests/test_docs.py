"""The documentation names everything that a user can set, and its links lead somewhere."""

import re
from argparse import ArgumentParser, _SubParsersAction
from pathlib import Path

import pytest

from corpusbot.cli import argument_parser
from corpusbot.export.document import FIELDS
from spiders.plan import ARGUMENTS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_setting_is_documented() -> None:
    """Each CORPUSBOT_ name in the code stands in the reference of settings."""
    code = "".join(
        path.read_text(encoding="utf-8")
        for package in ("corpusbot", "spiders", "pipelines")
        for path in (ROOT / package).rglob("*.py")
    )
    told = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    missing = sorted({name for name in re.findall(r"CORPUSBOT_[A-Z_]+", code) if f"`{name}`" not in told})
    assert missing == [], "add them to docs/reference/settings.md"


def test_every_argument_of_a_crawl_is_documented() -> None:
    """Each -a argument stands in the reference of settings."""
    told = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    assert [name for name in ARGUMENTS if f"`{name}`" not in told] == []


def test_every_field_of_a_document_is_documented() -> None:
    """Each column stands in the reference of documents, in its order."""
    told = (ROOT / "docs/reference/document.md").read_text(encoding="utf-8")
    assert [name for name in FIELDS if f"`{name}`" not in told] == []


def test_every_command_is_documented() -> None:
    """Each command of corpusbot has its part in the reference of commands, with all that it takes."""
    told = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    parts = dict(re.findall(r"^## corpusbot (\S+)$(.*?)(?=^## |\Z)", told, re.MULTILINE | re.DOTALL))
    commands = commands_of(argument_parser())
    assert parts.keys() == commands.keys(), "make docs"
    missing = [
        (name, option)
        for name, command in commands.items()
        for action in command._actions
        for option in (*action.option_strings, action.help or "")
        if "".join(option.split()) not in "".join(parts[name].split())
    ]
    assert missing == [], "make docs"


def commands_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The commands of a parser, by name."""
    return dict(next(action.choices for action in parser._actions if isinstance(action, _SubParsersAction)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file that is there."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
