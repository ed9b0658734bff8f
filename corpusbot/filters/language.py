"""Drops articles in other languages than those wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpusbot.filters.stopwords import language_of
from corpusbot.model import Article, Drop

if TYPE_CHECKING:
    from corpusbot.sites import SiteConfig


@dataclass(frozen=True, slots=True)
class Options:
    """The languages wanted, as `es` or `es-MX`; none: the one that the site's articles are written in."""

    only: tuple[str, ...] = ()


def for_site(options: Options, site: SiteConfig) -> Options:
    """The options with the site's language where none is given."""
    return options if options.only or not site.language else replace(options, only=(site.language,))


def rejection(article: Article, options: Options) -> Drop | None:
    """A drop if the words are in another language, or, where they do not tell, the page says that it is."""
    wanted = {_primary(code) for code in options.only}
    # Templates often declare one language for all that they print, so the words have the say.
    found, by = language_of(article.text), "by its words"
    if found is None and article.language:
        found, by = _primary(article.language), "as its page says"
    if not wanted or found is None or found in wanted:
        return None
    return Drop("wrong_language", f"{found} {by}, {' or '.join(sorted(wanted))} wanted")


def _primary(code: str) -> str:
    """`es` of es-MX and es_ES."""
    return code.strip().lower().replace("_", "-").partition("-")[0]
