"""`corpusbot compact`: old raw pages in less room, and back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from corpusbot.commands.arguments import add_data, add_format, add_site, count

if TYPE_CHECKING:
    from corpusbot.store.compact import Change

SAYS = "old raw pages in less than half the room, or back into the form that other programs read"
EPILOG = """\
A compact file (.warc.zst) holds the same records byte for byte, which is checked before the old one goes. All of
corpusbot reads both forms; most other programs read .warc.gz alone. What a crawl is writing to is left as it is.

  corpusbot compact elpais --older-than 30
  corpusbot compact elpais --back"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument(
        "--older-than", type=count, default=0, metavar="DAYS", help="only files nobody wrote to for so many days"
    )
    parser.add_argument("--back", action="store_true", help="make .warc.gz of all compact files")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print a line for each file; 1 if there is no archive."""
    from corpusbot.commands.complaint import complain
    from corpusbot.commands.progress import progress
    from corpusbot.store.compact import compact, restore

    folder = options.data / options.site / "pages"
    if not folder.is_dir():
        complain(f"{folder}: no such folder. Nothing of {options.site} is stored in {options.data}")
        return 1
    with progress(options.site) as tell:
        changes = restore(folder, tell) if options.back else compact(folder, options.older_than, tell)
        told = [_as_json(change) if options.format == "json" else _as_text(change) for change in changes]
    print("\n".join(told) if told else f"Nothing to do in {folder}.")
    return 0


def _as_text(change: Change) -> str:
    if change.left:
        return f"{change.path.name}  left as it is: {change.left}"
    return f"{change.path.name}  {change.before:,} -> {change.after:,} bytes ({change.after / change.before:.0%})"


def _as_json(change: Change) -> str:
    import json

    told = {"file": change.path.name, "before": change.before, "after": change.after, "left": change.left}
    return json.dumps(told, ensure_ascii=False)
