"""What one key alone cannot show: whether the keys of a source, a rule and a site make sense together."""

from __future__ import annotations

from collections.abc import Iterator

from corpusbot.sites.errors import MisfitError, Problem
from corpusbot.sites.kinds import Reading, Record
from corpusbot.sites.stylesheets import check_stylesheet

KINDS = ("css", "xpath", "jsonld", "meta", "tag", "xslt")
ELEMENTS = ("css", "xpath", "tag")
GOES_WITH = {
    "attribute": ("tag",),
    "closed": ("tag",),
    "get": ELEMENTS,
    "without": (*ELEMENTS, "xslt"),
}
INDEX_KEYS = ("indexes", "feeds", "sitemaps")


def check_source(record: Record, at: Reading) -> None:
    """A source has one kind, and only the modifiers that go with it."""
    kinds = [kind for kind in KINDS if kind in record.lines]
    if len(kinds) != 1:
        given = f"it has {' and '.join(kinds)}" if kinds else "it has none"
        at.problem(record.where.line, f"a source has exactly one of {', '.join(KINDS)}; {given}")
        return
    for key, fitting in GOES_WITH.items():
        if key in record.lines and kinds[0] not in fitting:
            at.problem(record.lines[key], f"'{key}' goes with {', '.join(fitting)}, not with {kinds[0]}")
    if "value" in record.lines and "attribute" not in record.lines:
        at.problem(record.lines["value"], "'value' is the value of an 'attribute', which is missing")
    _check_stylesheet(record, at)


def check_translate(record: Record, at: Reading) -> None:
    """A rule is a source and names its section, unless a style sheet does."""
    check_source(record, at)
    if "to" not in record.lines and "xslt" not in record.lines:
        at.under("").problem(record.where.line, "this translate rule has no 'to': The section that the text goes to.")


def _check_stylesheet(record: Record, at: Reading) -> None:
    """The style sheet is there and can be used."""
    name = record.get("xslt", str)
    if name is None:
        return
    try:
        check_stylesheet(at.folder, name)
    except MisfitError as misfit:
        at.problem(record.lines["xslt"], f"xslt: {misfit}")


def check_site(record: Record, at: Reading) -> None:
    """A site has somewhere to begin; its indexes, link patterns and versions can be told apart."""
    if not any(key in record.lines for key in (*INDEX_KEYS, "home")):
        at.problem(record.where.line, "nothing to fetch. A site has 'indexes', 'feeds', 'sitemaps' or a 'home'")
    _check_twice(indexes_of(record), "name", "two indexes are named", at)
    _check_addresses(indexes_of(record), at)
    for index in (*indexes_of(record), record):
        _check_twice(index.all("links", Record), "name", "two link patterns are named", at)
        _check_twice(index.all("links", Record), "match", "two link patterns match", at)
    _check_twice(record.all("versions", Record), "valid_until", "two versions are valid until", at)


def indexes_of(record: Record) -> tuple[Record, ...]:
    """The index pages, feeds and sitemaps of a site."""
    return tuple(index for key in INDEX_KEYS for index in record.all(key, Record))


def _check_addresses(indexes: tuple[Record, ...], at: Reading) -> None:
    """Notes an address that is given again, for the same section and without a name that tells them apart."""
    seen: dict[object, int] = {}
    for index in indexes:
        about = (index.get("url", str), index.get("section", str))
        if index.get("name", str) or about[0] is None:
            continue
        if about in seen:
            text = f"the address {about[0]} is that of line {seen[about]} again. Join their links, or give them names"
            at.problem(index.lines["url"], text)
        seen.setdefault(about, index.lines["url"])


def _check_twice(records: tuple[Record, ...], key: str, what: str, at: Reading) -> None:
    """Notes every record whose value was another's before."""
    seen: dict[object, int] = {}
    for record in records:
        value = record.values.get(key)
        if value is not None and value in seen:
            at.problem(record.lines[key], f"{what} '{value}', the first on line {seen[value]}")
        elif value is not None:
            seen[value] = record.lines[key]


def linkless(site: Record, has_inherited: bool) -> Iterator[Problem]:
    """The index pages on which no link could be an article: neither they nor their site have patterns."""
    for index in site.all("indexes", Record):
        wants_links = index.get("follow", bool) is not False and not index.get("extract", bool)
        if wants_links and "links" not in index.lines and not has_inherited:
            text = "no link on this index page would be an article. Add 'links' to it or to the site"
            yield Problem(index.where.file, index.where.line, text)
