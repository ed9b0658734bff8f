"""Authors from the line beside the headline that names them, which links and classes mark, or its words alone."""

from __future__ import annotations

from lxml.html import HtmlElement

from corpusbot.metadata.byline import names, signed_names
from corpusbot.metadata.byline_words import BEGINNING, CONNECTION
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.surroundings import lines_near, pieces_of, stands_apart

LONGEST_CANDIDATE = 600
MOST_CANDIDATES = 40
# How far up from the first author the others are looked for.
HIGHEST = 3
_WHOLE = frozenset(("body", "article", "main", "section", "form"))


def authors(facts: Facts) -> Found | None:
    """The names that the links or lines which mark an author give, the nearest after the headline first."""
    candidates = facts.landmarks.authors[:MOST_CANDIDATES]
    named = [element for element in candidates if _names_in(element)]
    around = facts.landmarks.around
    for also_beside in (True, False):
        for element in named:
            if not stands_apart(element, around, also_beside):
                is_link = "author" in (element.get("rel") or "").split()
                return Found(_with_neighbours(element, candidates), "rel:author" if is_link else "byline")
    return None


def authors_by_words(facts: Facts) -> Found | None:
    """The names in a line after the headline that begins as a byline does."""
    for element, line in lines_near(facts.landmarks.headline):
        if BEGINNING.match(line) and not line.endswith((".", "!", "?", ":", "…")):
            # Of a paragraph that begins so, `By Christmas, …` or `By TMN, in …`, only what is no common word.
            chosen = tuple(dict.fromkeys(_names_in(element))) or tuple(
                name for name in signed_names(line) if " " in name or name.isupper()
            )
            if chosen:
                return Found(chosen, "byline:words")
    return None


def _names_in(element: HtmlElement) -> list[str]:
    """The names in an element: piece by piece as its tags part them, or in the whole where these break names."""
    pieces = pieces_of(element, LONGEST_CANDIDATE)
    found: list[str] = []
    first: object = None
    joined = False
    for text, parent in pieces:
        listed = names(text)
        # What follows a name in another form is what else is known of its bearer, unless "and" stands between.
        if listed and (not found or joined or _form(parent) == first):
            first = first or _form(parent)
            found += listed
        joined = bool(CONNECTION.search(text))
    whole = " ".join(text for text, _ in pieces)
    return found or names(whole) or signed_names(whole)


def _form(element: HtmlElement) -> tuple[str, str]:
    """What elements have in common that hold the same kind of thing."""
    return str(element.tag), element.get("class") or ""


def _with_neighbours(element: HtmlElement, candidates: list[HtmlElement]) -> tuple[str, ...]:
    """The names in an element and in those of its form that stand close by."""
    around = element
    for _ in range(HIGHEST):
        parent = around.getparent()
        if parent is None or parent.tag in _WHOLE or not pieces_of(parent, LONGEST_CANDIDATE):
            break
        around = parent
    inside = set(around.iter())
    close = [other for other in candidates if other in inside and _form(other) == _form(element)]
    return tuple(dict.fromkeys(name for other in [element, *close] for name in _names_in(other)))
