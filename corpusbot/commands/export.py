"""`corpusbot export`: documents of newspapers as one file."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from pathlib import Path

from corpusbot.commands.arguments import add_data, day
from corpusbot.plugins import plugin_names

SAYS = "the documents of newspapers as one file: the latest version of each, or all of them"
EPILOG = """\
The file is written whole or not at all; what stood there before stays until it is. Without --output the documents go
to standard output. The days are those of publication, or where none is known those that a document was first seen on.

  corpusbot export elpais -o elpais.jsonl
  corpusbot export elpais abc --from 2024-01-01 --to 2024-12-31 -o corpus.parquet
  corpusbot export elpais --versions all --withdrawn | gzip > everything.jsonl.gz"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("sites", nargs="+", metavar="SITE", help="newspapers: the names of their site files")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file (default: standard output)")
    parser.add_argument(
        "--format", choices=plugin_names("export"), help="how it is written (default: by FILE's ending, else jsonl)"
    )
    parser.add_argument("--from", dest="since", type=day, metavar="DAY", help="from this day on, as 2024-01-31")
    parser.add_argument("--to", dest="until", type=day, metavar="DAY", help="up to this day and with it")
    parser.add_argument(
        "--versions", choices=("latest", "all"), default="latest", help="of documents that were rewritten (latest)"
    )
    parser.add_argument("--withdrawn", action="store_true", help="also what the newspapers took back, marked as such")
    parser.add_argument(
        "--duplicates", action=BooleanOptionalAction, default=True,
        help="also documents that repeat another newspaper's, where such are kept",
    )  # fmt: skip
    add_data(parser)


def run(options: Namespace) -> int:
    """Write the file."""
    import sys

    from corpusbot.commands.complaint import complain
    from corpusbot.commands.progress import progress
    from corpusbot.corpus_file import Wanted, counted, wanted_documents, write_file, write_stream
    from corpusbot.export import ExportError

    wanted = Wanted(
        options.since, options.until, options.versions == "all", options.withdrawn, duplicates=options.duplicates
    )
    format = options.format or _format_of(options.output)
    try:
        with progress("export") as tell:
            documents = counted(wanted_documents(options.data, options.sites, wanted), tell)
            if options.output is None:
                write_stream(documents, format, sys.stdout.buffer)
                return 0
            count = write_file(documents, format, options.output)
    except ExportError as error:
        complain(error)
        return 1
    if not count:
        complain(f"no document fits; {options.output} is not written")
        return 1
    print(f"{options.output}: {count:,} documents", file=sys.stderr)
    return 0


def _format_of(path: Path | None) -> str:
    """The format that a file's ending names."""
    ending = path.suffix.removeprefix(".") if path else ""
    return ending if ending in plugin_names("export") else "jsonl"
