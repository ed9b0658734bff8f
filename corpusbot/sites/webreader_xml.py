"""Brings the configuration files of webreader, the system that this one follows: one XML file, many YAML files."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from corpusbot.sites.webreader_file import corpus_of
from corpusbot.sites.webreader_yaml import corpus_yaml, site_yaml


def import_webreader(xml_text: str, directory: Path) -> list[Path]:
    """Writes a YAML file for each site, and `_corpus.yaml`, into a folder; the paths, the corpus's first."""
    corpus = corpus_of(xml_text)
    texts = {"_corpus.yaml": corpus_yaml(corpus)}
    for site in corpus.sites:
        texts[_free_name(site.slug, texts)] = site_yaml(site)
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8")
    return [directory / name for name in texts]


def _free_name(slug: str, taken: Container[str]) -> str:
    """A file name that no other site has."""
    name, number = f"{slug}.yaml", 1
    while name in taken:
        number += 1
        name = f"{slug}-{number}.yaml"
    return name
