"""The JSON-LD of a page, as the objects in it; what newspapers get wrong in JSON is put up with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape

MOST_CHARACTERS = 2_000_000
MOST_OBJECTS = 1_000

JsonObject = Mapping[str, object]

# What old browsers, or XML, once needed around a script.
_OPENING = re.compile(r"\s*(?:<!--|(?://|/\*)?\s*<!\[CDATA\[\s*(?:\*/)?)")
_CLOSING = re.compile(r"(?:(?://)?\s*-->|(?://|/\*)?\s*\]\]>\s*(?:\*/)?|;)\s*\Z")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SURROGATE = re.compile("[\ud800-\udfff]")


def objects_in(scripts: Iterable[str]) -> tuple[JsonObject, ...]:
    """All objects of a page's JSON-LD blocks, those in arrays and graphs one by one, in order."""
    found: list[JsonObject] = []
    budget = MOST_CHARACTERS
    for script in scripts:
        budget -= len(script)
        if budget < 0 or len(found) >= MOST_OBJECTS:
            break
        for value in values_in(script):
            found += _flattened(value)
    return tuple(found[:MOST_OBJECTS])


def values_in(text: str) -> list[object]:
    """The JSON values in a text; more than one if they follow one another; none if it cannot be read."""
    bare = _unwrapped(text)
    if "&quot;" in bare and '"' not in bare:
        bare = unescape(bare)
    read = _read(bare)
    if read is None:
        read = _read(_TRAILING_COMMA.sub(r"\1", _BAD_ESCAPE.sub(r"\\\\", bare)))
    return read or []


def _unwrapped(text: str) -> str:
    """The text without comment marks around it."""
    opening = _OPENING.match(text)
    bare = (text[opening.end() :] if opening else text).rstrip()
    # From its last characters on: a search through the whole would begin anew at every space.
    ending = max(0, len(bare) - 20)
    closing = _CLOSING.search(bare, ending)
    return (bare[: closing.start()] if closing else bare).strip()


def _read(text: str) -> list[object] | None:
    """Value after value; None if the first is none. Control characters inside strings are let pass."""
    decoder = json.JSONDecoder(strict=False)
    values: list[object] = []
    place = 0
    while place < len(text):
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):  # ValueError: no JSON, or a number of too many digits
            return values or None
        values.append(value)
        while place < len(text) and text[place] in " \t\r\n,;":
            place += 1
    return values


def _flattened(value: object) -> Iterator[JsonObject]:
    """The objects that a value holds, without going into their properties, other than graphs."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        elif isinstance(item, dict):
            graph = item.get("@graph")
            if isinstance(graph, list | dict):
                waiting.append(graph)
            if graph is None or len(item) > 2:  # more than the graph and its context
                yield item


def clean_text(text: str) -> str:
    """A JSON string as text: halves of characters, which escapes can spell, are replaced."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
