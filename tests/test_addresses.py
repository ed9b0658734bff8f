"""corpusbot/addresses.py: one spelling for each address, and none that leads into a private network."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from corpusbot.addresses import KEY_BYTES, Guard, canonical, host_of, is_public, key_of, literal_address

words = st.text("abcXYZ019-_~.", min_size=1, max_size=8)
hosts = st.sampled_from(["elpais.com", "www.lemonde.fr", "a.b-c.de", "Example.ORG", "h.es:8080", "h.es:80"])
paths = st.lists(st.one_of(words, st.sampled_from(["", ".", "..", "ñandú", "%7Ea", "a b", "x;y=1"])), max_size=4)
parameters = st.lists(st.tuples(st.sampled_from(["a", "b", "utm_source", "fbclid", "página", "x"]), words), max_size=3)


@st.composite
def urls(draw: st.DrawFn) -> str:
    """Addresses as pages hold them."""
    query = "&".join(f"{name}={value}" for name, value in draw(parameters))
    fragment = draw(st.sampled_from(["", "#top"]))
    path = "".join(f"/{part}" for part in draw(paths)) + draw(st.sampled_from(["", "/"]))
    return f"{draw(st.sampled_from(['http', 'https']))}://{draw(hosts)}{path}{'?' if query else ''}{query}{fragment}"


@given(urls())
def test_canonical_twice_changes_nothing(url: str) -> None:
    """The canonical spelling is its own canonical spelling."""
    assert canonical(canonical(url)) == canonical(url)


@given(hosts, st.lists(words, max_size=4), st.sampled_from(["", "/"]))
def test_fast_path_agrees_with_w3lib(host: str, path: list[str], end: str) -> None:
    """A plain address is spelt as the full canonicalisation spells it."""
    url = f"https://{host.replace(':80', '')}/{'/'.join(path)}{end}"
    assert canonical(url) == canonicalize_url(url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://elpais.com", "https://elpais.com/"),
        ("https://elpais.com/a.html#comments", "https://elpais.com/a.html"),
        ("https://elpais.com/a?utm_source=x&b=2&a=1&fbclid=9", "https://elpais.com/a?a=1&b=2"),
        ("https://elpais.com/a?utm_campaign=x", "https://elpais.com/a"),
        ("HTTPS://ElPais.com:443/A", "https://elpais.com/A"),
        ("http://elpais.com:80/", "http://elpais.com/"),
        ("http://elpais.com:8080/", "http://elpais.com:8080/"),
    ],
)
def test_canonical_spelling(url: str, expected: str) -> None:
    """Fragments, tracking parameters, default ports and the order of parameters make no difference."""
    assert canonical(url) == expected


def test_keys_are_short_and_salted() -> None:
    """A key has 16 bytes, is the same for all spellings, and another for another salt."""
    assert len(key_of("https://elpais.com")) == KEY_BYTES
    assert key_of("https://elpais.com") == key_of("https://ELPAIS.com/#x") != key_of("https://elpais.com", "2")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://ElPais.com:8080/a", "elpais.com"),
        ("http://user:pw@h.es/", "h.es"),
        ("http://[::1]:80/", "::1"),
        ("http://h.es?x", "h.es"),
        ("nonsense", ""),
    ],
)
def test_host(url: str, host: str) -> None:
    """The host is named as Scrapy names its slots."""
    assert host_of(url) == host


PRIVATE = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0",
    "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "192.0.0.1", "198.18.0.1", "192.0.2.1", "192.88.99.1", "127.0.0.1.", "[::1]", "[::]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[fe80::1]", "[fe80::1%25eth0]", "[fc00::1]", "[ff02::1]",
    "[2002:7f00:1::]", "[2002:a00:1::1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[2001:db8::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[fe80::5efe:127.0.0.1]", "[2607:f8b0::5efe:10.0.0.1]", "[fec0::1]",
    "[100::1]", "localhost", "localhost.", "LOCALHOST", "a.localhost", "ip6-localhost", "printer.local", "db.internal",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "elpais.com", "[2607:f8b0::1]", "[2002:808:808::]", "[64:ff9b::808:808]", "0x08.8.8.8", "1.com"]


@pytest.mark.parametrize("host", PRIVATE)
def test_private_hosts_are_refused(host: str) -> None:
    """No spelling of a private address gets through."""
    assert Guard().objection(f"http://{host}/") == "private_address"


@pytest.mark.parametrize("host", PUBLIC)
def test_public_hosts_pass(host: str) -> None:
    """What is public is not refused, nor a name whose address nobody knows yet."""
    assert Guard().objection(f"https://{host}:8443/a") is None


@given(st.ip_addresses(v=4))
def test_every_wrapping_of_an_address_is_judged_alike(address: ipaddress.IPv4Address) -> None:
    """An IPv4 address inside an IPv6 one is public if, and only if, it is by itself."""
    number = int(address)
    mapped = ipaddress.IPv6Address((0xFFFF << 32) | number)
    six_to_four = ipaddress.IPv6Address((0x2002 << 112) | (number << 80))
    nat64 = ipaddress.IPv6Address((0x64FF9B << 96) | number)
    assert {is_public(wrapped) for wrapped in (mapped, six_to_four, nat64)} == {is_public(address)}


@given(st.ip_addresses(v=4))
def test_every_number_is_read(address: ipaddress.IPv4Address) -> None:
    """Decimal, octal and hexadecimal spellings of an address are the address."""
    number = int(address)
    assert {literal_address(text) for text in (str(number), hex(number), f"0{number:o}")} == {address}


def test_exceptions_are_let_through() -> None:
    """What its owner lists may be asked, in all spellings; nothing else may."""
    guard = Guard.allowing(["127.0.0.1", "10.1.0.0/16", "build.lan"])
    allowed = ["127.0.0.1", "127.1", "[::ffff:127.0.0.1]", "10.1.2.3", "build.lan", "localhost"]
    assert [guard.objection(f"http://{host}/") for host in allowed] == [None] * len(allowed)
    assert guard.objection("http://10.2.0.1/") == guard.objection("http://other.lan/") == "private_address"


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("file:///etc/passwd", "refused_scheme"),
        ("ftp://h.es/", "refused_scheme"),
        ("data:text/html,x", "refused_scheme"),
        ("http:///a", "no_host"),
        ("http://[::1", "no_host"),
    ],
)
def test_other_refusals(url: str, cause: str) -> None:
    """Other schemes and addresses without a host are refused, each with its cause."""
    assert Guard().objection(url) == cause
