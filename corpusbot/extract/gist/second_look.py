"""Pages that hide all they say: in NOSCRIPT, for readers without scripts, or in a BUTTON that is never closed."""

from __future__ import annotations

import re
from dataclasses import replace

from corpusbot.dom.cleanup import clean_page
from corpusbot.model import Body, CleanPage
from corpusbot.sites import SiteConfig

FEW_CHARACTERS = 600
_HIDING = re.compile(rb"<(/?)(?:noscript|button)\b", re.IGNORECASE)


def second_look(clean: CleanPage, site: SiteConfig, characters: int) -> CleanPage | None:
    """The page read anew with what hides its text as plain boxes; None if it has text, or hides none."""
    body = clean.page.body
    if characters >= FEW_CHARACTERS or not _HIDING.search(body):
        return None
    opened = _HIDING.sub(rb"<\1div", body)
    again = clean_page(replace(clean.page, body=Body(opened)), site)
    return again if isinstance(again, CleanPage) else None
