"""Scores of pages, figures of many pages, and what chance does to them."""

from __future__ import annotations

import pytest

from bench.evaluation.figures import difference, figure
from bench.evaluation.groups import by_kind, by_language, by_set
from bench.evaluation.scores import Reading, Score, measure_of, scored
from bench.extraction_sets import Sample


def sample(text: str | None = None, **more: object) -> Sample:
    """A page with this gold."""
    known = {
        "collection": "aeb", "id": "1", "url": "https://a.example/1", "domain": "a.example", "html": b"", "text": text,
        "wanted": (), "unwanted": (), "page_type": "article", "language": "en",
    }  # fmt: skip
    return Sample(**(known | more))  # type: ignore[arg-type]


def score(
    right: int, wrong: int = 0, missed: int = 0, page: str = "1", domain: str = "a.example", **more: object
) -> Score:
    """A score of these counts."""
    known = {"collection": "aeb", "page_type": "article", "language": "en", "measure": "words"}
    return Score(
        "one", page=page, domain=domain, right=right, wrong=wrong, missed=missed, **(known | more)  # type: ignore[arg-type]
    )


def test_the_gold_itself_is_all_right() -> None:
    """And only that is."""
    page = sample("The ferry sails at noon. The ferry is full.")
    assert scored("one", page, Reading(page.text or "")).f1 == 1
    assert scored("one", page, Reading("The ferry sails at noon.")).f1 < 1


def test_words_are_counted_as_often_as_they_stand_there() -> None:
    """Whatever their case and order: a word said once too often is wrong once."""
    found = scored("one", sample("The ferry and the quay"), Reading("THE quay the the boat"))
    assert (found.right, found.wrong, found.missed) == (3, 2, 2)
    assert (found.precision, found.recall, found.f1) == (0.6, 0.6, 0.6)


def test_writing_without_spaces_is_counted_by_characters() -> None:
    """By words, a comma's absence would make all wrong."""
    page = sample("港の船は正午に出た。乗客は百人だった。")
    found = scored("one", page, Reading("港の船は正午に出た乗客は百人だった"))
    assert found.measure == "characters"
    assert found.f1 == 1
    assert scored("one", page, Reading("港の船は正午に出た乗客は百人だった"), words_only=True).f1 == 0


def test_thai_and_korean_are_told_apart() -> None:
    """Korean has spaces."""
    assert measure_of(sample("เรือเฟอร์รี่ออกจากท่าเรือตอนเที่ยง")) == "characters"
    assert measure_of(sample("배는 정오에 항구를 떠났다")) == "words"


def test_phrases_are_found_or_not() -> None:
    """Where the gold is no text."""
    page = sample(None, wanted=("sails at noon", "is full"), unwanted=("Read more",))
    found = scored("one", page, Reading("The ferry sails at noon. Read more"))
    assert (found.measure, found.right, found.wrong, found.missed) == ("phrases", 1, 1, 1)


def test_nothing_where_there_is_something_is_empty() -> None:
    """And wrong words are not nothing."""
    assert score(0, 0, 5).is_empty
    assert not score(0, 5, 5).is_empty
    assert score(0, 0, 5).f1 == 0


def test_a_figure_is_the_mean_over_pages() -> None:
    """A long page counts no more than a short one."""
    assert figure([score(1000), score(1, 1, 1, "2")]).value == pytest.approx(0.75)


def test_phrases_are_summed() -> None:
    """Pages have a handful each: 3 right, 1 wrong, 2 missed over both."""
    scores = [score(2, 1, 0, measure="phrases"), score(1, 0, 2, "2", measure="phrases")]
    assert figure(scores).value == pytest.approx(6 / 9)
    assert figure(scores, "precision").value == pytest.approx(3 / 4)
    assert figure(scores, "recall").value == pytest.approx(3 / 5)


def test_the_draws_are_the_same_every_time() -> None:
    """Two runs can be compared."""
    scores = [score(9, number % 4, 0, str(number), f"{number % 5}.example") for number in range(30)]
    assert figure(scores) == figure(scores)
    assert figure(scores).least < figure(scores).value < figure(scores).most


def test_sites_are_drawn_and_not_pages() -> None:
    """A hundred pages of two sites say as much as two pages do."""
    good = [score(1, page=f"a{number}", domain="a.example") for number in range(50)]
    bad = [score(0, 1, 1, f"b{number}", "b.example") for number in range(50)]
    assert (figure(good + bad).least, figure(good + bad).most) == (0, 1)
    assert (figure(good + bad).pages, figure(good + bad).sites) == (100, 2)
    alone = [score(1 if number % 2 else 0, 0, 1, str(number), f"{number}.example") for number in range(100)]
    assert figure(alone).most - figure(alone).least < 0.2


def test_a_page_weighs_the_same_whatever_its_site() -> None:
    """Three pages of one site and one of another: the mean of four."""
    scores = [score(1, page=str(number)) for number in range(3)] + [score(0, 1, 1, "4", "b.example")]
    assert figure(scores).value == pytest.approx(0.75)


def test_a_constant_lead_is_certain_however_the_pages_vary() -> None:
    """Both are drawn together: the pages' own differences do not count."""
    ours = [score(10 * number + 10, 0, 0, str(number), f"{number}.example") for number in range(1, 9)]
    theirs = [score(10 * number, 0, 10, str(number), f"{number}.example") for number in range(1, 9)]
    found = difference(ours, theirs)
    assert found.p_better == 1
    assert 0 < found.least < found.value < found.most


def test_no_difference_is_no_lead() -> None:
    """The same scores: even chances."""
    scores = [score(9, number, 0, str(number), f"{number}.example") for number in range(6)]
    found = difference(scores, scores)
    assert (found.value, found.least, found.most, found.p_better) == (0, 0, 0, 0.5)


def test_different_pages_cannot_be_compared() -> None:
    """The error says so."""
    with pytest.raises(ValueError, match="same pages"):
        difference([score(1)], [score(1, page="2")])


def test_pages_are_grouped_by_set_language_and_kind() -> None:
    """Writings without spaces apart, rare languages together, kinds of the set that has them."""
    scores = [
        *(score(1, page=str(number), collection="np4k") for number in range(5)),
        score(1, page="fi", collection="np4k", language="fi"),
        score(1, page="ja", collection="np4k", language="ja", measure="characters"),
        score(1, page="forum", collection="wcxb", page_type="forum"),
        score(1, page="article", collection="wcxb"),
        score(1, page="phrases", collection="evaldata", measure="phrases"),
    ]
    sizes = {name: len(own) for name, own in by_set(scores).items()}
    assert sizes == {"np4k": 6, "wcxb articles": 1, "evaldata": 1, "wcxb others": 1, "without spaces": 1}
    assert {name: len(own) for name, own in by_language(scores).items()} == {
        "en": 6, "other languages": 1, "without spaces": 1, "other languages, phrases": 1,
    }  # fmt: skip
    assert set(by_kind(scores)) == {"article", "forum"}
