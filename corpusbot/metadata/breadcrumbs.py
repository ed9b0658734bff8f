"""The section of a page from the path that leads to it, the front page first."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from corpusbot.metadata.article_object import types_of
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.jsonld import names_in, plain_text
from corpusbot.metadata.surroundings import short_text

LONGEST = 60
MOST = 20
_LINKS = etree.XPath(
    "(//*[contains(@class, 'readcrumb') or contains(@id, 'readcrumb') or contains(@aria-label, 'readcrumb')"
    " or contains(@itemtype, 'BreadcrumbList')])[1]//a"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What the first step is called: the front page.
_HOME = _words(
    """
    home homepage inicio portada principal start startseite accueil início inici hasiera página_inicial
    hjem hem etusivu strona_główna domov anasayfa ana_sayfa главная головна acasă voorpagina frontpage news.home
    home_page トップ 홈 首页 होम pagina_inicial front_page portal página_de_inicio
    """
)


def section_by_jsonld(facts: Facts) -> Found | None:
    """The step after the front page in a BreadcrumbList."""
    for item in facts.objects:
        if "BreadcrumbList" in types_of(item):
            steps = item.get("itemListElement")
            listed = [_name_of(step) for step in steps[:MOST]] if isinstance(steps, list) else []
            chosen = _section(listed[:-1] if len(listed) > 1 else listed, facts)
            if chosen:
                return Found(chosen, "jsonld:BreadcrumbList")
    return None


def section_by_links(facts: Facts) -> Found | None:
    """The link after that to the front page in the path that is shown."""
    chosen = _section((short_text(link) for link in _LINKS(facts.tree)[:MOST]), facts)
    return Found(chosen, "breadcrumb") if chosen else None


def _name_of(step: object) -> str:
    """What a step is called, by itself or by what it leads to."""
    if not isinstance(step, dict):
        return ""
    item = step.get("item")
    name = step.get("name") or (item.get("name") if isinstance(item, dict) else None)
    return next(iter(names_in(name)), "")


def _section(steps: Iterable[str], facts: Facts) -> str | None:
    """The first step that is neither the front page nor the site."""
    host = facts.host.removeprefix("www.")
    own = {name.casefold() for name in facts.own_names} | {facts.host, host, host.partition(".")[0]}
    for step in steps:
        name = plain_text(step[: LONGEST * 2]).strip(" /»›>|")
        if 1 < len(name) <= LONGEST and name.casefold().replace(" ", "_") not in _HOME and name.casefold() not in own:
            return name
    return None
