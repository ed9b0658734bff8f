"""The spelling of tags that are to be let through unchanged, which a parser would put in lower case.

Before the page is parsed, each such tag is given its own source as an attribute: `<P ALIGN=right>` becomes
`<P data-corpusbot-start="&lt;P ALIGN=right&gt;" ALIGN=right>`, and the end that it has, if it has one, a second.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from html import escape

START = "data-corpusbot-start"
END = "data-corpusbot-end"

# What is inside these is no tag, however it looks.
_OPAQUE = r"<!--.*?-->|<(script|style|textarea|title|xmp)\b.*?</\1\s*>"
_REST = r"""((?:[^<>"']|"[^"]*"|'[^']*')*)>"""


@lru_cache(maxsize=100)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    """What finds the tags of these names, and steps over what is opaque."""
    either = "|".join(map(re.escape, sorted(names)))
    return re.compile(rf"{_OPAQUE}|<(/?)({either})(?=[\s/>]){_REST}", re.IGNORECASE | re.DOTALL)


def spelt(markup: str, names: Collection[str]) -> str:
    """The markup in which every tag of these names carries its own source."""
    if not names:
        return markup
    pieces: list[str] = []
    open_at: dict[str, list[int]] = {}
    done = 0
    for found in _pattern(frozenset(names)).finditer(markup):
        if found[3] is None:
            continue
        pieces.append(markup[done : found.start()])
        done = found.end()
        waiting = open_at.setdefault(found[3].lower(), [])
        if not found[2]:
            waiting.append(len(pieces))
            pieces += [_start(found), found[0][1 + len(found[3]) :]]
            continue
        if waiting:
            pieces[waiting.pop()] += f' {END}="{escape(found[0])}"'
        pieces.append(found[0])
    return "".join([*pieces, markup[done:]])


def _start(found: re.Match[str]) -> str:
    return f'<{found[3]} {START}="{escape(found[0])}"'
