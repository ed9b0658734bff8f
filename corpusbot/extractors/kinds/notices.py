"""Pages that were served in an article's stead: errors with status 200, and walls of cookies, robots and scripts.

Each is known by a phrase in its title or a heading, and by how little else there is: an article about cookies, or
about an error, has more to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from corpusbot.extractors.kinds.names import PARTS_OF_TITLE
from corpusbot.extractors.kinds.phrases import AGREE, CONSENT, CONSENT_WORD, ERROR, ROBOTS, SCRIPTS
from corpusbot.extractors.kinds.signs import LONG_RUN, Signs
from corpusbot.filters.words import folded
from corpusbot.model import Kind

# Tuned on the sets of `python -m bench.eval_kinds`, on which no article is taken for one of these.
MOST_PROSE = 700  # characters of prose on the page of an error
MOST_TEXT = 1_500  # characters in all of a page that is a wall
HARDLY_ANY = 200  # characters of prose beside the notice; the shortest brief has more
ALONE = 800  # characters outside of links on a page that is nothing but the notice
MOST_OTHER_WORDS = 4  # beside the phrase, in a title or heading
MOST_WORDS = 30  # in a sentence that is looked through on a page that is nothing but the notice
CONSENT_SHARE = 0.06  # of the words, on a page that asks for consent
CONSENT_WORDS = 900
MOST_BUTTONS = 2_000
_LONGEST = 400
_HEADINGS = 6


def error(signs: Signs) -> Kind | None:
    """An error page: it says so in its title or a heading, or in a sentence where there is little else."""
    if signs.is_sure_article or sum(signs.prose) > MOST_PROSE:
        return None
    told = _told(ERROR, signs)
    if told:
        return Kind("error", 0.95, f"“{told}” in the title or a heading, and little other text")
    told = _alone(ERROR, signs)
    return Kind("error", 0.85, f"hardly any text but “{told}”") if told else None


def wall(signs: Signs) -> Kind | None:
    """A wall: a check for robots, a demand for scripts or cookies, or a question for consent, with no article."""
    if signs.is_sure_article:
        return None
    if signs.text_length <= MOST_TEXT:
        for pattern, what in ((ROBOTS, "a check for robots"), (SCRIPTS, "a demand for scripts or cookies")):
            told = _told(pattern, signs) or _alone(pattern, signs)
            if told:
                return Kind("wall", 0.9, f"{what}: “{told}”, and hardly any text")
    told = _told(CONSENT, signs)
    if told and max(sum(signs.prose), sum(signs.paragraphs)) < HARDLY_ANY and signs.unlinked_length <= ALONE:
        return Kind("wall", 0.9, f"asks for consent: “{told}”, and hardly any text")
    told = told or _alone(CONSENT, signs)
    return _consent(told, signs) if told else None


def _consent(told: str, signs: Signs) -> Kind | None:
    """A question for consent speaks of hardly anything else, and can be agreed to."""
    if len(signs.runs) > CONSENT_WORDS or signs.text_length > 10 * CONSENT_WORDS:
        return None
    words = folded(" ".join(run.text for run in signs.runs)).split()
    share = sum(bool(CONSENT_WORD.match(word)) for word in words) / (len(words) or 1)
    agreed = any(AGREE.search(folded(button)) for button in islice(signs.buttons(), MOST_BUTTONS))
    if len(words) > CONSENT_WORDS or share < CONSENT_SHARE or not agreed:
        return None
    return Kind("wall", 0.9, f"asks for consent: “{told}”, and {share:.0%} of its words are about it")


def _told(pattern: re.Pattern[str], signs: Signs) -> str | None:
    """The title, a part of it, or a heading that says just this."""
    for text in _titles(signs):
        for part in (text, *PARTS_OF_TITLE.split(text[:_LONGEST])):
            plain = folded(part[:_LONGEST])
            found = pattern.search(plain)
            # +500% and 404 m are numbers like any other.
            if found is None or (found[0].isdecimal() and part.strip() != found[0]):
                continue
            if len(plain.split()) - len(found[0].split()) <= MOST_OTHER_WORDS:
                return part.strip()[:80]
    return None


def _titles(signs: Signs) -> Iterator[str]:
    yield signs.title
    yield from signs.named
    yield from signs.headings
    yield from islice((run.text for run in signs.runs if run.kind == "heading" and not run.anchors), _HEADINGS)


def _alone(pattern: re.Pattern[str], signs: Signs) -> str | None:
    """A sentence that says this on a page that, its menus apart, says hardly anything else."""
    if signs.unlinked_length > ALONE:
        return None
    texts = [run.text for run in signs.runs if run.linked < 0.5 * len(run.text)]
    for text in texts + [block.text for block in signs.body]:
        plain = folded(text[:_LONGEST])
        # The first words of a brief may say as much; it goes on.
        rest = sum(signs.prose) - (len(text) if len(text) >= LONG_RUN else 0)
        is_short = len(plain.split()) <= MOST_WORDS and rest < HARDLY_ANY
        if is_short and not plain.isdecimal() and pattern.search(plain):
            return text[:80]
    return None
