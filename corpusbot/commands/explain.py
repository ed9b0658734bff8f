"""`corpusbot explain`: the rules that hold for a newspaper, and where each comes from."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from corpusbot.commands.arguments import add_site, day

SAYS = "the rules of a newspaper, each with its file, line and level"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument("--day", type=day, help="the rules of that day, as 2024-01-31")


def run(options: Namespace) -> int:
    """Print the rules."""
    from corpusbot.sites import load_site
    from corpusbot.sites.explain import explanation

    print(explanation(load_site(options.site), day=options.day))
    return 0
