"""What Scrapy's commands for single pages leave alone: the site's state, its corpus, the index of duplicates."""

from __future__ import annotations

import argparse
import logging
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from corpusbot.sites import SiteError

if TYPE_CHECKING:
    from scrapy.commands import ScrapyCommand as _Command
else:
    _Command = object

logger = logging.getLogger(__name__)

# Scrapy's own scheduler holds any request in memory; ours would put it into the site's state.
ASIDE: dict[str, Any] = {"SCHEDULER": "scrapy.core.scheduler.Scheduler", "FEEDS": {}, "CORPUSBOT_WORKERS": 0}


class Aside(_Command):
    """A command whose crawl leaves no trace in the data folder, and whose log is no longer than what it shows."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Take the options, and set aside what a crawl of the newspaper would write."""
        super().process_options(args, opts)
        assert self.settings is not None
        wanted = getattr(opts, "output", None) or getattr(opts, "overwrite_output", None)
        for name, value in ASIDE.items():
            if name != "FEEDS" or not wanted:
                self.settings.set(name, value, "cmdline")
        if not (opts.loglevel or opts.nolog or any(given.startswith("LOG_LEVEL=") for given in opts.set)):
            self.settings.set("LOG_LEVEL", "WARNING", "cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run Scrapy's command in a data folder that is thrown away."""
        assert self.settings is not None
        with TemporaryDirectory(prefix="corpusbot-") as folder:
            self.settings.set("CORPUSBOT_DATA", folder, "cmdline")
            try:
                super().run(args, opts)  # type: ignore[safe-super]  # abstract only in the class that mypy sees
            except SiteError as error:
                logger.error("%s", error)
                self.exitcode = 1
            except KeyError as error:  # Scrapy's error for a spider that is not there
                logger.error("%s", error.args[0])
                self.exitcode = 1
