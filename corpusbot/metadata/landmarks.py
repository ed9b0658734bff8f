"""The elements of a page that say by their class, id or link that they hold authors or dates, and its headings."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from corpusbot.metadata.surroundings import headline_of

MOST_ELEMENTS = 200_000
LONGEST_LINK = 300
_AUTHORS = re.compile(
    r"by-?line|(?<![a-zA-Z])(?:p-)?(?:(?:author|autor|auteur|autore|firma|signature|redactor|redacteur|redakteur"
    r"|contributor|writer)(?:s|es|en|in|a|as|e|i|x)?(?![a-z]))|(?:Author|Autor|Auteur|Firma)s?(?![a-z])"
)
_DATES = re.compile(
    r"(?<![a-zA-Z])(?:pub|post|article|entry)?-?(?:date|datum|fecha|data|hora|time|timestamp|datetime)s?(?![a-z])"
    r"|(?:Date|Datum|Fecha|Time|Timestamp)(?![a-z])|(?:pub|post|entry)(?:date|time)|datepubl|dt-publ|publish|publica|posted|updated|actualiz"
)
# Where a link leads that a name stands on: to its bearer's page.
_TO_AUTHOR = re.compile(
    r"/(?:author|autor|autore|auteur|profile|staff|contributor|journalist|redacteur|redakteur|writer|reporter|firma"
    r"|people|persona|person|by|columnist|columnista|autori|bio|correspondent|signature|journaliste)(?:e?s|es|en|/)?[/-]"
)
# These hold the page, or nothing to read.
_WHOLE = frozenset(
    ("html", "body", "article", "main", "section", "form", "img", "link", "meta", "script", "input", "style", "head")
)


class Landmarks:
    """What marks authors and dates, gathered in one walk when it is first asked for.

    Each list has what follows the first heading before what precedes it, as an author and a date stand nearest below
    the headline.
    """

    def __init__(self, tree: HtmlElement) -> None:
        self._tree = tree
        self._found: tuple[list[HtmlElement], list[HtmlElement]] | None = None
        self.headline = headline_of(tree)
        self.around = frozenset(self.headline.iterancestors()) if self.headline is not None else frozenset()

    @property
    def authors(self) -> list[HtmlElement]:
        """The elements that are marked as an author's."""
        return self._all()[0]

    @property
    def dates(self) -> list[HtmlElement]:
        """The elements that are marked as a date, TIME among them."""
        return self._all()[1]

    def _all(self) -> tuple[list[HtmlElement], list[HtmlElement]]:
        if self._found is None:
            self._found = _walked(self._tree, self.headline)
        return self._found


def _leads_to_author(link: HtmlElement) -> bool:
    return "author" in (link.get("rel") or "") or bool(_TO_AUTHOR.search((link.get("href") or "")[:LONGEST_LINK]))


def _walked(tree: HtmlElement, headline: HtmlElement | None) -> tuple[list[HtmlElement], list[HtmlElement]]:
    authors: tuple[list[HtmlElement], list[HtmlElement]] = ([], [])
    dates: tuple[list[HtmlElement], list[HtmlElement]] = ([], [])
    below = 0  # 1 from the first heading on
    known: dict[str, tuple[bool, bool]] = {}  # most classes stand on a page many times
    for number, element in enumerate(tree.iter()):
        if number > MOST_ELEMENTS:
            break
        tag = element.tag
        below = below or int(element is headline)
        mark = element.get("class") or element.get("id") or ""
        told = known.get(mark)
        if told is None:
            told = known[mark] = (bool(_AUTHORS.search(mark)), bool(_DATES.search(mark)))
        is_author = told[0] or tag == "address" or (tag == "a" and _leads_to_author(element))
        if (is_author or told[1] or tag == "time") and tag not in _WHOLE:
            if is_author:
                authors[below].append(element)
            if told[1] or tag == "time":
                dates[below].append(element)
    return authors[1] + authors[0][::-1], dates[1] + dates[0][::-1]
