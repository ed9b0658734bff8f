"""Style sheets (XSLT) as rules: run on the page's tree, and shut off from files and the network."""

from __future__ import annotations

import logging
from functools import lru_cache

from lxml import etree
from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from corpusbot.dom.text import BREAKS, VOID

log = logging.getLogger(__name__)


def transformed(stylesheet: str, tree: HtmlElement) -> Element | None:
    """The root of what a style sheet makes of a page; None if that is nothing, or if it fails."""
    try:
        result = compiled(stylesheet)(tree)
    except etree.XSLTApplyError as error:
        log.warning("style sheet failed on a page: %s", error)
        return None
    root = result.getroot()
    if root is not None:
        for element in root.iter(etree.Element):
            if str(element.tag).lower() in BREAKS | VOID:
                element.tag = str(element.tag).lower()  # <P> breaks the flow as <p> does
        return root
    text = str(result).strip()  # output that is text and no element
    return _paragraph(text) if text else None


@lru_cache(maxsize=100)
def compiled(stylesheet: str) -> etree.XSLT:
    """A style sheet made ready; it reads and writes nothing but the page."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    source = etree.fromstring(stylesheet.encode(), parser)
    return etree.XSLT(source, access_control=etree.XSLTAccessControl.DENY_ALL)


def _paragraph(text: str) -> Element:
    element = etree.Element("p")
    element.text = text
    return element
