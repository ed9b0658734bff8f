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
from corpusbot.sites.stylesheets import stylesheet_text
from corpusbot.sites.tables import Table


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A site file and the folder that it stands in."""

    file: Traversable
    folder: Traversable


@dataclass(slots=True)
class _Files:
    """What is gathered while a site's files are read."""

    problems: list[Problem | str] = field(default_factory=list)
    stylesheets: dict[str, str] = field(default_factory=dict)
    read: list[bytes] = field(default_factory=list)


def site_of(site_id: str, site: SourceFile, corpora: Sequence[SourceFile]) -> SiteConfig:
    """The configuration of a site from its file and the corpus files above it, the most general first."""
    files = _Files()
    records = [_record(corpus, CORPUS, files) for corpus in corpora]
    records.append(_record(site, SITE, files))
    if files.problems:
        raise SiteError(*files.problems)
    read = tuple(record for record in reversed(records) if record is not None)
    return built(site_id, Given(read, files.stylesheets), _digest(files))


def _record(source: SourceFile, table: Table, files: _Files) -> Record | None:
    """The record of one file; its problems join those of the others."""
    problems: list[Problem] = []
    name = source.file.name
    at = Reading(name, table.level or "", problems, source.folder)
    try:
        data = source.file.read_bytes()
        files.read.append(data)
        record = table.read(nodes_of(data, name, problems), at)
    except OSError as error:
        problems.append(Problem(name, 1, f"cannot be read: {error.strerror}"))
    except MisfitError as misfit:
        problems.append(Problem(name, 1, f"a site file {misfit}"))
    except SiteError as error:
        files.problems += error.problems
        return None
    else:
        files.stylesheets |= {} if problems else dict(_stylesheets(record, source.folder))
        files.problems += sorted(set(problems))
        return record
    files.problems += problems
    return None


def _stylesheets(record: Record, folder: Traversable) -> Iterator[tuple[str, str]]:
    """The style sheets that a record names, anywhere in it."""
    for key, value in record.values.items():
        if key == "xslt" and isinstance(value, str):
            yield value, stylesheet_text(folder, value)
        parts = [value] if isinstance(value, Record) else record.all(key, Record)
        for part in parts:
            yield from _stylesheets(part, folder)


def _digest(files: _Files) -> str:
    """A checksum of all that the configuration was made of."""
    texts = [text.encode() for _, text in sorted(files.stylesheets.items())]
    return sha256(b"\0".join([*files.read, *texts])).hexdigest()
