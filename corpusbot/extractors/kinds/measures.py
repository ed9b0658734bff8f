"""The numbers that the model is told of a page."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urlsplit

from corpusbot.extractors.kinds.names import (
    BUY,
    IN_ADDRESS,
    IN_HEADLINE,
    IN_SITE_NAME,
    IN_TEMPLATE,
    PARTS_OF_TITLE,
    PRICE,
    REPLY,
    TYPES,
)
from corpusbot.extractors.kinds.signs import LONG_RUN, Signs

LONGEST_LABEL = 40
COUNTED = ("img", "button", "code", "time")
FIELDS = ("input", "select", "textarea")
_DASH = re.compile(r"[-_/]")


def measures_of(signs: Signs) -> dict[str, float]:
    """All measures by their names."""
    return _said(signs) | _named(signs) | _address(signs) | _page(signs) | _elements(signs) | _body(signs)


def _said(signs: Signs) -> dict[str, float]:
    """What the page says of itself."""
    og = signs.og_type
    return {
        "og": 2.0 if "article" in og else 1.0 if og else 0.0,
        "og_product": float("product" in og or "item" in og),
        "ld_article": float(signs.says_article),
        "has_date": float(signs.has_date),
        "has_author": float("author" in signs.metas or "article:author" in signs.metas),
        "modified": float("article:modified_time" in signs.metas),
        "description": float(len(signs.metas.get("description", ""))),
        "title_length": float(len(signs.title)),
    } | {name: float(not signs.types.isdisjoint(group)) for name, group in TYPES.items()}


def _named(signs: Signs) -> dict[str, float]:
    """What the template calls the page, and what its title is like."""
    page = signs.clean.tree.find("body")
    owners = [element for element in (signs.clean.tree, page) if element is not None]
    names = _DASH.sub(" ", " ".join(element.get(key, "") for element in owners for key in ("class", "id"))).lower()
    found = {name: float(len(pattern.findall(names))) for name, pattern in IN_TEMPLATE.items()}
    parts = PARTS_OF_TITLE.split(signs.title)
    headline = max(parts, key=len)
    named = " ".join(part for part in parts if part is not headline)
    found["title_words"] = float(len(headline.split()))
    found |= {name: float(bool(pattern.search(headline))) for name, pattern in IN_HEADLINE.items()}
    return found | {name: float(bool(pattern.search(named))) for name, pattern in IN_SITE_NAME.items()}


def _address(signs: Signs) -> dict[str, float]:
    """What the form of the address tells; all of it nothing where the address is not known."""
    host, path, query = "", signs.path, ""
    try:
        parts = urlsplit(signs.clean.page.url.lower())
        host, query = parts.netloc.removeprefix("www."), parts.query
    except ValueError:
        pass
    last = path.rsplit("/", 1)[-1]
    whole = host + path
    return {
        "depth": float(path.count("/")) if host else -1.0,
        "slug_words": float(last.count("-") + last.count("_")),
        "slug_length": float(len(last)),
        "slug_digits": float(sum(map(str.isdigit, last))),
        "query": float(query.count("=")),
    } | {name: float(bool(pattern.search(whole))) for name, pattern in IN_ADDRESS.items()}


def _page(signs: Signs) -> dict[str, float]:
    """How the text of the page is spread over links, prose and labels."""
    runs, prose = signs.runs, signs.prose
    number, text, good = len(runs) or 1, signs.text_length or 1, sum(prose)
    headings = [run for run in runs if run.kind == "heading"]
    labels = "\n".join([run.text for run in runs if len(run.text) < LONGEST_LABEL])
    lower = labels.lower()
    return {
        "runs": float(len(runs)),
        "text": float(text),
        "link_share": sum([run.linked for run in runs]) / text,
        "anchors": float(sum([run.anchors for run in runs])),
        "prose": float(good),
        "prose_share": good / text,
        "prose_runs": float(len(prose)),
        "longest": float(max(prose, default=0)),
        "mean_run": text / number,
        "headlines": float(signs.headlines),
        "headlines_share": signs.headlines / number,
        "headings": float(len(headings)),
        "linked_headings": float(sum(run.linked > 0.5 * len(run.text) for run in headings)),
        "h1": float(len(signs.headings)),
        "prices": float(len(PRICE.findall(labels))),
        "reply": float(sum([word in REPLY for word in lower.split()])),
        "buy": float(sum([lower.count(phrase) for phrase in BUY])),
    }


def _elements(signs: Signs) -> dict[str, float]:
    """How many there are of some elements."""
    tags, tree = signs.outline.tags, signs.clean.tree
    found = {f"tag_{name}": float(tags.count(name)) for name in ("article", "form", "li", "pre")}
    counts = Counter([element.tag for element in tree.iter(*COUNTED, *FIELDS)])
    found |= {f"tag_{name}": float(counts[name]) for name in COUNTED}
    found["tag_input"] = float(sum([counts[name] for name in FIELDS]))
    return found


def _body(signs: Signs) -> dict[str, float]:
    """The body that was found."""
    body, own = signs.body, signs.paragraphs
    number, length = len(body) or 1, signs.body_length
    long = [size for size in own if size >= LONG_RUN]
    return {
        "body": float(length),
        "body_share": length / (signs.text_length or 1),
        "body_blocks": float(len(body)),
        "body_prose": sum(long) / (length or 1),
        "body_longs": float(len(long)),
        "body_longest": float(max(own, default=0)),
        "body_mean": length / number,
        "body_items": sum(block.kind in ("item", "row") for block in body) / number,
        "body_headings": sum(block.kind == "heading" for block in body) / number,
    }
