"""How long all documents of a corpus take to be compared with one another, and how much memory: made-up ones.

Each has as many keys as an article of a thousand words leaves: its own, its newspaper's boilerplate, a few set phrases.
A tenth are copies of an earlier one, less a few words, in some newspaper.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from corpusbot.dedup.clusters import Clusters
from corpusbot.dedup.entry import Entry
from corpusbot.model import Fingerprint

STEP = 8
SITES, PHRASES = 200, 200_000
OWN_KEYS, SITE_KEYS, PHRASES_EACH = 110, 20, 3
COPIED, KEPT = 0.1, 0.85
LATEST = 5_000  # among which those are that are copied
_MOMENT = datetime(2024, 1, 1, tzinfo=UTC)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.clusters", description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[20_000, 100_000], help="(%(default)s)")
    for number in parser.parse_args(arguments).documents:
        begin, spent = time.perf_counter(), time.process_time()
        found = Clusters(made_up(number)).found
        members = sum(len(cluster.members) for cluster in found)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{number:>10,} documents: {members:,} in {len(found):,} clusters, {time.perf_counter() - begin:.1f} s, "
            f"{time.process_time() - spent:.1f} s of CPU, {memory:.0f} MB at most so far",
            flush=True,
        )
    return 0


def made_up(number: int, seed: int = 1) -> Iterator[Entry]:
    """The entries of so many documents."""
    dice = np.random.default_rng(seed)
    shared, phrases = _keys(dice, SITES * SITE_KEYS).reshape(SITES, SITE_KEYS), _keys(dice, PHRASES)
    latest: list[NDArray[np.uint64]] = []
    for place in range(number):
        if latest and dice.random() < COPIED:
            own = latest[int(dice.integers(len(latest)))]
            own = own[dice.random(len(own)) < KEPT]
        else:
            own = _keys(dice, OWN_KEYS)
            latest.append(own)
            if len(latest) > 2 * LATEST:
                del latest[:LATEST]
        site = int(dice.integers(SITES))
        keys = np.unique(np.concatenate((own, shared[site], dice.choice(phrases, PHRASES_EACH))))
        print_of = Fingerprint(f"{place:032x}", int(dice.integers(1 << 63)), len(keys) * STEP, keys.tobytes(), STEP)
        url = f"https://paper{site}.example/2024/05/what-happened-{place}"
        yield Entry(f"{place:016x}", f"paper{site}", url, url, print_of, None, _MOMENT + timedelta(minutes=place))


def _keys(dice: np.random.Generator, number: int) -> NDArray[np.uint64]:
    return dice.integers(0, (1 << 64) // STEP, number, dtype=np.uint64) * np.uint64(STEP)


if __name__ == "__main__":
    sys.exit(main())
