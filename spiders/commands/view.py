"""`scrapy view`: one page in the browser, as the crawl fetches it."""

from __future__ import annotations

from scrapy.commands.view import Command as ScrapyView

from spiders.aside import Aside


class Command(Aside, ScrapyView):
    """Scrapy's own command, set aside from the newspaper's state."""
