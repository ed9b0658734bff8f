"""Addresses: their canonical spelling, and which of them a crawl may ask (those of the public Internet)."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import urlsplit

from w3lib.url import canonicalize_url

KEY_BYTES = 16

# What canonicalize_url leaves as it is; measured in bench/crawl.py, where index pages are mostly such links.
_PLAIN = re.compile(
    r"https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?", re.ASCII
)
_BARE_HOST = re.compile(r"https?://[^/]+", re.ASCII)
_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|wbraid|gbraid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid"
    r"|_ga|_gl|_hsenc|_hsmi|mkt_tok|oly_anon_id|oly_enc_id|vero_id|wickedid|s_cid)",
    re.ASCII | re.IGNORECASE,
)
_DEFAULT_PORT = re.compile(r"^(?:(http://[^/?#]*?):80|(https://[^/?#]*?):443)(?=[/?#]|$)", re.IGNORECASE)

_LOCAL_NAMES = frozenset({"localhost", "ip6-localhost", "ip6-loopback", "localdomain"})
_LOCAL_SUFFIXES = (".localhost", ".localdomain", ".local", ".internal", ".intranet", ".lan", ".home.arpa")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.ASCII | re.IGNORECASE)

# Ranges that carry an IPv4 address inside: (network, how far right it stands).
_NAT64 = (IPv6Network("64:ff9b::/96"), 0)
_NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")
_COMPATIBLE = (IPv6Network("::/96"), 0)
_6TO4 = (IPv6Network("2002::/16"), 80)
# Not public, though some releases of Python 3.11 call parts of them global.
_RESERVED = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4"),
        *("100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "fec0::/10"),
    )
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def canonical(url: str) -> str:
    """The spelling an address is remembered by: no fragment, no tracking parameters, sorted query."""
    url = url.partition("#")[0]
    if _PLAIN.fullmatch(url):
        return url if not _BARE_HOST.fullmatch(url) else url + "/"
    spelt = canonicalize_url(untracked(url))
    return _DEFAULT_PORT.sub(lambda found: found[1] or found[2], spelt)


def untracked(url: str) -> str:
    """The address without the parameters that only tell where a reader came from.

    >>> untracked("https://diario.example/a?id=7&utm_source=portada")
    'https://diario.example/a?id=7'
    """
    address, mark, query = url.partition("?")
    kept = "&".join(part for part in query.split("&") if not _TRACKING.fullmatch(part.partition("=")[0]))
    return address + (mark if kept else "") + kept


def key_of(url: str, salt: str = "") -> bytes:
    """The 16 bytes by which an address is known; `salt` tells apart requests for one and the same address."""
    return hashlib.blake2b((canonical(url) + salt).encode(), digest_size=KEY_BYTES).digest()


def host_of(url: str) -> str:
    """The host of an address in lower case, without port, as Scrapy names its download slots."""
    netloc = url.split("/", 3)[2] if url.count("/") > 1 else ""
    if netloc.isascii() and not set(netloc) & set("@[]?#"):
        return netloc.partition(":")[0].lower()
    return urlsplit(url).hostname or ""


def literal_address(host: str) -> Address | None:
    """The IP address that a host spells, in any spelling that a resolver takes (127.1, 0x7f000001, [::1])."""
    bare = host.strip("[]").rstrip(".").partition("%")[0]
    try:
        return ipaddress.ip_address(bare)
    except ValueError:
        return _loose_ipv4(bare)


def _loose_ipv4(host: str) -> IPv4Address | None:
    """An IPv4 address as inet_aton reads it: one to four numbers, each decimal, octal or hexadecimal."""
    parts = host.split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    try:
        *leading, last = [_number(part) for part in parts]
    except ValueError:
        return None
    if any(number > 255 for number in leading) or last >= 256 ** (4 - len(leading)):
        return None
    return IPv4Address(sum(number << (24 - 8 * place) for place, number in enumerate(leading)) + last)


def _number(text: str) -> int:
    """A number as C reads it: 0x is hexadecimal, a leading 0 octal."""
    if text[:2].lower() == "0x":
        return int(text[2:] or "0", 16)
    return int(text, 8 if text[0] == "0" and len(text) > 1 else 10)


def is_public(address: Address) -> bool:
    """Whether an address is one of the public Internet, and whatever address it carries inside is too."""
    if isinstance(address, IPv6Address):
        inner = _carried(address)
        if inner is not None:
            return is_public(inner)
        if address in _NAT64_LOCAL or address.is_site_local:
            return False
    if any(address.version == network.version and address in network for network in _RESERVED):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _carried(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to: mapped, compatible, NAT64, 6to4, Teredo or ISATAP."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.teredo is not None:
        return address.teredo[1]
    number = int(address)
    for network, shift in (_NAT64, _6TO4, _COMPATIBLE):
        if address in network and number > 1:
            return IPv4Address(number >> shift & 0xFFFFFFFF)
    if number >> 32 & 0xFFFFFFFF in (0x00005EFE, 0x02005EFE):
        return IPv4Address(number & 0xFFFFFFFF)
    return None


@dataclass(frozen=True, slots=True)
class Guard:
    """Says which addresses are refused; `networks` and `names` are exceptions that its owner allowed."""

    networks: tuple[Network, ...] = ()
    names: frozenset[str] = frozenset()

    @classmethod
    def allowing(cls, exceptions: Iterable[str]) -> Guard:
        """A guard that lets these private addresses, networks (10.0.0.0/8) or names (build.lan) through."""
        networks: list[Network] = []
        names: set[str] = set()
        for text in exceptions:
            try:
                networks.append(ipaddress.ip_network(text.strip("[]"), strict=False))
            except ValueError:
                names.add(text.rstrip(".").lower())
        return cls(tuple(networks), frozenset(names))

    def refuses(self, address: Address) -> bool:
        """Whether no connection to this address is allowed."""
        if is_public(address):
            return False
        inner = _carried(address) if isinstance(address, IPv6Address) else None
        return not any(
            one.version == network.version and one in network
            for network in self.networks
            for one in (address, inner)
            if one is not None
        )

    def objection(self, url: str) -> str | None:
        """Why an address is refused before any name is resolved: `scheme`, `no_host`, `private_address`."""
        scheme = url.partition(":")[0].lower()
        if scheme not in ("http", "https"):
            return "refused_scheme"
        try:
            host = urlsplit(url).hostname
        except ValueError:
            return "no_host"
        return "no_host" if not host else self.host_objection(host)

    def host_objection(self, host: str) -> str | None:
        """Why a host is refused by its spelling alone; None if it is not."""
        name = host.strip("[]").rstrip(".").lower()
        if name in self.names:
            return None
        literal = literal_address(name)
        if literal is not None:
            return "private_address" if self.refuses(literal) else None
        if name in _LOCAL_NAMES or name.endswith(_LOCAL_SUFFIXES):
            # Where loopback is allowed so is its usual name; what it resolves to is checked all the same.
            loopback = name in _LOCAL_NAMES and not self.refuses(IPv4Address("127.0.0.1"))
            return None if loopback else "private_address"
        return None
