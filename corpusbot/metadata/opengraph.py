"""Metadata from META tags: OpenGraph's, Dublin Core's, and those that newspapers made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpusbot.dom.text import folded
from corpusbot.metadata.byline import is_name, people
from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.title import without_site_name

_TITLES = (
    "og:title", "twitter:title", "dc.title", "headline", "sailthru.title", "parsely-title", "cxenseparse:title",
    "title", "rbtitle", "citation_title", "fb_title", "mrf:title",
)  # fmt: skip
_SECTIONS = (
    "article:section", "article:section_name", "og:article:section", "og:section", "section", "articlesection",
    "parsely-section", "mrf:sections", "cxenseparse:recs:category", "cxenseparse:category", "sailthru.verticals",
    "dc.subject", "category", "channel",
)  # fmt: skip
_AUTHORS = (
    "author", "authors", "article:author_name", "article:author", "og:author", "og:article:author", "dc.creator",
    "creator", "sailthru.author", "parsely-author", "cxenseparse:author", "mrf:authors", "byl", "rbauthors",
    "citation_author", "shareaholic:article_author_name", "branch:deeplink:authorname1", "dcsext.author",
)  # fmt: skip
_PUBLISHED = (
    "article:published_time", "og:article:published_time", "article:published", "og:published_time",
    "datepublished", "date.published", "dc.date.issued", "dc.issued", "dc.date.created", "dc.created", "dc.date",
    "dc.date.published", "parsely-pub-date", "sailthru.date", "publish-date", "publish_date", "published_at",
    "published", "publication_date", "publicationdate", "pubdate", "pub_date", "date_published",
    "article.published", "cxenseparse:recs:publishtime", "cxenseparse:publishtime", "mrf:published_time",
    "citation_publication_date", "citation_date", "rbpubdate", "datecreated", "article.created", "date",
    "creation_date", "originalpublicationdate", "search_date",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:article:modified_time", "article:modified", "og:modified_time", "og:updated_time",
    "datemodified", "dc.date.modified", "dc.modified", "last-modified", "revision_date", "lastmod", "updated_time",
    "article.updated", "cxenseparse:recs:modifiedtime", "date_modified", "utime",
)  # fmt: skip
# Names and descriptions that editing systems put where the author's name is wanted.
_LABELS = frozenset(
    ("written by", "by", "author", "autor", "escrito por", "geschrieben von", "verfasst von", "écrit par", "autore")
)
_TAG_LISTS = ("news_keywords", "keywords", "parsely-tags", "sailthru.tags")
MOST_TAGS = 100
_TIERS = {"free": False, "metered": True, "locked": True, "premium": True, "paid": True}


def title(facts: Facts) -> Found | None:
    """The title, without the newspaper's name after it."""
    own = facts.own_names
    for name in _TITLES:
        text = folded(facts.metas[name][0]) if name in facts.metas else ""
        bare = without_site_name(text, *own)
        if bare and bare not in own:
            return Found(bare, f"meta:{name}")
    return None


def section(facts: Facts) -> Found | None:
    """The section."""
    return _text(facts, *_SECTIONS)


def authors(facts: Facts) -> Found | None:
    """The authors, those of every tag of the name; profiles on other sites are no names."""
    return next(iter(_authors(facts)), None)


def persons(facts: Facts) -> Found | None:
    """The authors of the first tag that names people, or at least somebody else than the site."""
    own = {name.casefold() for name in facts.own_names}
    for found in _authors(facts):
        listed = [name for name in found.value if name.casefold() not in own]
        named = tuple(name for name in listed if is_name(name))
        if named:
            return Found(named, found.origin)
    return None


def _authors(facts: Facts) -> Iterator[Found]:
    for name in _AUTHORS:
        chosen = _people(facts.metas.get(name, ()))
        if chosen:
            yield Found(chosen, f"meta:{name}")
    # Twitter's cards have pairs of a label and what it is about.
    for number in ("1", "2"):
        label = facts.meta(f"twitter:label{number}")
        if label and label[1].strip().casefold() in _LABELS:
            chosen = _people(facts.metas.get(f"twitter:data{number}", ()))
            if chosen:
                yield Found(chosen, f"meta:twitter:data{number}")


def _people(contents: Sequence[str]) -> tuple[str, ...]:
    texts = (text for text in contents[:MOST_TAGS] if not text.startswith(("http", "www.", "@", "/", "{")))
    return tuple(dict.fromkeys(name for text in texts for name in people(text)))


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
    found = facts.meta("og:locale", "content-language", "language", "dc.language", "inlanguage")
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
            found = facts.dated(text, f"meta:{name}")
            if found:
                return found
    return None
