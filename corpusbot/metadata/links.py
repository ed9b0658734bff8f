"""The page's own address as it gives it."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from corpusbot.metadata.facts import Facts, host_of
from corpusbot.metadata.findings import Found

ELSEWHERE = " (another site)"
# Where a page leads that wants to know first who reads it: no address of an article.
_DOOR = re.compile(
    r"(?<![a-z])(?:log-?in|sign-?in|signup|consent|sso|oauth|accounts?|register|captcha|paywall)(?![a-z])"
)


def link_canonical(facts: Facts) -> Found | None:
    """The address in the page's LINK."""
    links = facts.links.get("canonical")
    return Found(links[0], "link:canonical") if links else None


def absolute(found: Found | None, url: str) -> Found | None:
    """The address in full; None if it is none of the Web. That it leads to another site is noted with its origin."""
    if found is None:
        return None
    try:
        address = urljoin(url, found.value.strip())
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    own = host_of(url)
    return Found(address, found.origin + ("" if not own or _same_site(parts.hostname, own) else ELSEWHERE))


def own_address(found: Found | None, url: str) -> Found | None:
    """The address in full, unless it is that of the front page of a site or of the door to it."""
    found = absolute(found, url)
    if found is None:
        return None
    parts = urlsplit(found.value)
    if parts.path in ("", "/") and not parts.query and urlsplit(url).path not in ("", "/"):
        return None
    is_door = _DOOR.search(f"{parts.netloc}{parts.path}".lower()) and not _DOOR.search(url.lower())
    return None if is_door else found


def _same_site(one: str, other: str) -> bool:
    """Whether two hosts belong to one newspaper, as far as their names tell: amp.site.es and www.site.es do."""
    one_name, other_name = one.removeprefix("www.").split("."), other.removeprefix("www.").split(".")
    shorter = min(len(one_name), len(other_name))
    return one_name[-shorter:] == other_name[-shorter:] or (shorter > 2 and one_name[1:] == other_name[1:])
