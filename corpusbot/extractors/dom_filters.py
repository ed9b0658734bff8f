"""DOM filters: take out of the tree what is no text, and what is left is the text (textbook, 3.8; Gupta and others).

From the innermost parts of the page outwards, each is taken out if most of its text is in links (link lists), if it
says to be an advertisement or of a kind that is seldom text (NAV, FOOTER …), if it is a table without substance, or
if it has too little text of its own to be more than a caption of something. What is around it is then judged by what
is left in it: a column whose link lists are gone may be the main text.
"""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
from lxml.etree import _Element as Element

from corpusbot.extractors.runs import Flags, Floats, Runs, kept_by
from corpusbot.metadata.findings import Findings
from corpusbot.model import CleanPage
from corpusbot.sites import SiteConfig
from corpusbot.sites.options import Between, check_not_negative

TAGS = ("nav", "footer", "aside", "header", "figure", "form")
# In these, little text is no sign: they are parts of what is around them.
HOLDING = frozenset(("div", "section", "ul", "ol", "td", "li", "dl", "article", "center"))
ADVERTS = frozenset(
    (
        "ad", "ads", "adv", "advert", "adverts", "advertisement", "advertising", "anuncio", "anuncios", "anzeige",
        "banner", "banners", "dfp", "gpt", "outbrain", "patrocinado", "promo", "promotion", "publicidad", "publicidade",
        "publicite", "pubblicita", "sponsor", "sponsored", "taboola", "werbung",
    )
)  # fmt: skip
_LETTERS = re.compile(r"[a-z]+")
MOST_LETTERS = 500  # of a class; nobody names an advertisement after that many


def extract(
    clean: CleanPage,
    site: SiteConfig,
    *,
    links: Annotated[float, Between(0, 1)] = 0.5,
    least_links: int = 3,
    tags: tuple[str, ...] = TAGS,
    ads: bool = True,
    most: Annotated[float, Between(0, 1)] = 0.4,
    cell: int = 10,
    substance: int = 80,
) -> Findings | None:
    """The runs in no part that is taken out: above a share of text in links, below some characters outside of them.

    `cell` is how many of them a table must have in each of its runs. A part that holds a larger share of the page's
    text than `most` is not taken out for its tag or its name. Tuned on the dev sets of bench/extraction.
    """

    def judge(runs: Runs) -> Flags:
        page = _Page(runs, links, least_links, cell, substance)
        named = [tag in tags or (ads and is_advert(runs.outline.elements[n])) for n, tag in enumerate(page.tags)]
        return ~page.taken(named, most) & (runs.link_density <= links) & ~runs.of_kind("caption")

    return kept_by(judge, clean, "dom_filters")


def check(least_links: int, cell: int, substance: int, **_: object) -> None:
    """Raises OptionError for numbers below nought."""
    check_not_negative(least_links=least_links, cell=cell, substance=substance)


def is_advert(element: Element) -> bool:
    """Whether a word of an element's class or id says that it is an advertisement."""
    called = f"{element.get('id') or ''} {element.get('class') or ''}"[:MOST_LETTERS].lower()
    return not ADVERTS.isdisjoint(_LETTERS.findall(called))


class _Page:
    """The sums of each part of a page over what has not been taken out of it."""

    def __init__(self, runs: Runs, links: float, least_links: int, cell: int, substance: int) -> None:
        outline = runs.outline
        self.tags, self.parents = outline.tags, outline.parents
        self.where = np.array([run.region for run in outline.runs])
        self.text, self.linked, self.anchors, self.runs = map(
            self._own, (runs.characters, runs.linked, runs.anchors, np.ones(len(runs.characters)))
        )
        self.limits = links, least_links, cell, substance

    def _own(self, values: Floats) -> list[float]:
        """The sum over the runs that stand in each part and in none inside of it."""
        sums: list[float] = np.bincount(self.where, values, len(self.tags)).tolist()
        return sums

    def taken(self, named: list[bool], most: float) -> Flags:
        """Which runs are in parts that are taken out; children come after their parents, so one pass back sums up."""
        large = most * (sum(self.text) - sum(self.linked))
        gone = [False] * len(self.tags)
        for part in range(len(self.tags) - 1, -1, -1):
            if self.text[part]:
                gone[part] = (named[part] and self.text[part] - self.linked[part] <= large) or self._is_empty(part)
            parent = self.parents[part]
            if parent >= 0 and not gone[part]:
                for sums in (self.text, self.linked, self.anchors, self.runs):
                    sums[parent] += sums[part]
        for part, parent in enumerate(self.parents):
            gone[part] = gone[part] or (parent >= 0 and gone[parent])
        flags: Flags = np.array(gone, np.bool_)[self.where]
        return flags

    def _is_empty(self, part: int) -> bool:
        """Whether a part is a list of links, a table without substance, or next to nothing."""
        links, least_links, cell, substance = self.limits
        plain = self.text[part] - self.linked[part]
        if self.anchors[part] >= least_links and self.linked[part] > links * self.text[part]:
            return True
        tag = self.tags[part]
        return (tag == "table" and plain < cell * self.runs[part]) or (tag in HOLDING and plain < substance)
