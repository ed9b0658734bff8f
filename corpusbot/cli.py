"""The command `corpusbot`: look at site files and at what they make of a page; the crawling is Scrapy's."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from corpusbot import __version__
from corpusbot.sites import SiteError

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status is 0 if all is well, 1 if something is wrong with what was given."""
    options = _parser().parse_args(arguments)
    command: Command = options.command
    try:
        return command(options)
    except (SiteError, OSError) as error:
        print(f"corpusbot: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _explain(options: argparse.Namespace) -> int:
    from corpusbot.sites import load_site
    from corpusbot.sites.explain import explanation

    print(explanation(load_site(options.site), day=options.day))
    return 0


def _try(options: argparse.Namespace) -> int:
    from corpusbot.trial import page_of, trial

    page = page_of(options.site, options.page, options.url, options.day)
    print(trial(page, options.site, options.text))
    return 0


def _check(options: argparse.Namespace) -> int:
    from corpusbot.checkup import checkup

    return checkup(options.site, options.sample)


def _import_webreader(options: argparse.Namespace) -> int:
    from corpusbot.sites.webreader_xml import import_webreader

    for path in import_webreader(options.file.read_text(encoding="utf-8"), options.directory):
        print(path)
    return 0


def _schema(options: argparse.Namespace) -> int:
    from corpusbot.sites.reference import json_schema_text, write_reference

    if options.write:
        for path in write_reference(options.write):
            print(path)
    else:
        print(json_schema_text())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="corpusbot",
        description="Turn newspapers on the Web into clean, homogeneous, duplicate-free corpora.",
        epilog="To crawl: scrapy crawl SITE. To list the newspapers: scrapy list.",
    )
    parser.add_argument("--version", action="version", version=f"corpusbot {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    explain = _added(commands, "explain", _explain, "the rules of a newspaper, each with its file, line and level")
    explain.add_argument("site", help="name of the site file, without .yaml")
    explain.add_argument("--day", type=date.fromisoformat, help="the rules of that day, as 2024-01-31")

    attempt = _added(commands, "try", _try, "one page down the line: what was found by which rule; writes nothing")
    attempt.add_argument("site", help="name of the site file, without .yaml")
    attempt.add_argument("page", help="an address, or a file with the page's HTML (may be gzipped)")
    attempt.add_argument("--url", help="the address that a file's page came from")
    attempt.add_argument("--day", type=date.fromisoformat, help="the day that the page is from, for dated rules")
    attempt.add_argument("--text", action="store_true", help="show the whole text, not its beginning")

    check = _added(commands, "check", _check, "a site file against its live site: what fails, and why")
    check.add_argument("site", help="name of the site file, without .yaml")
    check.add_argument("--sample", type=int, default=2, help="articles to read of each index page (default: 2)")

    webreader = _added(commands, "import-webreader", _import_webreader, "make site files of a webreader XML file")
    webreader.add_argument("file", type=Path, help="the XML file")
    webreader.add_argument("directory", type=Path, help="where the YAML files are written")

    schema = _added(commands, "schema", _schema, "the JSON Schema of site files, for editors")
    schema.add_argument("--write", type=Path, metavar="DIR", help="write schema and reference page into this folder")
    return parser


def _added(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, command: Command, says: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=says, description=says[0].upper() + says[1:] + ".")
    parser.set_defaults(command=command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
