"""Style sheets (XSLT) that a site file names: read with it, so that they travel with the configuration."""

from __future__ import annotations

from importlib.resources.abc import Traversable

from lxml import etree

from corpusbot.sites.errors import MisfitError

MOST_BYTES = 256 * 1024
XSL = "{http://www.w3.org/1999/XSL/Transform}"


def stylesheet_text(folder: Traversable | None, name: str) -> str:
    """The text of a style sheet in the site file's folder."""
    try:
        data = (folder.joinpath(name) if folder else None).read_bytes()  # type: ignore[union-attr]  # told below
    except (OSError, AttributeError):
        raise MisfitError(f"there is no '{name}' beside this file") from None
    if len(data) > MOST_BYTES:
        raise MisfitError(f"'{name}' has {len(data):,} bytes; a style sheet has at most {MOST_BYTES:,}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MisfitError(f"'{name}' is not UTF-8") from None


def check_stylesheet(folder: Traversable | None, name: str) -> None:
    """Raises MisfitError unless the style sheet is there, whole, and reads nothing else."""
    text = stylesheet_text(folder, name)
    try:
        tree = etree.fromstring(text.encode(), parser())
        if next(tree.iter(f"{XSL}import", f"{XSL}include"), None) is not None:
            raise MisfitError(f"'{name}' takes in another style sheet. Put all into one file")
        etree.XSLT(tree, access_control=etree.XSLTAccessControl.DENY_ALL)
    except (etree.XMLSyntaxError, etree.XSLTParseError, ValueError) as error:
        raise MisfitError(f"'{name}' is no style sheet: {error}") from None


def parser() -> etree.XMLParser:
    """A parser that fetches nothing and expands no entities."""
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False)
