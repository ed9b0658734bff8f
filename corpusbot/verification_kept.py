"""All that is kept of a newspaper, read once into a database that is thrown away, where it can be compared."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from corpusbot.sites import SiteConfig, SiteError, load_site
from corpusbot.sqlite_file import address_to_read
from corpusbot.store.documents import (
    Documents,
    DocumentsError,
    NoDocumentsError,
    documents_of,
    open_documents,
    taken_back,
)
from corpusbot.store.runs import committed_length
from corpusbot.store.schema import StateError, connect_to_read
from corpusbot.verification_reading import JSONL, Progress, gather_documents, gather_pages

STATE = "state.sqlite"
_TABLES = """
CREATE TABLE pages(record TEXT, digest TEXT, address BLOB, url TEXT);
CREATE TABLE records(record TEXT, file TEXT, start INTEGER);
CREATE TABLE places(record TEXT, file TEXT, start INTEGER);
CREATE TABLE lines(
    place INTEGER PRIMARY KEY, id TEXT, url TEXT, address BLOB, record TEXT, digest TEXT, checksum TEXT,
    file TEXT, start INTEGER
);
CREATE TABLE documents(
    place INTEGER PRIMARY KEY, id TEXT, url TEXT, address BLOB, record TEXT, digest TEXT, checksum TEXT,
    latest INTEGER, file TEXT, start INTEGER
);
"""
_INDEXES = """
CREATE INDEX pages_record ON pages(record);
CREATE INDEX pages_address ON pages(address);
CREATE INDEX records_place ON records(file, start);
CREATE INDEX places_place ON places(file, start);
CREATE INDEX lines_id ON lines(id);
CREATE INDEX documents_id ON documents(id);
CREATE INDEX documents_record ON documents(record);
CREATE INDEX documents_address ON documents(address);
"""


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file of documents: where it is, how much of it the state stands by, and whether the site file names it."""

    path: Path
    committed: int
    is_target: bool


@dataclass(slots=True)
class Kept:
    """What was found: tables `pages`, `lines` (of files), `documents` (of the store, and of files that know others),
    the state as `state.links` …, and what could not be read.
    """

    data: Path
    site: str
    config: SiteConfig | None
    database: sqlite3.Connection
    lengths: Mapping[str, int]
    files: tuple[OutputFile, ...]
    store: Documents | None = None
    store_problem: str = ""
    index_problem: str = ""
    torn_pages: list[str] = field(default_factory=list)
    torn_lines: list[str] = field(default_factory=list)
    uncommitted: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """The newspaper's folder."""
        return self.data / self.site

    @property
    def tells_documents(self) -> bool:
        """Whether something tells the documents' ids and records."""
        return self.store is not None or any(file.path.name.endswith(JSONL) for file in self.files)


@contextmanager
def gathered(data: Path, site: str, progress: Progress) -> Iterator[Kept]:
    """Read state, archive, store and files into a database on the disk, for a corpus may be larger than the memory."""
    state = data / site / STATE
    with closing(connect_to_read(state)) as connection:
        lengths = dict(connection.execute("SELECT name, length FROM files"))
    with closing(sqlite3.connect("", uri=True, isolation_level=None)) as database:
        database.executescript(_TABLES)
        database.execute("ATTACH ? AS state", (address_to_read(state),))
        config = _config(site)
        kept = Kept(data, site, config, database, lengths, tuple(_output_files(data, state, lengths, config)))
        with _store_of(kept):
            database.execute("BEGIN")
            gather_pages(kept, progress)
            gather_documents(kept, progress)
            database.execute("COMMIT")
            database.executescript(_INDEXES)
            yield kept


@contextmanager
def _store_of(kept: Kept) -> Iterator[None]:
    """The store of documents as the state stands by it, if there is one that can be opened."""
    where = documents_of(kept.data, kept.site)
    try:
        kept.store = open_documents(where, kept.site, must_exist=True)
        if kept.store.batch == kept.lengths.get(kept.store.name, 0) + 1:
            # What the next crawl would do: a batch that the state does not stand by is taken back.
            kept.store.close()
            kept.store = open_documents(where, kept.site)
            taken_back(kept.store, kept.lengths.get(kept.store.name, 0))
            kept.store.commit()
    except NoDocumentsError:
        pass
    except DocumentsError as error:
        kept.store, kept.store_problem = None, str(error)
    try:
        yield
    finally:
        if kept.store is not None:
            kept.store.close()


def _config(site: str) -> SiteConfig | None:
    """The site's configuration; without its file most can be verified all the same."""
    try:
        return load_site(site)
    except SiteError:
        return None


def _output_files(
    data: Path, state: Path, lengths: Mapping[str, int], config: SiteConfig | None
) -> Iterator[OutputFile]:
    """The files of documents that the crawls wrote; those of a data folder that was moved are looked for in it."""
    target = _target(data, config)
    for name in sorted(lengths):
        if not Path(name).is_absolute():
            continue
        path = Path(name)
        moved = data.joinpath(*path.parts[-2:]).absolute()
        if (moved == target or moved.exists()) and not path.is_relative_to(data.absolute()):
            yield OutputFile(moved, lengths[name], True)
        else:
            yield OutputFile(path, _committed(path, state, lengths[name]), target in (None, path))


def _target(data: Path, config: SiteConfig | None) -> Path | None:
    """The file that the site file names; a format that cannot grow is made from one that does."""
    if config is None:
        return None
    made_from = ".jsonl" if config.target.format == "parquet" else ""
    return (data / config.target.path / (config.target.file + made_from)).absolute()


def _committed(path: Path, state: Path, length: int) -> int:
    """How much of a file holds; another newspaper that writes to it may have done so last."""
    note = path.with_name(f".{path.name}.writer")
    if note.exists():
        writer = Path(note.read_text(encoding="utf-8"))
        if writer != state.absolute() and writer.exists():
            with suppress(StateError):
                return committed_length(writer, str(path.absolute()))
    return length
