"""`corpusbot import-webreader`: site files of what webreader was told."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

SAYS = "make site files of a webreader XML file"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", type=Path, help="the XML file")
    parser.add_argument("directory", type=Path, help="where the YAML files are written")


def run(options: Namespace) -> int:
    """Write the site files, and print their names."""
    from corpusbot.sites import Problem, SiteError
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
