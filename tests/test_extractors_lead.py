"""The lead that no rule tells: where it stands, what it is called, and what is none."""

import pytest

import corpusbot
from corpusbot.extractors.chain import extract_article
from corpusbot.extractors.lead import lead_of, without_lead
from corpusbot.model import Block
from tests.pages import cleaned, plain_site

LEAD = "La patronal y los sindicatos vuelven a la mesa tras tres semanas sin hablarse."
TEXT = "El acuerdo se firmará el lunes en la sede del ministerio, según han contado tres personas que lo conocen."
MORE = "Los transportistas, que habían amenazado con parar otra vez, han dicho que leerán el texto antes de hablar."
BODY = (Block(TEXT), Block(MORE))


def page(lead, description="", body=f"<p>{TEXT}</p><p>{MORE}</p>"):
    """A page with something between its title and its text."""
    head = f'<title>Acuerdo</title><meta name="description" content="{description}">'
    return f"<html><head>{head}</head><body><article><h1>Acuerdo</h1>{lead}<div>{body}</div></article></body></html>"


@pytest.mark.parametrize("box", [
    '<h2 class="article-subtitle">{}</h2>',
    '<p class="c-detail__entradilla">{}</p>',
    '<div id="standfirst"><p>{}</p></div>',
    '<p data-testid="articleDek">{}</p>',
    '<p class="chapeau">{}</p>',
    '<h2 itemprop="alternativeHeadline" class="bajada">{}</h2>',
])  # fmt: skip
def test_what_is_called_a_lead(box):
    """The class of its box, or of one that holds little more, says so, in any of several languages."""
    found = lead_of(cleaned(page(box.format(LEAD))), BODY, "Acuerdo")
    assert found == (LEAD, "gist:lead")


def test_what_the_page_is_described_by():
    """Text before the body that is the page's description."""
    found = lead_of(cleaned(page(f"<h2>{LEAD}</h2>", description=LEAD)), BODY, "Acuerdo")
    assert found == (LEAD, "gist:description")


@pytest.mark.parametrize(("lead", "description"), [
    (f"<h2>{LEAD}</h2>", ""),
    ("", TEXT),
    ('<p class="lead">Breve</p>', ""),
    (f'<p class="lead"><a href="/otra">{LEAD}</a></p>', ""),
    (f'<p class="leader-board">{LEAD}</p>', ""),
    ('<p class="lead">Acuerdo en el transporte: la patronal firma</p>', ""),
])  # fmt: skip
def test_what_is_none(lead, description):
    """A heading that nothing calls a lead, the first paragraph, a word, a link, another name, the title again."""
    assert lead_of(cleaned(page(lead, description)), BODY, "Acuerdo en el transporte") is None


def test_a_page_that_is_one_box_of_that_name():
    """A class that all of the text stands in tells no lead."""
    text = f"<p>{TEXT}</p><p>{MORE}</p>" * 2
    assert lead_of(cleaned(page("", body=f'<section class="intro">{text}</section>')), BODY, None) is None


def test_no_body_no_lead():
    """Where there is no paragraph to stand before, there is no lead."""
    assert lead_of(cleaned(page(f'<p class="lead">{LEAD}</p>')), (), None) is None


def test_it_is_taken_out_of_the_body_once():
    """At the beginning only, however its spaces are."""
    lead = Block(LEAD.replace(" ", "  "), "heading")
    assert without_lead((Block("Acuerdo", "heading"), lead, *BODY), LEAD) == (Block("Acuerdo", "heading"), *BODY)
    assert without_lead((*BODY, *BODY, Block(LEAD)), LEAD) == (*BODY, *BODY, Block(LEAD))


def test_documents_have_it_apart_and_the_library_keeps_the_text_whole():
    """The line's article has lead and body; the library's has the lead, and a text that holds it, whatever is asked."""
    markup = page(f'<p class="entradilla">{LEAD}</p>', body=f"<p>{TEXT}</p><p>{MORE}</p>" * 3)
    article = extract_article(cleaned(markup), plain_site(extractors=("gist",)))
    assert article.lead == LEAD
    assert LEAD not in article.text
    assert article.origins["lead"] == "gist:lead"
    read = corpusbot.extract(markup)
    before = read.text
    assert read.lead == LEAD
    assert LEAD in before
    assert read.text == before
