"""Reads site files: bytes, then nodes, then records checked by the tables, then one configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources.abc import Traversable

from corpusbot.sites.building import Given, built
from corpusbot.sites.config import SiteConfig
from corpusbot.sites.errors import MisfitError, Problem, SiteError
from corpusbot.sites.keys import CORPUS, SITE
from corpusbot.sites.kinds import Reading, Record
from corpusbot.sites.nodes import nodes_of
from corpusbot.sites.sense import linkless
from corpusbot.sites.stylesheets import stylesheet_text
from corpusbot.sites.tables import Table


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A site file, the folder that it stands in, and its name in messages."""

    file: Traversable
    folder: Traversable
    shown: str


@dataclass(slots=True)
class _Files:
    """What is gathered while a site's files are read."""

    problems: list[Problem] = field(default_factory=list)
    stylesheets: dict[tuple[str, str], str] = field(default_factory=dict)
    read: list[bytes] = field(default_factory=list)


def site_of(site_id: str, site: SourceFile, corpora: Sequence[SourceFile]) -> SiteConfig:
    """The configuration of a site from its file and the corpus files above it, the most general first."""
    files = _Files()
    above = [record for corpus in corpora if (record := _record(corpus, CORPUS, files))]
    own = _record(site, SITE, files)
    if own:
        files.problems += linkless(own, any(record.all("links", Record) for record in (own, *above)))
    if files.problems or own is None:
        raise SiteError(*sorted(set(files.problems)))
    return built(site_id, Given((own, *reversed(above)), files.stylesheets), _digest(files))


def _record(source: SourceFile, table: Table, files: _Files) -> Record | None:
    """The record of one file, or None if it is not even a mapping; its problems join those of the others."""
    problems: list[Problem] = []
    record = None
    try:
        data = source.file.read_bytes()
        files.read.append(data)
        nodes = nodes_of(data, source.shown, problems)
        record = table.read(nodes, Reading(source.shown, table.level or "", problems, source.folder))
        files.stylesheets |= {} if problems else dict(_stylesheets(record, source.folder))
    except OSError as error:
        problems.append(Problem(source.shown, 1, f"cannot be read: {error.strerror or error}"))
    except MisfitError as misfit:
        problems.append(Problem(source.shown, 1, f"a site file {misfit}"))
    except SiteError as error:
        problems += (problem for problem in error.problems if isinstance(problem, Problem))
    files.problems += problems
    return record


def _stylesheets(record: Record, folder: Traversable) -> Iterator[tuple[tuple[str, str], str]]:
    """The style sheets that a record names, anywhere in it."""
    for key, value in record.values.items():
        if key == "xslt" and isinstance(value, str):
            yield (record.where.file, value), stylesheet_text(folder, value)
        parts = [value] if isinstance(value, Record) else record.all(key, Record)
        for part in parts:
            yield from _stylesheets(part, folder)


def _digest(files: _Files) -> str:
    """A checksum of all that the configuration was made of."""
    texts = [text.encode() for _, text in sorted(files.stylesheets.items())]
    return sha256(b"\0".join([*files.read, *texts])).hexdigest()
