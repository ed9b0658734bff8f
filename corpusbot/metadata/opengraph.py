"""Metadata from META tags: OpenGraph's, Dublin Core's, and those that newspapers made up."""

from __future__ import annotations

from corpusbot.dom.text import folded
from corpusbot.metadata.dates import moment
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.title import without_site_name

_TITLES = ("og:title", "twitter:title", "dc.title", "headline", "sailthru.title", "parsely-title")
_SECTIONS = ("article:section", "article:section_name", "section", "parsely-section", "cxenseparse:recs:category")
_AUTHORS = ("author", "article:author_name", "article:author", "dc.creator", "sailthru.author", "parsely-author", "byl")
_PUBLISHED = (
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "date.published",
    "dc.date.issued",
    "dc.date.created",
    "dcterms.created",
    "dc.date",
    "parsely-pub-date",
    "sailthru.date",
    "publish-date",
    "publication_date",
    "pubdate",
    "cxenseparse:recs:publishtime",
    "date",
)
_MODIFIED = (
    "article:modified_time",
    "og:article:modified_time",
    "og:updated_time",
    "datemodified",
    "dc.date.modified",
    "dcterms.modified",
    "last-modified",
    "revision_date",
)
_TAG_LISTS = ("news_keywords", "keywords", "parsely-tags", "sailthru.tags")
_TIERS = {"free": False, "metered": True, "locked": True, "premium": True, "paid": True}


def title(facts: Facts) -> Found | None:
    """The title, without the newspaper's name after it."""
    found = _text(facts, *_TITLES)
    name = (facts.meta("og:site_name") or ("", None))[1]
    return found and Found(without_site_name(found.value, name, facts.site_name), found.origin)


def section(facts: Facts) -> Found | None:
    """The section."""
    return _text(facts, *_SECTIONS)


def authors(facts: Facts) -> Found | None:
    """The authors, those of every tag of the name; profiles on other sites are no names."""
    for name in _AUTHORS:
        listed = (folded(text) for text in facts.metas.get(name, ()))
        chosen = tuple(dict.fromkeys(text for text in listed if text and not text.startswith(("http", "www.", "@"))))
        if chosen:
            return Found(chosen, f"meta:{name}")
    return None


def published(facts: Facts) -> Found | None:
    """The date of publication."""
    return _moment(facts, _PUBLISHED)


def modified(facts: Facts) -> Found | None:
    """The date of the last change."""
    return _moment(facts, _MODIFIED)


def tags(facts: Facts) -> Found | None:
    """The tags: one by one, or else as a list in one text."""
    for name in ("article:tag", "og:article:tag"):
        if name in facts.metas:
            return Found(tuple(dict.fromkeys(map(folded, facts.metas[name]))), f"meta:{name}")
    found = facts.meta(*_TAG_LISTS)
    if found is None:
        return None
    parts = (folded(part) for part in found[1].split(","))
    return Found(tuple(dict.fromkeys(filter(None, parts))), f"meta:{found[0]}")


def language(facts: Facts) -> Found | None:
    """The language of OpenGraph's locale, or of the content-language."""
    found = facts.meta("og:locale", "content-language", "language", "dc.language")
    return Found(found[1].split(",")[0].strip(), f"meta:{found[0]}") if found else None


def canonical_url(facts: Facts) -> Found | None:
    """OpenGraph's address."""
    return _text(facts, "og:url")


def paywalled(facts: Facts) -> Found | None:
    """Whether OpenGraph's tier costs money."""
    found = facts.meta("article:content_tier", "og:article:content_tier")
    tier = _TIERS.get(found[1].strip().lower()) if found else None
    return Found(tier, f"meta:{found[0]}") if found and tier is not None else None


def _text(facts: Facts, *names: str) -> Found | None:
    found = facts.meta(*names)
    return Found(folded(found[1]), f"meta:{found[0]}") if found else None


def _moment(facts: Facts, names: tuple[str, ...]) -> Found | None:
    for name in names:
        for text in facts.metas.get(name, ())[:1]:
            read = moment(text, facts.zone, facts.month_first)
            if read:
                return Found(read, f"meta:{name}")
    return None
