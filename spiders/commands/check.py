"""`scrapy check`: reads site files and says what is wrong with them; nothing is fetched."""

from __future__ import annotations

import argparse
import sys

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from corpusbot.sites import SiteError, load_site, site_names


class Command(ScrapyCommand):
    """In the place of Scrapy's check of contracts, which site files have none of."""

    requires_project = True
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (Scrapy's own form)

    def syntax(self) -> str:
        """What stands behind the command's name."""
        return "[SITE …]"

    def short_desc(self) -> str:
        """The line in the list of commands."""
        return "Check site files for mistakes, all of them or those named"

    def long_desc(self) -> str:
        """What --help says."""
        return f"{self.short_desc()}; nothing is fetched. Against the live site: corpusbot check SITE."

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the files; the exit status is 1 if one of them cannot be used."""
        if any(name.startswith("-") for name in args):
            raise UsageError
        names = args or site_names()
        broken = [error for name in names if (error := _mistakes(name))]
        for error in broken:
            sys.stderr.write(f"{error}\n")
        sys.stdout.write(f"{len(names)} site files read, {len(broken)} with mistakes\n")
        self.exitcode = 1 if broken else 0


def _mistakes(name: str) -> SiteError | None:
    try:
        load_site(name)
    except SiteError as error:
        return error
    return None
