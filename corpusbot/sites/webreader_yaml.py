"""Writes what a webreader file says as site files; comments tell what came from where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import indent
from typing import Any
from urllib.parse import urlsplit

import yaml

from corpusbot.sites.checks import dated_regex
from corpusbot.sites.errors import MisfitError
from corpusbot.sites.webreader_file import Corpus, Link, Pattern, Rules, Site

SCHEMA_LINE = "# yaml-language-server: $schema=../docs/reference/site-file.schema.json\n"
FLAGS = {"true": True, "false": False}


FOLDER = "webreader"  # of the one file that all imported newspapers add to


def corpus_yaml(corpus: Corpus) -> str:
    """The corpus file: the rules of <webreader> and its target."""
    parts = ["# From a webreader file: what it says of all sites. It stands on top of corpusbot's own _corpus.yaml.\n"]
    parts += ["\n# From the <format> of <webreader>.\n", _rules_text(corpus.rules)] if corpus.rules != Rules() else []
    parts += [
        "\n# webreader has rules alone: it neither guesses a body nor refuses a page.\n",
        _block({"extractors": ["rules"], "min_body": 0, "filters": []}),
        "\n",
        _target_text(corpus),
    ]
    return "".join(parts)


def _target_text(corpus: Corpus) -> str:
    """The target: one growing file for all newspapers, in a folder of ours; written anew, each has its own."""
    target: dict[str, Any] = {"format": "sections", "append": corpus.is_appended}
    target |= {"file": corpus.file} if corpus.file else {}
    target |= {"path": FOLDER} if corpus.file and corpus.is_appended else {}
    was = f"# From <target>: it wrote into {corpus.path}; here into the data folder.\n" if corpus.path else ""
    return was + _block({"target": target})


def site_yaml(site: Site) -> str:
    """The file of a site."""
    host = next((link.url for link in site.links if link.url), "")
    parts = urlsplit(host)
    home = {"home": f"{parts.scheme}://{parts.netloc}/"} if parts.netloc else {}
    text = f"{SCHEMA_LINE}# From a webreader file: its site {site.name!r}.\n"
    text += _block({"name": site.name} | home)
    text += "\nindexes:\n" + "".join(_index_text(url, list(links)) for url, links in _by_address(site.links))
    if site.rules != Rules():
        text += "\n# From the <format> of <site>.\n" + _rules_text(site.rules)
    return text


def _by_address(links: Iterable[Link]) -> Iterator[tuple[str, Iterator[Link]]]:
    """The links with their common addresses: several links of a site are one index page of ours."""
    order = list(dict.fromkeys(link.url for link in links))
    return groupby(sorted(links, key=lambda link: order.index(link.url)), key=lambda link: link.url)


def _index_text(url: str, links: list[Link]) -> str:
    """An index page; the rules of its only link are its own, those of several are their patterns'."""
    first, is_alone = links[0], len(links) == 1
    said = {"follow": FLAGS.get(first.follow or ""), "extract": FLAGS.get(first.extract or "")}
    head: dict[str, Any] = {"url": url} | ({"name": first.name} if is_alone and first.name else {})
    head |= {key: value for key, value in said.items() if value is not None}
    if is_alone:
        patterns = [_pattern(pattern, None) for pattern in first.patterns]
    else:
        patterns = [_pattern(pattern, link) for link in links for pattern in link.patterns]
    body = _block(head | ({"links": patterns} if patterns else {}))
    body += _rules_text(first.rules) if is_alone else ""
    names = ", ".join(repr(link.name) for link in links)
    return f"  # From <link> {names}; the address is the URL of <site>.\n" + _item(body)


def _pattern(pattern: Pattern, link: Link | None) -> str | dict[str, Any]:
    """A link pattern, in its long form if it has rules."""
    match = _regex(pattern.match)
    rules = _over(link.rules, pattern.rules) if link else pattern.rules
    return {"match": match} | _rules(rules) if rules != Rules() else match


def _regex(text: str) -> str:
    """The pattern, taken letter by letter if it is no regular expression."""
    try:
        return dated_regex(text)
    except MisfitError:
        return re.escape(text)


def _over(inherited: Rules, local: Rules) -> Rules:
    """Both rules as one, the local ones winning."""
    mine = [_mark(rule) for rule in local.translate]
    kept = (rule for rule in inherited.translate if _mark(rule) not in mine)
    ignore = dict.fromkeys((*inherited.ignore, *local.ignore))
    return Rules((*kept, *local.translate), inherited.append | local.append, tuple(ignore))


def _mark(rule: dict[str, str]) -> list[str | None]:
    """What a translate rule looks for."""
    return [rule.get(part) for part in ("tag", "attribute", "value")]


def _rules(rules: Rules) -> dict[str, Any]:
    """The rules, as they stand in YAML."""
    translate = [
        {key: FLAGS.get(value, value) if key == "closed" else value for key, value in rule.items()}
        for rule in rules.translate
    ]
    written = {"translate": translate, "append": rules.append, "ignore": list(rules.ignore)}
    return {key: value for key, value in written.items() if value}


def _rules_text(rules: Rules) -> str:
    """The rules as YAML, each on one line."""
    return _block(_rules(rules))


def _block(values: dict[str, Any]) -> str:
    """A mapping as YAML: its lists of mappings one to a line, all else as short as it goes."""
    return "".join(f"{key}:{_value(value)}" for key, value in values.items())


def _value(value: object) -> str:
    """What stands behind a key."""
    if isinstance(value, dict):
        return "\n" + indent(_block(value), "  ")
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "\n" + "".join(f"  - {_flow(item)}\n" for item in value)
    return f" {_flow(value)}\n"


def _flow(value: object) -> str:
    """A value on one line."""
    written = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000)
    return written.removesuffix("...\n").strip()


def _item(text: str) -> str:
    """A block as an item of a list, one level in."""
    return "  - " + indent(text, "    ").lstrip()
