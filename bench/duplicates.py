"""How well duplicates are found: by pairs and by documents, alone and among their pages' boilerplate, as they stream.

The news and its copies are made of the articles of the extraction sets (see bench/duplicate_pairs.py). `streamed`: one
document after the other, each compared with those before it; `together`: all with one another, as `corpusbot clusters`
does. `pairs`: the F1 of all pairs of copies. `documents`: the F1 of "this repeats something". Then recall and F1 of
each kind of copy, against its original; a wrong pair counts for the kind that it was taken for. And how many pairs of
texts that only look alike were joined, for being made of one template.
"""

from __future__ import annotations

import argparse
import operator
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.duplicate_pairs import TEMPLATES, Printed, printed, stories
from bench.extraction_sets import NO_DATA
from corpusbot.dedup import fingerprint
from corpusbot.dedup.discovery import Discovery
from corpusbot.dedup.entry import Entry
from corpusbot.dedup.index import DuplicateIndex, Search

Pair = frozenset[str]
_MOMENT = datetime(2024, 1, 1, tzinfo=UTC)
COMMITTED_AT_ONCE = 100
FLOORS = {"clean": (0.985, 0.99), "raw": (0.96, 0.97)}  # by pairs, by documents; they only rise


@dataclass(frozen=True, slots=True)
class Streamed:
    """What was found of each document among those before it, and the seconds that it took."""

    near: dict[str, set[str]]
    seconds: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.duplicates", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--seeds", type=int, default=3, help="how many times, with other copies each (%(default)s)")
    parser.add_argument("--containment", type=float, default=Search().containment, help="(%(default)s)")
    parser.add_argument("--distance", type=int, default=Search().distance, help="(%(default)s)")
    options = parser.parse_args(arguments)
    listed = stories(options.data)
    if not listed:
        print(NO_DATA.format(folder=options.data / "extraction", target="bench-duplicates"), file=sys.stderr)
        return 2
    search, short = Search(options.distance, options.containment), []
    for seed in range(1, options.seeds + 1):
        documents = printed(listed, seed)
        for name in ("clean", "raw"):
            for way, found in (("streamed", streamed), ("together", together)):
                result = found(documents, name == "raw", search)
                print(f"seed {seed} {name:<5} {way}  " + "  ".join(figures(documents, result)), flush=True)
                reached = (_by_pairs(documents, result), _by_documents(documents, result))
                short += [f"seed {seed} {name} {way}"] if any(map(operator.lt, reached, FLOORS[name])) else []
    if short:
        print(f"Below the floors {FLOORS} by pairs and documents: {', '.join(short)}", file=sys.stderr)
    return 1 if short else 0


def streamed(documents: Iterable[Printed], raw: bool, search: Search) -> Streamed:
    """One document after the other through an index on the disk."""
    near: dict[str, set[str]] = {}
    seconds: dict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as folder, DuplicateIndex(Path(folder) / "duplicates.sqlite") as index:
        for number, document in enumerate(documents):
            moments = [time.process_time()]
            print_of = fingerprint(document.raw if raw else document.text)
            moments.append(time.process_time())
            url = f"https://{document.site}.example/{document.id}"
            moment = _MOMENT + timedelta(minutes=number)
            entry = Entry(document.id, document.site, url, url, print_of, None, moment)
            near[document.id] = {known.id for known, _ in index.similar(entry, search)}
            moments.append(time.process_time())
            index.add(entry)
            if number % COMMITTED_AT_ONCE == 0:
                index.commit()
            moments.append(time.process_time())
            for place, name in enumerate(("fingerprint", "find", "add")):
                seconds[name] += moments[place + 1] - moments[place]
    return Streamed(near, dict(seconds))


def together(documents: Sequence[Printed], raw: bool, search: Search) -> Streamed:
    """All documents at once; a pair is the later one's."""
    near: dict[str, set[str]] = {document.id: set() for document in documents}
    begin = time.process_time()
    with Discovery(search) as discovery:
        for document in documents:
            discovery.add(fingerprint(document.raw if raw else document.text), document.site)
        for one, other, _ in discovery.pairs():
            near[documents[other].id].add(documents[one].id)
    return Streamed(near, {"compare": time.process_time() - begin})


def figures(documents: Sequence[Printed], result: Streamed) -> Iterable[str]:
    """The measures, in words."""
    by_id = {document.id: document for document in documents}
    found, true = _found(result), _true(documents)
    yield f"pairs {_by_pairs(documents, result):.4f}"
    yield f"documents {_by_documents(documents, result):.4f}"
    for kind in ("agency", "updated", "truncated", "boilerplate", "ocr"):
        own = {pair for pair, kinds in true.items() if kinds == {kind}}
        taken = {pair for pair in found if {by_id[id].kind for id in pair} - {"original"} == {kind}}
        yield f"{kind} {len(own & found) / len(own):.3f} ({2 * len(own & found) / (len(own) + len(taken)):.3f})"
    alike = sum(document.kind == "template" for document in documents) // len(TEMPLATES)
    joined = sum(all(by_id[id].kind == "template" for id in pair) for pair in found - true.keys())
    yield f"templates joined {joined} of {len(TEMPLATES) * alike * (alike - 1) // 2}"
    yield "ms " + " ".join(f"{name} {1000 * spent / len(documents):.2f}" for name, spent in result.seconds.items())


def _found(result: Streamed) -> set[Pair]:
    return {frozenset((one, other)) for one, others in result.near.items() for other in others}


def _true(documents: Iterable[Printed]) -> dict[Pair, set[str]]:
    """All pairs of copies, each with the kinds that it is of."""
    copies: dict[int, list[Printed]] = defaultdict(list)
    for document in documents:
        copies[document.story].append(document)
    return {
        frozenset((one.id, other.id)): {one.kind, other.kind} - {"original"}
        for listed in copies.values()
        for place, one in enumerate(listed)
        for other in listed[:place]
    }


def _by_pairs(documents: Sequence[Printed], result: Streamed) -> float:
    """F1 of saying that two documents are copies."""
    found, true = _found(result), _true(documents)
    return 2 * len(found & true.keys()) / (len(found) + len(true))


def _by_documents(documents: Sequence[Printed], result: Streamed) -> float:
    """F1 of saying that a document repeats something that came before."""
    seen: set[int] = set()
    right = wrong = missed = 0
    for document in documents:
        is_copy, is_found = document.story in seen, bool(result.near[document.id])
        seen.add(document.story)
        right += is_copy and is_found
        wrong += is_found and not is_copy
        missed += is_copy and not is_found
    return 2 * right / max(1, 2 * right + wrong + missed)


if __name__ == "__main__":
    sys.exit(main())
