"""How fast duplicates are found: fingerprints beside others', the whole stage, and both as the index grows.

`fingerprints`: documents a second in one process, one after the other, every text read by each before the next.
`stage`: fingerprint, look-up, comparison, adding and commit of made-up news, a fifth of which are copies, with numba
and without it, each in a process of its own; seconds are the processor's, with those of merging in the background.
`scale`: an index is filled with made-up fingerprints, and at each size a process opens it, looks up texts that are
new and copies of what is there, and adds new ones.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench.dedup_scale import filled, measured
from bench.duplicate_pairs import printed, stories
from corpusbot.dedup import fingerprint, plain_fingerprint, simhash
from corpusbot.dedup.entry import Entry
from corpusbot.dedup.fast import compiled_loops
from corpusbot.dedup.grams import words_of
from corpusbot.dedup.index import DuplicateIndex

_MOMENT = datetime(2024, 1, 1, tzinfo=UTC)
SHORTEST, LONGEST = 4_000, 7_500  # bytes: 5.6 KB on average
WORDS, VOCABULARY = 900, 30_000
COMMITTED_AT_ONCE = 100
SIZES = (100_000, 1_000_000, 3_000_000, 10_000_000)  # of whole lots of made-up documents


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.dedup", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--texts", type=int, default=200, help="texts for the fingerprints (%(default)s)")
    parser.add_argument("--stage", type=int, default=4_000, help="documents through the whole stage (%(default)s)")
    parser.add_argument("--size", type=int, default=1_000_000, help="documents in the index at last (%(default)s)")
    parser.add_argument("--only", choices=("fingerprints", "stage", "scale"), help="this part and no other")
    parser.add_argument("--without-numba", action="store_true", help="as if it were not installed")
    parser.add_argument("--in-process", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.without_numba:
        sys.modules["numba"] = None  # type: ignore[assignment]  # as Python has it for what must not be imported
    if options.in_process:
        print(json.dumps(_in_process(options)))
        return 0
    for name, part in (("fingerprints", _fingerprints), ("stage", _stage), ("scale", _scale)):
        if options.only in (None, name):
            part(options)
    return 0


def texts_of(data: Path, number: int) -> list[str]:
    """News of 5.6 KB: of the extraction sets if they are there, else made up."""
    listed = stories(data) if (data / "extraction").exists() else []
    real = [one.text for one in printed(listed) if SHORTEST < len(one.text.encode()) < LONGEST] if listed else []
    return real[:number] or list(made_up(number))


def made_up(number: int, copied: float = 0.2) -> Iterator[str]:
    """News of words of some language, frequent as words are; a share of it repeats what came before, edited."""
    dice = random.Random(1)
    syllables = [one + other for one in "bcdfglmnprstv" for other in "aeiouáó"]
    vocabulary = ["".join(dice.choices(syllables, k=dice.choice((1, 1, 2, 2, 3, 4)))) for _ in range(VOCABULARY)]
    weights = [1 / (place + 3) for place in range(VOCABULARY)]
    before: list[list[str]] = []
    for _ in range(number):
        if before and dice.random() < copied:
            words = [dice.choice(vocabulary) if dice.random() < 0.01 else word for word in dice.choice(before)]
        else:
            words = dice.choices(vocabulary, weights, k=max(200, int(dice.gauss(WORDS, WORDS / 4))))
            before.append(words)
        yield ". ".join(" ".join(words[place : place + 18]).capitalize() for place in range(0, len(words), 18))


def _fingerprints(options: argparse.Namespace) -> None:
    texts = texts_of(options.data, options.texts)
    size = sum(len(text.encode()) for text in texts) / len(texts) / 1_000
    print(f"fingerprints of {len(texts)} texts of {size:.1f} KB, one process")
    ways = {name: way for name, way in [*_ours(), *_peers()] if _works(way)}
    seconds = _side_by_side(ways, texts)
    for name, spent in sorted(seconds.items(), key=lambda one: median(one[1])):
        print(f"  {name:<52}{1 / median(spent):>10,.0f} documents/s", flush=True)


def _side_by_side(ways: dict[str, Callable[[str], object]], texts: Sequence[str]) -> dict[str, list[float]]:
    """The seconds for a text, of several rounds; in each round all begin with another one."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(5):
        names = list(ways)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            begun = time.process_time()
            for text in texts:
                ways[name](text)
            seconds[name].append((time.process_time() - begun) / len(texts))
    return seconds


def _works(way: Callable[[str], object]) -> bool:
    try:
        way("one two three four five six seven")
    except (ImportError, AttributeError, ValueError, OverflowError, TypeError) as error:
        print(f"  left out: {error}")
        return False
    return True


def _ours() -> Iterator[tuple[str, Callable[[str], object]]]:
    yield "ours: fingerprint (checksum, simhash, keys), numpy", plain_fingerprint
    yield "ours: simhash, numpy", lambda text: simhash.simhash_of_words(words_of(text))
    if compiled_loops() is not None:
        yield "ours: fingerprint (checksum, simhash, keys), numba", fingerprint
        yield "ours: simhash, numba", simhash.simhash


def _peers() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Others' ways, as their documentation has them; those that are not installed fail, and are left out."""

    def of_simhash(text: str) -> object:
        from simhash import Simhash

        return Simhash(text).value

    def of_datasketch(text: str) -> object:
        from datasketch import MinHash

        found = MinHash(num_perm=128)
        found.update_batch([word.encode() for word in text.lower().split()])
        return found.hashvalues

    def of_rensa(text: str) -> object:
        from rensa import RMinHash

        found = RMinHash(num_perm=128, seed=1)
        found.update(text.lower().split())
        return found.digest()

    yield "simhash: 64 bits, runs of 4 letters", of_simhash
    yield "datasketch: MinHash of words, 128 permutations", of_datasketch
    yield "rensa: RMinHash of words, 128 permutations", of_rensa
    yield "gaoya: SimHash of words, 64 bits", _gaoya()


def _gaoya() -> Callable[[str], object]:
    try:
        from gaoya.simhash import SimHashStringIndex
    except ImportError as error:
        return partial(_raise, error)
    index = SimHashStringIndex(analyzer="word", lowercase=True, ngram_range=(1, 1))
    # It gives no simhash by itself: a query in an empty index.
    query: Callable[[str], object] = index.query
    return query


def _raise(error: Exception, text: str) -> object:
    raise error


def _stage(options: argparse.Namespace) -> None:
    print(f"whole stage, {options.stage:,} documents (fingerprint, look-up, comparison, adding, commit)")
    for name, more in (("with numba", []), ("without numba", ["--without-numba"])):
        found = _asked("stage", ["--stage", str(options.stage), *more])
        parts = ", ".join(f"{part} {1000 * spent:.3f}" for part, spent in found["parts"].items())
        print(
            f"  {name:<14}{1 / found['seconds']:>8,.0f} documents/s, {1000 * found['seconds']:.3f} ms each ({parts}); "
            f"longest commit {1000 * found['longest']:.0f} ms; {found['duplicates']:,} duplicates found",
            flush=True,
        )


def _stage_here(number: int) -> dict[str, object]:
    spent = dict.fromkeys(("fingerprint", "find", "add", "commit"), 0.0)
    longest, duplicates = 0.0, 0
    texts = list(made_up(number))
    fingerprint(texts[0])  # what is compiled, or read from what was
    with tempfile.TemporaryDirectory() as folder, DuplicateIndex(Path(folder) / "duplicates.sqlite") as index:
        for place, text in enumerate(texts):
            moments = [time.process_time()]
            print_of = fingerprint(text)
            moments.append(time.process_time())
            url = f"https://site{place % 20}.example/{place}"
            entry = Entry(f"{place:016x}", f"site{place % 20}", url, url, print_of, None, _MOMENT)
            match = index.find(entry)
            moments.append(time.process_time())
            duplicates += match is not None
            if match is None:
                index.add(entry)
            moments.append(time.process_time())
            if place % COMMITTED_AT_ONCE == 0:
                begun = time.perf_counter()
                index.commit()
                longest = max(longest, time.perf_counter() - begun)
            moments.append(time.process_time())
            for name, first, last in zip(spent, moments, moments[1:], strict=False):
                spent[name] += last - first
    parts = {name: seconds / number for name, seconds in spent.items()}
    return {"seconds": sum(parts.values()), "parts": parts, "longest": longest, "duplicates": duplicates}


def _scale(options: argparse.Namespace) -> None:
    print("index as it grows (made-up fingerprints of 5.6 KB texts; microseconds of the processor a document)")
    print(
        f"  {'documents':>12}{'filled at/s':>12}{'opened ms':>10}{'new':>8}{'copies':>8}{'add+commit':>11}"
        f"{'RSS MB':>8}{'bytes each':>11}{'segments':>9}"
    )
    sizes = [size for size in SIZES if size < options.size] + [options.size]
    with tempfile.TemporaryDirectory() as folder:
        path, there = Path(folder) / "duplicates.sqlite", 0
        for size in sizes:
            begun = time.perf_counter()
            filled(path, there, size)
            rate = (size - there) / (time.perf_counter() - begun)
            there = size
            found = _asked("scale", ["--in-process", f"{path}:{size}"])
            print(
                f"  {size:>12,}{rate:>12,.0f}{1e3 * found['opened']:>10.1f}{1e6 * found['new']:>8.0f}"
                f"{1e6 * found['copies']:>8.0f}{1e6 * found['add']:>11.0f}{found['rss']:>8.0f}"
                f"{found['bytes']:>11.0f}{found['segments']:>9.0f}",
                flush=True,
            )


def _in_process(options: argparse.Namespace) -> object:
    if options.in_process == "stage":
        return _stage_here(options.stage)
    path, _, size = options.in_process.rpartition(":")
    return measured(Path(path), int(size))


def _asked(part: str, arguments: Sequence[str]) -> dict[str, Any]:
    """What a process of its own measures."""
    given = arguments if "--in-process" in arguments else ["--in-process", part, *arguments]
    command = [sys.executable, "-m", "bench.dedup", *given]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
