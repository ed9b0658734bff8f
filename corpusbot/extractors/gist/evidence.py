"""What else the page says about its text: its title, its description, and the body in its JSON-LD."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import ClassVar

import numpy as np
from lxml.etree import _Element as Element
from numpy.typing import NDArray

from corpusbot.extractors.gist.texts import plain, plain_beginnings
from corpusbot.extractors.gist.walk import Run

PROBE = 40  # letters of a run that are looked for
BEGINNING = 120  # characters of it that must be in a title
LONGEST_TITLE, LONGEST_DESCRIPTION = 1_000, 10_000
MOST_SEARCHED = 200_000_000  # letters; beyond, no run is looked for any more
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
LEAST_DESCRIPTION, MOST_DESCRIPTIONS = 40, 20
_SAID = ("description", "text")
_BODIES = ("articleBody", "reviewBody")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The page's titles, descriptions and body in letters and digits alone."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("in_body", "has_body", "is_title", "in_title", "in_description", "repeated")
    PAGE: ClassVar[tuple[str, ...]] = (
        "says_article", "says_website", "says_product",
        "types_article", "types_product", "types_list", "types_forum", "types_other",
    )  # fmt: skip
    titles: tuple[str, ...] = ()
    description: str = ""
    body: str = ""
    page: tuple[float, ...] = (0.0,) * 8


def evidence_in(tree: Element, jsonld: Iterable[Mapping[str, object]]) -> Evidence:
    """What the head of a page and its JSON-LD say."""
    titles: list[str] = []
    descriptions: list[str] = []
    kind = ""
    for element in tree.iter("title", "meta"):
        if element.tag == "title":
            titles.append(element.text or "")
            continue
        name = (element.get("property") or element.get("name") or "").lower()
        if name in ("og:title", "twitter:title"):
            titles.append(element.get("content") or "")
        elif name == "og:type":
            kind = (element.get("content") or "").strip().lower()
        elif name in ("og:description", "description"):
            descriptions.append(element.get("content") or "")
    found = tuple(dict.fromkeys(filter(None, (plain(title[:LONGEST_TITLE]) for title in titles[:4]))))
    said = "\n".join(map(plain, _descriptions(max(descriptions, key=len, default=""), jsonld)))
    return Evidence(found, said, plain(_without_tags(article_body(jsonld))), _page(kind, jsonld))


def _descriptions(head: str, jsonld: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """What the page says in its head, and in its JSON-LD of its products, questions and answers."""
    yield head[:LONGEST_DESCRIPTION]
    found = (text for item in jsonld for key in _SAID if isinstance(text := item.get(key), str))
    for text in islice((text for text in found if len(text) >= LEAST_DESCRIPTION), MOST_DESCRIPTIONS):
        yield _without_tags(text[:LONGEST_DESCRIPTION])


def _without_tags(text: str) -> str:
    """The text of a body that is written as HTML, as some are."""
    text = unescape(text) if "&" in text else text
    return _TAG.sub(" ", text) if "<" in text else text


_TYPES = (
    frozenset(("article", "newsarticle", "blogposting", "reportagenewsarticle", "opinionnewsarticle", "review")),
    frozenset(("product", "productgroup", "offer", "aggregateoffer")),
    frozenset(("itemlist", "collectionpage", "searchresultspage")),
    frozenset(("discussionforumposting", "qapage", "question")),
)


def _page(kind: str, jsonld: Iterable[Mapping[str, object]]) -> tuple[float, ...]:
    """What the page says it is."""
    types: set[str] = set()
    for item in jsonld:
        told = item.get("@type")
        types.update(str(one).lower() for one in (told if isinstance(told, list) else [told]) if one)
    own = [float(bool(types & group)) for group in _TYPES]
    return ("article" in kind, kind == "website", "product" in kind, *own, bool(types) and not any(own))


def article_body(jsonld: Iterable[Mapping[str, object]]) -> str:
    """The longest body that the page's JSON-LD holds; empty if there is none."""
    bodies = [text for item in jsonld for key in _BODIES if isinstance(text := item.get(key), str)]
    return max(bodies, key=len, default="")


def evidence_of(runs: Sequence[Run], evidence: Evidence) -> NDArray[np.float32]:
    """The values of Evidence.COLUMNS for each run."""
    texts = [run.text for run in runs]
    said = Counter(texts)
    titles, description, body = "\n".join(evidence.titles), evidence.description, evidence.body
    letters = plain_beginnings(texts, BEGINNING)
    probes = [one[:PROBE] for one in letters]
    found = np.zeros((len(Evidence.COLUMNS), len(runs)), np.float32)
    if body:
        most = MOST_SEARCHED // len(body)
        found[0, :most] = [probe in body and len(probe) > 3 for probe in probes[:most]]
        found[1] = 1
    if titles:
        titled = [place for place, probe in enumerate(probes) if probe in titles and len(probe) > 3]
        found[2, titled] = [
            len(probes[place]) > 8 and any(title.startswith(probes[place]) for title in evidence.titles)
            for place in titled
        ]
        found[3, titled] = [letters[place] in titles for place in titled]
    if description:
        found[4] = [probe in description and len(probe) > 12 for probe in probes]
    found[5] = [said[text] for text in texts]
    return found.T
