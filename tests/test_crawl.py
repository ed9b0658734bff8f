"""A whole crawl, as a user runs it: all articles, once, in their exact text; every other page with its reason."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.press import Gold, Press, Serving, serve
from tests.sample_crawl import ROOT, Workplace, workplace

REASONS = {
    "not_article": {"no_text", "empty_page", "too_short"},
    "paywall": {"paywalled"},
    "robots": {"robots"},
    "not_html": {"not_html"},
    "http_error": {"http_404", "http_410", "http_500"},
    "redirect_loop": {"redirect_limit"},
    "redirect_out": {"refused_scheme", "private_address", "connection_refused", "dns", "robots_unreachable"},
    "too_large": {"too_large"},
    "broken_transfer": {"data_loss", "connection_lost"},
    "timeout": {"timeout"},
}


def texts_of(golds: Iterable[Gold]) -> dict[str, Gold]:
    """The texts that must come out, each with its first printing."""
    return {gold.body: gold for gold in golds if gold.expected == "document"}


@pytest.mark.parametrize("name", ["gaceta", "courier"])
def test_every_article_once_in_its_exact_text(troubled: Workplace, name: str) -> None:
    """Recall and precision are 1: each article of the newspaper is a document, letter by letter, and only once."""
    golds = troubled.serving.press.gold(name)
    by_url = {gold.url: gold for gold in golds}
    documents = troubled.documents(name)
    assert len({document["id"] for document in documents}) == len(documents)
    wrong = [d["url"] for d in documents if d["url"] in by_url and d["text"] != by_url[d["url"]].body]
    assert wrong == []
    # An AMP or print copy may have come first: what counts is the story.
    stories = Counter(by_url[d["url"]].same_as or d["url"] for d in documents)
    assert [url for url, count in stories.items() if count > 1] == []
    assert {gold.url for gold in golds if gold.expected == "document"} <= stories.keys()


@pytest.mark.parametrize("name", ["gaceta", "courier"])
def test_fields_are_what_the_newspaper_says(troubled: Workplace, name: str) -> None:
    """Title, lead, authors and times are exact, and each field tells what found it."""
    by_url = {gold.url: gold for gold in troubled.serving.press.gold(name)}
    checked = 0
    for document in troubled.documents(name):
        gold = by_url[document["url"]]
        if gold.expected == "document":
            found = [document[field] for field in ("title", "lead", "published", "language")]
            assert found == [gold.title, gold.lead, gold.published.isoformat(), gold.language]
            assert tuple(document["authors"]) == gold.authors
            assert document["origins"]["title"].startswith(f"{name}.yaml:")
            assert document["record_id"].startswith("urn:uuid:")
            assert document["kind"] == "article"
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", ["gaceta", "courier"])
def test_what_is_no_document_has_its_reason(troubled: Workplace, name: str) -> None:
    """Each page of trouble is in the incident report, with a cause of the right kind."""
    causes = {incident["url"]: incident["cause"] for incident in troubled.report(name)["incidents"]}
    for gold in troubled.serving.press.gold(name):
        if gold.expected in REASONS:
            assert causes.get(gold.url) in REASONS[gold.expected], gold.kind


def test_raw_pages_are_kept(troubled: Workplace) -> None:
    """The bytes of every document's page are in the archive, under the id that the document names."""
    raw = b"".join(gzip.decompress(path.read_bytes()) for path in (troubled.data / "gaceta" / "pages").glob("*.gz"))
    for document in troubled.documents("gaceta"):
        assert document["record_id"].encode() in raw


def test_encodings_are_recorded(troubled: Workplace) -> None:
    """A page that claims UTF-8 and is windows-1252 is read right, and the document says what it was."""
    (document,) = [d for d in troubled.documents("gaceta") if "charset-cp1252" in d["url"]]
    assert document["encoding"] == "cp1252"
    assert document["declared_encoding"].lower() == "utf-8"


def test_a_second_run_moves_next_to_nothing(place: Workplace, press: Serving) -> None:
    """Nothing changed: no article is asked for, index pages answer 304, no byte of the corpus changes."""
    assert place.crawl("gaceta").returncode == 0
    first = sum(visit.sent_bytes for visit in press.press.requests)
    corpus = (place.data / "gaceta" / "gaceta.jsonl").read_bytes()
    press.press.requests.clear()
    assert place.crawl("gaceta").returncode == 0
    assert {visit.status for visit in press.press.requests if "robots" not in visit.target} == {304}
    assert sum(visit.sent_bytes for visit in press.press.requests) < first / 100
    assert (place.data / "gaceta" / "gaceta.jsonl").read_bytes() == corpus
    assert "extract_article" not in place.report("gaceta", 2)["stages"]


def test_a_new_edition_adds_what_is_new(place: Workplace, press: Serving) -> None:
    """After a day the new articles are added to the growing file; those known are not asked for again."""
    place.crawl("courier")
    before = len(place.documents("courier"))
    press.press.print_edition(2)
    place.crawl("courier")
    golds = press.press.gold("courier")
    assert {d["url"] for d in place.documents("courier")} == {gold.url for gold in golds}
    assert before < len(place.documents("courier"))


def test_corrected_articles_are_found_on_request(place: Workplace, press: Serving) -> None:
    """`-a revisit=all` asks known articles conditionally; a corrected one is added again under its id."""
    place.crawl("gaceta")
    before = place.documents("gaceta")
    press.press.correct(before[0]["url"])
    place.crawl("gaceta", "-a", "revisit=all")
    added = place.documents("gaceta")[len(before) :]
    assert [document["id"] for document in added] == [before[0]["id"]]
    assert added[0]["text"] != before[0]["text"]
    assert place.report("gaceta", 2)["counts"]["unchanged"] >= len(before) - 1


def test_a_fresh_target_holds_the_last_run(place: Workplace) -> None:
    """With `append: false` each run writes the file anew, with every article that is listed."""
    path = place.site_files / "gaceta.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "target: {append: false}\n", encoding="utf-8")
    place.crawl("gaceta")
    first = {document["url"] for document in place.documents("gaceta")}
    place.crawl("gaceta")
    assert {document["url"] for document in place.documents("gaceta")} == first
    assert len(place.documents("gaceta")) == len(first)


def test_one_growing_file_for_two_newspapers(place: Workplace) -> None:
    """webreader's target: two newspapers add their documents to one file, each whole."""
    for name in ("gaceta", "courier"):
        path = place.site_files / f"{name}.yaml"
        target = "target: {path: all, file: news.txt, format: sections}\n"
        path.write_text(path.read_text(encoding="utf-8") + target, encoding="utf-8")
        assert place.crawl(name).returncode == 0
    text = (place.data / "all" / "news.txt").read_text(encoding="utf-8")
    assert text.count("\n.\n") == text.count(".TITULO\n") == 24
    assert ".PERIODICO\nLa Gaceta de Muestra\n" in text
    assert ".PERIODICO\nThe Sample Courier\n" in text


@pytest.mark.parametrize("form", ["csv", "parquet", "tags"])
def test_every_format(place: Workplace, form: str) -> None:
    """Scrapy's -O writes each of the formats."""
    target = place.folder / f"out.{form}"
    done = place.crawl("gaceta", "-a", "limit=4", "-O", f"{target}:{form}")
    assert done.returncode == 0, done.stderr[-2000:]
    assert target.stat().st_size > 1000


def test_bounds_of_a_run(place: Workplace) -> None:
    """`section`, `sample` and `limit` bound a run; the rest waits, and the next run takes it up."""
    place.crawl("gaceta", "-a", "section=cultura", "-a", "limit=1")
    assert len(place.documents("gaceta")) == 1
    assert place.report("gaceta")["waiting"] > 0
    place.crawl("gaceta")
    assert len(place.documents("gaceta")) == 12


def test_past_days_by_dated_index_pages(place: Workplace, press: Serving) -> None:
    """`from` and `to` ask the index page of each of those days, and nothing else."""
    path = place.site_files / "gaceta.yaml"
    archive = f"  - {{url: '{press.gaceta}/archivo/$YYYY$/$MM$/$DD$/', section: Archivo}}\n"
    path.write_text(path.read_text(encoding="utf-8").replace("indexes:\n", f"indexes:\n{archive}"), encoding="utf-8")
    place.crawl("gaceta", "-a", "from=2024-03-29", "-a", "to=2024-03-30")
    days = {gold.url for gold in press.press.gold("gaceta") if gold.published.day in (29, 30)}
    assert {document["url"] for document in place.documents("gaceta")} == days


def test_past_days_by_the_sitemaps_of_robots_txt(place: Workplace, press: Serving) -> None:
    """The sitemaps that robots.txt names lead to past days too, through an index, gzip and a broken one."""
    path = place.site_files / "courier.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "robots_sitemaps: true\n", encoding="utf-8")
    place.crawl("courier", "-a", "from=2024-03-29", "-a", "to=2024-03-31")
    found = {document["url"] for document in place.documents("courier")}
    assert found == {gold.url for gold in press.press.gold("courier")}


def test_the_report_counts_who_found_the_bodies(place: Workplace) -> None:
    """Rules that died are noticed: every page that another extractor had to read is counted, with the reason."""
    path = place.site_files / "gaceta.yaml"
    text = path.read_text(encoding="utf-8").replace("extractors: [rules]", "extractors: [rules, jsonld, gist]")
    path.write_text(text.replace("[itemprop=articleBody], .amp-body", ".gone, .amp-body"), encoding="utf-8")
    done = place.crawl("gaceta")
    report, documents = place.report("gaceta"), len(place.documents("gaceta"))
    assert documents == 12
    assert report["found_by"] == {"gist": documents}
    assert report["passed_over"] == {"jsonld": {"nothing": documents}, "rules": {"nothing": documents}}
    assert sum(report["kinds"].values()) == documents
    assert f"Found by: gist {documents}\n" in done.stderr
    assert f"Passed over: jsonld: nothing {documents}; rules: nothing {documents}\n" in done.stderr
    assert {document["kind"] for document in place.documents("gaceta")} == {"article"}


def test_one_request_at_a_time(place: Workplace, press: Serving) -> None:
    """However many workers there are, a host is never asked two things at once."""
    press.press.latency = 0.02
    place.crawl("gaceta")
    assert press.press.most_at_once("gaceta") == 1
    assert all("corpusbot/" in visit.user_agent for visit in press.press.requests)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "No site 'nosuch'"),
        (["gaceta", "-a", "secton=x"], "Did you mean 'section'?"),
        (["gaceta", "-a", "from=2024-13-01"], "Write it as 2024-01-31"),
        (["gaceta", "-a", "limit=none"], "a whole number above 0"),
        (["gaceta", "-a", "from=2024-01-01"], "cannot fetch past days"),
    ],
)
def test_wrong_arguments_are_told(place: Workplace, arguments: list[str], message: str) -> None:
    """A wrong name or argument ends at once, with one line that says what would work."""
    done = place.crawl(*arguments)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_cancelling_is_quick_and_loses_nothing(place: Workplace, press: Serving) -> None:
    """Ctrl-C ends a slow crawl within seconds; the next run has the rest, and each article once."""
    press.press.latency = 0.3
    running = subprocess.Popen(
        place.command("gaceta"), cwd=ROOT, env=place.environment(), stderr=subprocess.PIPE, text=True
    )
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    started = time.monotonic()
    running.communicate(timeout=20)
    assert time.monotonic() - started < 5
    press.press.latency = 0
    place.crawl("gaceta")
    assert Counter(d["url"] for d in place.documents("gaceta")) == Counter(g.url for g in press.press.gold("gaceta"))


def test_a_killed_crawl_goes_on_where_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    """SIGKILL at several moments: in the end every article once, and no half line in the corpus."""
    with serve(Press(articles=60, days=3, hazards=False, latency=0.04)) as serving:
        place = workplace(tmp_path_factory.mktemp("killed"), serving)
        for pages in (17, 40, 61):
            running = subprocess.Popen(
                place.command("courier"), cwd=ROOT, env=place.environment(), stderr=subprocess.DEVNULL
            )
            patience = time.monotonic() + 30
            while len(serving.press.requests) < pages and time.monotonic() < patience:
                time.sleep(0.01)
            running.kill()
            running.wait()
        assert place.crawl("courier").returncode == 0
        lines = (place.data / "courier" / "courier.jsonl").read_text(encoding="utf-8").splitlines()
        urls = Counter(json.loads(line)["url"] for line in lines)
        assert urls == Counter(gold.url for gold in serving.press.gold("courier"))
        asked = Counter(visit.target for visit in serving.press.requests if "/2024/" in visit.target)
        # At this pace the half second between two commits, and the second in which workers start, are 40 pages.
        assert sum(count - 1 for count in asked.values()) <= 3 * 40, "only what was in the line is asked for again"


def test_one_file_more_is_one_newspaper_more(place: Workplace) -> None:
    """A site file that is dropped in is a spider; a broken one hurts only itself."""
    (place.site_files / "broken.yaml").write_text("nmae: x\n", encoding="utf-8")
    listed = subprocess.run(
        [*place.command("gaceta")[:3], "list"], cwd=ROOT, env=place.environment(), capture_output=True, text=True,
        check=True,
    ).stdout.split()  # fmt: skip
    assert {"gaceta", "courier", "broken", "elpais"} <= set(listed)
    done = place.crawl("broken")
    assert "broken.yaml:1: unknown key 'nmae'. Did you mean 'name'?" in done.stdout + done.stderr
    assert done.returncode != 0
