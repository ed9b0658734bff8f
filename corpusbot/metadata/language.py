"""The language that a page says it is in."""

from __future__ import annotations

import re

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found

_CODE = re.compile(r"([a-zA-Z]{2,3})(?:[-_]([a-zA-Z]{4}))?(?:[-_]([a-zA-Z]{2}|\d{3}))?(?:[-_.@].*)?")


def language_code(text: str) -> str | None:
    """A language as `es` or `es-MX`; None if the text names none.

    >>> language_code("es_mx.UTF-8")
    'es-MX'
    """
    found = _CODE.fullmatch(text.strip())
    if not found or found[1].lower() in ("und", "mul", "zxx"):
        return None
    script, region = (found[2] or "").title(), (found[3] or "").upper()
    return "-".join(filter(None, (found[1].lower(), script, region)))


def html_language(facts: Facts) -> Found | None:
    """The `lang` of the page's HTML tag."""
    root = facts.tree
    for key in ("lang", "xml:lang"):
        code = language_code(root.get(key) or "")
        if code:
            return Found(code, f"html:{key}")
    return None


def coded(found: Found | None) -> Found | None:
    """A language found somewhere else, if it is one."""
    code = language_code(found.value) if found else None
    return Found(code, found.origin) if found and code else None
