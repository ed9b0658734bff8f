"""The date that a page shows beside its headline, or has in its address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.surroundings import lines_near, short_text, stands_apart

MOST = 30
FIRST_YEAR = 1990

_CHANGED = re.compile(
    r"(?:(?:last|zuletzt|última|ultima|derni[eè]re)\s+)?(?:actualizad[oa]|actualizaci[oó]n|updated?|modified"
    r"|aktualisiert|bearbeitet|geändert|mis(?:e)? à jour|modifié|aggiornat[oa]|aggiornamento|modificat[oa]"
    r"|atualizad[oa]|atualizaç\w+|actualitza\w*|eguneratu\w*|bijgewerkt|gewijzigd|uppdaterad|oppdatert|opdateret|zaktualizowano"
    r"|aktualizacja|edited)(?![a-z])",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"publi[cs]\w*|published|posted|veröffentlicht|erschienen|erstellt|creado|created|publié|pubblicat\w+|gepubliceerd"
    r"|publicerad|publisert|udgivet|opublikowano",
    re.IGNORECASE,
)
# A date whole: the year with four digits, or figures with marks between.
_HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)")
_IN_ADDRESS = re.compile(
    r"[/=_-](?P<year>(?:19|20)\d\d)(?P<mark>[/_-]?)(?P<month>0[1-9]|1[0-2])(?P=mark)(?P<day>0[1-9]|[12]\d|3[01])(?![\d])"
)
_CLUTTER = 60


def published(facts: Facts) -> Found | None:
    """The date of publication that an element marked as a date shows, the nearest after the headline first."""
    return _first(facts, _marked_lines(facts), "shown", changed=False)


def published_near_headline(facts: Facts) -> Found | None:
    """The date in a line after the headline that holds little else."""
    lines = (line for _, line in lines_near(facts.landmarks.headline) if _is_date_line(line))
    return _first(facts, lines, "shown:words", changed=False)


def modified(facts: Facts) -> Found | None:
    """The date of the last change, where the page shows one that it calls so."""
    return _first(facts, _marked_lines(facts), "shown", changed=True)


def in_address(facts: Facts) -> Found | None:
    """The day in the page's address: /2024/05/09/, /2024-05-09-, -20240509."""
    found = _IN_ADDRESS.search(facts.url)
    if not found or int(found["year"]) < FIRST_YEAR:
        return None
    return facts.dated(f"{found['year']}-{found['month']}-{found['day']}", "address")


def _marked_lines(facts: Facts) -> Iterator[str]:
    for element in facts.landmarks.dates[:MOST]:
        text = short_text(element)
        if not text or not _HAS_YEAR.search(text) or next(element.iterancestors("a"), None) is not None:
            continue
        if not stands_apart(element, facts.landmarks.around):
            yield text


def _first(facts: Facts, lines: Iterator[str], origin: str, changed: bool) -> Found | None:
    for line in lines:
        text = _about_change(line) if changed else _about_publication(line)
        found = facts.dated(text, origin) if _HAS_YEAR.search(text) else None
        if found:
            return found
    return None


def _about_publication(line: str) -> str:
    """The part of a line that does not tell when it was changed."""
    change = _CHANGED.search(line)
    if change is None:
        return line
    publication = _PUBLISHED.search(line, change.end())
    return line[publication.end() :] if publication else line[: change.start()]


def _about_change(line: str) -> str:
    """The part of a line that tells when it was changed."""
    change = _CHANGED.search(line)
    if change is None:
        return ""
    publication = _PUBLISHED.search(line, change.end())
    return line[change.end() : publication.start() if publication else len(line)]


def _is_date_line(line: str) -> bool:
    """Whether a line is short enough for a date to be what it is about."""
    return len(line) <= _CLUTTER and bool(_HAS_YEAR.search(line)) and not line.endswith(("?", "!", "…"))
