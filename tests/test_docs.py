"""The documentation names everything that a user can set, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file that is there."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
