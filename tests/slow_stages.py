"""Stages that misbehave, in a module of their own that worker processes can import."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from lxml.html import document_fromstring

from corpusbot.model import Article, CleanPage, Encoding, Page
from corpusbot.sites import SiteConfig


def title(page: Page, site: SiteConfig) -> str:
    """What a stage should be like: quick."""
    return f"{site.name}: {page.url}"


def process(page: Page, site: SiteConfig) -> int:
    """The process that a stage runs in."""
    return os.getpid()


def hang(page: Page, site: SiteConfig) -> None:
    """Never ends."""
    time.sleep(3600)


def die(page: Page, site: SiteConfig) -> None:
    """Takes its process along, as a crash in a C library does."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail(page: Page, site: SiteConfig) -> None:
    """Has a mistake."""
    raise ZeroDivisionError(f"in {page.url}")


def unsendable(page: Page, site: SiteConfig) -> Any:
    """Returns what no other process can have."""
    return lambda: page


def cleaned(page: Page, site: SiteConfig) -> CleanPage:
    """A clean page, which stays in its worker."""
    return CleanPage(page, document_fromstring("<p>text</p>"), Encoding("utf-8", None, "test"))


def text_of(clean: CleanPage, site: SiteConfig) -> str:
    """What the tree of a held page says."""
    return str(clean.tree.text_content())


def held_pages(article: Article, site: SiteConfig) -> int:
    """How many trees the worker holds."""
    import gc

    return sum(isinstance(found, CleanPage) for found in gc.get_objects())
