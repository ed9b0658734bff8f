"""Who reads the pages: the project's plug-ins by their names, and peers from outside in their own API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

import corpusbot
from bench import peers
from bench.evaluation.fold_models import FoldModels
from bench.evaluation.scores import Reading
from bench.evaluation.shelf import digest, digest_of_files, versions_of
from bench.extraction_sets import SITE, Sample, cleaned
from corpusbot.extractors import checked_options, findings_by, gist, vote
from corpusbot.extractors.gist.choice import Preference
from corpusbot.extractors.gist.model import Model
from corpusbot.metadata.findings import Findings
from corpusbot.model import Block, CleanPage, Drop
from corpusbot.plugins import plugin_names
from corpusbot.sites.frozenmap import FrozenMap

LEARNT = "gist"
VOTE = "vote"
NOT_GENERIC = ("rules",)  # it needs a site file
PLUGIN = "plugin:"  # before the name of a plug-in that a peer has too
Read = Callable[[Sample], Reading]
Models = Mapping[int, Model]


@dataclass(frozen=True, slots=True)
class Reader:
    """One that reads pages, and what its readings depend on."""

    name: str
    is_ours: bool
    ready: Callable[[], Read] = field(repr=False)
    key: Callable[[], str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Readers:
    """All that there are; `shipped` lets gist read with the model that ships, which has seen these pages."""

    models: FoldModels
    prefer: Preference = "balanced"
    shipped: bool = False

    def chosen(self, wanted: str | None, also: tuple[str, ...] = ()) -> list[Reader]:
        """Those that are named, with commas between; by default all. Then others by their line of YAML."""
        known = self.known()
        names = wanted.split(",") if wanted else list(known)
        for name in names:
            if name not in known:
                raise ValueError(f"No extractor '{name}'. Available: {', '.join(known)}")
        return [*(known[name] for name in names), *map(self.of_yaml, also)]

    def known(self) -> dict[str, Reader]:
        """By name: gist first, the other plug-ins, the peers that are installed."""
        there = peers.installed()
        outside = [name for name in peers.PEERS if name in there]
        own = [name for name in plugin_names("extractors") if name not in (*NOT_GENERIC, LEARNT)]
        plugins = [self.by_plugin(PLUGIN + name if name in outside else name, name) for name in own]
        return {reader.name: reader for reader in [self.learnt(), *plugins, *map(by_peer, outside)]}

    def learnt(self, without: frozenset[str] = frozenset(), called: str = LEARNT) -> Reader:
        """Gist, each page read by the model that has not seen its domain; it may have to learn without features."""

        def ready() -> Read:
            models = self._models(without, called)
            return lambda page: _reading(page, lambda clean: self._by_gist(page, clean, models))

        return Reader(called, True, ready, lambda: digest([self._learning(), *sorted(without)]))

    def by_plugin(self, label: str, name: str, given: Mapping[str, Any] | None = None) -> Reader:
        """A plug-in with options as a site file has them."""
        options: FrozenMap[Any] = _frozen(given or {})
        checked = checked_options(name, options)
        if name == VOTE:
            return self._by_vote(label, checked)
        if name == LEARNT:
            return Readers(self.models, checked.get("prefer", self.prefer), self.shipped).learnt(called=label)

        def ready() -> Read:
            return lambda page: _reading(page, lambda clean: findings_by(name, options, clean, SITE))

        return Reader(label, True, ready, lambda: digest([own_key(), name, repr(options)]))

    def _by_vote(self, label: str, given: Mapping[str, Any]) -> Reader:
        """The vote, of which gist is one: it has not seen the page here either."""
        members: tuple[vote.Member, ...] = given.get("of", vote.USUAL)
        least: int = given.get("least", 2)

        def found_by(member: vote.Member, page: Sample, clean: CleanPage, models: Models) -> Findings | None:
            name, options = member
            return self._by_gist(page, clean, models) if name == LEARNT else findings_by(name, options, clean, SITE)

        def ready() -> Read:
            models = self._models() if any(name == LEARNT for name, _ in members) else {}

            def read(page: Sample) -> Reading:
                clean = cleaned(page)
                if isinstance(clean, Drop):
                    return Reading("")
                several = [found_by(member, page, clean, models) for member in members]
                texts = [vote.Text.of(findings.body) for findings in several if findings is not None]
                body = vote.elected(texts, least)
                return Reading(_joined(body), vote.agreement(texts, least, len(members)))

            return read

        return Reader(label, True, ready, lambda: digest([self._learning(), repr(members), str(least)]))

    def _models(self, without: frozenset[str] = frozenset(), called: str = LEARNT) -> Models:
        return {} if self.shipped else self.models.models(without, called)

    def _learning(self) -> str:
        """What a reading by gist depends on."""
        return digest([own_key(), "shipped" if self.shipped else self.models.key, self.prefer])

    def _by_gist(self, page: Sample, clean: CleanPage, models: Models) -> Findings | None:
        return gist.extracted(clean, SITE, prefer=self.prefer, model=models.get(page.fold))

    def of_yaml(self, line: str) -> Reader:
        """A plug-in as a site file names it: `cnr`, or `cnr: {share: 0.2}`."""
        try:
            said = yaml.safe_load(line)
        except yaml.YAMLError as error:
            raise ValueError(f"--also '{line}' is no YAML: {error}") from error
        if isinstance(said, str):
            said = {said: {}}
        if not isinstance(said, dict) or len(said) != 1:
            raise ValueError(f"--also '{line}' names no extractor. What would work: --also 'cnr: {{share: 0.2}}'")
        [(name, options)] = said.items()
        return self.by_plugin(line, str(name), options)


def by_peer(name: str) -> Reader:
    """A peer, in its own API."""

    def ready() -> Read:
        read = peers.reader(name)
        return lambda page: Reading(read(page.html, page.url))

    package = peers.PEERS[name][1]
    return Reader(name, False, ready, lambda: digest([versions_of(package), Path(peers.__file__).read_bytes()]))


def own_key() -> str:
    """All of the package's code, the model with it, and what it stands on."""
    package = Path(corpusbot.__file__).parent
    return digest([digest_of_files([package]), versions_of("lxml", "trafilatura", "numpy")])


def _reading(page: Sample, extract: Callable[[CleanPage], Findings | None]) -> Reading:
    """The text that one of our own extractors finds, from bytes on."""
    clean = cleaned(page)
    found = None if isinstance(clean, Drop) else extract(clean)
    return Reading(_joined(found.body), found.confidence) if found else Reading("")


def _joined(body: tuple[Block, ...]) -> str:
    return "\n\n".join(block.text for block in body)


def _frozen(value: Any) -> Any:
    """What YAML says in the form of a site's options."""
    if isinstance(value, Mapping):
        return FrozenMap({key: _frozen(one) for key, one in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
