"""One spelling of the same thing, whoever printed it: Unicode, spaces, quotes, breaks, names."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from html.entities import html5
from urllib.parse import urljoin, urlsplit, urlunsplit

from corpusbot.dom.accents import thinned
from corpusbot.model import Article, Block, Section

QUOTE_POLICIES = ("keep", "straight", "typographic")
LONGEST_REFERENCE = 33  # &CounterClockwiseContourIntegral; is the longest name in HTML

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SPACES = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Format characters that print something (Arabic number signs, flags spelt with tags) are not among these.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
# Arabic and its neighbours; Indic; Tibetan, Myanmar; Khmer; Mongolian; pictures, which joiners make into one.
_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1800-\u18af\u2600-\u27bf\ufe0f\U0001f1e6-\U0001faff"
_JOINER_RUN = re.compile("[\u200c\u200d]+")
_VIRAMA_BEFORE = re.compile(f"[{_VIRAMA}]")
_JOINED = re.compile(f"[{_JOINING}]")
_SPACE_RUN = re.compile(" {2,}")
_AROUND_LINE_END = re.compile(" ?\n ?")
_BLANK_LINES = re.compile("\n{3,}")
_BLANK_LINES_OF_BLOCK = re.compile("\n{2,}")
# The space stands first in these, so that the search runs from space to space.
_BEFORE_COMMA = re.compile(' (?=[,.](?:[\\s»”"]|$))(?<=[\\w)\\]»”"] )')
_BEFORE_MARK = re.compile(' (?=[;!?](?:[\\s»”"]|$))(?<=[\\w)\\]»”"] )')
# Between digits a colon with spaces is a score or a ratio.
_BEFORE_COLON = re.compile(" (?=:(?:\\s|$))(?<=[^\\W\\d_] )")
_SPACES_MARKS = frozenset({"fr", "br", "oc"})  # where « ; : ! ? » are printed with a space

_TYPOGRAPHIC = re.compile("(?<!\\S)« |[“”„‟«»]| »(?!\\w)|[‘’‚‛‹›]")
_SINGLE_MARKS = frozenset("‘’‚‛‹›")
_GUILLEMETS = (("«", "»"), ("“", "”"))
_PAIRS = {"de": (("„", "“"), ("‚", "‘"))} | dict.fromkeys(("es", "ca", "fr", "it", "pt"), _GUILLEMETS)
_ENGLISH_PAIRS = (("“", "”"), ("‘", "’"))

_BYLINE = {
    "en": re.compile(r"^by\s+", re.IGNORECASE),
    "es": re.compile(r"^por:?\s+", re.IGNORECASE),
    "pt": re.compile(r"^por:?\s+", re.IGNORECASE),
    "ca": re.compile(r"^per:?\s+", re.IGNORECASE),
    "fr": re.compile(r"^par:?\s+", re.IGNORECASE),
    "de": re.compile(r"^von:?\s+(?!der\b|dem\b)", re.IGNORECASE),
    "it": re.compile(r"^(?:a cura di|di:)\s+", re.IGNORECASE),
}
_ALWAYS_BYLINE = re.compile(r"^(?:written by|escrito por|[Bb]y|BY|[Pp]or|POR)[:\s]\s*(?=\S)")
_INITIALISMS = frozenset(
    (
        "EFE",
        "AFP",
        "AP",
        "DPA",
        "ANSA",
        "AGI",
        "BBC",
        "CNN",
        "ABC",
        "ACN",
        "EP",
        "UPI",
        "NBC",
        "CBS",
        "NPR",
        "DW",
    )
)
_PARTICLES = frozenset(
    (
        "de",
        "del",
        "la",
        "las",
        "los",
        "da",
        "das",
        "do",
        "dos",
        "di",
        "van",
        "von",
        "der",
        "den",
        "du",
        "y",
        "i",
        "e",
    )
)
_NEWSROOM = re.compile(
    r"(?:la )?redacci[oó]n(?: digital| web)?|staff(?: writer| reporter)?s?|news(?:room| desk)"
    r"|redazione|redaktion|la r[ée]daction|reda[cç][aã]o|redacci[oó]",
    re.IGNORECASE,
)


def normalised(article: Article, quotes: str = "keep") -> Article:
    """The article with each of its texts in one spelling, no block empty and none doubled by the layout."""
    language = article.language
    return replace(
        article,
        url=normalised_url(article.url),
        canonical_url=_canonical_url(article),
        title=_line_or_none(article.title, quotes, language),
        lead=normalised_text(article.lead, quotes, language) or None if article.lead else None,
        # A rule knows what its newspaper calls its authors: DER SPIEGEL is not shouting.
        authors=normalised_authors(article.authors, language, calm=not article.is_by_rule("authors")),
        section=_line_or_none(article.section, "keep", language),
        publisher=_line_or_none(article.publisher, "keep", language),
        language=_language(language),
        body=normalised_blocks(article.body, quotes, language),
        tags=_tags(article.tags),
        rights=tuple(filter(None, (normalised_text(text) for text in article.rights))),
        sections=tuple(
            Section(_line(section.name), normalised_text(section.text, quotes, language))
            for section in article.sections
        ),
    )


def normalised_text(text: str, quotes: str = "keep", language: str | None = None) -> str:
    """A text in composed Unicode, with one kind of space, its line ends kept and nothing invisible in it.

    >>> normalised_text("Cafe\\u0301\\u00a0 &amp;ldquo;AT&T&amp;rdquo; , a &lt b\\u200b")
    'Café “AT&T”, a &lt b'
    """
    code = _primary(language)
    spelt = _spelt(text, quotes, code)
    # What a reference stood for may complete another one, or be invisible itself.
    while spelt != text:
        text, spelt = spelt, _spelt(spelt, quotes, code)
    return spelt


def _spelt(text: str, quotes: str, language: str | None) -> str:
    """One pass of all that is done to a text."""
    text = _decoded(text) if "&" in text else text
    if not text.isprintable():
        text = _printable(text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", thinned(text))
    if "  " in text:
        text = _SPACE_RUN.sub(" ", text)
    text = text.strip(" \n")
    if "\n" in text:
        text = _BLANK_LINES.sub("\n\n", _AROUND_LINE_END.sub("\n", text))
    return _quoted(_without_gaps(text, language), quotes, language)


def _printable(text: str) -> str:
    """The text without what does not print, but for its line ends and the joiners that a script needs."""
    text = _SPACES.sub(" ", _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text)))
    return _JOINER_RUN.sub(_joiner, _LONE_SURROGATE.sub("\ufffd", text))


def _joiner(run: re.Match[str]) -> str:
    """One joiner where a script or a picture needs it, else none."""
    before, after = run.string[run.start() - 1 : run.start()], run.string[run.end() : run.end() + 1]
    needed = _VIRAMA_BEFORE.match(before) or (_JOINED.match(before) and _JOINED.match(after))
    return run[0][0] if needed else ""


def _decoded(text: str) -> str:
    """Character references become characters, also those that appear by this; other `&` stay as they are."""
    done: list[str] = []
    for piece in filter(None, re.split("(;)", text)):
        done.append(piece)
        while done[-1] == ";" and _reduced(done):
            pass
    return "".join(done)


def _reduced(done: list[str]) -> bool:
    """Whether the pieces ended in a reference, which is then replaced by its character."""
    tail, place = "", len(done) - 1
    while place and "&" not in tail and len(tail) < LONGEST_REFERENCE:
        place -= 1
        tail = done[place] + tail
    _, mark, name = tail.rpartition("&")
    character = _character(name) if mark else None
    if character is None:
        return False
    _drop_last(done, len(name) + 2)
    done.append(character)
    return True


def _drop_last(pieces: list[str], number: int) -> None:
    """Take so many characters from the end."""
    while number:
        piece = pieces.pop()
        if len(piece) > number:
            pieces.append(piece[:-number])
            return
        number -= len(piece)


def _character(name: str) -> str | None:
    """What `&name;` stands for; None if it is no correct reference."""
    if not name.startswith("#"):
        return html5.get(name + ";")
    if not re.fullmatch(r"#(?:[0-9]{1,9}|[xX][0-9a-fA-F]{1,8})", name, re.ASCII):
        return None
    character = html.unescape(f"&{name};")
    return None if character in ("", "\ufffd") else character


def _without_gaps(text: str, language: str | None) -> str:
    """The text without the spaces that markup leaves before punctuation; those that French prints stay."""
    if " ," in text or " ." in text:
        text = _BEFORE_COMMA.sub("", text)
    if language is None or language in _SPACES_MARKS:
        return text
    return _BEFORE_COLON.sub("", _BEFORE_MARK.sub("", text))


def _quoted(text: str, policy: str, language: str | None) -> str:
    """The text with its quotation marks as the site wants them."""
    if policy == "straight":
        return _TYPOGRAPHIC.sub(lambda found: "'" if found[0] in _SINGLE_MARKS else '"', text)
    if policy == "typographic" and ('"' in text or "'" in text):
        return "\n".join(_typographic(line, language) for line in text.split("\n"))
    return text


def _typographic(line: str, language: str | None) -> str:
    """Straight quotes that pair become the language's; an apostrophe becomes one, a mark of inches stays."""
    outer, inner = _PAIRS.get(language or "", _ENGLISH_PAIRS)
    marks = list(line)
    single = ("‚", "‘") if language == "de" else ("‘", "’")
    for opening, closing, depth in _straight_pairs(line, '"', outer):
        marks[opening], marks[closing] = inner if depth else outer
        if language == "fr" and not depth:
            marks[opening], marks[closing] = "« ", " »"
    for opening, closing, _ in _straight_pairs(line, "'", ()):
        marks[opening], marks[closing] = single
    return re.sub(r"(?<=[^\W\d_])'|(?<!\w)'(?=\w)", "’", "".join(marks))


def _straight_pairs(line: str, mark: str, outer: tuple[str, ...]) -> list[tuple[int, int, int]]:
    """Where quotes open and close, and how deep; those that find no partner are left out."""
    pairs: list[tuple[int, int, int]] = []
    open_at: list[int] = []
    depth = 0
    for place, character in enumerate(line):
        if character in outer:
            depth = depth + 1 if character == outer[0] else max(0, depth - 1)
        if character != mark:
            continue
        before, after = line[place - 1 : place], line[place + 1 : place + 2]
        if open_at and before and not before.isspace() and not _in_word(after):
            opening = open_at.pop()
            pairs.append((opening, place, depth + len(open_at)))
        elif not _in_word(before) and after and not after.isspace() and not (mark == "'" and after.isdigit()):
            open_at.append(place)
    return pairs


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def normalised_blocks(
    blocks: Iterable[Block], quotes: str = "keep", language: str | None = None
) -> tuple[Block, ...]:
    """The blocks that say something; one that repeats the block before it was doubled by the layout."""
    kept: list[Block] = []
    for block in blocks:
        text = normalised_text(block.text, quotes, language)
        if "\n\n" in text:
            text = _BLANK_LINES_OF_BLOCK.sub("\n", text)
        if text and (not kept or text != kept[-1].text):
            kept.append(block if text == block.text else replace(block, text=text))
    return tuple(kept)


def normalised_authors(names: Iterable[str], language: str | None = None, calm: bool = True) -> tuple[str, ...]:
    """Each author once, without "By"; addresses are no names, nor is the newsroom where somebody is named.

    `calm` writes a name that is all in capitals in the usual case.
    """
    found: dict[str, str] = {}
    for raw in names:
        name = _author(raw, language)
        name = _calmed(name) if calm else name
        found.setdefault(name.casefold(), name)
    people = [*filter(None, found.values())]
    named = [name for name in people if not _NEWSROOM.fullmatch(name)]
    return tuple(named or people)


def _author(raw: str, language: str | None) -> str:
    """One author's name as it is written."""
    own = _BYLINE.get(_primary(language) or "", _ALWAYS_BYLINE)
    name, before = _line(raw), ""
    while name != before:
        before = name
        name = _line(own.sub("", _ALWAYS_BYLINE.sub("", name.strip(" ,;|·"), count=1), count=1))
    if "@" in name.strip("@") or re.match(r"https?:|www\.", name):
        return ""
    return name


def _calmed(name: str) -> str:
    """A name that is not shouted."""
    words = name.split()
    shouted = name.isupper() and (len(words) > 1 or _NEWSROOM.fullmatch(name))
    return " ".join(_calm(word, place) for place, word in enumerate(words)) if shouted else name


def _calm(word: str, place: int) -> str:
    """A word of a name in capitals, in the usual case: GARCÍA-LORCA is García-Lorca, DE is de, EFE stays."""
    if word in _INITIALISMS or "." in word.rstrip("."):
        return word
    if place and word.lower() in _PARTICLES:
        return word.lower()
    return re.sub(r"[^\W\d_]+", lambda found: found[0].capitalize(), word)


def _tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, in its first spelling."""
    found: dict[str, str] = {}
    for raw in tags:
        tag = _line(raw).lstrip("# ")
        found.setdefault(tag.casefold(), tag)
    return tuple(filter(None, found.values()))


def normalised_url(url: str) -> str:
    """An address without fragment, its scheme and host in lower case; all else is the server's to read."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path, parts.query, ""))
    except ValueError:
        return url


def _canonical_url(article: Article) -> str | None:
    """The address a page gives itself; a front page that all pages of a site name is the address of none."""
    if not article.canonical_url:
        return None
    url = normalised_url(urljoin(article.url, article.canonical_url.strip()))
    if not url.startswith(("http://", "https://")):
        return None
    parts = urlsplit(url)
    return None if parts.path in ("", "/") and not parts.query else url


def _language(language: str | None) -> str | None:
    return language.strip().replace("_", "-") or None if language else None


def _primary(language: str | None) -> str | None:
    """The language of es-ES or es_MX, in lower case."""
    return re.split("[-_]", language.strip(), maxsplit=1)[0].lower() or None if language else None


def _line(text: str, quotes: str = "keep", language: str | None = None) -> str:
    """A text that stands on one line."""
    line = normalised_text(text, quotes, language)
    return normalised_text(re.sub("\n+", " ", line), quotes, language) if "\n" in line else line


def _line_or_none(text: str | None, quotes: str, language: str | None) -> str | None:
    return _line(text, quotes, language) or None if text else None
