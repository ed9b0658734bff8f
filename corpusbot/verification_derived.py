"""What can be made again from the rest: whether it agrees with it, and the making."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from corpusbot.export.parquet import MADE_FROM, convert, number_of_documents
from corpusbot.sqlite_file import address_to_read
from corpusbot.verification_checks import number_of, rows
from corpusbot.verification_indexing import DUPLICATES, fill_store, index_anew, index_pages_anew
from corpusbot.verification_kept import Kept, OutputFile
from corpusbot.verification_questions import Check, checked, noted

_LATEST = "(SELECT id, url, checksum FROM main.documents WHERE latest)"
# With `append: false` the index has what the file has.
_OF_THE_LAST_RUN = "(SELECT id, url, checksum FROM main.lines)"


def duplicates(kept: Kept) -> Iterator[Check]:
    """The newspaper's entries in the index that all newspapers share."""
    path = kept.data / DUPLICATES
    if not kept.tells_documents:
        return
    if not path.exists():
        wrong = [f"{path}: is not there"] if number_of(kept, "main.documents") else []
        yield checked(kept.site, "duplicates", 0, wrong)
        return
    try:
        kept.database.execute("ATTACH ? AS known", (address_to_read(path),))
        yield _entries(kept, path)
    except sqlite3.DatabaseError as error:
        yield checked(kept.site, "duplicates", 0, [f"{path}: cannot be read as an index of duplicates ({error})"])
    finally:
        kept.database.execute("DROP TABLE IF EXISTS temp.entries")
        with suppress(sqlite3.Error):
            kept.database.execute("DETACH known")


def _entries(kept: Kept, path: Path) -> Check:
    """Documents without entry, or with that of another text, and entries without document."""
    kept.database.execute(
        "CREATE TEMP TABLE entries AS SELECT e.id, e.checksum, e.url, e.batch > ? AS later"
        " FROM known.documents AS e JOIN known.sites AS s ON s.number = e.site WHERE s.name = ?",
        (kept.lengths.get(DUPLICATES, 0), kept.site),
    )
    kept.database.execute("CREATE INDEX temp.entries_id ON entries(id)")
    whole = kept.config is None or kept.config.target.append
    missing = rows(
        kept,
        f"SELECT url FROM {_LATEST if whole else _OF_THE_LAST_RUN} AS d WHERE NOT EXISTS"  # noqa: S608 - our own names
        " (SELECT 1 FROM entries AS e WHERE e.id = d.id AND e.checksum = d.checksum AND NOT later)",
    )
    stray = rows(
        kept,
        "SELECT url FROM entries AS e WHERE NOT later"
        " AND NOT EXISTS (SELECT 1 FROM main.documents AS d WHERE d.id = e.id)",
    )
    wrong = [*_damage(kept, path), *(f"{url}: not in the index, or with another text" for (url,) in missing)]
    wrong += [f"{url}: in the index, and no document" for (url,) in stray]
    later = number_of(kept, "entries WHERE later")
    note = noted("taken out by the next crawl", [f"{later} entries"] if later else [])
    return checked(kept.site, "duplicates", number_of(kept, "entries"), wrong, note)


def _damage(kept: Kept, path: Path) -> Iterator[str]:
    """The file itself, and the sorted files that it names."""
    yield from (f"{path}: {text}" for (text,) in rows(kept, "PRAGMA known.quick_check(5)") if text != "ok")
    for name, postings in rows(kept, "SELECT file, postings FROM known.segments"):
        segment = path.with_suffix(".postings") / name
        if not segment.exists() or segment.stat().st_size < postings:
            yield f"{segment}: is gone, or shorter than it was"


def page_index(kept: Kept) -> Iterator[Check]:
    """Where the index of pages has the records of the archive; what is not committed does not count."""
    missing = rows(
        kept,
        "SELECT record, file, start FROM records AS r WHERE NOT EXISTS"
        " (SELECT 1 FROM places AS p WHERE p.file = r.file AND p.start = r.start AND p.record = r.record)",
    )
    stray = rows(
        kept,
        "SELECT record, file, start FROM places AS p WHERE NOT EXISTS"
        " (SELECT 1 FROM records AS r WHERE p.file = r.file AND p.start = r.start AND p.record = r.record)",
    )
    wrong = [kept.index_problem] if kept.index_problem else []
    wrong += [f"{record}: not where {file} has it, at byte {start:,}" for record, file, start in missing]
    wrong += [
        f"{record}: {file} has no such record at byte {start:,}"
        for record, file, start in stray
        if start < kept.lengths.get(file, start + 1)
    ]
    yield checked(kept.site, "page index", number_of(kept, "places"), wrong)


def store(kept: Kept) -> Iterator[Check]:
    """The store of documents, and what only files know."""
    if kept.store is None and not kept.store_problem:
        return
    wrong = [kept.store_problem] if kept.store_problem else []
    lacking = rows(kept, "SELECT url, file FROM main.documents WHERE latest AND file NOT NULL")
    wrong += [f"{url}: in {file}, and not in the store" for url, file in lacking]
    yield checked(kept.site, "store", number_of(kept, "main.documents WHERE latest"), wrong)


def parquet(kept: Kept) -> Iterator[Check]:
    """The Parquet file, which is made from a growing one at the end of each run."""
    for source in _sources(kept):
        target = _target(source)
        ((there,),) = kept.database.execute("SELECT count(*) FROM lines WHERE file = ?", (str(source.path),))
        wrong = []
        if not target.exists():
            wrong = [f"{target}: is not there"] if there else []
        elif (has := number_of_documents(target)) < there:
            wrong = [f"{target}: has {has:,} documents of {there:,}"]
        yield checked(kept.site, "parquet", there, wrong)


def _sources(kept: Kept) -> Iterator[OutputFile]:
    ending = f".parquet.{MADE_FROM}"
    return (file for file in kept.files if file.path.name.endswith(ending) and file.path.exists())


def _target(source: OutputFile) -> Path:
    return source.path.with_name(source.path.name.removesuffix(f".{MADE_FROM}"))


def repaired(kept: Kept, wanted: Iterable[str]) -> Iterator[str]:
    """Make these anew, and tell of each what was done."""
    names = set(wanted)
    if "page index" in names:
        yield index_pages_anew(kept)
    if "store" in names:
        yield fill_store(kept)
    if "duplicates" in names:
        yield index_anew(kept)
    if "parquet" in names:
        for source in _sources(kept):
            yield f"{_target(source)}: made anew, {convert(source.path, _target(source)):,} documents"
