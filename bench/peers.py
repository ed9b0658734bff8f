"""All extractors behind one door: a page's bytes and its address in, its text out; ours beside those of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec

from bench.extraction_sets import SITE
from corpusbot.dom.cleanup import clean_page
from corpusbot.model import Body, Drop, Page

Reader = Callable[[bytes, str], str]
OURS = ("gist", "cnr", "jsonld")
# The peers, with the module that must be there and what pip calls it.
PEERS: Mapping[str, tuple[str, str]] = {
    "trafilatura": ("trafilatura", "trafilatura"),
    "trafilatura_precision": ("trafilatura", "trafilatura"),
    "readability": ("readability", "readability-lxml"),
    "resiliparse": ("resiliparse", "resiliparse"),
    "newspaper4k": ("newspaper", "newspaper4k"),
    "rs_trafilatura": ("rs_trafilatura", "rs-trafilatura"),
}
_MOMENT = datetime(2024, 1, 1, tzinfo=UTC)


def installed() -> list[str]:
    """The extractors that can be used here: our own, and those peers whose package is there."""
    return [*OURS, *(name for name, (module, _) in PEERS.items() if find_spec(module))]


def missing() -> list[str]:
    """What to give to `pip install` for the peers that are not there."""
    return sorted({package for module, package in PEERS.values() if not find_spec(module)})


def reader(name: str) -> Reader:
    """What reads a page by the extractor of this name."""
    if name in OURS:
        return _ours(name)
    if name not in PEERS:
        raise ValueError(f"No extractor '{name}'. Available: {', '.join([*OURS, *PEERS])}")
    module, package = PEERS[name]
    if not find_spec(module):
        raise ValueError(f"'{name}' is not installed: pip install {package}")
    return _MAKERS[name]()


def _ours(name: str) -> Reader:
    """One of our own, with the parsing and cleaning that it needs."""
    extractor = import_module(f"corpusbot.extractors.{name}")

    def read(html: bytes, url: str) -> str:
        clean = clean_page(Page(SITE.id, url, Body(html), _MOMENT), SITE)
        found = None if isinstance(clean, Drop) else extractor.extract(clean, SITE)
        return "\n\n".join(block.text for block in found.body) if found else ""

    return read


def _trafilatura() -> Reader:
    from trafilatura import extract

    return lambda html, url: extract(html, include_comments=False) or ""


def _trafilatura_precision() -> Reader:
    from trafilatura import extract

    return lambda html, url: extract(html, include_comments=False, favor_precision=True) or ""


def _readability() -> Reader:
    from lxml.html import document_fromstring
    from readability import Document

    return lambda html, url: "\n".join(document_fromstring(Document(html).summary()).itertext())


def _resiliparse() -> Reader:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def read(html: bytes, url: str) -> str:
        markup = bytes_to_str(html, detect_encoding(html) or "utf-8")
        return str(extract_plain_text(markup, main_content=True, alt_texts=False, noscript=False))

    return read


def _newspaper4k() -> Reader:
    from newspaper import Article

    def read(html: bytes, url: str) -> str:
        article = Article(url, fetch_images=False)  # it would go to the network for them
        article.download(input_html=html.decode("utf-8", "replace"))
        article.parse()
        return str(article.text)

    return read


def _rs_trafilatura() -> Reader:
    extract_bytes = import_module("rs_trafilatura").extract_bytes

    return lambda html, url: extract_bytes(html, url=url or None).main_content or ""


_MAKERS: Mapping[str, Callable[[], Reader]] = {
    "trafilatura": _trafilatura,
    "trafilatura_precision": _trafilatura_precision,
    "readability": _readability,
    "resiliparse": _resiliparse,
    "newspaper4k": _newspaper4k,
    "rs_trafilatura": _rs_trafilatura,
}
