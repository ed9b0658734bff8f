"""Which sites there are, and the configuration of one: packaged files, and folders dropped in beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from corpusbot.sites.checks import SITE_NAME
from corpusbot.sites.config import SiteConfig
from corpusbot.sites.errors import Problem, SiteError, UnknownSiteError, cure
from corpusbot.sites.reading import SourceFile, site_of

FOLDERS_VARIABLE = "CORPUSBOT_SITE_CONFIGS"
ENDING = ".yaml"
CORPUS_FILE = "_corpus.yaml"


def site_names() -> list[str]:
    """The names of all sites, sorted; no file is opened for it."""
    return sorted({name for folder in _folders() for name in _names_in(folder)})


def sites_that_mention(text: str) -> list[str]:
    """The names of the sites whose file holds a text; no file is parsed for it."""
    wanted = text.encode()
    found: dict[str, bool] = {}
    for folder in _folders():
        for name in _names_in(folder):
            if name not in found:
                found[name] = wanted in folder.joinpath(name + ENDING).read_bytes()
    return sorted(name for name, holds in found.items() if holds)


def load_site(name: str) -> SiteConfig:
    """The configuration of a site; raises SiteError with all that is wrong with its file."""
    if not SITE_NAME.fullmatch(name):
        raise UnknownSiteError(f"No site '{name}'. {_NAMING}")
    for folder in _folders():
        file = folder.joinpath(name + ENDING)
        if file.is_file():
            return site_of(name, SourceFile(file, folder, file.name), _corpora(folder))
    raise UnknownSiteError(f"No site '{name}'. {cure(name, site_names())}{_missing_folders()}")


def load_site_file(path: Path | str, corpus: Path | None = None) -> SiteConfig:
    """The configuration of a site file anywhere; `corpus` takes the place of the packaged corpus file."""
    path = Path(path)
    if not SITE_NAME.fullmatch(path.stem):
        raise SiteError(Problem(path.name, 1, f"cannot be a site's file. {_NAMING}"))
    corpora = [SourceFile(corpus, corpus.parent, corpus.name)] if corpus else _corpora(path.parent)
    return site_of(path.stem, SourceFile(path, path.parent, path.name), corpora)


_NAMING = "The name of a site is of small letters, digits, '-' and '_', and its file NAME.yaml"


def _folders() -> Iterator[Traversable]:
    """The folders of site files, the ones dropped in first: their files win."""
    yield from (Path(folder) for folder in _dropped_in() if Path(folder).is_dir())
    yield files("site_configs")


def _dropped_in() -> list[str]:
    """The folders that the environment names."""
    return [folder for folder in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if folder]


def _missing_folders() -> str:
    """A word on folders that the environment names and that are not there."""
    missing = [folder for folder in _dropped_in() if not Path(folder).is_dir()]
    return f" {FOLDERS_VARIABLE} names folders that are not there: {', '.join(missing)}" if missing else ""


def _names_in(folder: Traversable) -> Iterator[str]:
    """The names of the sites whose files are in a folder."""
    listed = os.listdir(folder) if isinstance(folder, Path) else [entry.name for entry in folder.iterdir()]
    stems = (name.removesuffix(ENDING) for name in listed if name.endswith(ENDING))
    return (stem for stem in stems if SITE_NAME.fullmatch(stem))


def _corpora(folder: Traversable) -> list[SourceFile]:
    """The corpus files that hold for a folder's sites: the packaged one, and its own on top."""
    packaged = files("site_configs")
    found = [SourceFile(packaged.joinpath(CORPUS_FILE), packaged, CORPUS_FILE)]
    # Compared as text: before 3.12 two paths into a zip are never equal.
    if str(folder) != str(packaged):
        found.append(SourceFile(folder.joinpath(CORPUS_FILE), folder, f"{folder.name}/{CORPUS_FILE}"))
    return [source for source in found if source.file.is_file()]
