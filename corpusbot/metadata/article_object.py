"""The JSON-LD object that is about the page's own article, among all that a page has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from corpusbot.dom.jsonld import JsonObject

_LIKE_ARTICLES = frozenset(("Report", "Review", "ClaimReview", "Interview", "Recipe", "VideoObject", "CreativeWork"))


def article_object(objects: Iterable[JsonObject], url: str = "") -> JsonObject | None:
    """The article's object, what it refers to by @id put in its place; None if the page has none."""
    objects = tuple(objects)
    candidates = [item for item in _with_main_entities(objects) if _rank(item, url)]
    if not candidates:
        return None
    best = max(candidates, key=lambda item: _rank(item, url))  # of equals, the first
    merged: dict[str, object] = {}
    # Some pages tell of one article in two objects, say one with the authors and one with the text.
    for item in candidates:
        if item is not best and item.get("headline") == best.get("headline") is not None:
            merged |= item
    return _resolved({**merged, **best}, objects)


def types_of(item: JsonObject) -> tuple[str, ...]:
    """The types of an object, without the address of their vocabulary."""
    kinds = item.get("@type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    return tuple(kind.rsplit("/", 1)[-1].rsplit(":", 1)[-1] for kind in listed if isinstance(kind, str))


def _with_main_entities(objects: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """The objects, each followed by what it says that it is mainly about."""
    for item in objects:
        yield item
        main = item.get("mainEntity")
        if isinstance(main, dict):
            yield main


def _rank(item: JsonObject, url: str) -> tuple[int, ...]:
    """How much an object looks like that of the page's article; nothing if it is none."""
    kinds = types_of(item)
    is_article = any(kind.endswith(("Article", "Posting")) for kind in kinds)
    if not is_article and not any(kind in _LIKE_ARTICLES for kind in kinds):
        return ()
    return (
        is_article,
        bool(item.get("headline")),
        _is_about(item, url),
        bool(item.get("articleBody")),
        bool(item.get("datePublished")),
    )


def _is_about(item: JsonObject, url: str) -> bool:
    """Whether one of the object's addresses is the page's."""
    page = item.get("mainEntityOfPage")
    main = page.get("@id") or page.get("url") if isinstance(page, dict) else page
    wanted = _path(url)
    return any(isinstance(link, str) and _path(link) == wanted for link in (item.get("url"), main, item.get("@id")))


def _path(url: str) -> str:
    """The path of an address, by which two spellings of it are known to be one."""
    try:
        return urlsplit(url).path.rstrip("/")
    except ValueError:
        return url


def _resolved(item: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """The object with its references replaced by what they refer to."""
    known = {key: other for other in objects if isinstance(key := other.get("@id"), str)}

    def there(value: object) -> object:
        if isinstance(value, dict) and isinstance(key := value.get("@id"), str) and key in known:
            return {**known[key], **value}
        return value

    return {
        name: [there(part) for part in value] if isinstance(value, list) else there(value)
        for name, value in item.items()
    }
