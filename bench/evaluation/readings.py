"""What each reader finds on each page, read now or kept from an earlier run."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from bench.evaluation.pages import Choice, Progress, key_of
from bench.evaluation.readers import Read, Reader
from bench.evaluation.scores import Reading
from bench.evaluation.shelf import Shelf
from bench.extraction_sets import Sample

PAGES_BETWEEN_KEEPING = 400
TROUBLE = 2  # the place of the error in what is kept


@dataclass(frozen=True, slots=True)
class Readings:
    """Reads pages by readers; what is kept is used as long as it is good. What raised an error is read again."""

    choice: Choice
    shelf: Shelf

    def of(self, reader: Reader, golds: Mapping[str, Sample]) -> dict[str, Reading]:
        """The reading of each page, by the page's key."""
        key, place = reader.key(), f"readings-{reader.name}"
        kept = self.shelf.kept(place, key)
        found = {page: Reading(*kept[page]) for page in golds if page in kept and not kept[page][TROUBLE]}
        if len(found) < len(golds):
            with _quiet():
                read = reader.ready()
            progress = Progress(reader.name, len(golds) - len(found))
            for page in self.choice.whole():
                name = key_of(page)
                if name not in found:
                    found[name] = reading = _read(read, page)
                    kept[name] = [reading.text, reading.confidence, reading.trouble]
                    progress.step()
                    if progress.done % PAGES_BETWEEN_KEEPING == 0:
                        self.shelf.keep(place, key, kept)
            self.shelf.keep(place, key, kept)
        return found


def _read(read: Read, page: Sample) -> Reading:
    """One page's reading; an error is a reading too, of nothing."""
    with _quiet():
        try:
            return read(page)
        except Exception as error:  # noqa: BLE001  # whatever an extractor raises is one of the things measured here
            return Reading("", None, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what extractors log and warn of."""
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
