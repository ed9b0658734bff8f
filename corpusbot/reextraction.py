"""Stored pages down the line once more, without the network: what better rules make of them, and the writing of it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from pathlib import Path

import corpusbot
from corpusbot.export.document import MADE_BY
from corpusbot.reextraction_former import Former, former_documents
from corpusbot.reextraction_page import GAINED, Again, Reread, reread
from corpusbot.reextraction_plan import Plan, PlannedPage
from corpusbot.reextraction_pool import Pool
from corpusbot.reextraction_twins import Twins
from corpusbot.sites import SiteConfig, SiteError, load_site, load_site_file
from corpusbot.sites.catalogue import ENDING, FOLDERS_VARIABLE
from corpusbot.store.growing import StoreError
from corpusbot.store.page_index import PageIndex
from corpusbot.worker import cores

PAGES_PER_COMMIT = 200
SECONDS_PER_PAGE = 60
# What the line is made of; other modules cannot change what becomes of a page.
_LINE = ("dom", "extractors", "filters", "metadata", "sites", "languages", "line.py", "model.py", "normalise.py")

Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be read again: a newspaper, of some days, by its own rules or those of another file or folder."""

    data: Path
    site: str
    since: date | None = None
    until: date | None = None
    config: Path | None = None
    workers: int | None = None

    @property
    def folder(self) -> Path:
        """The newspaper's folder."""
        return self.data / self.site

    @property
    def pages(self) -> Path:
        """Its archive."""
        return self.folder / "pages"


@dataclass(frozen=True, slots=True)
class Work:
    """A reading under way or done: the rules, the documents before, the plan with the outcomes."""

    wanted: Wanted
    site: SiteConfig
    former: Former
    plan: Plan


@contextmanager
def reextraction(wanted: Wanted, progress: Progress = lambda what, number: None) -> Iterator[Work]:
    """Read all pages again that were not yet; what was read before, by the same rules, is not read once more."""
    if not wanted.pages.is_dir():
        raise StoreError(f"{wanted.pages}: no such folder. No raw pages of {wanted.site} are kept here; see --data")
    with ExitStack() as stack:
        environment = stack.enter_context(_site_files(wanted))
        site = _site(wanted, environment)
        index = stack.enter_context(PageIndex(wanted.pages))
        index.update(progress)
        plan = stack.enter_context(Plan(wanted.folder))
        former = former_documents(wanted.data, _own_site(wanted) or site)
        stack.callback(former.close)
        plan.refresh(index, former, (wanted.since, wanted.until), _rules(wanted, site))
        work = Work(wanted, site, former, plan)
        pool = stack.enter_context(Pool(wanted.workers or cores(), SECONDS_PER_PAGE, environment))
        twins = stack.enter_context(Twins(wanted.data, site))
        _read_pages(work, index, pool, twins, progress)
        yield work


def _read_pages(work: Work, index: PageIndex, pool: Pool, twins: Twins, progress: Progress) -> None:
    """Read what is left of the plan, and remember it now and then."""
    _, done = work.plan.counts()
    results: list[tuple[int, Reread]] = []
    jobs = (_again(work, index, page) for page in work.plan.todo())
    for page, result in pool.results(reread, jobs):
        results.append((page.number, _settled(work, page, result, twins)))
        done += 1
        progress("pages read again", done)
        if len(results) == PAGES_PER_COMMIT:
            work.plan.keep(results)
            results = []
    work.plan.keep(results)


def _again(work: Work, index: PageIndex, page: PlannedPage) -> Again:
    """The work on a page: its newest record, and the one that its document was made of if that is another."""
    names = dict.fromkeys(name for name in (page.record, page.known and page.known.record) if name)
    records = tuple(record for name in names if (record := index.by_record(name)))
    former = work.former.get(page.known) if page.known else None
    return Again(work.site.id, work.wanted.pages, records, former, page.number)


def _settled(work: Work, page: Again, result: Reread, twins: Twins) -> Reread:
    """The result, which is a document only if the corpus does not hold its text, as in a crawl."""
    if isinstance(result, Reread) and result.outcome != GAINED:
        return result
    if not isinstance(result, Reread):  # the worker died over it
        return Reread("lost" if page.former else "dropped", str(result))
    assert result.document is not None
    if work.plan.knows(result.document.id):
        drop: str | None = f"same_page: it is another address of the document {result.document.id}"
    else:
        drop, result = twins.looked_up(result)
    if drop is None:
        return replace(result, reason=f"in place of {page.former.id}") if page.former else result
    if page.former is None:
        return Reread("dropped", drop)
    return Reread("lost", drop, words_removed=len(page.former.text.split()))


@contextmanager
def _site_files(wanted: Wanted) -> Iterator[dict[str, str]]:
    """The environment in which the newspaper's name means the rules that are wanted."""
    if wanted.config is None:
        yield {}
        return
    if not wanted.config.exists():
        raise SiteError(f"{wanted.config}: no such file or folder. Name a site file, or a folder of them")
    file = wanted.config / f"{wanted.site}{ENDING}" if wanted.config.is_dir() else wanted.config
    if not file.exists():
        raise SiteError(f"{file}: no such file. Name the file itself, or a folder that has it")
    with tempfile.TemporaryDirectory(prefix="corpusbot-") as folder:
        # The style sheets and corpus rules beside it belong to it, and it may have another name.
        for other in file.parent.iterdir():
            if other.is_file() and other.name != f"{wanted.site}{ENDING}":
                (Path(folder) / other.name).symlink_to(other.absolute())
        (Path(folder) / f"{wanted.site}{ENDING}").symlink_to(file.absolute())
        folders = os.pathsep.join(filter(None, (folder, os.environ.get(FOLDERS_VARIABLE))))
        yield {FOLDERS_VARIABLE: folders}


def _site(wanted: Wanted, environment: dict[str, str]) -> SiteConfig:
    if not environment:
        return load_site(wanted.site)
    return load_site_file(Path(environment[FOLDERS_VARIABLE].split(os.pathsep)[0]) / f"{wanted.site}{ENDING}")


def _own_site(wanted: Wanted) -> SiteConfig | None:
    """The site as crawls know it, whose target has the documents; other rules may come without it."""
    try:
        return load_site(wanted.site)
    except SiteError:
        return None


def _rules(wanted: Wanted, site: SiteConfig) -> str:
    """What outcomes depend on, in short: if it is the same, so are they."""
    digest = hashlib.sha256(f"{site.digest} {MADE_BY} {wanted.since} {wanted.until}".encode())
    for folder in map(Path, corpusbot.__path__):
        parts = ((folder / name).rglob("*.py") if "." not in name else (folder / name,) for name in _LINE)
        for path in sorted(path for path in chain.from_iterable(parts) if path.is_file()):
            digest.update(path.read_bytes())
    return digest.hexdigest()
