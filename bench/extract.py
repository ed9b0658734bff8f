"""How fast the extractors are, side by side in one run: HTML bytes in, text out, in one process on one core.

Every extractor reads the same few pages before the next ones are turned to, and another one begins each time, so that
whatever else the machine does hits all alike; a few, since who reads a corpus has one extractor's code and data in the
processor's cache, and not those of all its peers in turn. Memory is measured first, each extractor in a process of its
own; last comes one page made larger and larger, where what is linear takes the same time for each megabyte.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

from bench.extraction_sets import NO_DATA, SETS, Sample, samples
from bench.peers import Reader, installed, missing, reader

LIMIT = 100
WARM_UP = 5
PAGES_IN_A_ROW = 10
PAGES_FOR_MEMORY = 30
SIZES = {"10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
# A page that would take longer than this, by the time of the one before, is left out.
MOST_SECONDS = 30.0
COMPARED = ("trafilatura", "resiliparse")
_HEAD = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A page</title></head><body>"
_PIECE = """<div class="section s{n}"><nav><ul><li><a href="/a/{n}">Part {n}</a></li><li><a href="/b/{n}">Next
</a></li></ul></nav><article id="n{n}"><h2>What happened on day {n}</h2>
<p>On day {n} the council met again, and spoke for <b>{n} minutes</b> about the bridge, the school and the road.</p>
<p>Nobody was against it; "we have <a href="/c/{n}">waited long enough</a>", said one of those who live there.</p>
<aside class="more"><a href="/d/{n}">More about day {n}</a></aside></article></div>
"""


@dataclass(frozen=True, slots=True)
class Speed:
    """The seconds that one extractor took for each page, by the page's name."""

    extractor: str
    seconds: Mapping[str, float]
    failed: int

    @property
    def total(self) -> float:
        """All pages together."""
        return sum(self.seconds.values())

    @property
    def middle(self) -> float:
        """The page in the middle."""
        return median(self.seconds.values())

    @property
    def late(self) -> float:
        """What 99 of 100 pages do not exceed."""
        ordered = sorted(self.seconds.values())
        return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]

    @property
    def worst(self) -> str:
        """The page that took longest."""
        return max(self.seconds, key=lambda page: self.seconds[page])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = _options(arguments)
    if options.memory:
        print(_megabytes_of(options.memory, options.data))
        return 0
    names = options.extractors.split(",") if options.extractors else installed()
    if not any(samples(options.data, limit=1)):
        print(NO_DATA.format(folder=options.data / "extraction", target="bench-extract"), file=sys.stderr)
        return 2
    memory = {name: _in_own_process(name, options.data) for name in names}  # while this process is small itself
    readers = {name: reader(name) for name in names}
    speeds = timed(readers, list(samples(options.data, SETS, options.limit or None)))
    print("\n".join(_speed_lines(speeds, memory)), "\n", flush=True)
    growth = {name: growing(read) for name, read in readers.items()}
    print("\n".join(_growth_lines(growth)))
    if options.json:
        report = {"speeds": [asdict(speed) for speed in speeds], "megabytes": memory, "growth": growth}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    more = f" Not installed here: pip install {' '.join(missing())}" if missing() else ""
    parser = argparse.ArgumentParser(prog="python -m bench.extract", description=__doc__, epilog=more)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--extractors", help=f"only these, with commas between, of: {', '.join(installed())}")
    parser.add_argument("--limit", type=int, default=LIMIT, help="pages of each set, 0 for all (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every time there too")
    parser.add_argument("--memory", metavar="EXTRACTOR", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def timed(readers: Mapping[str, Reader], pages: Sequence[Sample]) -> list[Speed]:
    """The time of each extractor for each page; none is the first one always."""
    names = list(readers)
    for page in pages[:: max(1, len(pages) // WARM_UP)]:
        for name in names:
            _read(readers[name], page.html, page.url)
    gc.collect()
    gc.freeze()  # or whoever makes objects would have those of all others' modules searched again and again
    seconds: dict[str, dict[str, float]] = {name: {} for name in names}
    failed = dict.fromkeys(names, 0)
    for number, first in enumerate(range(0, len(pages), PAGES_IN_A_ROW)):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            for page in pages[first : first + PAGES_IN_A_ROW]:
                taken, is_read = _read(readers[name], page.html, page.url)
                seconds[name][f"{page.collection}/{page.id}"] = taken
                failed[name] += not is_read
    return [Speed(name, times, failed[name]) for name, times in seconds.items()]


def _read(read: Reader, html: bytes, url: str) -> tuple[float, bool]:
    """How long it took, and whether it came to an end."""
    started = time.process_time()
    try:
        read(html, url)
    except Exception:  # noqa: BLE001  # the peers raise what they like
        return time.process_time() - started, False
    return time.process_time() - started, True


def _speed_lines(speeds: Sequence[Speed], memory: Mapping[str, float]) -> Iterator[str]:
    known = {speed.extractor: speed for speed in speeds}
    compared = [known[name] for name in COMPARED if name in known]
    yield f"{len(speeds[0].seconds)} pages, ms a page; docs/s over all pages, and in brackets by the median page"
    head = f"{'':<23}{'docs/s':>8}{'median':>8}{'mean':>8}{'p99':>8}{'worst':>9}{'MB':>6}{'failed':>8}"
    yield head + "".join(f"{'x ' + other.extractor:>22}" for other in compared) + "  worst page"
    for speed in speeds:
        number = len(speed.seconds)
        times = (speed.middle, mean(speed.seconds.values()), speed.late)
        row = f"{speed.extractor:<23}{number / speed.total:>8.1f}" + "".join(f"{1_000 * t:>8.2f}" for t in times)
        row += f"{1_000 * speed.seconds[speed.worst]:>9.1f}{memory[speed.extractor]:>6.0f}{speed.failed:>8}"
        row += "".join(f"{_ratio(speed, other):>22}" for other in compared)
        yield f"{row}  {speed.worst}"


def _ratio(speed: Speed, other: Speed) -> str:
    """How many pages it reads while the other one reads one."""
    return f"{other.total / speed.total:.2f} ({other.middle / speed.middle:.2f})"


def large_page(size: int) -> bytes:
    """A page of so many bytes, of pieces that are all alike and each a little different."""
    pieces = [_HEAD]
    length = len(_HEAD)
    while length < size:
        pieces.append(_PIECE.format(n=len(pieces)))
        length += len(pieces[-1])
    return "".join(pieces).encode()


def growing(read: Reader) -> dict[str, float | None]:
    """The seconds for each megabyte of larger and larger pages; None where it would take too long."""
    found: dict[str, float | None] = {}
    rate: float | None = 0.0
    for name, size in SIZES.items():
        if rate is not None and rate * size / 1_000_000 > MOST_SECONDS:
            rate = None
        if rate is not None:
            page = large_page(size)
            rate = min(_read(read, page, "")[0] for _ in range(3 if size < 1_000_000 else 1)) / len(page) * 1_000_000
        found[name] = rate
    return found


def _growth_lines(growth: Mapping[str, Mapping[str, float | None]]) -> Iterator[str]:
    yield "ms for each megabyte of one page made larger by repetition"
    yield f"{'':<23}" + "".join(f"{size:>10}" for size in SIZES)
    for name, rates in growth.items():
        shown = ("-" if rate is None else f"{1_000 * rate:.1f}" for rate in rates.values())
        yield f"{name:<23}" + "".join(f"{text:>10}" for text in shown)


def _in_own_process(name: str, data: Path) -> float:
    """The megabytes that an extractor needs beyond those of its import."""
    command = [sys.executable, "-W", "ignore", "-m", "bench.extract", "--memory", name, "--data", str(data)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def _megabytes_of(name: str, data: Path) -> float:
    """What its pages add to the most memory of this process."""
    read = reader(name)
    _read(read, large_page(2_000), "")  # what is imported at the first page counts as import
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for page in samples(data, SETS, PAGES_FOR_MEMORY):
        _read(read, page.html, page.url)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    sys.exit(main())
