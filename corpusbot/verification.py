"""Whether all that is kept of a newspaper agrees: state, archive, documents, files, and what is made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpusbot.store.schema import StateBusyError, StateError, lock
from corpusbot.verification_checks import archive, files, links, records, state, twice
from corpusbot.verification_derived import duplicates, page_index, parquet, repaired, store
from corpusbot.verification_kept import STATE, Kept, gathered
from corpusbot.verification_questions import Check
from corpusbot.verification_reading import Progress

__all__ = ["Check", "Verification", "crawled_sites", "held", "verify"]

ORIGINAL: tuple[Callable[[Kept], Iterator[Check]], ...] = (state, archive, files, records, links, twice)
DERIVED: tuple[Callable[[Kept], Iterator[Check]], ...] = (page_index, store, duplicates, parquet)


@dataclass(frozen=True, slots=True)
class Verification:
    """What was asked of one newspaper's files, what came out, and what was made anew."""

    site: str
    checks: tuple[Check, ...]
    made_anew: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether everything holds."""
        return not any(check.wrong for check in self.checks)


def crawled_sites(data: Path) -> list[str]:
    """The newspapers that were crawled into a data folder."""
    if not data.is_dir():
        raise StateError(f"{data}: no such folder. Name the one that the crawls wrote to (--data, CORPUSBOT_DATA)")
    return sorted(path.parent.name for path in data.glob(f"*/{STATE}"))


def verify(
    data: Path, site: str, repair: bool = False, progress: Progress = lambda what, number: None
) -> Verification:
    """Look at everything that is kept of a newspaper, whose crawl must not run; with `repair`, mend what can be."""
    path = data / site / STATE
    if not path.exists():
        raise StateError(f"{path}: no such file. {_crawled(data)}")
    with held(path), gathered(data, site, progress) as kept:
        original = [check for ask in ORIGINAL for check in ask(kept)]
        derived = [check for ask in DERIVED for check in ask(kept)]
        anew: tuple[str, ...] = ()
        wrong = [check.question.derived for check in derived if check.wrong and check.question.derived]
        if repair and wrong:
            anew = tuple(repaired(kept, wrong))
            derived = [check for ask in DERIVED for check in ask(kept)]
        return Verification(site, (*original, *derived), anew)


@contextmanager
def held(state_file: Path) -> Iterator[None]:
    """The site's state, kept from crawls; where nothing can be written no crawl can come in between either."""
    holder = None
    try:
        holder = lock(state_file)
    except StateBusyError:
        raise
    except StateError:
        pass
    try:
        yield
    finally:
        if holder is not None:
            holder.close()


def _crawled(data: Path) -> str:
    names = crawled_sites(data)
    return f"Crawled into {data}: {', '.join(names)}" if names else f"Nothing was crawled into {data} yet"
