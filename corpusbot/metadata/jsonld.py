"""Metadata from the JSON-LD object of the article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from corpusbot.dom.jsonld import clean_text
from corpusbot.dom.text import folded
from corpusbot.metadata.article_object import types_of
from corpusbot.metadata.byline import LONGEST_LIST, is_name, people
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.title import without_site_name

MOST_NAMES = 100
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_NAME_KEYS = ("name", "@value", "headline", "alternateName", "@id", "url")


def title(facts: Facts) -> Found | None:
    """The headline, without the newspaper's name after it."""
    found = _text(facts, "headline", "name")
    names = [facts.site_name, *names_in(facts.article.get("publisher"))]
    if found is None or found.value in names:
        return None
    return Found(without_site_name(found.value, *names), found.origin)


def section(facts: Facts) -> Found | None:
    """The section, the first one where there are several."""
    return _text(facts, "articleSection")


def language(facts: Facts) -> Found | None:
    """The language."""
    value = facts.article.get("inLanguage")
    code = value.get("alternateName") if isinstance(value, dict) else value
    return Found(code, "jsonld:inLanguage") if isinstance(code, str) and code else None


def published(facts: Facts) -> Found | None:
    """The date of publication."""
    return _moment(facts, "datePublished", "dateCreated")


def modified(facts: Facts) -> Found | None:
    """The date of the last change."""
    return _moment(facts, "dateModified")


def authors(facts: Facts) -> Found | None:
    """The names of the authors; the publisher only if there is nobody else."""
    return persons(facts) or _authors(facts, with_publisher=True)


def persons(facts: Facts) -> Found | None:
    """The names of the authors, if they are others than the publisher."""
    return _authors(facts, with_publisher=False)


def _authors(facts: Facts, with_publisher: bool) -> Found | None:
    publisher = {name.casefold() for name in (*names_in(facts.article.get("publisher")), facts.site_name) if name}
    for key in ("author", "creator"):
        listed = [name for name in _named(facts.article.get(key)) if with_publisher or name.casefold() not in publisher]
        if listed:
            return Found(tuple(dict.fromkeys(listed)), f"jsonld:{key}")
    return None


def tags(facts: Facts) -> Found | None:
    """The keywords, also where one text lists them all."""
    value = facts.article.get("keywords")
    listed = value.split(",") if isinstance(value, str) else names_in(value)
    chosen = tuple(dict.fromkeys(filter(None, (folded(plain_text(clean_text(tag))) for tag in listed))))
    return Found(chosen, "jsonld:keywords") if chosen else None


def canonical_url(facts: Facts) -> Found | None:
    """The address of the page that is about the article."""
    page = facts.article.get("mainEntityOfPage")
    if isinstance(page, dict):
        page = page.get("@id") or page.get("url")
    for key, value in (("mainEntityOfPage", page), ("url", facts.article.get("url"))):
        if isinstance(value, str) and value.startswith(("http://", "https://", "/")):
            return Found(value, f"jsonld:{key}")
    return None


def paywalled(facts: Facts) -> Found | None:
    """Whether the article, or a part of it, costs money."""
    free = truth(facts.article.get("isAccessibleForFree"))
    if free is not None:
        return Found(not free, "jsonld:isAccessibleForFree")
    parts = facts.article.get("hasPart")
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, dict) and truth(part.get("isAccessibleForFree")) is False:
            return Found(True, "jsonld:hasPart.isAccessibleForFree")
    return None


def truth(value: object) -> bool | None:
    """A truth value, also where it is spelt as a text or an address."""
    if isinstance(value, bool):
        return value
    word = value.strip().rsplit("/", 1)[-1].lower() if isinstance(value, str) else ""
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(word)


def plain_text(text: str) -> str:
    """A JSON string without the tags and character references of the page that it was taken from."""
    if "&" in text:
        text = unescape(text)
    return _TAG.sub("", text) if "<" in text else text


def names_in(value: object) -> list[str]:
    """The texts that a JSON value comes to: itself, a number's digits, an object's name, those of a list's items."""
    found: list[str] = []
    waiting = [value]
    while waiting and len(found) < MOST_NAMES:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        elif isinstance(item, dict):
            waiting.append(next((item[key] for key in _NAME_KEYS if item.get(key)), None))
        elif isinstance(item, bool):
            found.append("true" if item else "false")
        elif isinstance(item, str | int | float):
            found.append(clean_text(str(item)).strip())
    return [text for text in found if text]


def _named(value: object) -> Iterator[str]:
    """The names in a list of authors; an address for a name is none, several names in one text are parted."""
    listed = value if isinstance(value, list) else [value]
    for item in listed[:MOST_NAMES]:
        is_person = isinstance(item, dict) and "Person" in types_of(item)
        for text in names_in(item):
            name = folded(plain_text(text[:LONGEST_LIST]))
            if is_person and is_name(name):
                yield name
            elif not name.startswith(("http://", "https://", "/", "#", "@")):
                yield from people(name)


def _text(facts: Facts, *keys: str) -> Found | None:
    for key in keys:
        for text in names_in(facts.article.get(key))[:1]:
            return Found(folded(plain_text(text)), f"jsonld:{key}")
    return None


def _moment(facts: Facts, *keys: str) -> Found | None:
    for key in keys:
        value = facts.article.get(key)
        found = facts.dated(value[0] if isinstance(value, list) and value else value, f"jsonld:{key}")
        if found:
            return found
    return None
