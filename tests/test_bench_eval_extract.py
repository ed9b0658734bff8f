"""The evaluation from pages to report, on the sample newspapers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from bench import eval_extract
from bench.evaluation import ablation
from bench.evaluation.fold_models import FoldModels
from bench.evaluation.outcome import Outcome, outcome
from bench.evaluation.pages import Choice, key_of, language_of
from bench.evaluation.readers import Reader, Readers
from bench.evaluation.readings import Readings
from bench.evaluation.scores import Reading
from bench.evaluation.shelf import Shelf
from bench.evaluation.summary import of_confidence, of_lead, of_trouble
from bench.extraction_sets import FOLDS, Sample
from corpusbot.extractors.gist.model import shipped_model
from corpusbot.plugins import plugin_names
from tests.bench_data import data_folder
from tests.test_bench_scores import sample


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of the sample newspapers with their gold."""
    return data_folder(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def evaluated(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a run has written."""
    out = tmp_path_factory.mktemp("eval")
    who = ["--shipped", "--extractors", "gist,cnr,jsonld,plugin:trafilatura,trafilatura"]
    assert eval_extract.main(["--data", str(data), "--out", str(out), *who, "--worst", "3"]) == 0
    return out


def gold_of(page: Sample) -> Reading:
    """What an extractor without fault would find."""
    return Reading(page.text if page.text is not None else "\n".join(page.wanted), 1.0)


def half_of(page: Sample) -> Reading:
    """The first half of that."""
    text = gold_of(page).text
    return Reading(text[: len(text) // 2])


def failing(page: Sample) -> Reading:
    """No extractor at all."""
    raise RecursionError(f"too deep on {page.id}")


def reader(name: str, read: object, is_ours: bool = False, key: str = "1") -> Reader:
    """Someone who reads in this way."""
    return Reader(name, is_ours, lambda: read, lambda: key)  # type: ignore[arg-type, return-value]


def outcome_of(data: Path, folder: Path, *readers: Reader) -> Outcome:
    """What comes of all pages."""
    choice = Choice(data)
    return outcome(readers, Readings(choice, Shelf(folder)), choice.golds())


def test_an_extractor_without_fault_scores_one(data: Path, tmp_path: Path) -> None:
    """On every set, with an interval of nothing; one that finds half is behind it on every draw."""
    found = outcome_of(data, tmp_path, reader("all", gold_of, is_ours=True), reader("half", half_of))
    assert {score.f1 for score in found.scores["all"]} == {1.0}
    rows = {row[0]: row for row in of_lead(found.scores, "all", ["half"]).rows}
    assert set(rows) == {"newspapers", "evaldata"}
    for row in rows.values():
        assert row[1] == "half"
        assert row[2].startswith("+0.")
        assert row[3] == "1.000"
    table = found.tables()[0]
    assert table.rows[0] == ("all", "1.0000 (1.000–1.000)", "1.0000 (1.000–1.000)")
    assert table.head == ("extractor", "newspapers (15 of 7 sites)", "evaldata (5 of 5 sites)")


def test_what_raises_is_counted(data: Path, tmp_path: Path) -> None:
    """It has found nothing, and the table says what it raised; the next run tries again."""
    found = outcome_of(data, tmp_path, reader("failing", failing))
    assert {score.f1 for score in found.scores["failing"]} == {0.0}
    [row] = of_trouble(found.scores).rows
    assert row[:3] == ("failing", "20", "20")
    assert row[3].startswith("RecursionError: too deep on page")
    again = outcome_of(data, tmp_path, reader("failing", gold_of))
    assert {score.f1 for score in again.scores["failing"]} == {1.0}


def test_confidence_is_held_against_what_is_so(data: Path, tmp_path: Path) -> None:
    """Of the pages with a text."""
    found = outcome_of(data, tmp_path, reader("all", gold_of))
    assert of_confidence("all", found.scores["all"]).rows == (("0.95 to 1.00", "15", "1.000", "1.000"),)


def test_a_page_is_read_once(data: Path, tmp_path: Path) -> None:
    """Until the reader's code changes."""
    read: list[str] = []

    def noted(page: Sample) -> Reading:
        read.append(page.id)
        return gold_of(page)

    first = outcome_of(data, tmp_path, reader("noted", noted))
    assert outcome_of(data, tmp_path, reader("noted", noted)).scores == first.scores
    assert len(read) == 20
    outcome_of(data, tmp_path, reader("noted", noted, key="2"))
    assert len(read) == 40


def test_a_changed_page_is_read_again() -> None:
    """Its key is of its address and its bytes."""
    assert key_of(sample("a")) != key_of(sample("a", html=b"<p>"))
    assert key_of(sample("a")) != key_of(sample("a", url="https://b.example/"))
    assert key_of(sample("a")) == key_of(sample("b"))


def test_a_broken_file_on_the_shelf_is_as_none(tmp_path: Path) -> None:
    """As a run that was killed leaves it."""
    shelf = Shelf(tmp_path)
    shelf.keep("models", "1", {"a": ["\ud800"]})
    assert shelf.kept("models", "1") == {"a": ["\ud800"]}
    assert shelf.kept("models", "2") == {}
    [file] = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-10])
    assert shelf.kept("models", "1") == {}


def test_names_that_are_no_file_names_are_told_apart(tmp_path: Path) -> None:
    """A line of YAML is a name too."""
    shelf = Shelf(tmp_path)
    shelf.keep("cnr: {share: 0.1}", "1", {"a": 1})
    shelf.keep("cnr: {share= 0.1}", "1", {"a": 2})
    assert shelf.kept("cnr: {share: 0.1}", "1") == {"a": 1}


def test_the_page_says_its_language_where_the_gold_does_not() -> None:
    """Both kinds of Norwegian are one."""
    assert language_of(sample("a", language="fi", html=b"<html lang=en>")) == "fi"
    assert language_of(sample("a", language=None, html=b'<!DOCTYPE html><html class="x" lang="es-MX">')) == "es"
    assert language_of(sample("a", language=None, html=b"<html lang='nb-NO'>")) == "no"
    assert language_of(sample("a", language=None, html=b"<html><p lang=en>")) is None


def test_the_table_of_pages_has_a_row_for_each_page_and_extractor(evaluated: Path) -> None:
    """With figures that agree with its counts."""
    with (evaluated / "pages.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20 * 5
    assert {row["extractor"] for row in rows} == {"gist", "cnr", "jsonld", "plugin:trafilatura", "trafilatura"}
    for row in rows:
        right, wrong, missed = (int(row[name]) for name in ("right", "wrong", "missed"))
        assert float(row["f1"]) == pytest.approx(2 * right / (2 * right + wrong + missed), abs=1e-4)
    best = [float(row["f1"]) for row in rows if row["extractor"] == "gist" and row["set"] == "newspapers"]
    assert min(best) > 0.9


def test_the_summary_is_markdown(evaluated: Path) -> None:
    """Every row of a table has as many cells as its head."""
    text = (evaluated / "summary.md").read_text(encoding="utf-8")
    assert "| extractor | newspapers (15 of 7 sites) | evaldata (5 of 5 sites) |" in text
    for table in text.split("\n\n"):
        assert len({line.count("|") for line in table.split("\n") if line.startswith("|")}) <= 1


def test_markdown_can_be_pasted(data: Path, evaluated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What --markdown prints is what the file holds, and nothing else."""
    arguments = ["--data", str(data), "--out", str(evaluated), "--shipped", "--extractors", "jsonld", "--markdown"]
    assert eval_extract.main(arguments) == 0
    assert capsys.readouterr().out == (evaluated / "summary.md").read_text(encoding="utf-8")


def test_a_limit_is_for_each_set(data: Path) -> None:
    """Spread over it."""
    assert len(Choice(data, limit=2).golds()) == 4


def test_no_data_is_told_with_where_it_is_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing is written."""
    assert eval_extract.main(["--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "make eval-extract DATA=" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--extractors", "nosuch"], "No extractor 'nosuch'. Available: gist, "),
        (["--also", "nosuch"], "No extractor 'nosuch'. Available: "),
        (["--also", "cnr: {nosuch: 1}"], "nosuch"),
        (["--also", "[cnr"], "is no YAML"),
        (["--also", "[cnr, gist]"], "What would work: --also 'cnr: {share: 0.2}'"),
        (["--ablation", "--shipped"], "give one of them"),
    ],
)
def test_what_cannot_be_is_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], said: str
) -> None:
    """In a line that says what would work."""
    assert eval_extract.main(["--data", str(data), "--out", str(tmp_path), *wrong]) == 2
    assert said in capsys.readouterr().err


def test_an_unknown_set_is_refused(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With those that there are."""
    with pytest.raises(SystemExit):
        eval_extract.main(["--data", str(data), "--sets", "newspaper"])
    assert "no set 'newspaper'. Available: aeb, newspapers" in capsys.readouterr().err


def test_all_plug_ins_are_measured(data: Path, tmp_path: Path) -> None:
    """But for the site's rules: a new extractor is in the tables as soon as it is there."""
    known = Readers(FoldModels(data, Shelf(tmp_path))).known()
    ours = [name.removeprefix("plugin:") for name, one in known.items() if one.is_ours]
    assert sorted(ours) == [name for name in plugin_names("extractors") if name != "rules"]
    assert not known["trafilatura"].is_ours


def test_a_plug_in_has_the_options_that_are_given(data: Path, tmp_path: Path) -> None:
    """As a site file would give them: where JSON-LD says nothing, gist alone is elected."""
    readers = Readers(FoldModels(data, Shelf(tmp_path)), shipped=True)
    both = readers.of_yaml("vote: {of: [gist, jsonld], least: 1}")
    found = outcome_of(data, tmp_path, both, *readers.chosen("gist,cnr"))
    assert found.readings[both.name].keys() == found.readings["gist"].keys()
    for page, reading in found.readings["gist"].items():
        assert found.readings[both.name][page].text == reading.text
    assert found.readings["cnr"] != found.readings["gist"]


def test_no_model_has_seen_the_page_that_it_reads(data: Path, tmp_path: Path) -> None:
    """Each part's model has learnt from the other domains alone, and is kept for the next run."""
    pytest.importorskip("lightgbm", reason="make eval installs it")
    shelf = Shelf(tmp_path)
    models = FoldModels(data, shelf)
    lessons = models.lessons()
    assert len({lesson.fold for lesson in lessons}) > 1
    assert all(len({one.fold for one in lessons if one.domain == lesson.domain}) == 1 for lesson in lessons)
    made = models.models()
    assert set(made) == set(range(FOLDS))
    again = FoldModels(data, shelf)
    kept = again.models()
    assert again._lessons is None
    assert all(kept[fold].features == made[fold].features for fold in made)


def test_features_can_be_left_out(data: Path, tmp_path: Path) -> None:
    """The model does without them, and the table says what that costs."""
    pytest.importorskip("lightgbm", reason="make eval installs it")
    readers = Readers(FoldModels(data, Shelf(tmp_path)))
    features = readers.models.models()[0].features
    variants = ablation.variants(readers, features)
    name = "gist without CNR and links"
    left = readers.models.models(frozenset(ablation.grouped(features)["CNR and links"]), name)[0].features
    assert set(features) - set(left) == set(ablation.grouped(features)["CNR and links"])
    found = outcome_of(data, tmp_path, variants["gist"], variants[name])
    table = ablation.of_ablation(found.scores, features)
    assert [row[0] for row in table.rows] == ["gist", "without CNR and links"]
    assert table.rows[0][1] == str(len(features))


def test_every_feature_is_in_a_group() -> None:
    """So that the ablation leaves out all of them, one group at a time."""
    groups = ablation.grouped(shipped_model().features)
    assert sum(map(len, groups.values())) == len(shipped_model().features)
    assert ablation.IN_NONE not in groups, f"give them a group in {ablation.__file__}: {groups[ablation.IN_NONE]}"
    assert set(groups) == set(ablation.GROUPS)
