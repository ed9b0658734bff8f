"""`corpusbot try`: one page down the line, stage by stage."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from corpusbot.commands.arguments import add_site, day

SAYS = "one page down the line: what was found by which rule, what was not; writes nothing"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument("page", help="an address, or a file with the page's HTML (may be gzipped)")
    parser.add_argument("--url", help="the address that a file's page came from, for the rules of its index and link")
    parser.add_argument("--day", type=day, help="the day that a file's page is from, as 2024-01-31, for dated rules")
    parser.add_argument("--text", action="store_true", help="show the whole text, not its beginning")
    parser.add_argument("--blocks", action="store_true", help="show each block's score, whether it was kept, and why")


def run(options: Namespace) -> int:
    """Print what became of the page; 1 if it was dropped."""
    from corpusbot.model import Drop
    from corpusbot.sites import load_site
    from corpusbot.trial import page_of, trial
    from corpusbot.trial_told import told

    site = load_site(options.site)
    result = trial(page_of(site, options.page, options.url, options.day), site)
    print(told(result, options.text, options.blocks))
    return 1 if isinstance(result.steps[-1].result, Drop) else 0
