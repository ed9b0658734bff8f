"""Real pages with the kind that each is known to be of: to learn from, and to measure by."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tldextract import TLDExtract

from bench.extraction_sets import SETS, SITE, Sample, page_of, samples
from bench.site_gold import gold_pages
from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors import gist
from corpusbot.extractors.kinds.signs import Signs, signs_of
from corpusbot.model import Body, Drop, Page

# What the types of wcxb come to.
EXPECTED = {"article": "article", "listing": "collection", "collection": "collection"}
# The set evaldata is taken for articles, but for these, which are something else by eye.
OTHERS = frozenset(
    (
        "2gewinnt.wordpress.com.uns", "chip.de.bestcrypt", "coopbuddy.de.bee", "creativecommons.org",
        "d43f330cbaf74e92b9aec85e937cb904", "docs.docker.com.install", "fairkom.eu.about", "gelbe-liste.de-chininum",
        "jodel.com.advertising", "journals.univie.ac.at.submissions", "lavazza.de.qualita",
        "mesopinions.com.mutilation", "mueritzurlauber.de.blockhaus", "netbits.us.stunnel_rsync",
        "pocketpc.ch.auslieferung", "rueda.wikidot.com.enchufla", "sass-ag.de.index", "sibenlab.blogspot.com.privacy",
        "theinsidersnet.com-wellaflex", "uk.trustpilot.com.reviews", "viehbacher.com.steuerrecht",
        "villacc.de.galaxy", "wiki.piratenpartei.de.stammtisch", "wiki.python.org.Download",
        "wolfsrebellen-netz.forumieren.com.regeln", "zooroyal.de.trixie",
    )
)  # fmt: skip
FRONT_PAGES = {"cnn/front-page.html.gz": "https://edition.cnn.com/"}


@dataclass(frozen=True, slots=True)
class KindPage:
    """A page, the set it is of, the part of the cross-validation it is held back in, its kind, and its signs."""

    collection: str
    id: str
    url: str
    fold: int
    kind: str
    text: str
    signs: Signs


def kind_pages(data: Path, limit: int | None = None) -> Iterator[KindPage]:
    """All pages: of the extraction sets, of newspapers by name, and some front pages."""
    for sample in (*samples(data, SETS, limit), *_by_newspaper(data / "sites")):
        signs = _signs(page_of(sample))
        if signs:
            yield KindPage(
                sample.collection, sample.id, sample.url, sample.fold, _expected(sample), sample.text or "", signs
            )


def _by_newspaper(folder: Path) -> Iterator[Sample]:
    """The pages of newspapers by name, articles and front pages."""
    registered = TLDExtract(suffix_list_urls=(), cache_dir=None)
    pages = [(f"{page.site}/{page.name}", page.gold.url, page.body, "article") for page in gold_pages(folder)]
    for name, url in FRONT_PAGES.items():
        if (folder / name).exists():
            pages.append((name, url, gzip.decompress((folder / name).read_bytes()), "listing"))
    for name, url, html, kind in pages:
        domain = registered(url).top_domain_under_public_suffix
        yield Sample("sites", name, url, domain, html, None, (), (), kind, None)


def _signs(page: Page) -> Signs | None:
    """The signs of a page, its body as gist finds it; None if it cannot be read."""
    clean = clean_page(page, SITE)
    if isinstance(clean, Drop):
        return None
    found = gist.extract(clean, SITE)
    return signs_of(clean, found.body if found else ())


def _expected(sample: Sample) -> str:
    if sample.collection == "evaldata":
        return "other" if sample.id in OTHERS else "article"
    return EXPECTED.get(sample.page_type, "other")


def without_head(signs: Signs) -> Signs:
    """The page as if nothing but its text were known: no META tags, no JSON-LD, no address."""
    clean = replace(signs.clean, jsonld=(), page=replace(signs.clean.page, url=""))
    return replace(signs, clean=clean, metas={}, types=frozenset(), named=())


def plain_page(page: KindPage, paragraphs: int) -> Signs | None:
    """An article as the plainest page there is: its title and the first paragraphs of its gold."""
    kept = [line for line in page.text.split("\n") if line.strip()][:paragraphs]
    if not kept:
        return None
    title = page.signs.title or kept[0][:60]
    markup = f"<title>{_escaped(title)}</title><h1>{_escaped(title)}</h1>" + "".join(f"<p>{_escaped(p)}" for p in kept)
    return _signs(replace(page.signs.clean.page, body=Body(markup.encode()), headers=()))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
