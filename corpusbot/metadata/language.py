"""The language of a page: the one that it says, unless its text is plainly in another one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from types import MappingProxyType

from lxml import etree

from corpusbot.metadata.facts import Facts
from corpusbot.metadata.findings import Found
from corpusbot.metadata.language_words import SCRIPTS, WORDS

# How much of the text is looked at; pieces shorter than a line are menus and notices.
LONGEST = 2_000
LEAST_PIECE = 80
LEAST_TEXT = 300
LEAST_WORDS = 50
# Tuned on the newspapers and evaldata sets of bench/eval_metadata.py: what the text must show to be believed.
LEAST_SHARE = 0.12
LEAST_LEAD = 1.5
# What a page says of itself stands until its text speaks twice as much for another language.
LEAD_OVER_SAID = 2.0
# As many of its small words as no other language has by chance, near kin among them.
ENOUGH = 0.28
# Languages that say with endings what others say with small words have fewer of these.
_LEAST_SHARES = {"eu": 0.08, "fi": 0.08, "hu": 0.1, "tr": 0.06, "xh": 0.05, "zu": 0.05}

_LONG = etree.XPath(
    "//text()[string-length(.) >= $least"
    " and not(parent::script or parent::style or parent::title or parent::noscript)]",
    smart_strings=False,
)
_CODE = re.compile(r"([a-zA-Z]{2,3})(?:[-_]([a-zA-Z]{4}))?(?:[-_]([a-zA-Z]{2}|\d{3}))?(?:[-_.@].*)?")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_BY_WORD = MappingProxyType(
    {word: tuple(code for code, own in WORDS.items() if word in own) for own in WORDS.values() for word in own}
)
# Written languages that are one for this purpose, or whose codes are.
_SAME = {"nb": "no", "nn": "no", "fil": "tl", "iw": "he", "in": "id"}


def language_code(text: str) -> str | None:
    """A language as `es` or `es-MX`; None if the text names none.

    >>> language_code("es_mx.UTF-8")
    'es-MX'
    """
    found = _CODE.fullmatch(text.strip())
    if not found or found[1].lower() in ("und", "mul", "zxx"):
        return None
    script, region = (found[2] or "").title(), (found[3] or "").upper()
    return "-".join(filter(None, (found[1].lower(), script, region)))


def html_language(facts: Facts) -> Found | None:
    """The `lang` of the page's HTML tag."""
    root = facts.tree
    for key in ("lang", "xml:lang"):
        code = language_code(root.get(key) or "")
        if code:
            return Found(code, f"html:{key}")
    return None


def text_language(facts: Facts) -> Found | None:
    """The language that the text is written in, if its commonest words or its script tell."""
    code = language_of(_text(facts))
    return Found(code, "text") if code else None


def coded(found: Found | None) -> Found | None:
    """A language found somewhere else, if it is one."""
    code = language_code(found.value) if found else None
    return Found(code, found.origin) if found and code else None


def checked(found: Found | None, facts: Facts) -> Found | None:
    """A language that a page says it is in, or the one that its text is in where that is plainly another."""
    if found is None or found.origin == "text":
        return found
    said = _primary(found.value)
    real = language_of(_text(facts), said)
    return found if real is None or real == said else Found(real, f"text ({found.origin} says {found.value})")


def language_of(text: str, said: str | None = None) -> str | None:
    """The language of a text; None if it is too short to tell, or speaks for no other than the one `said`.

    >>> language_of("Os veciños da vila non saben aínda o que vai pasar coa auga, e xa levan unha semana así. " * 4)
    'gl'
    """
    by_script = _language_of_script(text, said)
    if by_script:
        return by_script
    words = _WORD.findall(text.lower())
    if len(words) < LEAST_WORDS:
        return None
    if said is not None and said in WORDS and sum(word in WORDS[said] for word in words) >= ENOUGH * len(words):
        return said
    if said is not None and said not in WORDS:
        return None  # nothing is known of the language said, so that nothing speaks against it
    weights = _weights(words)
    best = max(weights, key=lambda code: weights[code], default=None)
    if best is None:
        return None
    share = sum(word in WORDS[best] for word in words) / len(words)
    if share < _LEAST_SHARES.get(best, LEAST_SHARE):
        return None
    if said is not None:
        return best if weights[best] >= LEAD_OVER_SAID * weights[said] else None
    rival = max((weight for code, weight in weights.items() if code != best), default=0.0)
    return best if weights[best] >= LEAST_LEAD * rival else None


def _weights(words: Iterable[str]) -> dict[str, float]:
    """How much a text's small words speak for each language; a word that several have speaks for each a little."""
    weights: dict[str, float] = defaultdict(float)
    for word in words:
        codes = _BY_WORD.get(word, ())
        for code in codes:
            weights[code] += 1 / len(codes)
    return weights


def _language_of_script(text: str, said: str | None) -> str | None:
    """The language of a script of its own; where several are written in it, the one said is believed."""
    for code, (letters, others) in SCRIPTS.items():
        found = letters.findall(text)
        if len(found) > len(text) * 0.2:
            return said if said in others else code
    return None


def _primary(code: str) -> str:
    primary = code.split("-")[0].lower()
    return _SAME.get(primary, primary)


def _text(facts: Facts) -> str:
    """The beginning of the page's running text: pieces of some length, those of paragraphs if they are enough."""
    # Only where paragraphs are not tagged as such all that the page holds is gone through, which takes longer.
    return _long_pieces(element.text for element in facts.tree.iter("p")) or _long_pieces(
        _LONG(facts.tree, least=LEAST_PIECE)
    )


def _long_pieces(pieces: Iterable[str | None]) -> str:
    """The first long ones of some pieces of text; nothing if they are too few to tell a language."""
    found: list[str] = []
    length = 0
    for piece in pieces:
        if not piece or len(piece) < LEAST_PIECE:
            continue
        text = piece[:LONGEST]
        # Pieces of the page's own code are long as well; they hold few spaces, or braces.
        if (text.count(" ") * 12 >= len(text) and "{" not in text) or not text.isascii():
            found.append(text)
            length += len(text)
        if length >= LONGEST:
            break
    return " ".join(found) if length >= LEAST_TEXT else ""
