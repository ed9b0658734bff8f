"""The archive of raw pages: pages a second in and out, KB a page, cold and warm reads, beside warcio in one run."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

from corpusbot.model import Body, Page
from corpusbot.store import deflate
from corpusbot.store.archive import RawPages, pages_of, record
from corpusbot.store.compact import compact
from corpusbot.store.deflate import library
from corpusbot.store.page_index import PageIndex, Stored
from corpusbot.store.reference_pages import chosen_pages
from corpusbot.store.zstd import LARGEST_DICTIONARY, Packer

LEAST_WRITTEN = 1000  # pages a second, by default
WANTED_BYTES = 152_000
MANY = 99
SIZES = (50_000, 450_000)
HEADERS = (("Content-Type", "text/html; charset=utf-8"), ("ETag", '"5f3a-1"'), ("Server", "nginx"))
SENT = (("Host", "diario.example"), ("Accept", "text/html"), ("User-Agent", "corpusbot/0.1"))


def bodies(data: Path, wanted: int) -> list[bytes]:
    """Real pages of the evaluation's sets, of many newspapers, whose mean size is near to 152 KB."""
    paths = sorted(data.glob("extraction/*/pages/*.html.gz"))
    random.Random(1).shuffle(paths)
    found = [body for path in paths if SIZES[0] <= len(body := gzip.decompress(path.read_bytes())) <= SIZES[1]]
    while found and statistics.fmean(map(len, found)) > WANTED_BYTES:
        found.remove(max(found, key=len))
    return [found[number % len(found)] for number in range(wanted)]


def by_newspaper(data: Path) -> list[list[bytes]]:
    """The pages of each newspaper that has several in the sets."""
    groups: dict[str, list[bytes]] = defaultdict(list)
    for gold in sorted(data.glob("extraction/*/gold.jsonl")):
        for line in gold.read_bytes().splitlines():
            told = json.loads(line)
            host = urlsplit(told.get("url") or "").hostname or "archive.org"
            path = gold.parent / "pages" / f"{told['id']}.html.gz"
            if not host.endswith("archive.org") and path.exists():
                groups[host].append(gzip.decompress(path.read_bytes()))
    return [group for group in groups.values() if len(group) > 1 and _usual(group)]


def _usual(group: Sequence[bytes]) -> bool:
    return SIZES[0] <= statistics.fmean(map(len, group)) <= SIZES[1]


def pages(contents: Iterable[bytes]) -> list[Page]:
    """Pages as a crawl makes them."""
    start = datetime(2024, 5, 1, tzinfo=UTC)
    return [
        Page(
            site="diario",
            url=f"https://diario.example/2024/05/01/nota-{number}",
            body=Body(body),
            fetched_at=start + timedelta(seconds=number),
            headers=HEADERS,
            sent=SENT,
        )
        for number, body in enumerate(contents)
    ]


def seconds(work: Callable[[], object]) -> float:
    """The CPU seconds that something takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


# -- writing


def write(folder: Path, given: Sequence[Page]) -> None:
    """Write the pages as the crawl does, with a commit after every 50."""
    archive = RawPages(folder, "diario", {})
    archive.flush_to_disk()
    for number, page in enumerate(given, 1):
        archive.append(record(page, archive.before(page.url)))
        if number % 50 == 0:
            archive.flush_to_disk()
    archive.flush_to_disk()
    archive.close()


def write_by_warcio(path: Path, given: Sequence[Page]) -> None:
    """Write the same pages with warcio."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        for page in given:
            head = StatusAndHeaders("200 OK", [*page.headers], protocol="HTTP/1.1")
            answer = writer.create_warc_record(page.url, "response", payload=io.BytesIO(page.body), http_headers=head)
            head = StatusAndHeaders(f"GET {urlsplit(page.url).path} HTTP/1.1", [*page.sent], is_http_request=True)
            asked = writer.create_warc_record(page.url, "request", http_headers=head)
            writer.write_request_response_pair(asked, answer)


# -- reading


def read_by_warcio(path: Path) -> None:
    """Read all of a file with warcio."""
    from warcio.archiveiterator import ArchiveIterator

    with path.open("rb") as file:
        for one in ArchiveIterator(file):
            one.content_stream().read()


def read_by_fastwarc(path: Path) -> None:
    """Read all of a file with fastwarc."""
    from fastwarc import ArchiveIterator

    with path.open("rb") as file:
        for one in ArchiveIterator(file):
            one.reader.read()


def one_by_one(folder: Path, order: Sequence[str], cold: bool) -> float:
    """The median of seconds that it takes to find a page by its address and read it."""
    taken = []
    with PageIndex(folder) as index:
        for url in order:
            if cold:
                index.close()  # the files and the index are opened anew, and nothing of them is in memory
                _let_go_of(folder)
            began = time.perf_counter()
            stored = index.find(url)
            assert isinstance(stored, Stored)
            assert index.read(stored).body
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def _let_go_of(folder: Path) -> None:
    """Ask the system to forget what it holds of these files."""
    for path in folder.iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


# -- telling


def rows(folder: Path, given: Sequence[Page]) -> Iterator[tuple[str, str]]:
    """What was measured of the archive, in words and figures."""
    number = len(given)
    ours, other = folder / "ours", folder / "warcio.warc.gz"
    written = number / seconds(lambda: write(ours, given))
    yield f"written, .warc.gz by {library()}", f"{written:,.0f} pages/s, {_kb(ours, '*.warc.gz', number):.1f} KB a page"
    yield from _by_zlib(folder / "plain", given)
    by_warcio = number / seconds(lambda: write_by_warcio(other, given))
    yield "  warcio", f"{by_warcio:,.0f} pages/s, {other.stat().st_size / number / 1000:.1f} KB a page"
    (path,) = ours.glob("*.warc.gz")
    yield from _reading("  .warc.gz", ours, given)
    for name, reader in (("warcio", read_by_warcio), ("fastwarc", read_by_fastwarc)):
        yield f"  {name}, .warc.gz", f"{number / seconds(lambda reader=reader: reader(path)):,.0f} pages/s"  # type: ignore[misc]
    packed = number / seconds(lambda: list(compact(ours)))
    size = _kb(ours, "*.warc.zst", number)
    yield "compacted and compared", f"{packed:,.0f} pages/s, {size:.1f} KB a page (of many newspapers)"
    yield from _reading("  .warc.zst", ours, given)
    if written < LEAST_WRITTEN:
        yield "WRONG", f"fewer than {LEAST_WRITTEN:,} pages/s are written"


def _by_zlib(folder: Path, given: Sequence[Page]) -> Iterator[tuple[str, str]]:
    """The same as on a machine that has no ISA-L."""
    if library() != "zlib":
        with patch.object(deflate, "isal_zlib", None):
            plain = len(given) / seconds(lambda: write(folder, given))
        yield "  .warc.gz by zlib", f"{plain:,.0f} pages/s, {_kb(folder, '*.warc.gz', len(given)):.1f} KB a page"


def _reading(name: str, folder: Path, given: Sequence[Page]) -> Iterator[tuple[str, str]]:
    order = [page.url for page in given]
    random.Random(2).shuffle(order)
    speed = len(given) / seconds(lambda: sum(1 for _ in pages_of(folder)))
    warm, cold = one_by_one(folder, order, cold=False), one_by_one(folder, order[:50], cold=True)
    yield f"{name} read in order", f"{speed:,.0f} pages/s"
    yield f"{name} by address", f"{warm * 1e6:,.0f} µs warm, {cold * 1e6:,.0f} µs cold"


def _kb(folder: Path, pattern: str, number: int) -> float:
    return sum(path.stat().st_size for path in folder.glob(pattern)) / number / 1000


def compact_rows(groups: Sequence[Sequence[bytes]]) -> Iterator[tuple[str, str]]:
    """What pages take that are packed by others of their newspaper."""
    yield from _packed("newspapers of 2 pages or more", groups, (0, 1, MANY))
    large = [group for group in groups if len(group) > 5]
    yield from _packed("newspapers of 6 pages or more", large, (0, 1, 3, 5, MANY))


def _packed(name: str, groups: Sequence[Sequence[bytes]], numbers: Sequence[int]) -> Iterator[tuple[str, str]]:
    size, pages_packed = sum(len(page) for group in groups for page in group), sum(map(len, groups))
    yield name, f"{len(groups)}, with {pages_packed} pages of {size / pages_packed / 1000:.0f} KB"
    for most in numbers:
        packed = sum(_packed_by_others(group, most) for group in groups)
        way = {0: "packed alone", MANY: "packed by all others"}.get(most, f"packed by {most} chosen of the others")
        each, as_wanted = packed / pages_packed / 1000, packed / size * WANTED_BYTES / 1000
        yield f"  {way}", f"{each:.1f} KB a page; at 152 KB: {as_wanted:.1f} KB"


def _packed_by_others(group: Sequence[bytes], most: int) -> int:
    packed = 0
    for number, page in enumerate(group):
        others = [*group[:number], *group[number + 1 :]]
        chosen = chosen_pages(others, LARGEST_DICTIONARY, most) if most else []
        packed += len(Packer(chosen).packed(page))
    return packed


def main() -> int:
    """Measure and print; 1 if too little is written in a second."""
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="the folder of real pages")
    parser.add_argument("--pages", type=int, default=1000, help="how many to write (default: 1000)")
    options = parser.parse_args()
    given = pages(bodies(options.data, options.pages))
    print(f"{len(given):,} pages of {statistics.fmean(len(page.body) for page in given) / 1000:.0f} KB")
    wrong = False
    with tempfile.TemporaryDirectory(prefix="corpusbot-") as folder:
        for name, told in rows(Path(folder), given):
            print(f"{name:36} {told}", flush=True)
            wrong = wrong or name == "WRONG"
    for name, told in compact_rows(by_newspaper(options.data)):
        print(f"{name:36} {told}", flush=True)
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
