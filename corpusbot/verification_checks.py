"""The checks of what cannot be made again: state, archive, files of documents, and how they fit together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from corpusbot.store.members import GZIP_SUFFIX
from corpusbot.verification_kept import Kept, OutputFile
from corpusbot.verification_questions import Check, checked, noted
from corpusbot.verification_reading import JSONL


def state(kept: Kept) -> Iterator[Check]:
    """The file itself, and the outcomes in it."""
    damage = [text for (text,) in rows(kept, "PRAGMA state.quick_check(5)") if text != "ok"]
    untold = rows(
        kept,
        "SELECT url FROM state.links WHERE state IN (2, 3)"
        " AND (outcome IS NULL OR outcome IN ('dropped', 'failed') AND cause IS NULL)",
    )
    wrong = [*damage, *(f"{url}: no outcome, or no reason" for (url,) in untold)]
    yield checked(kept.site, "state", number_of(kept, "state.links"), wrong, _in_flight(kept))


def _in_flight(kept: Kept) -> str:
    ((leased, unfinished),) = rows(
        kept,
        "SELECT (SELECT count(*) FROM state.links WHERE state = 1),"
        " (SELECT count(*) FROM state.runs WHERE finished IS NULL)",
    )
    return f"a crawl was killed, with {leased} links in flight: the next one goes on with it" if unfinished else ""


def archive(kept: Kept) -> Iterator[Check]:
    """Files and records of raw pages."""
    folder = kept.folder / "pages"
    known = [(name, length) for name, length in kept.lengths.items() if name.endswith(GZIP_SUFFIX)]
    short = [*_shorter(OutputFile(folder / name, length, True) for name, length in known)]
    note = noted("cut off by the next crawl", kept.uncommitted)
    yield checked(kept.site, "archive files", len(known), short, note)
    twice = rows(
        kept, "SELECT record, count(*) FROM records WHERE record NOT NULL GROUP BY record HAVING count(*) > 1"
    )
    wrong = [*kept.torn_pages, *(f"{name}: {number} records of this name" for name, number in twice)]
    yield checked(kept.site, "archive pages", number_of(kept, "records"), wrong)


def files(kept: Kept) -> Iterator[Check]:
    """Files of documents."""
    gone = (str(file.path) for file in kept.files if not file.is_target and not file.path.exists())
    yield checked(kept.site, "files", len(kept.files), [*_shorter(kept.files)], noted("not there any more", gone))
    same_page = rows(
        kept,
        "SELECT url, file FROM lines WHERE record NOT NULL GROUP BY file, id, record, checksum HAVING count(*) > 1",
    )
    wrong = [*kept.torn_lines, *(f"{url}: one page, written twice into {file}" for url, file in same_page)]
    if any(file.path.name.endswith(JSONL) for file in kept.files):
        yield checked(kept.site, "lines", number_of(kept, "lines"), wrong)


def _shorter(outputs: Iterable[OutputFile]) -> Iterator[str]:
    for output in outputs:
        if not output.path.exists():
            if output.committed and output.is_target:
                yield f"{output.path}: is gone, though {output.committed:,} bytes were committed"
            continue
        size = output.path.stat().st_size
        if size < output.committed:
            yield f"{output.path}: has {size:,} bytes, though {output.committed:,} were committed"
        elif output.committed and not output.path.name.endswith(GZIP_SUFFIX) and not _ends_a_line(output):
            yield f"{output.path}: no document ends at byte {output.committed:,}"


def _ends_a_line(output: OutputFile) -> bool:
    with output.path.open("rb") as file:
        file.seek(output.committed - 1)
        return file.read(1) == b"\n"


def records(kept: Kept) -> Iterator[Check]:
    """Documents and their pages."""
    if not kept.tells_documents:
        return
    wrong = rows(
        kept,
        "SELECT url, coalesce((SELECT 'its page has another digest' FROM pages WHERE record = d.record),"
        " 'its page is not in the archive') FROM documents AS d WHERE record NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM pages WHERE pages.record = d.record AND pages.digest = coalesce(d.digest, pages.digest))",
    )
    ((without,),) = rows(kept, "SELECT count(*) FROM documents WHERE record IS NULL")
    note = f"{without} documents name no page" if without else ""
    told = [f"{url}: {why}" for url, why in wrong]
    yield checked(kept.site, "records", number_of(kept, "(SELECT DISTINCT id, record FROM documents)"), told, note)


_DONE = "SELECT url, place FROM state.links AS l WHERE state = 2 AND outcome IN ('done', 'unchanged')"
_LAST_RUN = " AND run = (SELECT max(id) FROM state.runs)"
_HAS_PAGE = "EXISTS (SELECT 1 FROM pages WHERE pages.address = l.key)"
_WITHOUT_DOCUMENT = (
    " AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.address = l.key) AND NOT EXISTS"
    " (SELECT 1 FROM pages JOIN documents ON documents.record = pages.record WHERE pages.address = l.key)"
)


def links(kept: Kept) -> Iterator[Check]:
    """Links that are done with, and what came of them."""
    if not kept.tells_documents:
        return
    # With `append: false` a file holds the last run only.
    whole = kept.store is not None or kept.config is None or kept.config.target.append
    done = _DONE if whole else _DONE + _LAST_RUN
    lost = rows(kept, f"{done}{_WITHOUT_DOCUMENT} AND {_HAS_PAGE}")
    neither = rows(kept, f"{done}{_WITHOUT_DOCUMENT} AND kind = 'article' AND NOT {_HAS_PAGE}")
    wrong = [f"{url}: its page is kept, and no document" for url, _ in lost]
    wrong += [f"{url}: neither page nor document" for url, place in neither if not _only_followed(kept, place)]
    yield checked(kept.site, "links", number_of(kept, f"({done})"), wrong)


def _only_followed(kept: Kept, place: str) -> bool:
    """Whether a link's pattern asks for pages for their links alone, as one that is not known any more may have."""
    if kept.config is None:
        return True
    found = json.loads(place)
    patterns = (link for index in kept.config.indexes if index.name == found.get("index") for link in index.links)
    pattern = next((pattern for pattern in patterns if pattern.name == found.get("link")), None)
    return pattern is not None and not pattern.extract


def twice(kept: Kept) -> Iterator[Check]:
    """Documents that are there more than once."""
    if not kept.tells_documents:
        return
    same_text = rows(
        kept, "SELECT min(url), max(url) FROM documents WHERE latest GROUP BY checksum HAVING count(*) > 1"
    )
    wrong = [f"{one}: has the very text of {other}" for one, other in same_text]
    yield checked(kept.site, "twice", number_of(kept, "documents WHERE latest"), wrong)


def number_of(kept: Kept, table: str) -> int:
    """How many rows a table or a query in brackets has."""
    ((number,),) = rows(kept, f"SELECT count(*) FROM {table}")  # noqa: S608 - our own names
    return int(number)


def rows(kept: Kept, query: str) -> list[tuple[Any, ...]]:
    """All that a query finds."""
    return kept.database.execute(query).fetchall()
