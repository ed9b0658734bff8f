"""Duplicates as crawls meet them: two newspapers with the same agency reports, reprints and versions."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from corpusbot.dedup.index import DuplicateIndex
from corpusbot.dedup.repeats import Repeat
from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace


def with_agency(place: Workplace, name: str, across: str) -> None:
    """The agency's reports stand in a section of their own, in the other newspaper's language: let them pass."""
    path = place.site_files / f"{name}.yaml"
    base = {"gaceta": f"{place.serving.gaceta}/english/", "courier": f"{place.serving.courier}/espanol/"}[name]
    text = path.read_text(encoding="utf-8").replace(" language,", "")
    text = text.replace("indexes:\n", f"indexes:\n  - {{url: '{base}', section: Abroad}}\n")
    path.write_text(f"{text}duplicates: {{across: {across}}}\n", encoding="utf-8")


def corpusbot(place: Workplace, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command, as a user runs it."""
    command = [sys.executable, "-m", "corpusbot.cli", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=place.environment(), capture_output=True, text=True, timeout=60, check=False
    )


def lines(place: Workplace, *arguments: str) -> list[dict[str, Any]]:
    """What a command prints as JSON."""
    done = corpusbot(place, *arguments, "--format", "json")
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def repeats(place: Workplace) -> list[Repeat]:
    """What was remembered of articles that repeat something."""
    with closing(DuplicateIndex(place.data / "duplicates.sqlite")) as index:
        return list(index.repeats())


@pytest.fixture(scope="module", params=["drop", "keep"])
def crawled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """Both newspapers crawled, the second one dropping or keeping what the first has printed."""
    with serve(Press(articles=24, days=3, big_bytes=2_000_000, drip_seconds=2, slow_seconds=0.5)) as serving:
        place = workplace(tmp_path_factory.mktemp(request.param), serving)
        for name in ("gaceta", "courier"):
            with_agency(place, name, request.param)
            done = place.crawl(name, "-s", "DOWNLOAD_TIMEOUT=1", "-s", "RETRY_TIMES=0")
            assert done.returncode in (0, 2), done.stderr[-3000:]
        yield place


def agency_urls(place: Workplace) -> dict[str, str]:
    """Where the agency's reports stand again, and where first."""
    golds = place.serving.press.gold()
    return {gold.url: gold.same_as for gold in golds if gold.kind == "agency" and gold.same_as}


def test_copies_of_other_newspapers_are_kept_as_data(crawled: Workplace) -> None:
    """Each agency report that is printed again is known with the document that it repeats, kept or not."""
    by_url = {repeat.entry.url: repeat for repeat in repeats(crawled)}
    documents = {d["id"]: d for name in ("gaceta", "courier") for d in crawled.documents(name)}
    is_kept = crawled.folder.name.startswith("keep")
    across = [one for one in by_url.values() if one.first_site != one.entry.site]
    assert {frozenset((one.entry.url, documents[one.first]["url"])) for one in across} == {
        frozenset(pair) for pair in agency_urls(crawled).items()
    }
    assert {one.kept for one in across} == {is_kept}
    assert all(one.similarity > 0.9 for one in across)
    kept = {d["url"]: (d["duplicate_of"], d["similarity"]) for d in documents.values() if d["duplicate_of"]}
    assert kept == ({one.entry.url: (one.first, 1.0) for one in across} if is_kept else {})


def test_what_a_newspaper_prints_again_is_a_page_or_a_version(crawled: Workplace) -> None:
    """Copies for other readers and reprints are the same page again, an article carried on is a version."""
    by_url = {repeat.entry.url: repeat for repeat in repeats(crawled)}
    kinds = {"amp": "same_page", "print": "same_page", "reprint": "same_page", "update": "version"}
    for gold in crawled.serving.press.gold():
        repeat = by_url.get(gold.url)
        if gold.kind in kinds and repeat is not None:
            assert (gold.kind, repeat.kind) == (gold.kind, kinds[gold.kind])
            assert not repeat.kept
    assert {"same_page", "version"} <= {repeat.kind for repeat in by_url.values()}


def test_clusters_and_syndication(crawled: Workplace) -> None:
    """Every agency report is a cluster over both newspapers, whether the copy was kept or dropped."""
    *found, last = lines(crawled, "clusters")
    clusters = [{member["url"] for member in cluster["members"]} for cluster in found]
    for copy, original in agency_urls(crawled).items():
        assert any({copy, original} <= urls for urls in clusters)
    assert last["streaming"]["missed"] == last["streaming"]["joined"] == 0
    rows = lines(crawled, "clusters", "--syndication")
    assert sum(row["texts"] for row in rows) == len(agency_urls(crawled))
    assert "median delay" in corpusbot(crawled, "clusters", "--syndication").stdout


def test_boilerplate_is_told(crawled: Workplace) -> None:
    """Each newspaper has its line."""
    rows = lines(crawled, "clusters", "--boilerplate")
    assert [row["site"] for row in rows] == ["courier", "gaceta"]
    assert all(row["documents"] > 20 for row in rows)


def test_similar(crawled: Workplace) -> None:
    """A document, an address and a text lead to the same copies."""
    copy, original = next(iter(agency_urls(crawled).items()))
    assert original in [row["url"] for row in lines(crawled, "similar", copy)]
    assert copy in [row["url"] for row in lines(crawled, "similar", original)]
    documents = [d for name in ("gaceta", "courier") for d in crawled.documents(name)]
    (document,) = [d for d in documents if d["url"] in (copy, original) and not d["duplicate_of"]]
    text = crawled.folder / "notes.txt"
    text.write_text(document["text"], encoding="utf-8")
    rows = lines(crawled, "similar", str(text))
    assert {copy, original} == {row["url"] for row in rows}
    assert {row["kind"] for row in rows} == {"exact"}
    assert corpusbot(crawled, "similar", document["id"]).stdout.count("\n") == 1


def test_what_is_not_there_is_told(crawled: Workplace) -> None:
    """A wrong id, and a folder without an index."""
    done = corpusbot(crawled, "similar", "0123456789abcdef")
    assert done.returncode == 1
    assert "no document of this id" in done.stderr
    done = corpusbot(crawled, "clusters", "--data", str(crawled.folder / "nowhere"))
    assert done.returncode == 1
    assert "A crawl makes it" in done.stderr
    assert not (crawled.folder / "nowhere").exists()


def test_a_corrected_article_is_a_version(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An article that is visited again and says something else is known as a new version of itself."""
    with serve(Press(articles=12, days=3, hazards=False)) as serving:
        place = workplace(tmp_path_factory.mktemp("corrected"), serving)
        place.crawl("gaceta")
        document = place.documents("gaceta")[0]
        serving.press.correct(document["url"])
        place.crawl("gaceta", "-a", "revisit=all")
        (repeat,) = repeats(place)
        assert (repeat.kind, repeat.first, repeat.kept) == ("version", document["id"], True)
        assert 0.5 < repeat.similarity < 1
