"""One spelling of the same thing: characters, references, spaces, quotes, blocks and names."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.model import Article, Block, Section
from corpusbot.normalise import (
    _INVISIBLE,
    _JOINER_RUN,
    _LINE_ENDS,
    _LONE_SURROGATE,
    _SPACES,
    QUOTE_POLICIES,
    normalised,
    normalised_authors,
    normalised_text,
    normalised_url,
)

ARTICLE = Article(
    site="diario", url="https://diario.example/a", fetched_at=datetime(2024, 5, 1, tzinfo=UTC), language="es"
)

PIECES = [
    *" \n&;#,.:!?\"'«»“”‘’()[]nbsp5é",
    *("&amp;", "&nbsp;", "&#59;", "&#8217;", "&#x200b;", "amp;"),
    *("\u200b", "\u200c", "\u200d", "\xad", "\u0301", "\u0915", "\u094d", "\u0647", "\U0001f469"),
    *("\r", "\t", "\u037e", "\ud800", "\u0338", "<", "By ", "Por "),
]
AWKWARD = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
LANGUAGES = st.sampled_from([None, "es", "en-GB", "fr", "de"])


@settings(max_examples=400, deadline=None)
@given(st.one_of(AWKWARD, st.text()), st.sampled_from(QUOTE_POLICIES), LANGUAGES)
def test_normalising_twice_changes_nothing(text, quotes, language):
    """A normalised text is its own normal form, whatever stood in it."""
    once = normalised_text(text, quotes, language)
    assert normalised_text(once, quotes, language) == once


@given(st.lists(st.builds(Block, AWKWARD), max_size=5), st.lists(AWKWARD, max_size=4), AWKWARD, LANGUAGES)
def test_normalising_an_article_twice_changes_nothing(blocks, names, title, language):
    """The law holds for whole articles: title, authors, tags, blocks and sections."""
    raw = replace(ARTICLE, body=tuple(blocks), authors=tuple(names), tags=tuple(names), title=title)
    raw = replace(raw, sections=(Section("TITULO", title),), lead=title, language=language)
    once = normalised(raw, "typographic")
    assert normalised(once, "typographic") == once


@given(st.text())
def test_what_comes_out_can_be_written(text):
    """Lone surrogates, which JSON can smuggle in, would stop the writing of a file."""
    normalised_text(text + "\ud83d").encode("utf-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("uno\xa0dos\u2009tres\tcuatro  cinco", "uno dos tres cuatro cinco"),
        ("co\xadope\u200bra\u2060ción\ufeff \u202aBBC\u202c", "cooperación BBC"),
        ("cafe\u0301", "café"),
        ("bell\x07 null\x00", "bell null"),
        ("a\r\nb\u2028c\n\n\n\nd \n e", "a\nb\nc\n\nd\ne"),
    ],
)
def test_spaces_and_invisible_characters(text, expected):
    """Every space is one space; what cannot be seen is gone; line ends stay."""
    assert normalised_text(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tom &amp;amp; Jerry", "Tom & Jerry"),
        ("it&#8217;s &#x201c;so&#X201D;", "it’s “so”"),
        ("uno&nbsp;dos", "uno dos"),
        ("&amp;amp;amp;nbsp;a&amp;#233;", "aé"),
        ("50 &#128;", "50 €"),
    ],
)
def test_left_over_references_become_characters(text, expected):
    """References that were escaped twice are read until none is left."""
    assert normalised_text(text) == expected


@pytest.mark.parametrize(
    "text",
    ["AT&T", "a &lt b", "x?a=1&copy=2", "R&D; sí", "&nosuch;", "&#xd800;", "&#0;", "&#;", "&;", "&notit;"],
)
def test_an_ampersand_that_starts_no_reference_stays(text):
    """`&` is a character like others unless a correct reference begins there."""
    assert normalised_text(text) == text


def test_many_references_are_read_in_good_time():
    """References inside references cannot make the reading slow."""
    assert normalised_text("&amp;" * 50_000 + "amp;" * 50_000) == "&" * 50_000
    assert normalised_text("x" + ";" * 100_000).endswith(";")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("ന\u0d4d\u200d", "ന\u0d4d\u200d"),
        ("\U0001f469\u200d\U0001f467", "\U0001f469\u200d\U0001f467"),
        ("ca\u200dsa y \u200cperro", "casa y perro"),
        ("می\u200c\u200c خ", "می خ"),
    ],
)
def test_joiners_stay_where_their_script_needs_them(text, expected):
    """Persian, Indic scripts and families of emoji keep their joiners; Latin words have none."""
    assert normalised_text(text) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("es", "Madrid , dijo . ¿Sí ? No ! Aquí : esto", "Madrid, dijo. ¿Sí? No! Aquí: esto"),
        ("fr", "Paris , dit-il . Quoi ? Non ! Ici : cela ;", "Paris, dit-il. Quoi ? Non ! Ici : cela ;"),
        (None, "Quoi ? Paris , oui", "Quoi ? Paris, oui"),
        ("en", "from .NET to .5 and ... on :) 3 : 2", "from .NET to .5 and ... on :) 3 : 2"),
    ],
)
def test_spaces_that_markup_leaves_before_punctuation(language, text, expected):
    """They go, but not where French prints them, nor where the dot begins a word."""
    assert normalised_text(text, language=language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("es", 'Dijo "que \'sí\' y "no" quiere"', "Dijo «que ‘sí’ y “no” quiere»"),
        ("es", 'Un «viejo "amigo" suyo»', "Un «viejo “amigo” suyo»"),
        ("en", "He said \"it's 'fine'\" in the '90s", "He said “it’s ‘fine’” in the ’90s"),
        ("en", "the dogs' bed, 5' 10\"", "the dogs’ bed, 5' 10\""),
        ("fr", '"Oui", dit-il d\'abord', "« Oui », dit-il d’abord"),
        ("de", 'Er sagte "ja"', "Er sagte „ja“"),
        (None, '"open and not closed', '"open and not closed'),
    ],
)
def test_typographic_quotes(language, text, expected):
    """Straight quotes that pair become the language's own; apostrophes are no quotes."""
    assert normalised_text(text, "typographic", language) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("«Sí», “no”, ‘tal vez’, d’un", '"Sí", "no", \'tal vez\', d\'un'),
        ("dit « oui »", 'dit "oui"'),
        ("er sagte »ja« und ging", 'er sagte "ja" und ging'),
    ],
)
def test_straight_quotes(text, expected):
    """All quotation marks become straight ones, and the spaces inside « » go with them."""
    assert normalised_text(text, "straight") == expected


def test_quotes_are_kept_unless_asked():
    """As printed is the default."""
    assert normalised_text("«a» \"b\" 'c' “d”") == "«a» \"b\" 'c' “d”"


def test_empty_and_doubled_blocks_go():
    """A block without text, or one that repeats the block before it, was made by the layout."""
    texts = ["Uno.", " ", "Dos.", "Dos.\xa0", "Uno."]
    article = replace(ARTICLE, body=tuple(Block(text) for text in texts))
    assert [block.text for block in normalised(article).body] == ["Uno.", "Dos.", "Uno."]


def test_sections_keep_their_tags_and_lines():
    """Tags that `ignore` let through stand in a section's text, and an empty section stays."""
    sections = (Section("CUERPO", "<P>Uno\xa0dos\n<BR>tres"), Section("AUTOR", " "))
    result = normalised(replace(ARTICLE, sections=sections)).sections
    assert result == (Section("CUERPO", "<P>Uno dos\n<BR>tres"), Section("AUTOR", ""))


def test_one_line_fields_and_tags():
    """Title and section stand on one line; tags come once; what is empty is absent."""
    article = replace(ARTICLE, title=" Un\n título ", section="\xa0", tags=("#Europa", "europa", " "), language="es_ES")
    result = normalised(article)
    assert (result.title, result.section, result.tags, result.language) == (
        "Un título",
        None,
        ("Europa",),
        "es-ES",
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Por Ana Gil", "By Ann Lee", "ana gil"], ("Ana Gil", "Ann Lee")),
        (["JUAN PÉREZ DE LA O", "MARÍA GARCÍA-LORCA", "J. R. O'BRIEN"], None),
        (["EFE", "AGENCIA EFE"], ("EFE", "Agencia EFE")),
        (["REDACCIÓN"], ("Redacción",)),
        (["Redacción", "Ana Gil"], ("Ana Gil",)),
        (["ana@diario.example", "https://diario.example/ana", "@anagil"], ("@anagil",)),
    ],
)
def test_authors(names, expected):
    """Names without "By", not shouted, each once; the newsroom only where nobody is named."""
    shouted = ("Juan Pérez de la O", "María García-Lorca", "J. R. O'Brien")
    assert normalised_authors(names, "es") == (expected or shouted)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("HTTPS://Diario.Example/Una?b=2&a=1#top ", "https://diario.example/Una?b=2&a=1"),
        ("https://[broken/", "https://[broken/"),
    ],
)
def test_addresses(given, expected):
    """Only what cannot matter to the server is changed."""
    assert normalised_url(given) == expected


@pytest.mark.parametrize(
    ("canonical", "expected"),
    [
        ("/una.html#x", "https://diario.example/una.html"),
        ("https://diario.example/", None),
        ("javascript:void(0)", None),
        (None, None),
    ],
)
def test_canonical_addresses(canonical, expected):
    """One that is relative is completed; the front page is no article's address."""
    assert normalised(replace(ARTICLE, canonical_url=canonical)).canonical_url == expected


def test_what_is_made_uniform_does_not_print() -> None:
    """Texts that print as they are skip what spaces, line ends, joiners and the invisible are replaced by."""
    patterns = (_LINE_ENDS, _SPACES, _INVISIBLE, _LONE_SURROGATE, _JOINER_RUN)
    found = [character for character in map(chr, range(0x11000)) if any(one.search(character) for one in patterns)]
    assert len(found) > 2_000
    assert [character for character in found if character.isprintable()] == []
