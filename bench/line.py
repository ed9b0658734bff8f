"""The whole line at full speed: pages a second, how busy the cores are, the share of each stage, memory over time."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.sample_crawl import ROOT, SITE_FILES

NEWSPAPER = "gaceta"
PAGE_BYTES = 110_000
LEAST_BUSY = 0.9
MOST_TAKEN = 0.1  # by other programs, before the measurement is worth nothing
SECONDS_BETWEEN_LOOKS = 0.5
LINES_OF_MEMORY = 8
# The first and last pages, when the workers start and when little is left to do, are not the line at full speed.
STEADY = (0.05, 0.95)
CORES = len(os.sched_getaffinity(0))
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_OF_MEMORY = os.sysconf("SC_PAGE_SIZE")
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Process:
    """A process as it is at a moment: CPU seconds used and waited for so far, bytes in memory."""

    cpu: float
    queued: float
    memory: int


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the running crawl found; `busy` are CPU seconds of all the machine."""

    at: float
    pages: int
    crawl: Process
    workers: tuple[Process, ...]
    press: Process
    busy: float

    @property
    def worked(self) -> float:
        """CPU seconds of the workers."""
        return sum(worker.cpu for worker in self.workers)

    @property
    def used(self) -> float:
        """CPU seconds of all the crawl's processes."""
        return self.crawl.cpu + self.worked

    @property
    def queued(self) -> float:
        """Seconds that the crawl's processes had work to do and no core to do it on."""
        return self.crawl.queued + sum(worker.queued for worker in self.workers)


@dataclass(frozen=True, slots=True)
class Measured:
    """A crawl: all looks at it, and the stages' CPU seconds."""

    looks: Sequence[Look]
    stages: Mapping[str, float]
    documents: int

    def steady(self) -> tuple[Look, Look]:
        """The first and last look at the line at full speed."""
        total = self.looks[-1].pages
        least, most = (share * total for share in STEADY)
        inner = [look for look in self.looks if least <= look.pages <= most]
        if len(inner) < 2:
            raise SystemExit("Too few pages to measure: ask for more with --articles")
        return inner[0], inner[-1]


# -- the crawl


@contextmanager
def printed(options: argparse.Namespace) -> Iterator[tuple[int, str]]:
    """The sample newspaper, served by a process of its own: the process, and the newspaper's address."""
    numbers = {"articles": options.articles, "days": 30, "per-page": 50, "padding": options.bytes}
    numbers["cache-bytes"] = 100_000_000 + 2 * options.articles * (options.bytes + 20_000)
    flags = [f"--{name}={number}" for name, number in numbers.items()]
    command = [sys.executable, "-m", "tests.press", "--no-hazards", "--prerender", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT) as press:
        assert press.stdout is not None
        try:
            yield press.pid, press.stdout.readline().split()[0]
        finally:
            press.terminate()


def measured(options: argparse.Namespace, folder: Path) -> Measured:
    """One crawl of the newspaper, looked at twice a second."""
    with printed(options) as (press, address), (folder / "log.txt").open("w") as log:
        environment = _environment(folder, address)
        crawl = subprocess.Popen(_command(options), cwd=ROOT, env=environment, stderr=log)
        looks: list[Look] = []
        deadline = time.monotonic() + options.seconds
        try:
            while crawl.poll() is None and time.monotonic() < deadline:
                time.sleep(SECONDS_BETWEEN_LOOKS)
                with contextlib.suppress(OSError):  # it may end while it is looked at
                    looks += filter(_is_at_work, [_look(crawl.pid, press, _pages(folder))])
        finally:
            crawl.kill()
            crawl.wait()
    report = folder / "data" / NEWSPAPER / "reports" / "run-00001.json"
    if crawl.returncode or not report.exists():
        raise SystemExit(f"The crawl failed:\n{(folder / 'log.txt').read_text()[-3000:]}")
    told: Mapping[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    with (folder / "data" / NEWSPAPER / f"{NEWSPAPER}.jsonl").open("rb") as corpus:
        return Measured(looks, told["stages"], sum(1 for _ in corpus))


def _command(options: argparse.Namespace) -> list[str]:
    # A crawl of one newspaper in the wild asks one page at a time; here it is to be held up by nothing.
    pace = {"DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 16}
    if options.workers is not None:
        pace["CORPUSBOT_WORKERS"] = options.workers
    settings = [f"{name}={value}" for name, value in pace.items()] + options.set
    return [sys.executable, "-m", "scrapy", "crawl", NEWSPAPER, *(word for one in settings for word in ("-s", one))]


def _environment(folder: Path, address: str) -> dict[str, str]:
    site = (SITE_FILES / f"{NEWSPAPER}.yaml").read_text(encoding="utf-8")
    (folder / "sites").mkdir()
    site_file = folder / "sites" / f"{NEWSPAPER}.yaml"
    site_file.write_text(site.replace("http://gaceta.example", address), encoding="utf-8")
    return {
        **os.environ,
        "CORPUSBOT_DATA": str(folder / "data"),
        "CORPUSBOT_SITE_CONFIGS": str(folder / "sites"),
        "CORPUSBOT_ALLOW_PRIVATE": "127.0.0.1",
    }


# -- looking at it


def _look(crawl: int, press: int, pages: int) -> Look:
    workers = tuple(_process(number) for number in _children(crawl))
    return Look(time.monotonic(), pages, _process(crawl), workers, _process(press), _machine_busy())


def _is_at_work(look: Look) -> bool:
    """Whether the workers have begun and have not been ended."""
    return look.worked > 0


def _pages(folder: Path) -> int:
    """The articles that the crawl has finished and committed."""
    state = folder / "data" / NEWSPAPER / "state.sqlite"
    try:
        with closing(sqlite3.connect(f"file:{state}?mode=ro", uri=True)) as database:
            query = "SELECT count(*) FROM links WHERE state = 2 AND kind = 'article'"
            return int(database.execute(query).fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # not begun yet


def _process(number: int) -> Process:
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    # Of the main thread only, where the crawl and its workers do all of their work.
    queued = int(Path(f"/proc/{number}/schedstat").read_text().split()[1])
    cpu = (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND
    return Process(cpu, queued / 1e9, int(fields[21]) * PAGE_OF_MEMORY)


def _children(parent: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                yield int(folder.name)


def _machine_busy() -> float:
    user, nice, system, *_ = map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:])
    return (user + nice + system) / TICKS_PER_SECOND


# -- telling of it


def told(found: Measured) -> str:
    """The results in words and columns."""
    first, last = found.steady()
    seconds, pages = last.at - first.at, last.pages - first.pages
    room = seconds * CORES
    main, workers = last.crawl.cpu - first.crawl.cpu, last.worked - first.worked
    rows = {
        "the crawl, all processes": main + workers,
        "  its main process": main,
        "  its workers": workers,
        "the newspaper's server": last.press.cpu - first.press.cpu,
        "all of the machine": last.busy - first.busy,
        "the crawl waits for a core": last.queued - first.queued,
    }
    lines = [
        f"{found.documents} documents; {pages} pages in {seconds:.1f} s: {pages / seconds:.1f} pages/s",
        f"{f'CPU over {CORES} cores':<28}{'busy':>7}{'ms/page':>9}",
    ]
    lines += [f"{name:<28}{spent / room:>7.1%}{1000 * spent / pages:>9.2f}" for name, spent in rows.items()]
    return "\n".join([*lines, "", *_stage_lines(found), "", *_memory_lines(found.looks)])


def _stage_lines(found: Measured) -> Iterator[str]:
    """Each stage's CPU time, and what of the crawl's is left beside them."""
    main = found.looks[-1].crawl.cpu
    others = found.looks[-1].worked - sum(found.stages.values())
    shares = {**found.stages, "start and traffic of workers": others, "main process": main}
    total, pages = sum(shares.values()), max(found.looks[-1].pages, 1)
    yield f"{'stage, whole run':<28}{'share':>7}{'ms/page':>9}"
    for name, spent in sorted(shares.items(), key=lambda share: -share[1]):
        yield f"{name:<28}{spent / total:>7.1%}{1000 * spent / pages:>9.2f}"


def _memory_lines(looks: Sequence[Look]) -> Iterator[str]:
    yield f"{'memory after pages':<28}{'main':>7}  workers (MB)"
    step = max(1, looks[-1].pages // LINES_OF_MEMORY)
    due = step
    for look in looks:
        if look.pages >= due:
            workers = " ".join(f"{worker.memory / MEGABYTE:.0f}" for worker in look.workers)
            yield f"{look.pages:<28}{look.crawl.memory / MEGABYTE:>7.0f}  {workers}"
            due = look.pages + step


def verdict(found: Measured) -> int:
    """1 if the cores were less busy than they must be."""
    first, last = found.steady()
    own = last.used + last.press.cpu - first.used - first.press.cpu
    # What other programs take is not there to be used.
    others = max(0.0, last.busy - first.busy - own)
    room = (last.at - first.at) * CORES - others
    print(f"\n{own / room:.1%} of what the cores had to give was used; {LEAST_BUSY:.0%} are wanted")
    if others > MOST_TAKEN * room:
        print("Other programs were busy, too: measure again when the machine is quiet")
    return int(own / room < LEAST_BUSY)


def main() -> None:
    """Measure, print, and fail if the cores were idle."""
    parser = argparse.ArgumentParser(prog="python -m bench.line", description=__doc__)
    parser.add_argument("--articles", type=int, default=1500, help="articles of the newspaper (1500)")
    parser.add_argument("--bytes", type=int, default=PAGE_BYTES, help=f"bytes that a page weighs ({PAGE_BYTES})")
    parser.add_argument("--seconds", type=float, default=900, help="give up after so long (900)")
    parser.add_argument("--workers", type=int, help="worker processes (as many as there are cores)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the crawl's")
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        raise SystemExit("This measurement reads /proc, which only Linux has")
    with tempfile.TemporaryDirectory() as folder:
        found = measured(options, Path(folder))
    print(told(found))
    sys.exit(verdict(found))


if __name__ == "__main__":
    main()
