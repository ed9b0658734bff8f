"""The vote: which blocks are kept, in whose form and order, and how sure that is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.extractors import findings_by, vote
from corpusbot.extractors.chain import extract_article
from corpusbot.extractors.vote import Text, agreement, elected
from corpusbot.model import Article, Block
from corpusbot.sites import SiteError
from corpusbot.sites.frozenmap import FrozenMap
from tests.pages import cleaned, plain_site, site_from

ONE = "El pleno aprobó ayer las cuentas del año que viene con los votos de todos los grupos."
TWO = "Los vecinos de la plaza piden desde hace meses que se acaben de una vez las obras."
THREE = "El concejal de Hacienda no quiso decir cuánto va a costar el retraso a la ciudad."
MENU = "Portada Deportes Cultura Suscríbase a nuestro boletín de noticias"
TAIL = "Más noticias que le pueden interesar de otros lugares de la provincia"


def text(*blocks: str, kind: str = "paragraph") -> Text:
    """What one extractor found."""
    return Text.of([Block(block, kind) for block in blocks])


def texts_of(body: tuple[Block, ...]) -> list[str]:
    """The texts of some blocks."""
    return [block.text for block in body]


def test_what_enough_of_them_have() -> None:
    """What only one has is left out, what two of three have stays."""
    members = [text(MENU, ONE, TWO), text(ONE, TWO, THREE), text(TWO, THREE, TAIL)]
    assert texts_of(elected(members, 2)) == [ONE, TWO, THREE]
    assert texts_of(elected(members, 3)) == [TWO]
    assert texts_of(elected(members, 1)) == [MENU, ONE, TWO, THREE, TAIL]


def test_blocks_that_are_cut_elsewhere() -> None:
    """Two paragraphs and the same in one block agree; the first one's cut is kept."""
    assert texts_of(elected([text(ONE, TWO), text(f"{ONE}\n{TWO}")], 2)) == [ONE, TWO]
    assert texts_of(elected([text(f"{ONE}\n{TWO}"), text(ONE, TWO)], 2)) == [f"{ONE}\n{TWO}"]


def test_letters_count_and_not_their_form() -> None:
    """Case, punctuation and white space make no difference; the form is the first one's."""
    assert texts_of(elected([text(ONE), text(ONE.upper().replace(" ", "  "))], 2)) == [ONE]


def test_a_block_that_the_first_one_has_not_stands_in_its_place() -> None:
    """Behind what comes before it where it was found, and at the beginning if nothing does."""
    assert texts_of(elected([text(ONE, THREE), text(ONE, TWO, THREE), text(TWO)], 2)) == [ONE, TWO, THREE]
    assert texts_of(elected([text(TWO, THREE), text(ONE, TWO), text(ONE)], 2)) == [ONE, TWO]


def test_the_structure_of_the_first_that_has_it() -> None:
    """A heading stays one, whatever others took it for."""
    assert elected([text(ONE, kind="heading"), text(ONE)], 2) == (Block(ONE, "heading"),)


def test_a_container_that_nobody_else_has_does_not_hide_its_parts() -> None:
    """An extractor that took the whole page has one vote for each part of it."""
    whole = text(" ".join((MENU, ONE, TAIL, TAIL.replace("Más", "Otras"), MENU[::-1], THREE[::-1])))
    assert texts_of(elected([whole, text(ONE)], 2)) == [ONE]


def test_short_blocks() -> None:
    """A heading of one word is had by who has it at an end of a block; a block without words has no votes."""
    assert texts_of(elected([text("Cuentas", ONE), text(f"Cuentas {ONE}")], 2)) == ["Cuentas", ONE]
    assert texts_of(elected([text("Pleno", ONE), text(ONE)], 2)) == [ONE]
    assert texts_of(elected([text("***", ONE), text("***", ONE)], 2)) == [ONE]


def test_confidence_is_agreement() -> None:
    """1 where all say the same; what one alone has counts against it, and who found nothing agrees with nobody."""
    assert agreement([text(ONE), text(ONE)], 2, 2) == 1
    assert agreement([text(ONE), text(ONE)], 2, 3) == pytest.approx(2 / 3)
    half = agreement([text(ONE, MENU), text(ONE)], 2, 2)
    assert half == pytest.approx((len(ONE) / len(ONE + MENU) + 1) / 2)
    assert agreement([text(ONE), text(TWO)], 2, 2) == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from([ONE, TWO, THREE, MENU, TAIL]), unique=True), min_size=2, max_size=4))
def test_laws(found: list[list[str]]) -> None:
    """Each block kept was found, only once, and by enough; asking for more agreement never keeps more."""
    members = [text(*blocks) for blocks in found]
    kept = [texts_of(elected(members, least)) for least in range(1, len(found) + 1)]
    for least, blocks in enumerate(kept, 1):
        assert len(set(blocks)) == len(blocks)
        assert set(blocks) == {one for own in found for one in own if sum(one in other for other in found) >= least}
        assert 0 <= agreement(members, least, len(members)) <= 1
    assert all(set(more) >= set(fewer) for more, fewer in pairwise(kept))


PAGE = (
    f"<html lang=es><body><nav><a href=/>Portada</a> <a href=/d>Deportes</a></nav><article><h1>Cuentas</h1>"
    f"<p>{ONE}</p><p>{TWO}</p><p>{THREE}</p><p>{ONE[::-1]}</p></article>"
    f'<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "Las cuentas", '
    f'"articleBody": "{ONE}\\n{TWO}\\n{THREE}"}}</script></body></html>'
)


def test_it_asks_the_extractors(tmp_path: Path) -> None:
    """In a chain, with options; other fields come from the first that found them, the origin names who was there."""
    chain = "extractors: [{vote: {of: [rules, jsonld], least: 2}}]\nmin_body: 100\n"
    site = site_from(tmp_path, f"{chain}fields: {{title: h1, body: article, FUENTE: article h1}}\n")
    article = extract_article(cleaned(PAGE, site), site)
    assert isinstance(article, Article)
    assert [block.text for block in article.body] == [ONE, TWO, THREE]
    assert article.origins["body"] == "vote:rules+jsonld"
    assert (article.title, article.origins["title"]) == ("Cuentas", "muestra.yaml:5 css:h1")
    assert [section.name for section in article.sections] == ["TITULO", "CUERPO", "FUENTE"]
    assert article.found_by == "vote"
    assert article.confidence is not None
    assert 0.5 < article.confidence < 1


def test_nothing_where_nobody_agrees() -> None:
    """Then the chain goes on to the next one."""
    said = '{"@type": "Article", "articleBody": "Algo muy distinto."}'
    page = f'<script type="application/ld+json">{said}</script><p>Uno.'
    options = FrozenMap({"of": ("cnr", "jsonld")})
    assert findings_by("vote", options, cleaned(page), plain_site()) is None
    assert vote.extract(cleaned("<img>"), plain_site()) is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("{of: [gist, cmr]}", "of: No extractor 'cmr'. Available: "),
        ("{of: [gist, {vote: {off: [cnr]}}]}", "of: vote: unknown option 'off'. Did you mean 'of'?"),
        ("{of: gist}", "of: a list of extractors is wanted, not 'gist'"),
        ("{of: [gist, [cnr]]}", "of: a name, or one name and its options, is wanted, not ('cnr',)"),
        ("{of: [gist, cnr, gist]}", "of: an extractor stands there twice, and would agree with itself. Take one out"),
        ("{of: [gist, cnr], least: 3}", "least: a number from 1 to 2 (of) is wanted, not 3"),
        ("{least: 0}", "least: a number from 1 to 3 (of) is wanted, not 0"),
    ],
)
def test_mistakes_are_told_when_the_file_is_read(tmp_path: Path, options: str, told: str) -> None:
    """With file and line, before any page is asked for."""
    with pytest.raises(SiteError) as caught:
        site_from(tmp_path, f"extractors:\n  - rules\n  - vote: {options}\n")
    assert str(caught.value).startswith(f"muestra.yaml:5: extractors: vote: {told}")
