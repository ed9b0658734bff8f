"""What keeping documents costs: time to write and to read them, bytes on the disk, memory of an export."""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from corpusbot.dedup import fingerprint
from corpusbot.export.document import Document, document_of
from corpusbot.model import Article, Block
from corpusbot.store.documents import Documents, documents_of, open_documents
from tests.sample_crawl import ROOT

SITE = "paper"
BATCH = 50  # documents of a commit: what a crawl of two cores reads in half a second
VOCABULARY = 20_000
PATTERNS = 500  # different texts; all else differs in each document
START = datetime(2024, 1, 1, tzinfo=UTC)
# The kernel's own figure of a process counts the one that it was begun by.
EXPORT = """
import re, sys
from corpusbot.cli import main
status = main(sys.argv[1:])
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
sys.exit(status)
"""


class Newspaper:
    """What a document tells of its newspaper."""

    name = "The Generated Paper"
    digest = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Measured:
    """How long something took, in CPU seconds of this process and by the clock."""

    documents: int
    cpu: float
    seconds: float

    def __str__(self) -> str:
        each = 1e6 * self.cpu / self.documents
        return f"{self.documents / self.seconds:>9,.0f} documents/s {each:>7.0f} µs CPU each"


def patterns(characters: int) -> list[Document]:
    """Documents of a seeded vocabulary in which, as in a language, few words are most of the text."""
    chance = random.Random(1)
    words = ["".join(chance.choices("aeioulnrstdcmpbgv", k=chance.randint(2, 11))) for _ in range(VOCABULARY)]
    weights = [1 / (rank + 3) for rank in range(VOCABULARY)]
    return [_pattern(chance.choices(words, weights, k=characters // 6), number) for number in range(PATTERNS)]


def _pattern(words: list[str], number: int) -> Document:
    blocks = tuple(Block(" ".join(words[start : start + 60]).capitalize() + ".") for start in range(0, len(words), 60))
    origins = {name: f"paper.yaml:{line} jsonld:{name}" for line, name in enumerate(("title", "lead", "published"), 12)}
    article = Article(
        site=SITE, url="http://paper.example/", fetched_at=START, title=" ".join(words[:9]), body=blocks,
        published=START, section="Politics", language="en", lead=" ".join(words[9:40]), origins=origins,
        record_id=f"urn:uuid:{number:032x}", page_digest="0" * 64,
    )  # fmt: skip
    return document_of(article, fingerprint(article.text), Newspaper())


def generated(documents: list[Document], count: int) -> Iterator[Document]:
    """So many documents, each of another address and headline."""
    for number in range(count):
        pattern = documents[number % PATTERNS]
        url = f"http://paper.example/politics/{number:08d}"
        name = hashlib.sha256(url.encode()).hexdigest()[:16]
        published = (START + timedelta(minutes=number)).isoformat()
        yield replace(pattern, id=name, url=url, title=f"{pattern.title} {number}", published=published)


def measured(count: int, work: Callable[[], object]) -> Measured:
    """What some work cost."""
    cpu, clock = time.process_time(), time.monotonic()
    work()
    return Measured(count, time.process_time() - cpu, time.monotonic() - clock)


def written(store: Documents, documents: Iterator[Document], seen: datetime) -> None:
    """Write documents as a crawl does: a commit every so many."""
    for number, document in enumerate(documents, 1):
        store.write(document, seen)
        if number % BATCH == 0:
            store.commit(store.batch + 1)
    store.commit(store.batch + 1)


def exported(data: Path, count: int, *options: str) -> str:
    """An export in a process of its own: how fast, and the most memory that it took."""
    target = data / "corpus.jsonl"
    command = [sys.executable, "-c", EXPORT, "export", SITE, "--data", str(data), "-o", str(target), *options]
    started = time.monotonic()
    export = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if export.returncode:
        raise SystemExit(f"The export failed: {export.stderr}")
    with target.open("rb") as file:
        lines = sum(1 for _ in file)
    target.unlink()
    seconds = time.monotonic() - started
    return f"{count / seconds:>9,.0f} documents/s, {lines:,} lines, {int(export.stdout) / 1000:.0f} MB at most"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.documents", description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000, help="how many documents (20000)")
    parser.add_argument("--characters", type=int, default=5600, help="of a text (5600)")
    parser.add_argument("--where", help="postgresql://… (default: a SQLite file)")
    options = parser.parse_args()
    texts, count = patterns(options.characters), options.documents
    with tempfile.TemporaryDirectory() as folder:
        data, many = Path(folder), min(count, 20_000)
        where = documents_of(data, SITE, options.where)
        with open_documents(where, SITE) as store:
            making = measured(many, lambda: [None for _ in generated(texts, many)])
            print(f"{'making them (taken off below)':<32}{making}")
            _tell("new", store, generated(texts, count), count, making, START)
            _tell("read again, unchanged", store, generated(texts, many), many, making, START + timedelta(days=1))
            if where == documents_of(data, SITE):
                print(f"{'on the disk':<32}{Path(where).stat().st_size / count / 1024:>9.2f} KB a document")
            changed = (replace(one, title=f"{one.title}, changed") for one in generated(texts, many))
            _tell("read again, another headline", store, changed, many, making, START + timedelta(days=2))
            print(f"{'read, one after the other':<32}{measured(count, lambda: sum(1 for _ in store.documents()))}")
        if where == documents_of(data, SITE):
            print(f"{'exported as jsonl':<32}{exported(data, count)}")
            print(f"{'one day exported':<32}{exported(data, 1440, '--from', '2024-01-03', '--to', '2024-01-03')}")


def _tell(
    name: str, store: Documents, documents: Iterator[Document], count: int, making: Measured, seen: datetime
) -> None:
    cost = measured(count, lambda: written(store, documents, seen))
    share = count / making.documents
    print(f"{name:<32}{Measured(count, cost.cpu - share * making.cpu, cost.seconds - share * making.seconds)}")


if __name__ == "__main__":
    main()
