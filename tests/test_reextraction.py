"""`corpusbot reextract` on a crawled corpus: what other rules make of stored pages, shown first and then written."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from corpusbot.cli import main
from corpusbot.model import Drop
from corpusbot.reextraction_plan import NAME as PLAN
from corpusbot.reextraction_pool import Pool
from corpusbot.store.documents import documents_of, open_documents
from corpusbot.verification import verify
from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace

ARTICLES = 12
SITE = "gaceta"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """A corpus of one newspaper."""
    with serve(Press(articles=ARTICLES, days=3, hazards=False)) as serving:
        place = workplace(tmp_path_factory.mktemp("crawled"), serving)
        done = place.crawl(SITE)
        assert done.returncode == 0, done.stderr[-3000:]
        yield place


@pytest.fixture
def place(crawled: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """A copy of it, in which nobody answers."""
    copy = Workplace(tmp_path, crawled.serving)
    shutil.copytree(crawled.data, copy.data)
    shutil.copytree(crawled.site_files, copy.site_files)
    monkeypatch.setenv("CORPUSBOT_SITE_CONFIGS", str(copy.site_files))
    monkeypatch.setenv("CORPUSBOT_DATA", str(copy.data))
    return copy


def changed(place: Workplace, before: str, after: str) -> None:
    """Change the site file."""
    path = place.site_files / f"{SITE}.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def reextracted(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    """The summary, and what came of each page that is not what it was."""
    assert main(["reextract", SITE, "--format", "json", "--workers", "1", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_same_rules_change_nothing(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """The line is deterministic: every stored page becomes the very document that it was."""
    (summary,) = reextracted(capsys)
    assert summary["outcomes"] == {"unchanged": ARTICLES}


def test_a_better_rule_reaches_old_pages(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """It is shown by field and page and not written; with --write each document has a new version that says why."""
    changed(place, "lead: .entradilla", "lead: 'h1[itemprop=headline]'")
    summary, *pages = reextracted(capsys)
    assert summary["outcomes"] == {"changed": ARTICLES}
    assert summary["fields"]["lead"] == ARTICLES
    title, lead = place.documents(SITE)[0]["title"], place.documents(SITE)[0]["lead"]
    assert [lead, title] in [page["fields"]["lead"] for page in pages]
    where = documents_of(place.data, SITE)
    with closing(open_documents(where, SITE)) as store:
        assert {stored.versions for stored in store.documents()} == {1}

    assert main(["reextract", SITE, "--write"]) == 0
    assert f"{ARTICLES} new versions" in capsys.readouterr().out
    with closing(open_documents(where, SITE)) as store:
        for stored in store.documents():
            assert stored.version.cause == "reextract"
            assert "lead" in stored.version.changed
            assert stored.document.lead == stored.document.title
    assert not (place.data / SITE / PLAN).exists()
    assert verify(place.data, SITE).sound
    assert reextracted(capsys)[0]["outcomes"] == {"unchanged": ARTICLES}


def test_the_summary_can_be_read(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers, fields, and the largest differences with the text before and after."""
    changed(place, "without: [.related, .ad, .paywall]", "without: [.ad]")
    assert main(["reextract", SITE]) == 0
    told = capsys.readouterr().out
    assert f"{ARTICLES} changed" in told
    assert "Changed fields: " in told
    assert "+ Te puede interesar" in told
    assert "Nothing was written" in told


def test_documents_gained_and_lost(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """A stricter filter loses documents and tells why, and they are kept; a laxer one gains those that it had lost."""
    sizes = sorted(len(document["text"].split()) for document in place.documents(SITE))
    limit = sizes[len(sizes) // 2]
    changed(place, "min_words: 30", f"min_words: {limit}")
    summary, *pages = reextracted(capsys, "--write")
    lost = sum(size < limit for size in sizes)
    assert summary["outcomes"] == {"unchanged": ARTICLES - lost, "lost": lost}
    assert summary["reasons"] == {"lost": {"too_short": lost}}
    assert {page["outcome"] for page in pages} == {"lost"}
    with closing(open_documents(documents_of(place.data, SITE), SITE)) as store:
        assert store.count() == ARTICLES


def test_pages_become_documents_only_now(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """Where store and file lack documents whose pages are kept, --write brings them; the index knows them as well."""
    (place.data / SITE / "documents.sqlite").unlink()
    (place.data / SITE / f"{SITE}.jsonl").unlink()
    (place.data / "duplicates.sqlite").unlink()
    shutil.rmtree(place.data / "duplicates.postings", ignore_errors=True)
    assert reextracted(capsys, "--write")[0]["outcomes"] == {"gained": ARTICLES}
    with closing(open_documents(documents_of(place.data, SITE), SITE)) as store:
        assert {stored.document.text for stored in store.documents()} == {
            gold.body for gold in place.serving.press.gold(SITE)
        }
    wrong = {check.name for check in verify(place.data, SITE).checks if check.wrong}
    assert wrong == {"files"}


def test_an_older_corpus_gets_a_store(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no store, the file is what pages are compared with, and what the store begins with."""
    (place.data / SITE / "documents.sqlite").unlink()
    changed(place, "lead: .entradilla", "lead: 'h1[itemprop=headline]'")
    assert reextracted(capsys)[0]["outcomes"] == {"changed": ARTICLES}
    assert main(["reextract", SITE, "--write"]) == 0
    assert f"begun with {ARTICLES} documents" in capsys.readouterr().out
    with closing(open_documents(documents_of(place.data, SITE), SITE)) as store:
        assert {stored.versions for stored in store.documents()} == {2}


@pytest.mark.parametrize("named", ["file", "folder"])
def test_other_rules_are_tried(
    place: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """--config takes a site file of any name, or a folder of them."""
    folder = tmp_path / "tried"
    folder.mkdir()
    text = (place.site_files / f"{SITE}.yaml").read_text(encoding="utf-8")
    path = folder / ("new-rules.yaml" if named == "file" else f"{SITE}.yaml")
    path.write_text(text.replace("lead: .entradilla", "lead: .nosuch"), encoding="utf-8")
    config = str(path if named == "file" else folder)
    assert reextracted(capsys, "--config", config)[0]["outcomes"] == {"changed": ARTICLES}
    assert reextracted(capsys)[0]["outcomes"] == {"unchanged": ARTICLES}


def test_days(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """--from and --to are the days on which pages were fetched."""
    today, day = datetime.now(UTC).date(), timedelta(days=1)
    inside = reextracted(capsys, "--from", str(today - day), "--to", str(today + day))
    assert inside[0]["pages"] == ARTICLES
    assert reextracted(capsys, "--from", str(today + day))[0]["pages"] == 0


def test_it_goes_on_after_a_kill(tmp_path: Path, crawled: Workplace) -> None:
    """What was read before the kill is not read again, and the result is the same."""
    place = Workplace(tmp_path, crawled.serving)
    shutil.copytree(crawled.data, place.data)
    shutil.copytree(crawled.site_files, place.site_files)
    command = [sys.executable, "-c", _SLOW]
    running = subprocess.Popen(command, cwd=ROOT, env=place.environment(), stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    assert running.stdout.readline() == "committed\n"
    running.send_signal(signal.SIGKILL)
    running.wait()
    running.stdout.close()
    done = subprocess.run(command, cwd=ROOT, env=place.environment(), capture_output=True, text=True, check=True)
    assert done.stdout.startswith("committed\n")
    assert f"done {ARTICLES} {ARTICLES - 3}\n" in done.stdout


_SLOW = """
import os, time
from pathlib import Path
from corpusbot import reextraction
from corpusbot.reextraction_plan import Plan
reextraction.PAGES_PER_COMMIT = 3
keep, read = Plan.keep, []
def told(plan, results):
    keep(plan, results)
    if not read:
        print("committed", flush=True)
        time.sleep(float(os.environ.get("PAUSE", "0.5")))
    read.extend(results)
Plan.keep = told
wanted = reextraction.Wanted(Path(os.environ["CORPUSBOT_DATA"]), "gaceta", workers=1)
with reextraction.reextraction(wanted) as work:
    print("done", work.plan.counts()[1], len(read))
"""


def slow_or_deadly(seconds: float, site: object) -> float:
    """A stage that takes so long, or ends its process."""
    if seconds < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(seconds)
    return seconds


class _Item(float):
    """A number that names a site, as all items do."""

    site = "elpais"


def test_a_page_that_kills_its_worker_costs_only_itself() -> None:
    """The worker is replaced, the other pages are done, and their order is kept."""
    items = [_Item(value) for value in (0.0, -1.0, 0.01, 0.02, 30.0, 0.03)]
    with Pool(2, 1, {}) as pool:
        results = [result for _, result in pool.results(slow_or_deadly, items)]
    assert [isinstance(result, Drop) for result in results] == [False, True, False, False, True, False]
    assert results[0::5] == [0.0, 0.03]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "nosuch/pages: no such folder"),
        ([SITE, "--config", "/nosuch.yaml"], "no such file or folder"),
    ],
)
def test_what_is_not_there_is_told(
    place: Workplace, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """One line that says what would work."""
    assert main(["reextract", *arguments]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_a_foreign_file_in_place_of_the_work(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused untouched, with what to do."""
    path = place.data / SITE / PLAN
    path.write_text("notes of mine", encoding="ascii")
    assert main(["reextract", SITE]) == 1
    assert f"{path}: " in capsys.readouterr().err
    assert path.read_text(encoding="ascii") == "notes of mine"
