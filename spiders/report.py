"""Writes the incident report of a run when it ends, and says how it went."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Spider, signals

from corpusbot.report import as_text, exit_status, run_report, write_report
from corpusbot.store.frontier import Runs
from spiders.scheduler import frontier_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class Report:
    """The report: in the log, in `data/SITE/reports/`, and as an exit status for cron."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Report:
        """The extension, as Scrapy asks for it."""
        report = cls(crawler)
        crawler.signals.connect(report.begin, signals.spider_opened)
        crawler.signals.connect(report.end, signals.engine_stopped)
        return report

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._started = time.monotonic()
        self._spider: Spider | None = None
        self.exit_status = 1  # a run that never comes to its end could not start

    def begin(self, spider: Spider) -> None:
        """Note when the run began."""
        self._started = time.monotonic()
        self._spider = spider

    def end(self) -> None:
        """Write the report; by now the frontier is closed and all is in its file."""
        frontier = frontier_of(self._crawler)
        if self._spider is None or frontier is None or frontier.run is None:
            return
        report = run_report(
            self._spider.name,
            Runs(frontier.path),
            frontier.run,
            time.monotonic() - self._started,
            _stage_seconds(self._crawler),
        )
        path = write_report(report, Path(frontier.path).parent / "reports")
        self.exit_status = exit_status(report)
        logger.info("%s\nThe whole list: %s", as_text(report), path)


def _stage_seconds(crawler: Crawler) -> dict[str, float]:
    stats = crawler.stats.get_stats() if crawler.stats else {}
    prefix = "stage_seconds/"
    return {name.removeprefix(prefix): spent for name, spent in stats.items() if name.startswith(prefix)}
