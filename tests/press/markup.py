"""Plain text written as a newspaper's editor leaves it: entities, soft hyphens, inline tags, odd spaces."""

import random
import unicodedata
from html import escape
from html.entities import codepoint2name
from itertools import pairwise

from tests.press.stories import Paragraph

_INLINE = (
    ("<b>", "</b>"),
    ("<strong>", "</strong>"),
    ("<em>", "</em>"),
    ("<i>", "</i>"),
    ('<a href="/buscar?q=enlace" class="enlace">', "</a>"),
    ('<a href="https://enlaces.example/nota?ref=press&amp;id=7" rel="nofollow">', "</a>"),
    ('<span class="hl">', "</span>"),
)


def body_markup(paragraphs: tuple[Paragraph, ...], dice: random.Random) -> list[str]:
    """The markup of each piece of a body; a list is one piece."""
    pieces: list[str] = []
    items: list[str] = []
    for paragraph in paragraphs:
        if paragraph.kind == "item":
            items.append(f"<li>{text_markup(paragraph.text, dice)}</li>")
            continue
        if items:
            pieces.append("<ul>" + "\n".join(items) + "</ul>")
            items = []
        pieces.append(_piece(paragraph, dice))
    if items:
        pieces.append("<ul>" + "\n".join(items) + "</ul>")
    return pieces


def _piece(paragraph: Paragraph, dice: random.Random) -> str:
    """The markup of a paragraph, a subhead or a quotation."""
    inner = text_markup(paragraph.text, dice)
    if paragraph.kind == "h2":
        return f"<h2>{inner}</h2>"
    if paragraph.kind == "quote":
        return f"<blockquote><p>{inner}</p></blockquote>"
    return f"<p>{inner}</p>"


def text_markup(text: str, dice: random.Random) -> str:
    """Text with inline tags around some words; without its tags it reads the same."""
    words = [_word_markup(word, dice) for word in text.split(" ")]
    if len(words) > 8 and dice.random() < 0.6:
        start = dice.randrange(1, len(words) - 4)
        opening, closing = _INLINE[dice.randrange(len(_INLINE))]
        words[start] = opening + words[start]
        end = start + dice.randrange(1, 4)
        words[end] = words[end] + closing
    return _spaced(words, dice)


def _word_markup(word: str, dice: random.Random) -> str:
    """One word, at times with entities, a soft hyphen or decomposed accents."""
    chance = dice.random()
    if chance < 0.1 and len(word) > 9 and word.isalpha():
        middle = len(word) // 2
        return word[:middle] + ("&shy;" if chance < 0.05 else "\u00ad") + word[middle:]
    if word.isascii():
        return escape(word, quote=False)
    if chance < 0.25:
        return "".join(_entity(character, chance) for character in word)
    if chance < 0.28:
        return unicodedata.normalize("NFD", word)
    return escape(word, quote=False)


def _entity(character: str, chance: float) -> str:
    """A character as a named or numbered entity; ASCII letters as they are."""
    if character.isascii():
        return escape(character, quote=False)
    name = codepoint2name.get(ord(character))
    if name and chance < 0.2:
        return f"&{name};"
    return f"&#{ord(character)};" if chance < 0.23 else f"&#x{ord(character):x};"


def _spaced(words: list[str], dice: random.Random) -> str:
    """The words joined by spaces: some of them unbreakable, some of them line breaks of the source."""
    pieces = [words[0]]
    for before, word in pairwise(words):
        pieces.append(_space(before, dice))
        pieces.append(word)
    return "".join(pieces)


def _space(before: str, dice: random.Random) -> str:
    """The space after a word: after numbers it may be unbreakable."""
    if before[-1:].isdigit() and dice.random() < 0.5:
        return "&nbsp;" if dice.random() < 0.5 else "\u00a0"
    return "\n        " if dice.random() < 0.05 else " "
