"""What a text of a site file must be: each check gives its proper form, or raises MisfitError with the reason."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from datetime import date
from functools import partial
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

import jmespath
from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from corpusbot.plugins import NoSuchPlugin, check_plugin
from corpusbot.sites.codes import COUNTRIES, LANGUAGES
from corpusbot.sites.errors import MisfitError, cure
from corpusbot.sites.rules import KNOWN_FIELDS
from corpusbot.sites.variables import (
    ADDRESS_VARIABLES,
    DAY_VARIABLES,
    TEXT_VARIABLES,
    filled,
    filled_pattern,
    variables_in,
)

Check = Callable[[str], str]

SOME_DAY = date(2024, 5, 9)
SITE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def regex(text: str) -> str:
    """A regular expression, without variables."""
    try:
        with warnings.catch_warnings():
            # `[[a]` works today and is to mean something else: wrong in a file that is to last.
            warnings.simplefilter("error")
            re.compile(text)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise MisfitError(f"bad regular expression '{text}': {error}") from None
    return text


def dated_regex(text: str) -> str:
    """A regular expression that may hold the variables of the day."""
    _check_variables(text, DAY_VARIABLES)
    regex(filled_pattern(text, SOME_DAY))
    return text


def css(text: str) -> str:
    """A CSS selector."""
    try:
        _compiled(HTMLTranslator().css_to_xpath(text))
    except (SelectorError, etree.XPathError, ValueError, RecursionError) as error:
        hint = ". For a text or an attribute, select its element and use 'get'" if "::" in text else ""
        raise MisfitError(f"bad CSS selector '{text}': {str(error).removesuffix('.')}{hint}") from None
    return text


def xpath(text: str) -> str:
    """An XPath 1.0 expression."""
    try:
        # Unknown functions show only when it is run.
        _compiled(text)(etree.Element("html"))
    except (etree.XPathError, ValueError, RecursionError) as error:
        raise MisfitError(f"bad XPath '{text}': {error}") from None
    return text


def _compiled(expression: str) -> etree.XPath:
    """The expression, compiled."""
    return etree.XPath(expression)


def is_xpath(text: str) -> bool:
    """Whether a selector without a name for its kind is an XPath."""
    return text.startswith(("/", "./", "("))


def selector(text: str) -> str:
    """A CSS selector, or an XPath if it looks like one."""
    return xpath(text) if is_xpath(text) else css(text)


def jmes(text: str) -> str:
    """A JMESPath expression."""
    try:
        jmespath.compile(text)
    except (jmespath.exceptions.JMESPathError, ValueError, RecursionError) as error:
        first = str(error).splitlines()[0]
        raise MisfitError(f"bad JMESPath '{text}': {first}") from None
    return text


def address(text: str) -> str:
    """An address of the Web, without variables."""
    try:
        parts = urlsplit(text)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or re.search(r"[\s\x00-\x20]", text):
        raise MisfitError(f"'{text}' is no address. It takes one that begins with http:// or https://")
    return text


def dated_address(text: str) -> str:
    """An address that may hold variables."""
    text = text.strip()
    _check_variables(text, ADDRESS_VARIABLES)
    address(filled(text, SOME_DAY, page=1))
    return text


def appended_text(text: str) -> str:
    """A text that may hold variables."""
    _check_variables(text, TEXT_VARIABLES)
    return text


def _check_variables(text: str, allowed: tuple[str, ...]) -> None:
    """Raises MisfitError for a variable that has no value here."""
    for name in variables_in(text):
        if name not in allowed:
            known = ", ".join(f"${other}$" for other in allowed)
            raise MisfitError(f"unknown variable '${name}$'. Available here: {known}")


def language(text: str) -> str:
    """A language by its code of two letters."""
    if text not in LANGUAGES:
        raise MisfitError(f"no language '{text}'. It takes a code of ISO 639-1, as es or en")
    return text


def country(text: str) -> str:
    """A country by its code of two letters."""
    if text.upper() not in COUNTRIES:
        raise MisfitError(f"no country '{text}'. It takes a code of ISO 3166, as ES or GB")
    return text.upper()


def timezone(text: str) -> str:
    """A time zone by its name in the IANA database."""
    try:
        ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        near = cure(text, available_timezones())
        known = near if near.startswith("Did") else "It takes a name as Europe/Madrid"
        raise MisfitError(f"no time zone '{text}'. {known}") from None
    return text


def tag(text: str) -> str:
    """The name of a tag or an attribute, in small letters: names are compared without case."""
    if not re.fullmatch(r"[A-Za-z][\w:.-]*", text):
        raise MisfitError(f"'{text}' is no name of a tag or attribute. It takes the bare name, as strong")
    return text.lower()


def section_name(text: str) -> str:
    """The name of a document's section, without the point that it may be written with."""
    name = text.strip().removeprefix(".")
    if not re.fullmatch(r"[^\W\d][\w-]*", name):
        raise MisfitError(f"'{text}' is no name of a section. It takes one word, as SECCION or .SECCION")
    return name


def field_name(text: str) -> str:
    """The name of a field, or of a section of the file's own."""
    name = section_name(text)
    known = cure(name, KNOWN_FIELDS)
    if name not in KNOWN_FIELDS and name.islower() and known.startswith("Did"):
        raise MisfitError(f"unknown field '{name}'. {known} Sections of your own are best written in capitals")
    return name


def known_field(text: str) -> str:
    """One of the fields that an article has."""
    if text not in KNOWN_FIELDS:
        raise MisfitError(f"unknown field '{text}'. {cure(text, KNOWN_FIELDS)}")
    return text


def folder(text: str) -> str:
    """A folder inside of the data folder."""
    parts = text.removesuffix("/").split("/")
    if not all(re.fullmatch(r"\w[\w.-]*", part) for part in parts):
        raise MisfitError(f"'{text}' is no folder inside of the data folder. It takes a relative path without '..'")
    return "/".join(parts)


def file_name(text: str) -> str:
    """The name of a file to write, which cannot be the site's database or its raw pages."""
    if not re.fullmatch(r"\w[\w.-]*", text) or re.search(r"\.(sqlite|warc)", text.lower()):
        raise MisfitError(f"'{text}' cannot be written to. It takes a plain file name, as noticias.jsonl")
    return text


def stylesheet_name(text: str) -> str:
    """The name of a style sheet beside the site file."""
    if not re.fullmatch(r"\w[\w.-]*\.xslt?", text):
        raise MisfitError(f"'{text}' is no style sheet beside this file. It takes a plain file name that ends in .xsl")
    return text


def one_line(text: str) -> str:
    """A text without line breaks, which would otherwise begin a header of their own."""
    if not text.strip() or not text.isprintable():
        raise MisfitError("takes one line of printable text")
    return text.strip()


def plugged(stage: str) -> Check:
    """The check for the name of a stage's plug-in."""
    return partial(_plugged, stage)


def _plugged(stage: str, text: str) -> str:
    """The name of a plug-in."""
    try:
        check_plugin(stage, text)
    except NoSuchPlugin as error:
        raise MisfitError(error) from None
    return text
