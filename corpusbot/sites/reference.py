"""What is generated of the format's tables: the JSON Schema for editors, and the reference page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from corpusbot.plugins import meaning_of, options_of, plugin_names
from corpusbot.sites.keys import (
    CORPUS,
    DUPLICATES,
    FEED,
    INDEX,
    LINK,
    OWN,
    REVISIT,
    SHARED,
    SITE,
    SITEMAP,
    TARGET,
    VERSION,
)
from corpusbot.sites.rule_keys import RULES, SOURCE, TRANSLATE
from corpusbot.sites.setting_keys import SETTINGS
from corpusbot.sites.tables import Key
from corpusbot.sites.variables import ADDRESS_VARIABLES, DAY_VARIABLES, MEANINGS, TEXT_VARIABLES

SCHEMA_FILE = "site-file.schema.json"
PAGE_FILE = "site-file.md"

TABLES = (SITE, INDEX, FEED, SITEMAP, LINK, VERSION, SOURCE, TRANSLATE, TARGET, DUPLICATES, REVISIT, SETTINGS, CORPUS)


def json_schema_text() -> str:
    """The JSON Schema of site files: an editor completes, explains and checks by it."""
    definitions: dict[str, object] = {}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A site file of corpusbot",
        **SITE.definition(definitions),
        "$defs": definitions,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def reference_text() -> str:
    """The reference page, in Markdown."""
    return "\n".join(_page()) + "\n"


def write_reference(directory: Path) -> list[Path]:
    """Writes both into a folder; the paths of the files."""
    directory.mkdir(parents=True, exist_ok=True)
    schema, page = directory / SCHEMA_FILE, directory / PAGE_FILE
    schema.write_text(json_schema_text(), encoding="utf-8")
    page.write_text(reference_text(), encoding="utf-8")
    return [schema, page]


def _page() -> Iterator[str]:
    """The lines of the reference page."""
    yield INTRODUCTION
    yield from _section("Site", SITE.meaning, (*OWN, *(key for key in SHARED if key not in RULES)))
    yield from _section("Rules", RULES_MEANING, RULES)
    yield from _section("Source", f"{SOURCE.meaning}\n\n{SHORT_SOURCE}", SOURCE.keys)
    yield from _section("Translate rule", TRANSLATE.meaning, TRANSLATE.keys[len(SOURCE.keys) :], "A source, and:")
    for table in (INDEX, FEED, SITEMAP, LINK, VERSION):
        own = tuple(key for key in table.keys if key not in RULES)
        yield from _section(table.name.capitalize(), table.meaning, own, "These keys, and the rules:")
    for table in (TARGET, DUPLICATES, REVISIT, SETTINGS):
        yield from _section(table.name.capitalize(), table.meaning, table.keys)
    yield from _plug_ins("Extractors", "extractors", EXTRACTORS_MEANING)
    yield from _plug_ins("Filters", "filters", FILTERS_MEANING)
    yield from _variables()
    yield LEVELS.rstrip()


def _section(title: str, meaning: str, keys: tuple[Key, ...], before: str = "") -> Iterator[str]:
    """A heading and the table of its keys."""
    yield f"## {title}\n\n{meaning}\n"
    if before:
        yield f"{before}\n"
    yield "| key | takes | if left out | meaning |\n|---|---|---|---|"
    yield from (_row(key) for key in keys)
    yield ""


def _plug_ins(title: str, stage: str, meaning: str) -> Iterator[str]:
    """A heading and the table of a stage's plug-ins with their options."""
    yield f"## {title}\n\n{meaning}\n\n| name | what it does | options |\n|---|---|---|"
    for name in plugin_names(stage):
        options = [f"`{option.name}`: {option.label}" for option in options_of(stage, name)]
        yield f"| `{name}` | {_cell(meaning_of(stage, name))} | {_cell('<br>'.join(options)) or '–'} |"
    yield ""


def _row(key: Key) -> str:
    """A key's line in its table."""
    also = f" (also {', '.join(f'`{alias}`' for alias in key.aliases)})" if key.aliases else ""
    example = f" Example: `{_cell(key.example)}`" if key.example else ""
    default = "**required**" if key.required else key.default or "–"
    return f"| `{key.name}`{also} | {_kind(key)} | {_cell(default)} | {_cell(key.meaning)}{example} |"


def _kind(key: Key) -> str:
    """What the key takes; tables are linked to."""
    label = _cell(key.kind.label)
    for table in TABLES:
        anchor = table.name.replace(" ", "-")
        label = re.sub(rf"mapping: {table.name}\b", f"[{table.name}](#{anchor})", label)
    return label


def _cell(text: str) -> str:
    """A text that does not break its table."""
    return text.replace("|", "\\|")


def _variables() -> Iterator[str]:
    """The table of variables."""
    yield "## Variables\n\nThe second `$` may be left out: `$DD$N0` and `$DD` both hold the day.\n"
    yield "| variable | its value | in `url` | in `links`, `exclude` | in `append` |\n|---|---|---|---|---|"
    places = (ADDRESS_VARIABLES, DAY_VARIABLES, TEXT_VARIABLES)
    for name, meaning in MEANINGS.items():
        yield f"| `${name}$` | {meaning} | {' | '.join('yes' if name in place else '' for place in places)} |"
    yield ""


INTRODUCTION = """\
# The site file

<!-- Generated from corpusbot/sites/keys.py. Write it anew with `make docs`. -->

One YAML file for each newspaper, `site_configs/elpais.yaml`; the spider's name is the file's. `_corpus.yaml` beside it
holds what is true of all newspapers. A folder named in `CORPUSBOT_SITE_CONFIGS` adds files, which win over the packaged
ones; a `_corpus.yaml` in it holds for the files of that folder, on top of the packaged one. Every mistake is told with
its file and line before a page is asked for. An editor that knows JSON Schema completes and explains the keys, if the
first line is

```yaml
# yaml-language-server: $schema=../docs/reference/site-file.schema.json
```

The least that a site needs:

```yaml
name: El País
language: es
indexes:
  - url: https://elpais.com/internacional/
    section: Internacional
links: ['/\\d{4}-\\d{2}-\\d{2}/[^/]+\\.html']
```

Where a list is taken, one value alone will do. A value that begins with `#`, `[`, `{`, `*`, `&`, `!` or `@`, or that
holds `: ` or ` #`, is put in quotes.
"""

RULES_MEANING = "What is found in a page, and what the document is made of. Rules may stand at every level."

EXTRACTORS_MEANING = """\
What may stand in `extractors`, bare or with options: `[rules, {gist: {prefer: precision}}]`. See
[how to choose extractors](../howto/choose-extractors.md)."""

FILTERS_MEANING = """\
What may stand in `filters`, bare or with options: `[{length: {min_words: 30}}, language]`."""

SHORT_SOURCE = """\
A text alone is a CSS selector, or an XPath if it begins with `/`, `./` or `(`. A source that selects a container gives
its blocks (paragraphs, headings, items, quotes, rows of tables); one that selects paragraphs gives each as a block.

```yaml
fields:
  title: {jsonld: headline}
  authors: [{jsonld: 'author[].name'}, {css: 'a[rel=author]'}]
  body: {css: article, without: [aside, .related]}
translate:
  - {tag: META, attribute: NAME, value: TITULO, get: CONTENT, closed: false, to: .TITULO}
```"""

LEVELS = """\
## Levels

Rules are inherited from the corpus to the site, to the version that held on the page's day, to the index that the page
was found on, to the link pattern that its link matched. Where two conflict, the most local one counts:

- two `translate` rules on one mark: the same tag, attribute and value, or the same selector;
- two `append` rules for one section; the local one stands at its own place in the order;
- two `fields` entries for one field; the local one takes the place of the other in the order;
- a `fields` entry and an inherited `translate` rule for one section, and the other way round.

`ignore` and `remove` add up. Of several versions that still held on a day, the first to end counts. Of the keys that
are no rules, `labels`, `duplicates`, `revisit`, `target` and `settings` are inherited part by part, `exclude` adds up,
and the others are taken whole from the most local file. `corpusbot explain elpais` shows what comes of it, with file
and line.
"""
