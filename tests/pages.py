"""Pages and sites for the tests, made of a few words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corpusbot.dom.cleanup import clean_page
from corpusbot.model import Body, CleanPage, Page, Place
from corpusbot.sites import SiteConfig, Target, load_site_file
from corpusbot.sites.frozenmap import FrozenMap

FETCHED = datetime(2024, 5, 10, 12, tzinfo=UTC)
NOWHERE = Place()
ADDRESS = "https://muestra.example/pais/2024-05-09/una-noticia.html"


def page_of(body: bytes | str, url: str = ADDRESS, place: Place = NOWHERE, **more: Any) -> Page:
    """A page with this body."""
    return Page("muestra", url, Body(body if isinstance(body, bytes) else body.encode()), FETCHED, place=place, **more)


def plain_site(**more: Any) -> SiteConfig:
    """A site without rules."""
    known = {"id": "muestra", "name": "La Muestra", "home": "https://muestra.example/", "digest": "0"}
    if "extractors" in more:
        more["extractors"] = tuple((name, FrozenMap()) for name in more["extractors"])
    return SiteConfig(**{**known, "target": Target("muestra", "muestra.jsonl"), **more})


def site_from(folder: Path, text: str, corpus: str = "") -> SiteConfig:
    """The site of a file with this text, under a corpus file with that text."""
    (folder / "muestra.yaml").write_text("name: La Muestra\nhome: https://muestra.example/\n" + text, encoding="utf-8")
    (folder / "_corpus.yaml").write_text(corpus, encoding="utf-8")
    return load_site_file(folder / "muestra.yaml", folder / "_corpus.yaml")


def cleaned(html: bytes | str, site: SiteConfig | None = None, **more: Any) -> CleanPage:
    """A page of these characters, cleaned."""
    clean = clean_page(page_of(html, **more), site or plain_site())
    assert isinstance(clean, CleanPage)
    return clean
