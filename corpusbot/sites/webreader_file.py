"""Reads the configuration files of webreader, as XML as they are after years of word processors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from unicodedata import normalize
from urllib.parse import urlsplit

from lxml import etree

from corpusbot.sites.errors import Problem, SiteError
from corpusbot.sites.stylesheets import parser

FILE = "webreader.xml"
QUOTES = "“”„«»"

# A value's end is the quote after which the tag ends or another attribute begins: quotes may stand inside as well.
_ATTRIBUTE = re.compile(
    rf"""([\w:.-]+)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|[{QUOTES}]([^<>]*?)[{QUOTES}](?=\s*(?:/?$|[\w:.-]+\s*=)))"""
)
_START_TAG = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)>")
_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_DECLARATION = re.compile(r"^\ufeff?\s*<\?xml[^>]*\?>")
_PAPER = re.compile(r"^(diario|peri[oó]dico|newspaper|newsite)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a `format`."""

    translate: tuple[dict[str, str], ...] = ()
    append: dict[str, str] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A `URL` of a link: which addresses are articles."""

    match: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class Link:
    """A `link`: an index page, whose address the `site` or the link itself has."""

    name: str
    url: str
    follow: str | None
    extract: str | None
    patterns: tuple[Pattern, ...]
    rules: Rules


@dataclass(frozen=True, slots=True)
class Site:
    """A `site`."""

    name: str
    links: tuple[Link, ...]
    rules: Rules

    @property
    def slug(self) -> str:
        """The name of its file: `elpais` for Diario “El País”."""
        plain = normalize("NFKD", _PAPER.sub("", self.name)).encode("ascii", "ignore").decode().lower()
        return re.sub(r"[^a-z0-9]", "", plain) or "site"


@dataclass(frozen=True, slots=True)
class Corpus:
    """A whole `webreader` file."""

    sites: tuple[Site, ...]
    rules: Rules
    path: str | None
    file: str | None
    is_appended: bool


def corpus_of(xml_text: str) -> Corpus:
    """What a webreader file says; raises SiteError if it is none."""
    root = _root(xml_text)
    target = root.find("target")
    return Corpus(
        sites=tuple(_site(site) for site in root.iterfind("site")),
        rules=_rules(root),
        path=_text(target, "path"),
        file=_text(target, "file"),
        is_appended=target is not None and target.get("append") == "true",
    )


def _root(xml_text: str) -> etree._Element:
    """The root of the file; neither its DTD nor anything else is fetched, and no entity is expanded."""
    text = _DOCTYPE.sub(_as_many_lines, _DECLARATION.sub(_as_many_lines, _COMMENT.sub(_as_many_lines, xml_text)))
    if declared := re.search(r"<!(?!\[CDATA\[)", text):
        line = text.count("\n", 0, declared.start()) + 1
        raise SiteError(Problem(FILE, line, "declarations of entities are not read. Write the values out"))
    try:
        root = etree.fromstring(_START_TAG.sub(_plain_tag, text).encode(), parser())
    except etree.XMLSyntaxError as error:
        raise SiteError(Problem(FILE, error.lineno or 1, f"not XML: {error.msg}")) from None
    if root.tag != "webreader":
        raise SiteError(Problem(FILE, 1, f"the root is <{root.tag!s}>, that of such a file is <webreader>"))
    return root


def _as_many_lines(found: re.Match[str]) -> str:
    """Nothing, on as many lines: the messages of the parser count them."""
    return "\n" * found[0].count("\n")


def _plain_tag(found: re.Match[str]) -> str:
    """A start tag with its attributes between plain quotes, whatever a word processor made of them."""
    return f"<{found[1]}{_ATTRIBUTE.sub(_plain_attribute, found[2])}>"


def _plain_attribute(found: re.Match[str]) -> str:
    """One attribute; its value stays as it is but for what XML does not allow in one."""
    value = next(value for value in found.groups()[1:] if value is not None)
    return f'{found[1]}="{value.replace(chr(34), "&quot;")}"'


def _site(node: etree._Element) -> Site:
    """A site and its index pages."""
    # A site without links is an index page itself.
    links = tuple(_link(link, node) for link in node.findall("link") or [etree.Element("link")])
    return Site(_unquoted(node.get("name", "")), links, _rules(node))


def _link(node: etree._Element, site: etree._Element) -> Link:
    """An index page; what it does not say itself, its site says."""
    said = dict(site.attrib) | dict(node.attrib)
    return Link(
        name=_unquoted(node.get("name", "")),
        url=_address(said.get("URL", "")),
        follow=said.get("process_links"),
        extract=said.get("process_content"),
        patterns=tuple(Pattern(_one_word(url.text), _rules(url)) for url in node.iterfind("URL")),
        rules=_rules(node),
    )


def _rules(node: etree._Element) -> Rules:
    """The rules in a node's own `format`."""
    return Rules(
        translate=tuple(_translate(rule) for rule in node.iterfind("format/translate")),
        append=dict(_append(rule) for rule in node.iterfind("format/append")),
        ignore=tuple(_one_word(rule.text).lower() for rule in node.iterfind("format/ignore")),
    )


def _translate(node: etree._Element) -> dict[str, str]:
    """A translate rule with our names for its parts."""
    tag = node.find("tag_in")
    if tag is None or node.find("tag_out") is None:
        raise SiteError(Problem(FILE, node.sourceline or 1, "a <translate> has a <tag_in> and a <tag_out>"))
    parts = {"tag": _one_word(tag.text)}
    ours = {"attr_name": "attribute", "attr_value": "value", "attr_get": "get", "closed": "closed"}
    parts |= {our: tag.get(its, "").strip() for its, our in ours.items() if its in tag.attrib}
    return parts | {"to": _text(node, "tag_out") or ""}


def _append(node: etree._Element) -> tuple[str, str]:
    """The section and the text of an append: `.SECCION Internacional`."""
    name, _, text = " ".join((node.text or "").split()).partition(" ")
    return name.removeprefix("."), _unquoted(text)


def _text(node: etree._Element | None, name: str) -> str | None:
    """The text of a child, on one line."""
    child = node.find(name) if node is not None else None
    return None if child is None else " ".join((child.text or "").split())


def _unquoted(text: str) -> str:
    """A text on one line, without the quotes that a word processor put around newspapers' names."""
    return " ".join(re.sub(f"[{QUOTES}]", "", text).split())


def _one_word(text: str | None) -> str:
    """A text that may have been broken over lines, joined: it holds no spaces."""
    return re.sub(r"\s+", "", text or "")


def _address(text: str) -> str:
    """An address joined, without typographic quotes, its host in small letters."""
    address = re.sub(f"[{QUOTES}]", "", _one_word(text))
    host = urlsplit(address).netloc
    return address.replace(host, host.lower(), 1) if host else address
