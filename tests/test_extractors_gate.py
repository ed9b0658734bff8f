"""The gate: whose body is taken, why the others are passed over, and what a run counts of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpusbot.extractors.chain import extract_article
from corpusbot.extractors.gate import Answer, counted, misgiving, taken
from corpusbot.metadata.findings import Findings
from corpusbot.model import Article, Block, Drop, PassedOver
from corpusbot.sites import load_site
from tests.pages import cleaned, plain_site, site_from

SENTENCE = "Esta es una frase corriente de una noticia que tiene texto de sobra para contar algo. "
PAGE = f"<h1>Sube el pan</h1><div class=breve><p>Breve.</p></div><article>{f'<p>{SENTENCE * 2}</p>' * 5}</article>"


def found(length: int, confidence: float | None = None, origin: str = "gist") -> Findings:
    """Findings with a body of so many characters."""
    return Findings(body=(Block("x" * length),), confidence=confidence, origins={"body": origin})


@pytest.mark.parametrize(
    ("findings", "told"),
    [
        (Findings(), "gist: nothing"),
        (Findings(title="Sube el pan"), "gist: nothing"),
        (found(120), "gist: too short: 120 of 250 characters"),
        (found(120, 0.3), "gist: too short: 120 of 250 characters"),
        (found(250, 0.314), "gist: not sure: confidence 0.31 below 0.5"),
        (found(250, 0.5), None),
        (found(250, None), None),
    ],
)
def test_what_passes(findings: Findings, told: str | None) -> None:
    """Long enough and sure enough; who cannot tell how sure it is need not be."""
    site = plain_site(min_body=250, min_confidence=0.5)
    why = misgiving("gist", findings, site)
    assert (str(why) if why else None) == told


def test_nobody_need_be_sure_by_default() -> None:
    """The corpus asks for length alone."""
    assert misgiving("gist", found(250, 0.0), load_site("elpais")) is None


def test_what_stays_where_none_passes() -> None:
    """What the rules found, or else the longest; nothing if nobody found any text."""
    over = PassedOver("any", "too short")
    gist, cnr = Answer("gist", found(30), over), Answer("cnr", found(20), over)
    rules = Answer("rules", found(10, origin="muestra.yaml:3 css:p"), over)
    assert taken([gist, cnr]) == gist
    assert taken([gist, rules]) == rules
    assert taken([Answer("gist", Findings(title="t"), over)]) is None
    passed = Answer("jsonld", found(300), None)
    assert taken([rules, gist, passed]) == passed


def test_a_chain_tells_who_was_passed_over(tmp_path: Path) -> None:
    """In its order, with the reasons; one that is asked again has its number."""
    chain = "extractors: [rules, {vote: {of: [jsonld], least: 1}}, {vote: {of: [cnr], least: 1}}]\n"
    site = site_from(tmp_path, f"{chain}fields: {{title: h1, body: .breve}}\n")
    article = extract_article(cleaned(PAGE, site), site)
    assert isinstance(article, Article)
    assert [str(one) for one in article.passed_over] == ["rules: too short: 6 of 250 characters", "vote: nothing"]
    assert (article.found_by, article.origins["body"], article.confidence) == ("vote 2", "vote:cnr", 1.0)
    assert (article.title, article.origins["title"]) == ("Sube el pan", "muestra.yaml:4 css:h1")


def test_one_that_is_not_sure_is_passed_over(tmp_path: Path) -> None:
    """The next one has its turn."""
    votes = "{vote: {of: [cnr, jsonld, rules], least: 1}}"
    site = site_from(tmp_path, f"extractors: [{votes}, cnr]\nmin_confidence: 0.9\n")
    article = extract_article(cleaned(PAGE, site), site)
    assert isinstance(article, Article)
    assert [str(one) for one in article.passed_over] == ["vote: not sure: confidence 0.33 below 0.9"]
    assert (article.found_by, article.confidence) == ("cnr", None)


def test_what_a_run_counts(tmp_path: Path) -> None:
    """Who found it and who was passed over, and the kind; where none passed, that too; of a drop the reasons."""
    over = (PassedOver("rules", "too short", "6 of 250 characters"), PassedOver("cnr", "nothing"))
    site = site_from(tmp_path, "extractors: [rules, cnr]\nfields: {body: .breve}\n")
    article = extract_article(cleaned(PAGE, site), site)
    brief = extract_article(cleaned("<div class=breve><p>Breve.</p></div>", site), site)
    assert isinstance(article, Article)
    assert isinstance(brief, Article)
    assert list(counted(article))[:2] == [("passed over", "rules: too short"), ("found by", "cnr")]
    assert ("none passed the gate", "rules") in list(counted(brief))
    assert "found by" not in dict(counted(brief))
    assert list(counted(Drop("no_text", "", over))) == [
        ("passed over", "rules: too short"),
        ("passed over", "cnr: nothing"),
    ]
    assert list(counted(Drop("took_too_long"))) == []


def test_a_page_without_text_tells_of_everybody() -> None:
    """Its drop carries the reasons to the report."""
    site = plain_site(extractors=("rules", "cnr"))
    drop = extract_article(cleaned("<img>", site), site)
    assert isinstance(drop, Drop)
    assert [str(one) for one in drop.passed_over] == ["rules: nothing", "cnr: nothing"]
