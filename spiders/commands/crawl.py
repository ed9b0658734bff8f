"""`scrapy crawl`, with arguments checked before anything runs and an exit status that cron can use."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError

from corpusbot.sites import SiteError
from spiders.plan import ARGUMENTS, PlanError, plan_of
from spiders.report import Report
from spiders.site import SiteSpider

EXIT_STATUS = (
    "Exit status: 0 all is well; 1 the crawl could not start; 2 an index page could not be had; "
    "3 another job is crawling this site."
)


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
        """Check the arguments, crawl, and say how it went."""
        if len(args) != 1:
            raise UsageError
        assert self.crawler_process is not None
        spider_class = self._checked(args[0], opts)
        crawler = self._create_crawler(spider_class)
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        report = crawler.get_extension(Report)
        if self.crawler_process.bootstrap_failed:
            self.exitcode = 1
        elif report is not None:
            self.exitcode = report.exit_status

    def _checked(self, name: str, opts: argparse.Namespace) -> type[SiteSpider]:
        assert self.crawler_process is not None
        try:
            spider_class: type[SiteSpider] = self.crawler_process.spider_loader.load(name)
            plan_of(spider_class.site, opts.spargs, datetime.now(UTC).date())
        except KeyError as error:
            raise UsageError(error.args[0], print_help=False) from None
        except (SiteError, PlanError) as error:
            raise UsageError(str(error), print_help=False) from None
        return spider_class
