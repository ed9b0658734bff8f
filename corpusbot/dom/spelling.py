"""The spelling of tags that are to be let through unchanged, which a parser would put in lower case.

Before the page is parsed, each such tag is given its own source as an attribute: `<P ALIGN=right>` becomes
`<P data-corpusbot-start="&lt;P ALIGN=right&gt;" ALIGN=right>`, and the end that it has, if it has one, a second.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from html import escape

START = "data-corpusbot-start"
END = "data-corpusbot-end"

# What is inside these is no tag, however it looks.
_OPAQUE = "script|style|textarea|title|xmp"
_REST = re.compile(r"""(?:[^<>"']|"[^"]*"|'[^']*')*>""")
LONGEST_TAG = 2_000


@lru_cache(maxsize=100)
def _opening(names: frozenset[str]) -> re.Pattern[str]:
    """What finds where a tag of these names begins, or something that is opaque."""
    either = "|".join(map(re.escape, sorted(names)))
    return re.compile(rf"<!--|<({_OPAQUE})(?=[\s/>])|<(/?)({either})(?=[\s/>])", re.IGNORECASE)


def spelt(markup: str, names: Collection[str]) -> str:
    """The markup in which every tag of these names carries its own source."""
    if not names:
        return markup
    pieces: list[str] = []
    open_at: dict[str, list[int]] = {}
    done = 0
    for slash, name, start, end in _tags(markup, frozenset(names)):
        pieces.append(markup[done:start])
        done, tag = end, markup[start:end]
        waiting = open_at.setdefault(name.lower(), [])
        if not slash:
            waiting.append(len(pieces))
            pieces += [f'<{name} {START}="{escape(tag)}"', tag[1 + len(name) :]]
            continue
        if waiting:
            pieces[waiting.pop()] += f' {END}="{escape(tag)}"'
        pieces.append(tag)
    return "".join([*pieces, markup[done:]])


def _tags(markup: str, names: frozenset[str]) -> Iterator[tuple[str, str, int, int]]:
    """The tags of these names: their slash and name, and where they begin and end."""
    opening, place = _opening(names), 0
    while found := opening.search(markup, place):
        place = found.end()
        if not found[3]:
            place = _end_of_opaque(markup, found)
        elif rest := _REST.match(markup, place, place + LONGEST_TAG):
            place = rest.end()
            yield found[2], found[3], found.start(), place


def _end_of_opaque(markup: str, found: re.Match[str]) -> int:
    """Where a comment or script ends; one that does not takes in all the rest."""
    if not found[1]:
        end = markup.find("-->", found.end())
        return end + len("-->") if end >= 0 else len(markup)
    closing = re.compile(rf"</{found[1]}\s*>", re.IGNORECASE).search(markup, found.end())
    return closing.end() if closing else len(markup)
