"""What regions are called, as roles: comments, captions, what else there is to read, and so on.

The lexicon knows how much a word speaks for content in general; but comments are content of a forum and not of an
article. With the role as such, the model can tell one from the other by the rest of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
# Words of class names and the like, in the languages of the pages that the model learns from.
ROLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        role: frozenset(words.split())
        for role, words in {
            "comments": "comment comments reply replies respond disqus kommentar kommentare comentario comentarios"
            " commentaire commentaires commento commenti",
            "forum": "forum thread topic discussion message messages answer answers question posts",
            "caption": "caption captions credit credits figcaption legend copyright bildunterschrift pie legende"
            " didascalia",
            "media": "image images img photo photos gallery slider carousel slideshow video player media picture figure"
            " lightbox",
            "related": "related recommended recommendations recommend more teaser teasers promo popular trending latest"
            " next also recirc similar suggested outbrain taboola read relacionadas relacionados mehr",
            "aside": "sidebar aside widget rail secondary side",
            "author": "author authors byline bio profile contributor autor auteur autore",
            "consent": "cookie cookies consent gdpr privacy modal popup overlay dialog",
            "menu": "nav menu navbar navigation breadcrumb breadcrumbs footer header topbar toolbar",
            "tags": "tag tags category categories topics keywords label labels",
            "text": "body content text entry story richtext rich prose paragraph wysiwyg",
            "lead": "lead dek standfirst subtitle subheadline intro summary excerpt abstract deck description",
            "product": "product products price cart sku shop specs spec",
            "reviews": "review reviews rating ratings feedback testimonial testimonials",
            "list": "item items list grid card cards tile tiles",
        }.items()
    }
)
# How much of a page's text is in these tells what page it is.
OF_PAGE = ("comments", "forum", "product", "reviews", "related", "list")
# A region that holds more of a page's runs is the page itself: what it is called says nothing of the runs.
WIDEST = 0.7
_BIT: Mapping[str, int] = MappingProxyType(
    {word: 1 << place for place, words in enumerate(ROLES.values()) for word in words}
)
_BITS = np.array([1 << place for place in range(len(ROLES))])[:, None]
_PLACES = [list(ROLES).index(role) for role in OF_PAGE]
NAMES = (*(f"as_{role}" for role in ROLES), *(f"as_{role}_of_page" for role in OF_PAGE))


def roles_in(words: Iterable[str]) -> int:
    """The roles that some words name, as bits."""
    found = 0
    for word in words:
        found |= _BIT.get(word, 0)
    return found


def by_role(bits: NDArray[np.int64], good: Floats) -> dict[str, Floats]:
    """Whether each run is in a region of each role, and the share of the page's good text that is in such."""
    own = (bits & _BITS > 0).astype(np.float32)
    shares = own[_PLACES] @ good / max(float(good.sum()), 1.0)
    of_page = np.repeat(shares.astype(np.float32)[:, None], len(good), axis=1)
    return dict(zip(NAMES, (*own, *of_page), strict=True))


def is_role(bits: NDArray[np.int64], role: str) -> NDArray[np.bool_]:
    """Which of the bits have a role."""
    return (bits >> list(ROLES).index(role)) & 1 > 0
