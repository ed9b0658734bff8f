"""`corpusbot explain`: every rule with its place, its level and what it displaced."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from corpusbot.model import Place
from corpusbot.sites import SiteConfig, load_site_file
from corpusbot.sites.explain import explanation

TEXT = """\
name: El País
home: https://elpais.com/
append: {FECHA: $DD$}
fields:
  title: [h1, {meta: 'og:title', match: '(.+) -'}]
indexes:
  - url: https://elpais.com/espana/
    name: españa
    links: /espana/
    append: {FECHA: hoy}
    translate: [{tag: META, attribute: name, value: T, get: content, to: .TITULO}]
    remove: .ad
versions: [{valid_until: 2020-01-01, fields: {title: h3}}]
"""


@pytest.fixture
def site(tmp_path: Path) -> SiteConfig:
    """A site with rules at two levels."""
    (tmp_path / "elpais.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "_corpus.yaml").touch()
    return load_site_file(tmp_path / "elpais.yaml", tmp_path / "_corpus.yaml")


def test_the_chain_and_its_gate(tmp_path: Path) -> None:
    """Who is asked, with which options, and what a body must be like to be taken."""
    chain = "extractors: [rules, {vote: {of: [gist, {vote: {least: 1}}], least: 2}}]\nmin_confidence: 0.5\n"
    (tmp_path / "elpais.yaml").write_text(f"home: https://elpais.com/\n{chain}", encoding="utf-8")
    (tmp_path / "_corpus.yaml").touch()
    lines = explanation(load_site_file(tmp_path / "elpais.yaml", tmp_path / "_corpus.yaml")).splitlines()
    assert "extractors  rules, vote (of: [gist, vote (least: 1)], least: 2)" in lines
    assert "gate        the first body of 250 characters, 0.5 sure where it can tell" in lines


def test_the_rules_of_a_place(site: SiteConfig) -> None:
    """A table, letter by letter."""
    assert explanation(site, Place(index="españa")).splitlines() == [
        "Rules for index españa:",
        "rule             stands in       level  instead of            source",
        "append FECHA     elpais.yaml:10  index  elpais.yaml:3 (site)  hoy",
        "translate title  elpais.yaml:11  index  elpais.yaml:5 (site)  tag: meta[name=T], get content",
        "remove           elpais.yaml:12  index                        .ad",
    ]


def test_the_rules_of_a_site(site: SiteConfig) -> None:
    """Without a place: what it fetches, the rules for all pages, and the places that have rules of their own."""
    told = explanation(site)
    assert told.startswith("El País (elpais), https://elpais.com/\npage        españa: https://elpais.com/espana/")
    assert "field title elpais.yaml:5 site css: h1 or meta:" in " ".join(told.split())
    assert "or meta: og:title, match (.+) -" in told
    assert "Rules for index españa:" in told


def test_the_rules_of_a_day(site: SiteConfig) -> None:
    """The version that held on the day is among the levels."""
    told = explanation(site, Place(), date(2020, 1, 1))
    assert told.startswith("Rules for day 2020-01-01:")
    assert "elpais.yaml:13  version  elpais.yaml:5 (site)  css: h3" in told
