"""The links of an index page, as strings: sorted out before anything is built from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from corpusbot.addresses import untracked

_NOT_FETCHED = ("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:", "file:", "ftp:", "blob:")


def page_links(tree: HtmlElement, url: str) -> dict[str, str]:
    """The addresses that a page links to, each once and absolute, with its first anchor text."""
    base = urljoin(url, tree.xpath("string(//base/@href)").strip())
    anchors: dict[str, str] = {}
    for element in tree.iter("a", "area"):
        href = (element.get("href") or "").strip()
        if not href or href.lower().startswith(_NOT_FETCHED):
            continue
        if not anchors.get(href):
            anchors[href] = " ".join("".join(element.itertext()).split())
    return _absolute(anchors, base)


def next_page(tree: HtmlElement, url: str, selector: str) -> str | None:
    """The address of the next page of an index, by the selector that the site file gives."""
    xpath = selector.startswith(("/", "./", "("))
    found = tree.xpath(selector) if xpath else tree.cssselect(selector)
    for match in found if isinstance(found, list) else [found]:
        href = str(match if isinstance(match, str) else match.get("href", ""))
        if href and not href.strip().lower().startswith(_NOT_FETCHED):
            return urljoin(url, href.strip())
    return None


def of_site(urls: Iterable[str], hosts: frozenset[str]) -> Iterator[str]:
    """The addresses on one of the hosts, or below one of them."""
    for url in urls:
        host = urlsplit(url).netloc.lower()
        if host in hosts or any(host.endswith(f".{known}") for known in hosts):
            yield url


def site_hosts(addresses: Iterable[str]) -> frozenset[str]:
    """The hosts of a newspaper: those of its home and indexes, less their www."""
    return frozenset(urlsplit(address).netloc.lower().removeprefix("www.") for address in addresses if address)


def _absolute(anchors: dict[str, str], base: str) -> dict[str, str]:
    absolute: dict[str, str] = {}
    for href, anchor in anchors.items():
        try:
            url = untracked(urljoin(base, href).partition("#")[0])
        except ValueError:  # "http://[" and the like
            continue
        if url.startswith(("http://", "https://")) and not absolute.get(url):
            absolute[url] = anchor
    return absolute
