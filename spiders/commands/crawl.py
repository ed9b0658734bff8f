"""`scrapy crawl`, with arguments checked before anything runs and an exit status that cron can use."""

from __future__ import annotations

import argparse
import logging
from datetime import UTC, datetime
from typing import cast

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from corpusbot.sites import SiteError
from corpusbot.store.schema import StateBusyError, StateError
from spiders.plan import ARGUMENTS, PlanError, plan_of
from spiders.report import Report
from spiders.scheduler import opened_frontier
from spiders.site import SiteSpider

logger = logging.getLogger(__name__)

COULD_NOT_START = 1
SITE_BUSY = 3
EXIT_STATUS = (
    "Exit status: 0 all is well; 1 the crawl could not start; 2 an index page could not be had; "
    "3 another job is crawling this site."
)
# Scrapy's lists of settings and middlewares, which say the same of every newspaper and fill a screen.
_LISTING_THEMSELVES = ("scrapy.crawler", "scrapy.middleware", "scrapy.addons")
_WAITING = "To have a crawl wait for another one, give it -s CORPUSBOT_LOCK_WAIT=SECONDS"


class Command(ScrapyCrawl):
    """Scrapy's own command and what a newspaper's crawl adds to it."""

    def short_desc(self) -> str:
        """The line in the list of commands."""
        return "Crawl a newspaper, by the name of its site file"

    def long_desc(self) -> str:
        """What --help says."""
        arguments = "; ".join(f"-a {name}=… {meaning}" for name, meaning in ARGUMENTS.items())
        return f"{self.short_desc()}. {arguments}. {EXIT_STATUS}"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments, take hold of the site, crawl, and say how it went."""
        if len(args) != 1:
            raise UsageError
        try:
            crawler = self._ready(args[0], opts.spargs)
        # To the log and not to standard error: under Scrapyd, the log is where people look.
        except (KeyError, SiteError, PlanError, StateError, KeyboardInterrupt) as error:
            logger.error("%s", _told(error))
            self.exitcode = SITE_BUSY if isinstance(error, StateBusyError) else COULD_NOT_START
        else:
            self._crawl(crawler, opts.spargs)

    def _ready(self, name: str, arguments: dict[str, str]) -> Crawler:
        """A crawler for arguments that make sense, with the site's state in its hands."""
        assert self.crawler_process is not None
        spider_class = cast("type[SiteSpider]", self.crawler_process.spider_loader.load(name))
        # Scrapyd adds arguments of its own, which begin with an underscore.
        ours = {key: value for key, value in arguments.items() if not key.startswith("_")}
        plan_of(spider_class.site, ours, datetime.now(UTC).date())
        crawler = self._create_crawler(spider_class)
        opened_frontier(crawler)
        return crawler

    def _crawl(self, crawler: Crawler, arguments: dict[str, str]) -> None:
        assert self.crawler_process is not None
        for name in _LISTING_THEMSELVES:
            logging.getLogger(name).setLevel(logging.WARNING)
        self.crawler_process.crawl(crawler, **arguments)
        self.crawler_process.start()
        if self.crawler_process.bootstrap_failed:
            self.exitcode = COULD_NOT_START
        elif report := crawler.get_extension(Report):
            self.exitcode = report.exit_status


def _told(error: BaseException) -> str:
    """An error as the one line that stands in the log."""
    if isinstance(error, KeyboardInterrupt):
        return "Told to stop before the crawl began"
    if isinstance(error, KeyError):
        return str(error.args[0])  # its str() has quotation marks around it
    return f"{error}. {_WAITING}" if isinstance(error, StateBusyError) else str(error)
