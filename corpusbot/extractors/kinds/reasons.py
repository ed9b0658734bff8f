"""Why a page was judged as it was, in words: the measures that spoke for it, as one would say them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from corpusbot.extractors.kinds.names import TYPES
from corpusbot.extractors.kinds.signs import Signs

# What a measure says where it is not nought, by the kind that it can speak for; what would tell a reader nothing
# (three buttons) is left out, though it counts.
_ARTICLE = {
    "path_article": "the address of an article",
    "path_dated": "a date in its address",
    "called_article": "the template of an article",
    "has_date": "a date of publication",
    "has_author": "an author",
    "body_longs": "{} paragraphs",
    "body_longest": "longest paragraph {} characters",
    "body_mean": "{} characters in a paragraph on average",
    "body_prose": "{:.0%} of the text found in paragraphs",
    "prose_share": "{:.0%} of the page's text in paragraphs",
}
_COLLECTION = {
    "path_list": "the address of a list",
    "called_list": "the template of a list",
    "titled_list": "the title of a list",
    "headlines": "{} links to articles",
    "headlines_share": "{:.0%} of its lines are links to articles",
    "linked_headings": "{} headings that are links",
    "link_share": "{:.0%} of the text in links",
    "longest": "longest paragraph {} characters",
    "tag_article": "{} ARTICLE elements",
    "prices": "{} prices",
}
_OTHER = {
    "path_forum": "the address of a forum",
    "path_manual": "the address of a manual",
    "path_shop": "the address of a shop",
    "called_forum": "the template of a forum",
    "called_page": "the template of a plain page",
    "titled_forum": "the title of a forum",
    "titled_shop": "the title of a shop",
    "titled_manual": "the title of a manual",
    "titled_service": "the title of a service",
    "og_product": "og:type says product",
    "prices": "{} prices",
    "reply": "{} words that forums use in labels",
    "buy": "{} labels that shops and services have",
    "tag_code": "{} pieces of code",
    "tag_pre": "{} pieces of code",
    "tag_input": "{} fields to fill in",
    "prose_share": "{:.0%} of the page's text in paragraphs",
    "body_longest": "longest paragraph {} characters",
}
_SOME = {"article": _ARTICLE, "collection": _COLLECTION, "other": _OTHER}
# What one says where it is nought, of pages that are no articles.
_NONE = {
    "has_date": "no date of publication",
    "ld_article": "no article in JSON-LD",
    "body_longs": "no paragraph of any length",
}


def told(kind: str, signs: Signs, measures: Mapping[str, float], names: Iterable[str]) -> Iterator[str]:
    """The measures of these names in words, as far as there are words for them."""
    return (words for name in names if (words := _told(kind, signs, name, measures[name])))


def _told(kind: str, signs: Signs, name: str, value: float) -> str | None:
    if not value:
        return None if kind == "article" else _NONE.get(name)
    if name == "og":
        return f"og:type says {signs.og_type[:40]}" if (value > 1) == (kind == "article") else None
    types = signs.article_types if name == "ld_article" else sorted(TYPES.get(name, frozenset()) & signs.types)
    if types:
        return f"JSON-LD says {signs.types_said[types[0]]}"
    words = _SOME[kind].get(name)
    return words and words.format(value if "%" in words else round(value))
