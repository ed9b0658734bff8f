"""corpusbot turns newspapers on the Web into clean, homogeneous, duplicate-free corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpusbot.extractors.gist.choice import Preference
    from corpusbot.model import Article

__all__ = ["__version__", "extract"]

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
