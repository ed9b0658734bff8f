"""The command `corpusbot`: look at site files and at what they make of a page; the crawling is Scrapy's."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TextIO

from corpusbot import __version__
from corpusbot.sites import Problem, SiteError
from corpusbot.store.growing import StoreError
from corpusbot.store.schema import StateError

Command = Callable[[argparse.Namespace], int]

EPILOG = """\
a newspaper from its first line to its corpus:
  corpusbot extract saved.html                      the text of any page, without rules
  corpusbot try elpais saved.html --url https://…   what its rules find in a page
  corpusbot check elpais                            what fails on the live site
  scrapy crawl elpais                               crawl it
  scrapy list                                       all newspapers there are

Exit status: 0 all is well, 1 something is wrong with what was given or found.
Site files are looked for in the folders that CORPUSBOT_SITE_CONFIGS names, then among those that come along."""

EXTRACT_EPILOG = """\
text      the text alone, paragraphs apart by a blank line; several are headed by `==> FILE <==`
json      an object a line: every field, what found it, the blocks with their kinds, the page's kind, the confidence
markdown  front matter, then headings, lists, quotes and tables as such

An address is asked once, and only if its robots.txt allows it; those of private networks are refused unless
CORPUSBOT_ALLOW_PRIVATE names them. Exit status: 0, or 1 if some page cannot be had or has no text; stderr says why.

  corpusbot extract saved.html --url https://paper.example/2024/05/01/article
  corpusbot extract https://paper.example/2024/05/01/article --format markdown -o article.md
  corpusbot extract pages/*.html.gz --format json > articles.jsonl
  curl -s https://paper.example/ | corpusbot extract -"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status is 0 if all is well, 1 if something is wrong with what was given."""
    try:
        options = _parser().parse_args(arguments)
        command: Command = options.command
        status = command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has read enough, as `| head` does; the interpreter must not flush once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (SiteError, StoreError, StateError, OSError) as error:
        _complain(_told(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _told(error: Exception) -> str:
    """An error in words; those of the system have the file's name in front."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _explain(options: argparse.Namespace) -> int:
    from corpusbot.sites import load_site
    from corpusbot.sites.explain import explanation

    print(explanation(load_site(options.site), day=options.day))
    return 0


def _try(options: argparse.Namespace) -> int:
    from corpusbot.model import Drop
    from corpusbot.sites import load_site
    from corpusbot.trial import page_of, trial
    from corpusbot.trial_told import told

    site = load_site(options.site)
    result = trial(page_of(site, options.page, options.url, options.day), site)
    print(told(result, options.text, options.blocks))
    return 1 if isinstance(result.steps[-1].result, Drop) else 0


def _extract(options: argparse.Namespace) -> int:
    from corpusbot.article_told import told
    from corpusbot.given_page import given_page
    from corpusbot.library import article_of

    status = 0
    with _opened(options.output) as output:
        for place in options.pages:
            try:
                article = article_of(given_page(place, options.url), options.prefer)
            except OSError as error:
                _complain(_told(error))
                status = 1
                continue
            if not article.text:
                _complain(f"{place}: no text: {article.kind and article.kind.reason}")
                status = 1
            if article.text or options.format == "json":
                print(_headed(place, options), told(article, options.format), sep="", file=output)
    return status


def _headed(place: str, options: argparse.Namespace) -> str:
    """A line with the name of the page where several texts follow one another; the other formats tell it apart."""
    return f"==> {place} <==\n" if options.format == "text" and len(options.pages) > 1 else ""


def _opened(path: Path | None) -> AbstractContextManager[TextIO]:
    return path.open("w", encoding="utf-8") if path else nullcontext(sys.stdout)


def _complain(text: str) -> None:
    print(f"corpusbot: {text}", file=sys.stderr)


def _check(options: argparse.Namespace) -> int:
    from corpusbot.checkup import checkup
    from corpusbot.checkup_told import told

    result = checkup(options.site, options.sample)
    print(told(result))
    return 0 if result.sound else 1


def _import_webreader(options: argparse.Namespace) -> int:
    from corpusbot.sites.webreader_xml import import_webreader

    try:
        written = import_webreader(_xml_of(options.file), options.directory)
    except SiteError as error:
        # The importer has the text only, not the name of the file.
        named = (replace(one, file=options.file.name) if isinstance(one, Problem) else one for one in error.problems)
        raise SiteError(*named) from None
    for path in written:
        print(path)
    return 0


def _xml_of(path: Path) -> str:
    """The text of an XML file: UTF-8, or else what the word processors of webreader's time wrote."""
    body = path.read_bytes()
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


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
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corpusbot {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_extract(commands)
    _add_looking(commands)
    _add_making(commands)
    return parser


def _add_looking(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The commands that look at a newspaper."""
    explain = _added(commands, "explain", _explain, "the rules of a newspaper, each with its file, line and level")
    _site_of(explain)
    explain.add_argument("--day", type=_day, help="the rules of that day, as 2024-01-31")

    attempt = _added(
        commands, "try", _try, "one page down the line: what was found by which rule, what was not; writes nothing"
    )
    _site_of(attempt)
    attempt.add_argument("page", help="an address, or a file with the page's HTML (may be gzipped)")
    attempt.add_argument("--url", help="the address that a file's page came from, for the rules of its index and link")
    attempt.add_argument("--day", type=_day, help="the day that a file's page is from, as 2024-01-31, for dated rules")
    attempt.add_argument("--text", action="store_true", help="show the whole text, not its beginning")
    attempt.add_argument("--blocks", action="store_true", help="show each block's score, whether it was kept, and why")

    check = _added(
        commands, "check", _check, "a site file against its live site, by a small crawl: what fails, and why"
    )
    _site_of(check)
    check.add_argument("--sample", type=_count, default=2, help="articles to read of each index page (default: 2)")


def _add_extract(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command that needs no newspaper."""
    extract = _added(commands, "extract", _extract, "the article of any page: its text and what is known about it")
    extract.formatter_class = argparse.RawDescriptionHelpFormatter
    extract.epilog = EXTRACT_EPILOG
    extract.add_argument(
        "pages", nargs="+", metavar="FILE|URL|-", help="a file with HTML (may be gzipped), an address, or - for stdin"
    )
    extract.add_argument("--url", type=_address, help="the address that a file's page came from, for links and dates")
    extract.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="(default: text)")
    extract.add_argument(
        "--prefer", choices=("precision", "balanced", "recall"), default="balanced",
        help="precision: less that does not belong; recall: less that is missing (default: balanced)",
    )  # fmt: skip
    extract.add_argument("-o", "--output", type=Path, metavar="FILE", help="write into this file, not to stdout")


def _add_making(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The commands that make files."""
    webreader = _added(commands, "import-webreader", _import_webreader, "make site files of a webreader XML file")
    webreader.add_argument("file", type=Path, help="the XML file")
    webreader.add_argument("directory", type=Path, help="where the YAML files are written")

    schema = _added(commands, "schema", _schema, "the JSON Schema of site files, for editors")
    schema.add_argument("--write", type=Path, metavar="DIR", help="write schema and reference page into this folder")


def _added(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, command: Command, says: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=says, description=says[0].upper() + says[1:] + ".")
    parser.set_defaults(command=command)
    return parser


def _site_of(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("site", metavar="SITE", help="a newspaper: the name of its site file, without .yaml")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day. Write it as 2024-01-31") from None


def _address(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{text!r} is no address. Write it in full, as https://paper.example/page")
    return text


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
