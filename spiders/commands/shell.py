"""`scrapy shell`: one page to try selectors on."""

from __future__ import annotations

from scrapy.commands.shell import Command as ScrapyShell

from spiders.aside import Aside


class Command(Aside, ScrapyShell):
    """Scrapy's own command, set aside from the newspaper's state."""
