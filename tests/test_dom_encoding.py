"""Encodings: the one a page is in, whatever it claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.dom.encoding import decoded, meant

SPANISH = "<p>La señora corrió —«sí»— a la plaza, donde había un niño y más gente. España, año, camión.</p>"
RUSSIAN = "<p>Правительство подготовит новый закон о выборах, сказал министр в среду.</p>" * 3
HTML = "text/html; charset="


@pytest.mark.parametrize(
    ("body", "content_type", "used", "source"),
    [
        (SPANISH.encode("utf-8-sig"), HTML + "iso-8859-1", "utf-8", "bom"),
        (SPANISH.encode("utf-16"), None, "utf-16-le", "bom"),
        (b"\xfe\xff" + SPANISH.encode("utf-16-be"), HTML + "utf-8", "utf-16-be", "bom"),
        (SPANISH.encode("utf-32"), None, "utf-32-le", "bom"),
        (SPANISH.encode("utf-16-le"), None, "utf-16-le", "content"),
        (SPANISH.encode("utf-16-be"), HTML + "utf-8", "utf-16-be", "content"),
        (SPANISH.encode(), HTML + "UTF-8", "utf-8", "http"),
        (SPANISH.encode("cp1252"), HTML + "windows-1252", "cp1252", "http"),
        (b"<meta charset=iso-8859-1>" + SPANISH.encode("cp1252"), None, "cp1252", "meta"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>' + SPANISH.encode("cp1252"), None, "cp1252", "meta"),
        (b'<meta http-equiv=X content="text/html; charset=utf8">' + SPANISH.encode(), None, "utf-8", "meta"),
        (SPANISH.encode(), None, "utf-8", "content"),
    ],
)
def test_the_encoding_that_is_declared(body: bytes, content_type: str | None, used: str, source: str) -> None:
    """The mark at the start counts first, then the server's word, then the page's own."""
    text, encoding = decoded(body, content_type)
    assert text.endswith(SPANISH)
    assert (encoding.used, encoding.source) == (used, source)


@pytest.mark.parametrize(
    ("body", "content_type", "used"),
    [
        (SPANISH.encode("cp1252"), HTML + "utf-8", "cp1252"),
        (b"<meta charset=utf-8>" + SPANISH.encode("cp1252"), None, "cp1252"),
        (SPANISH.encode(), HTML + "ISO-8859-1", "utf-8"),
        (b"<meta charset=nosuch>" + SPANISH.encode(), HTML + "base64", "utf-8"),
    ],
)
def test_the_encoding_that_is_declared_wrongly(body: bytes, content_type: str | None, used: str) -> None:
    """What the bytes do not fit is not believed, and is noted all the same."""
    text, encoding = decoded(body, content_type)
    assert text.endswith(SPANISH)
    assert encoding.used == used
    assert encoding.declared in ("utf-8", "ISO-8859-1", "base64")


def test_single_bytes_of_windows_in_a_utf8_page() -> None:
    """A comment pasted from elsewhere is read as well as the rest."""
    text, encoding = decoded(SPANISH.encode() + "año “2024”".encode("cp1252"), HTML + "utf-8")
    assert text.endswith("año “2024”")
    assert encoding.source == "mixed"


def test_a_page_that_was_cut_in_the_middle_of_a_character() -> None:
    """Half a character is left out."""
    assert decoded(SPANISH.encode() + b"\xe2\x80", HTML + "utf-8")[0] == SPANISH


@pytest.mark.parametrize("name", ["cp1251", "koi8-r"])
def test_the_letters_tell_the_encoding_where_nobody_does(name: str) -> None:
    """Cyrillic is told by its letters, also where UTF-8 is claimed."""
    text, encoding = decoded(b"<meta charset=utf-8>" + RUSSIAN.encode(name))
    assert text.endswith(RUSSIAN)
    assert encoding.source == "sniffed"


def test_the_language_of_the_page_tells_its_encoding() -> None:
    """Polish in windows-1250 looks much like French in windows-1252."""
    page = '<html lang="pl"><p>Zażółć gęślą jaźń'
    assert decoded(page.encode("cp1250"))[0] == page


@pytest.mark.parametrize(("label", "name"), [("latin1", "cp1252"), ("Shift_JIS", "cp932"), ("punycode", None)])
def test_what_a_label_means(label: str, name: str | None) -> None:
    """Labels mean what browsers take them for; codecs that are no text's mean nothing."""
    assert meant(label) == name


@given(st.binary(max_size=400), st.sampled_from([None, HTML + "utf-8", HTML + "gb2312", HTML + "utf-16"]))
def test_any_bytes_become_a_text(body: bytes, content_type: str | None) -> None:
    """There is always a text, and an encoding that Python knows."""
    text, encoding = decoded(body, content_type)
    assert isinstance(text, str)
    assert meant(encoding.used) == encoding.used
