"""`scrapy crawl` with a clock that is so many days ahead: python -m tests.later_crawl DAYS SITE …"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from scrapy.cmdline import execute

from corpusbot.store.frontier import Frontier
from spiders import scheduler


class LaterFrontier(Frontier):
    """A frontier whose clock goes before that of this computer, or after it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, clock=lambda: time.time() + float(sys.argv[1]) * 86_400)


if __name__ == "__main__":
    scheduler.Frontier = LaterFrontier  # type: ignore[misc]
    execute(["scrapy", "crawl", *sys.argv[2:]])
