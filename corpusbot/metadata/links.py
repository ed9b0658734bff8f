"""The page's own address as it gives it."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from lxml import etree

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

_CANONICAL = etree.XPath(
    "//link[contains(concat(' ', normalize-space(@rel), ' '), ' canonical ')]/@href", smart_strings=False
)
ELSEWHERE = " (another site)"


def link_canonical(facts: Facts) -> Found | None:
    """The address in the page's LINK."""
    links = [link for link in _CANONICAL(facts.tree) if link.strip()]
    return Found(links[0], "link:canonical") if links else None


def absolute(found: Found | None, url: str) -> Found | None:
    """The address in full; None if it is none of the Web. That it leads to another site is noted with its origin."""
    if found is None:
        return None
    try:
        address = urljoin(url, found.value.strip())
        parts, own = urlsplit(address), urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return Found(address, found.origin + ("" if _same_site(parts.hostname, own.hostname or "") else ELSEWHERE))


def _same_site(one: str, other: str) -> bool:
    """Whether two hosts belong to one newspaper, as far as their names tell: amp.site.es and www.site.es do."""
    one_name, other_name = one.removeprefix("www.").split("."), other.removeprefix("www.").split(".")
    shorter = min(len(one_name), len(other_name))
    return one_name[-shorter:] == other_name[-shorter:] or (shorter > 2 and one_name[1:] == other_name[1:])
