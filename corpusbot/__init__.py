"""corpusbot turns newspapers on the Web into clean, homogeneous, duplicate-free corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corpusbot.dedup.discovery import Pair
    from corpusbot.dedup.simhash import Features
    from corpusbot.extractors.gist.choice import Preference
    from corpusbot.model import Article

__all__ = ["__version__", "extract", "near_duplicates", "simhash"]

__version__ = "0.1.0"


def extract(html: str | bytes, url: str | None = None, prefer: Preference = "balanced") -> Article:
    """The article of a web page: its text, what is known about it, and what found each part.

    `html` is the page as text or as bytes, whose encoding is found out; `url` is where it came from, for the links
    and dates that lean on it. `prefer` is "precision" for less that does not belong, "recall" for less that is
    missing. Nothing is fetched, and nothing is raised whatever the page is like: a page without text gives an
    article whose text is empty, whose confidence is 0.0 and whose kind tells why.

    >>> article = extract("<title>Snow</title><p>It snowed all night, and the roads are closed.</p>")
    >>> article.title
    'Snow'
    >>> article.text
    'It snowed all night, and the roads are closed.'
    >>> extract(b"").kind.reason
    'empty_page: no bytes'
    """
    from corpusbot.library import extract as read  # so that `import corpusbot` takes no time

    return read(html, url, prefer)


def near_duplicates(documents: Iterable[tuple[str, str, str]], containment: float = 0.5) -> Iterator[Pair]:
    """The pairs of duplicates among documents, each given as its id, its text and its source.

    Two are near-duplicates if so great a share of the shorter text's runs of five words is in the other; what recurs
    in a source, such as its menus, is left out. A pair has the ids `one` and `other`, a `similarity` and a `kind`,
    `exact` or `near`. The order of the documents does not matter.

    >>> text = "It snowed all night, and the roads to the valley are closed to all but the snow ploughs."
    >>> [pair.kind for pair in near_duplicates([("a", text, "paper"), ("b", text.upper(), "post")])]
    ['exact']
    """
    from corpusbot.dedup.discovery import near_duplicates as found

    return found(documents, containment)


def simhash(text: str, bits: int = 64, features: int | Features | None = None) -> int:
    """A number of so many bits; those of texts that share most of their words differ in few bits.

    What counts are the longer words and the pairs of words, unless `features` says otherwise: a number of words, whose
    runs count then, or a function that is given the text and gives its features, repeated or with their weights.

    >>> (simhash("one two three four five six") ^ simhash("One, two, three: four five six!")).bit_count()
    0
    """
    from corpusbot.dedup.simhash import simhash as hashed

    return hashed(text, bits, features)
