"""The command `corpusbot`: look at site files, pages and what crawls have kept; the crawling is Scrapy's."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

from corpusbot import __version__
from corpusbot.commands import COMMANDS
from corpusbot.commands.complaint import complain
from corpusbot.export.errors import ExportError
from corpusbot.sites import SiteError
from corpusbot.store.growing import StoreError
from corpusbot.store.schema import StateError

EPILOG = """\
a newspaper from its first line to its corpus:
  corpusbot extract saved.html                      the text of any page, without rules
  corpusbot try elpais saved.html --url https://…   what its rules find in a page
  corpusbot check elpais                            what fails on the live site
  scrapy crawl elpais                               crawl it
  scrapy list                                       all newspapers there are

Exit status: 0 all is well, 1 something is wrong with what was given or found.
Site files are looked for in the folders that CORPUSBOT_SITE_CONFIGS names, then among those that come along."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status is 0 if all is well, 1 if something is wrong with what was given."""
    try:
        options = argument_parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has read enough, as `| head` does; the interpreter must not flush once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (SiteError, StoreError, StateError, ExportError, OSError) as error:
        complain(error)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def argument_parser() -> ArgumentParser:
    """The parser of all commands."""
    parser = ArgumentParser(
        prog="corpusbot",
        description="Turn newspapers on the Web into clean, homogeneous, duplicate-free corpora.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corpusbot {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = import_module(f"corpusbot.commands.{name}")
        command = commands.add_parser(
            name.strip("_").replace("_", "-"),
            help=module.SAYS,
            description=f"{module.SAYS[0].upper()}{module.SAYS[1:]}.",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
