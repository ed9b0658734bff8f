"""`corpusbot check`: a site file against its live site."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from corpusbot.commands.arguments import add_site, count

SAYS = "a site file against its live site, by a small crawl: what fails, and why"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument("--sample", type=count, default=2, help="articles to read of each index page (default: 2)")


def run(options: Namespace) -> int:
    """Print what was found; 1 if something fails."""
    from corpusbot.checkup import checkup
    from corpusbot.checkup_told import told

    result = checkup(options.site, options.sample)
    print(told(result))
    return 0 if result.sound else 1
