"""`corpusbot extract`: the article of any page, without a newspaper."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

from corpusbot.commands.arguments import address
from corpusbot.commands.complaint import complain

SAYS = "the article of any page: its text and what is known about it"
EPILOG = """\
text      the text alone, paragraphs apart by a blank line; several are headed by `==> FILE <==`
json      an object a line: every field, what found it, the blocks with their kinds, the page's kind, the confidence
markdown  front matter, then headings, lists, quotes and tables as such

An address is asked once, and only if its robots.txt allows it; those of private networks are refused unless
CORPUSBOT_ALLOW_PRIVATE names them. Exit status: 0, or 1 if some page cannot be had or has no text; stderr says why.

  corpusbot extract saved.html --url https://paper.example/2024/05/01/article
  corpusbot extract https://paper.example/2024/05/01/article --format markdown -o article.md
  corpusbot extract pages/*.html.gz --format json > articles.jsonl
  curl -s https://paper.example/ | corpusbot extract -"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "pages", nargs="+", metavar="FILE|URL|-", help="a file with HTML (may be gzipped), an address, or - for stdin"
    )
    parser.add_argument("--url", type=address, help="the address that a file's page came from, for links and dates")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="(default: text)")
    parser.add_argument(
        "--prefer", choices=("precision", "balanced", "recall"), default="balanced",
        help="precision: less that does not belong; recall: less that is missing (default: balanced)",
    )  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write into this file, not to stdout")


def run(options: Namespace) -> int:
    """Print the articles; 1 if a page cannot be had or has no text."""
    from corpusbot.article_told import told
    from corpusbot.given_page import given_page
    from corpusbot.library import article_of

    status = 0
    with _opened(options.output) as output:
        for place in options.pages:
            try:
                article = article_of(given_page(place, options.url), options.prefer)
            except OSError as error:
                complain(error)
                status = 1
                continue
            if not article.text:
                complain(f"{place}: no text: {article.kind and article.kind.reason}")
                status = 1
            if article.text or options.format == "json":
                print(_headed(place, options), told(article, options.format), sep="", file=output)
    return status


def _headed(place: str, options: Namespace) -> str:
    """A line with the name of the page where several texts follow one another; the other formats tell it apart."""
    return f"==> {place} <==\n" if options.format == "text" and len(options.pages) > 1 else ""


def _opened(path: Path | None) -> AbstractContextManager[TextIO]:
    return path.open("w", encoding="utf-8") if path else nullcontext(sys.stdout)
