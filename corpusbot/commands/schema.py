"""`corpusbot schema`: the JSON Schema of site files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

SAYS = "the JSON Schema of site files, for editors"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--write", type=Path, metavar="DIR", help="write schema and reference page into this folder")


def run(options: Namespace) -> int:
    """Print the schema, or write it."""
    from corpusbot.sites.reference import json_schema_text, write_reference

    if options.write:
        for path in write_reference(options.write):
            print(path)
    else:
        print(json_schema_text())
    return 0
