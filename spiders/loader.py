"""Makes a spider class of every site file, when it is asked for and not before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from corpusbot.sites import SiteConfig, SiteError, UnknownSiteError, load_site, site_names, sites_that_mention
from spiders.links import of_site, site_hosts
from spiders.site import SiteSpider

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.settings import BaseSettings


class SiteLoader:
    """Scrapy's spider loader over the folders of site files."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> SiteLoader:
        """The loader, as Scrapy asks for it."""
        return cls(settings["CORPUSBOT_DATA"])

    def __init__(self, data: str) -> None:
        self._data = data

    def list(self) -> list[str]:
        """The newspapers' names; no site file is opened for it."""
        return site_names()

    def load(self, spider_name: str) -> type[Spider]:
        """The spider class of a newspaper."""
        try:
            return spider_class(load_site(spider_name), self._data)
        except UnknownSiteError as error:
            # Scrapy's own commands know an unknown name by this error.
            raise KeyError(f"{error} `scrapy list` shows those there are.") from None

    def find_by_request(self, request: Request) -> list[str]:  # type: ignore[valid-type]
        """The newspapers that have the request's host; broken site files are passed over."""
        host = urlsplit(request.url).netloc.lower()
        return [name for name in sites_that_mention(_core(host)) if _has_host(name, request.url)]


def spider_class(site: SiteConfig, data: str) -> type[SiteSpider]:
    """A spider class for one newspaper: its name, its target files and its few own settings."""
    attributes: dict[str, Any] = {
        "name": site.id,
        "site": site,
        "custom_settings": {**dict(site.settings), "FEEDS": feeds(site, data)},
    }
    return type(f"{site.id.title()}Spider", (SiteSpider,), attributes)


def feeds(site: SiteConfig, data: str) -> dict[str, dict[str, Any]]:
    """Scrapy's FEEDS for the target of a site file."""
    target = site.target
    path = f"{data}/{target.path}/{target.file}"
    return {path: {"format": target.format, "overwrite": not target.append}}


def _core(host: str) -> str:
    """What any file that has the host must hold: of 2,000 files only those are parsed that do."""
    name = host.partition(":")[0]
    return host if name.replace(".", "").isdigit() else ".".join(name.split(".")[-2:])


def _has_host(name: str, url: str) -> bool:
    try:
        site = load_site(name)
    except (SiteError, OSError):
        return False
    return any(of_site([url], site_hosts([site.home, *(index.url for index in site.indexes)])))
