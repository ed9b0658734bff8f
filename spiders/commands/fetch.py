"""`scrapy fetch`: one page as the crawl would fetch it."""

from __future__ import annotations

from scrapy.commands.fetch import Command as ScrapyFetch

from spiders.aside import Aside


class Command(Aside, ScrapyFetch):
    """Scrapy's own command, set aside from the newspaper's state."""
