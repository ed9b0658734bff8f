"""`corpusbot reextract`: stored pages down the line once more."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from corpusbot.commands.arguments import add_data, add_format, add_site, count, day

SAYS = "stored pages down the line once more, without the network: what other rules make of them"
EPILOG = """\
Of each address the page that was fetched last is read. What changed is shown; nothing is written without --write,
which makes new versions in the store of documents. A reading that was stopped goes on where it was, and what was
read by the same rules is not read again: first look, then add --write.

  corpusbot reextract elpais                               what the rules of today make of all stored pages
  corpusbot reextract elpais --config new/elpais.yaml      what other rules would
  corpusbot reextract elpais --from 2024-01-01 --write     pages fetched since then; writes the new versions"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument("--from", dest="since", type=day, metavar="DAY", help="pages fetched on this day or later")
    parser.add_argument("--to", dest="until", type=day, metavar="DAY", help="pages fetched on this day or before")
    parser.add_argument("--config", type=Path, metavar="FILE|DIR", help="a site file, or a folder with SITE.yaml")
    parser.add_argument("--write", action="store_true", help="write what changed as new versions of the documents")
    parser.add_argument("--workers", type=count, help="processes (default: one for each core)")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print what changed, and write it if that is wanted."""
    from corpusbot.commands.progress import progress
    from corpusbot.reextraction import Wanted, reextraction
    from corpusbot.reextraction_told import as_json, told
    from corpusbot.reextraction_writing import write

    wanted = Wanted(options.data, options.site, options.since, options.until, options.config, options.workers)
    with progress(options.site) as tell, reextraction(wanted, tell) as work:
        pass_on = as_json(work) if options.format == "json" else [told(work)]
        for line in pass_on:
            print(line)
        if not options.write:
            if options.format == "text":
                print("\nNothing was written; --write does.")
            return 0
        written = write(work, tell)
    if options.format == "text":
        begun = f"A store was begun with {written.carried_over:,} documents. " if written.carried_over else ""
        print(f"\n{begun}Written: {written.new:,} new documents, {written.versions:,} new versions.")
    return 0
