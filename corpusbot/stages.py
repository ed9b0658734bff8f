"""The small stages in the one form that workers run: `(item, site) -> result`."""

from __future__ import annotations

from dataclasses import dataclass

from corpusbot.dedup import plain_fingerprint
from corpusbot.model import Article, Drop, Fingerprint, Page
from corpusbot.normalise import normalised
from corpusbot.sites import SiteConfig, load_site
from corpusbot.store.warc import Record, Summary, record


def normalise(article: Article, site: SiteConfig) -> Article | Drop:
    """The article with its text made uniform, quotes as the site wants them."""
    uniform = normalised(article, site.quotes)
    return uniform if uniform.body else Drop("no_text", "nothing that can be seen")


def take_fingerprint(article: Article, site: SiteConfig) -> Fingerprint:
    """What the article's text is known again by."""
    # numba would save a fifth of a millisecond a page, and cost each worker a second or more to load.
    return plain_fingerprint(article.text)


@dataclass(frozen=True, slots=True)
class ToArchive:
    """A page, and what is stored of its address already."""

    page: Page
    before: tuple[Summary, ...] = ()

    @property
    def site(self) -> str:
        """The newspaper, by which a worker finds its site file."""
        return self.page.site


def archive_record(wanted: ToArchive, site: SiteConfig) -> Record:
    """The page's record for the archive."""
    return record(wanted.page, wanted.before)


class Shelf:
    """Site configurations, each read when it is first asked for."""

    def __init__(self) -> None:
        self._sites: dict[str, SiteConfig] = {}

    def __getitem__(self, name: str) -> SiteConfig:
        if name not in self._sites:
            self._sites[name] = load_site(name)
        return self._sites[name]
