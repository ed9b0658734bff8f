"""`corpusbot verify`: whether all that is kept of newspapers agrees."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from corpusbot.commands.arguments import add_data, add_format

SAYS = "whether archive, state, documents, files and indexes agree; makes anew what can be made from the rest"
EPILOG = """\
Nothing is changed without --repair, which makes derived files anew and nothing else. A newspaper that is being
crawled is not looked at: wait for its crawl. Exit status: 0 all of it holds, 1 something is wrong.

  corpusbot verify                  all newspapers of the data folder
  corpusbot verify elpais --repair"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("sites", nargs="*", metavar="SITE", help="newspapers (default: all that were crawled)")
    parser.add_argument("--repair", action="store_true", help="make derived files anew where they are wrong")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print the table; 1 if something is wrong."""
    from corpusbot.commands.progress import progress
    from corpusbot.verification import crawled_sites, verify
    from corpusbot.verification_told import as_json, told

    results = []
    for site in options.sites or crawled_sites(options.data):
        with progress(site) as tell:
            result = verify(options.data, site, options.repair, tell)
        if options.format == "json":
            print("\n".join(as_json(result)))
        results.append(result)
    if options.format == "text":
        print(told(results) if results else f"Nothing was crawled into {options.data} yet.")
    return 0 if all(result.sound for result in results) else 1
