"""The default extractor: what it finds, that it is steady, and that nothing makes it fail."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.site_gold import word_f1
from corpusbot.dom.cleanup import clean_page
from corpusbot.dom.text import blocks
from corpusbot.extractors import gist
from corpusbot.extractors.gist.asked import FIRST, SECOND
from corpusbot.extractors.gist.choice import chosen
from corpusbot.extractors.gist.evidence import evidence_in
from corpusbot.extractors.gist.features import draft_of, table_of
from corpusbot.extractors.gist.hindsight import seen_again
from corpusbot.extractors.gist.model import shipped_model
from corpusbot.extractors.gist.walk import outlined
from corpusbot.model import CleanPage
from corpusbot.plugins import plugin_names
from tests.pages import cleaned, page_of, plain_site
from tests.press import Press

PREFERENCES = ("precision", "balanced", "recall")
LARGEST_MODEL = 400_000
TAGS = ("p", "div", "a", "ul", "li", "table", "tr", "td", "h2", "span", "br", "pre", "article", "nav", "b")
MARKUP = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
        st.sampled_from(['<div class="article-body" id=x>', "<p hidden>", "&nbsp;", "\x00", "\u202e", "<!--", "]]>"]),
        st.text(max_size=40),
    ),
    max_size=60,
).map("".join)


@pytest.fixture(scope="module")
def articles() -> list[tuple[CleanPage, str]]:
    """Articles of the sample newspapers, each with its gold."""
    press = Press(articles=12, days=2, hazards=False)
    found = []
    for row in press.gold():
        if row.expected == "document" and row.same_as is None:
            path = row.url.removeprefix(press.bases[row.newspaper])
            clean = cleaned(press.reply(row.newspaper, path).body, url=row.url)
            found.append((clean, f"{row.lead}\n{row.body}"))
    return found


def text_of(clean: CleanPage) -> str:
    """What the plug-in finds."""
    found = gist.extract(clean, plain_site())
    return "\n".join(block.text for block in found.body) if found else ""


def test_it_is_a_plug_in() -> None:
    """A site file may name it."""
    assert "gist" in plugin_names("extractors")


def test_the_model_is_small() -> None:
    """It ships with the program."""
    folder = gist.__path__[0]
    with open(f"{folder}/model.json.gz", "rb") as file:
        assert len(file.read()) <= LARGEST_MODEL


def test_the_sample_newspapers_are_read_without_rules(articles: list[tuple[CleanPage, str]]) -> None:
    """Lead and body, and next to nothing else."""
    figures = [word_f1(text_of(clean), gold) for clean, gold in articles]
    assert len(figures) > 10
    assert mean(figures) >= 0.97, "train anew: make train"


def test_kinds_are_kept(articles: list[tuple[CleanPage, str]]) -> None:
    """Headings, items and quotes are told apart from paragraphs."""
    kinds = {block.kind for clean, _ in articles for block in gist.gist_of(clean.tree).blocks}
    assert kinds >= {"paragraph", "heading"}


def test_runs_are_the_blocks_of_the_text_module(articles: list[tuple[CleanPage, str]]) -> None:
    """One walk reads what dom.text reads."""
    for clean, _ in articles:
        walked = [(run.text, run.kind) for run in outlined(clean.tree).runs]
        assert walked == [(block.text, block.kind) for block in blocks([clean.tree])]


def test_the_same_page_gives_the_same(articles: list[tuple[CleanPage, str]]) -> None:
    """Nothing is remembered, and the page is not changed."""
    clean = articles[0][0]
    assert gist.gist_of(clean.tree, clean.jsonld) == gist.gist_of(clean.tree, clean.jsonld)


def test_preferences_are_ordered(articles: list[tuple[CleanPage, str]]) -> None:
    """What precision keeps, balanced keeps; what that keeps, recall keeps."""
    for clean, _ in articles:
        precise, balanced, recall = (
            {place for place, one in enumerate(gist.scored_blocks(clean.tree, clean.jsonld, p)) if one.kept}  # type: ignore[arg-type]
            for p in PREFERENCES
        )
        assert precise <= balanced <= recall


def test_an_unknown_preference_is_refused() -> None:
    """With a list of those that there are."""
    with pytest.raises(ValueError, match="balanced"):
        gist.gist_of(cleaned("<p>Texto").tree, prefer="all")  # type: ignore[arg-type]


def test_blocks_are_explained(articles: list[tuple[CleanPage, str]]) -> None:
    """Each with its score, and the features that moved it most."""
    clean = articles[0][0]
    scored = gist.scored_blocks(clean.tree, clean.jsonld)
    assert tuple(one.block for one in scored if one.kept) == gist.gist_of(clean.tree, clean.jsonld).blocks
    assert all(0 <= one.score <= 1 and len(one.reasons) == gist.REASONS for one in scored)
    assert {name for one in scored for name, _ in one.reasons} <= {*shipped_model().features, gist.AROUND}


def test_confidence_is_high_on_articles_and_low_on_scraps(articles: list[tuple[CleanPage, str]]) -> None:
    """It is the F1 that is to be expected."""
    sure = mean(gist.gist_of(clean.tree, clean.jsonld).confidence for clean, _ in articles)
    scraps = gist.gist_of(cleaned("<ul><li><a href=1>Uno</a><li><a href=2>Dos</a></ul>").tree)
    assert scraps.confidence < sure
    assert sure > 0.9


def test_no_text_gives_nothing() -> None:
    """And that alone does."""
    assert gist.extract(cleaned("<html><body><img src=a></body></html>"), plain_site()) is None
    assert text_of(cleaned("<p>Una")) == "Una"


def test_a_page_without_text_may_say_it_in_its_jsonld() -> None:
    """As pages do that scripts put together."""
    body = "Un cuerpo que solo está en los datos de la página. " * 20
    script = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body}"}}</script>'
    found = gist.extract(cleaned(f"<html><head>{script}</head><body><div>Cargando</div></body></html>"), plain_site())
    assert found is not None
    assert found.origins["body"] == "gist:articleBody"
    assert found.body[0].text == body.strip()


@settings(max_examples=150, deadline=None)
@given(MARKUP)
def test_no_page_makes_it_fail(markup: str) -> None:
    """Where there is text, something is found; and the runs are those of dom.text."""
    clean = clean_page(page_of(f"<html><body>{markup}"), plain_site())
    if not isinstance(clean, CleanPage):
        return
    there = blocks([clean.tree])
    assert [(run.text, run.kind) for run in outlined(clean.tree).runs] == [(one.text, one.kind) for one in there]
    found = gist.extract(clean, plain_site())
    assert (found is not None) == bool(there)


def test_a_choice_is_never_empty() -> None:
    """Not even where everything is unlikely."""
    for prefer in PREFERENCES:
        kept, _ = chosen(np.array([0.0, 0.0], np.float32), np.array([3, 4], np.float32), prefer)  # type: ignore[arg-type]
        assert kept.any()


def test_unlikely_runs_are_left_out_together() -> None:
    """A short article with many comments, none of them likely: rather none than all, however many they are."""
    for comments in (5, 50):
        scores = np.array([0.9] + [0.4] * comments, np.float32)
        kept, expected = chosen(scores, np.full(len(scores), 300, np.float32))
        assert kept.tolist() == [True] + [False] * comments
        assert expected < 0.8


def test_likely_runs_are_kept_together() -> None:
    """Though there are many of them and few that are surer."""
    scores = np.array([0.95] + [0.7] * 50, np.float32)
    assert chosen(scores, np.full(len(scores), 300, np.float32))[0].all()


@given(st.lists(st.tuples(st.floats(0, 1, width=32), st.integers(1, 2_000)), min_size=1, max_size=40))
def test_a_choice_is_a_threshold(runs: list[tuple[float, int]]) -> None:
    """No surer run is left out; what is expected is a share, in whatever order the runs come."""
    scores, lengths = (np.array(column, np.float32) for column in zip(*runs, strict=True))
    kept, expected = chosen(scores, lengths)
    assert expected == pytest.approx(chosen(scores[::-1], lengths[::-1])[1])
    assert 0 <= expected <= 1.000001
    assert scores[kept].min() > scores[~kept].max(initial=-1)


@pytest.mark.parametrize(
    ("before", "after", "origin"),
    [
        ("<noscript><article>", "</article></noscript>", "gist"),
        ("<header><button>Menú<div>", "</div></header>", "gist"),
    ],
)
def test_text_that_a_page_hides_is_found(before: str, after: str, origin: str) -> None:
    """For readers without scripts, or in a button that is never closed."""
    paragraph = "<p>Una frase que solo ve quien no tiene guiones en su navegador, y que cuenta lo que pasó ayer.</p>"
    found = gist.extract(cleaned(f"<html><body>{before}{paragraph * 5}{after}</body></html>"), plain_site())
    assert found is not None
    assert found.origins["body"] == origin
    assert sum("guiones" in block.text for block in found.body) == 5


def test_text_in_the_data_of_a_script_is_found() -> None:
    """As pages have it that a browser puts together; strings that are never closed take no time."""
    paragraph = "<p>Una frase que el navegador pondría en la página.</p>".replace("<", "\\u003c")
    script = f'<script>window.datos = {{"contenido": "{paragraph * 9}"}}; "\\</script>'
    found = gist.extract(cleaned(f"<html><body><p>Cargando</p>{script}</body></html>"), plain_site())
    assert found is not None
    assert found.origins["body"] == "gist:script"
    assert len(found.body) == 9


def test_what_is_asked_can_be_told(articles: list[tuple[CleanPage, str]]) -> None:
    """Both judgements ask for features that there are, and each is a number."""
    clean = articles[0][0]
    model = shipped_model()
    draft = draft_of(outlined(clean.tree), evidence_in(clean.tree, clean.jsonld))
    table = table_of(draft, model.lexicon)
    again = seen_again(model.scores([table.columns[name] for name in FIRST]), draft, table)
    assert model.features == FIRST
    assert model.second is not None
    assert model.second.features == SECOND
    for columns, asked in ((table.columns, FIRST), (again, SECOND)):
        assert all(np.isfinite(columns[name]).all() for name in asked)


def test_the_second_judgement_looks_around() -> None:
    """A run among runs that are surely content stands near much content; one among others does not."""
    clean = cleaned("<main>" + "<p>Una frase que dice algo de lo que pasó ayer en la ciudad.</p>" * 9 + "</main>")
    draft = draft_of(outlined(clean.tree), evidence_in(clean.tree, ()))
    table = table_of(draft, shipped_model().lexicon)
    among, apart = (
        seen_again(np.array([other] * 4 + [0.5] + [other] * 4, np.float32), draft, table) for other in (0.9, 0.1)
    )
    assert among["near_1"][4] > 0.7 > 0.3 > apart["near_1"][4]
    assert among["like_besides"][4] > 0.8
    assert not among["is_repetition"][0]
    assert among["is_repetition"][1:].all()


def test_confidence_is_what_came_of_such_pages(articles: list[tuple[CleanPage, str]]) -> None:
    """The more is expected, the more came; and the findings say it."""
    expected, came = shipped_model().reliability
    assert list(expected) == sorted(expected)
    assert list(came) == sorted(came)
    clean = articles[0][0]
    found = gist.extract(clean, plain_site())
    assert found is not None
    assert found.confidence == gist.gist_of(clean.tree, clean.jsonld).confidence
    assert 0.9 < found.confidence <= 1


def test_an_extractor_may_prefer(articles: list[tuple[CleanPage, str]]) -> None:
    """Precision keeps no more than recall does, as the site file says."""
    clean = articles[0][0]
    precise, all_of_it = (gist.extract(clean, plain_site(), prefer=prefer) for prefer in ("precision", "recall"))
    assert precise is not None
    assert all_of_it is not None
    assert set(precise.body) <= set(all_of_it.body)


def test_a_page_without_any_text_may_describe_itself() -> None:
    """That is better than nothing, but hardly its text, as the confidence says."""
    head = '<head><meta name="description" content="Un foro de lo que pasa en la ciudad."></head>'
    found = gist.extract(cleaned(f"<html>{head}<body><div></div></body></html>"), plain_site())
    assert found is not None
    assert found.origins["body"] == "gist:description"
    assert found.body[0].text == "Un foro de lo que pasa en la ciudad."
    assert found.confidence is not None
    assert found.confidence < 0.2


ARTICLE = "".join(
    f"<p>En el párrafo número {number} se cuenta con calma, y con todos sus detalles, lo que pasó ayer en la plaza.</p>"
    for number in range(9)
)


def test_captions_are_told_apart() -> None:
    """By the tag, or by what the box is called."""
    picture = '<div class="photo"><img src=a><p class="imageCaption">La plaza, ayer por la tarde.</p></div>'
    clean = cleaned(f'<body><article class="article-body">{picture}{ARTICLE}</article></body>')
    kinds = {one.block.text: one.block.kind for one in gist.scored_blocks(clean.tree)}
    assert kinds["La plaza, ayer por la tarde."] == "caption"
    assert list(kinds.values()).count("paragraph") == 9


def test_comments_are_no_part_of_an_article() -> None:
    """However long they are."""
    comment = '<li class="comment"><div class="comment-content"><p>Yo estuve y no fue así, la verdad, {}.</p></div>'
    comments = "".join(comment.format(name) * 2 for name in ("dijo Ana", "dijo Luis", "dijo Eva"))
    article = f'<article class="article-body"><h1>Ayer en la plaza</h1>{ARTICLE}</article>'
    page = f'<body>{article}<ul class="comments">{comments}</ul></body>'
    found = gist.extract(cleaned(page), plain_site())
    assert found is not None
    assert sum("se cuenta con calma" in block.text for block in found.body) == 9
    assert not any("no fue así" in block.text for block in found.body)
