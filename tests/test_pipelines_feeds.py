"""The files that documents are written to: what they find in their place, and what crashes leave of them."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from corpusbot.store.runs import Runs
from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace


def target_of(place: Workplace) -> Path:
    """The corpus file of La Gaceta, in a folder that is there."""
    path = place.data / "gaceta" / "gaceta.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def refused(place: Workplace) -> str:
    """The one error line of a crawl that must end at once, with no article asked for and none marked as done."""
    before = len(place.serving.press.requests)
    done = place.crawl("gaceta")
    assert done.returncode == 1, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert len(place.serving.press.requests) == before
    runs = Runs(place.data / "gaceta" / "state.sqlite")
    assert runs.report(runs.runs()[-1].id) == []
    (line,) = [line for line in done.stderr.splitlines() if " ERROR: " in line]
    return line


def test_something_that_is_no_file(place: Workplace) -> None:
    """A folder in the place of the corpus file ends the crawl at once, and the next one finds everything."""
    target_of(place).mkdir()
    assert "gaceta.jsonl: is no ordinary file. Name another one" in refused(place)
    target_of(place).rmdir()
    assert place.crawl("gaceta").returncode == 0
    assert len(place.documents("gaceta")) == 12


def test_a_folder_that_cannot_be_written_to(place: Workplace) -> None:
    """A target below what is no folder: one line says which, and what would work."""
    path = place.site_files / "gaceta.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "target: {path: corpus}\n", encoding="utf-8")
    place.data.mkdir()
    (place.data / "corpus").write_text("in the way")
    assert "Name another file: a part of its path is no folder" in refused(place)


def test_a_data_folder_that_cannot_be_made(place: Workplace) -> None:
    """One line, and the setting that names the folder."""
    place.data.write_text("in the way")
    done = place.crawl("gaceta")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "CORPUSBOT_DATA" in done.stderr


def test_a_file_from_elsewhere_grows(place: Workplace) -> None:
    """What stood in the file before the first crawl stays; documents are added behind it."""
    target_of(place).write_text('{"url": "http://before.example/"}\n', encoding="utf-8")
    assert place.crawl("gaceta").returncode == 0
    urls = [document["url"] for document in place.documents("gaceta")]
    assert urls[0] == "http://before.example/"
    assert len(set(urls)) == 13


def test_another_file_in_its_place_is_not_touched(place: Workplace) -> None:
    """A shorter or longer file than the one that was written to is some other: it is left as it is."""
    place.crawl("gaceta", "-a", "limit=3")
    target = target_of(place)
    for other in (target.read_bytes()[:1000], target.read_bytes().replace(b'"site"', b'"newspaper"')):
        target.write_bytes(other)
        line = refused(place)
        assert "another file took its place" in line or "is not the file that was written to" in line
        assert target.read_bytes() == other


def test_a_corpus_that_was_moved_away(place: Workplace) -> None:
    """A new file is begun, with a warning; the articles of the old one are not fetched again."""
    place.crawl("gaceta", "-a", "limit=5")
    target = target_of(place)
    old = target.rename(place.folder / "old.jsonl")
    done = place.crawl("gaceta")
    assert done.returncode == 0
    assert "gaceta.jsonl is not there any more; a new one is begun" in done.stderr
    urls = [json.loads(line)["url"] for path in (old, target) for line in path.read_text("utf-8").splitlines()]
    assert len(urls) == len(set(urls)) == 12


def test_two_newspapers_one_file_and_a_kill(tmp_path: Path) -> None:
    """One is killed midway, the other writes to their file, the first goes on: all documents of both, each once."""
    with serve(Press(articles=40, days=3, hazards=False, latency=0.06)) as serving:
        place = workplace(tmp_path, serving)
        for path in place.site_files.glob("*.yaml"):
            path.write_text(path.read_text(encoding="utf-8") + "target: {path: both, file: news.jsonl}\n", "utf-8")
        target = place.data / "both" / "news.jsonl"
        running = subprocess.Popen(
            place.command("gaceta"), cwd=ROOT, env=place.environment(), stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 30
        while (not target.exists() or target.stat().st_size < 100_000) and time.monotonic() < deadline:
            time.sleep(0.02)
        running.kill()
        running.wait()
        assert 0 < len(target.read_bytes().splitlines()) < 40, "killed midway"
        for name in ("courier", "gaceta"):
            assert place.crawl(name).returncode == 0
        urls = Counter(json.loads(line)["url"] for line in target.read_text(encoding="utf-8").splitlines())
        assert urls == Counter(gold.url for name in ("gaceta", "courier") for gold in serving.press.gold(name))


@pytest.mark.parametrize("form", ["jsonl", "sections", "csv", "parquet"])
def test_a_crawl_that_adds_nothing_changes_nothing(place: Workplace, form: str) -> None:
    """A second run leaves the file as it was, byte by byte, whatever its format."""
    path = place.site_files / "gaceta.yaml"
    target = f"target: {{path: gaceta, file: news, format: {form}}}\n"
    path.write_text(path.read_text(encoding="utf-8") + target, encoding="utf-8")
    assert place.crawl("gaceta", "-a", "section=cultura").returncode == 0
    before = (place.data / "gaceta" / "news").read_bytes()
    assert len(before) > 1000
    assert place.crawl("gaceta", "-a", "section=cultura").returncode == 0
    assert (place.data / "gaceta" / "news").read_bytes() == before


def test_a_table_with_other_columns_is_not_added_to(place: Workplace) -> None:
    """A CSV file that another version began ends the crawl before it begins, untouched; the error says the cure."""
    path = place.site_files / "gaceta.yaml"
    target = "target: {path: gaceta, file: news.csv, format: csv}\n"
    path.write_text(path.read_text(encoding="utf-8") + target, encoding="utf-8")
    assert place.crawl("gaceta", "-a", "section=cultura").returncode == 0
    table = place.data / "gaceta" / "news.csv"
    before = table.read_bytes().replace(b",kind,", b",sort,", 1)
    table.write_bytes(before)
    done = place.crawl("gaceta")
    assert done.returncode != 0
    assert "names other columns than documents have now (new: kind). Move it away" in done.stderr
    assert table.read_bytes() == before


def test_an_index_that_breaks_ends_the_crawl(place: Workplace) -> None:
    """If the index of duplicates cannot be written, the crawl ends; once mended, each article is there once."""
    assert place.crawl("courier").returncode == 0
    with sqlite3.connect(place.data / "duplicates.sqlite") as index:
        index.execute("CREATE TRIGGER broken BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'broken'); END")
    index.close()
    done = place.crawl("gaceta", seconds=60)
    assert done.returncode != 0
    assert "broken" in done.stderr
    with sqlite3.connect(place.data / "duplicates.sqlite") as index:
        index.execute("DROP TRIGGER broken")
    index.close()
    assert place.crawl("gaceta").returncode == 0
    golds = place.serving.press.gold("gaceta")
    assert Counter(d["url"] for d in place.documents("gaceta")) == Counter(gold.url for gold in golds)
