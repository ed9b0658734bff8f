"""A tiny data folder in the form of the evaluation's, printed by the sample newspapers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tests.press import Gold, Press

SITES = 7  # addresses are dealt out to so many, so that there is something to hold back


def data_folder(folder: Path) -> Path:
    """Articles of both newspapers as `newspapers` with their texts and as `evaldata` with phrases."""
    press = Press(articles=10, days=2, hazards=False)
    rows = [row for row in press.gold() if row.expected == "document" and row.same_as is None]
    for number, row in enumerate(rows):
        html = press.reply(row.newspaper, row.url.removeprefix(press.bases[row.newspaper])).body
        url = f"https://www.sample-{number % SITES}.org/{number}.html"
        gold: dict[str, Any] = {"id": f"page{number:02}", "url": url}
        if number % 4 == 3:
            _add(folder, "evaldata", gold | _phrases(row), html)
        else:
            _add(folder, "newspapers", gold | {"text": f"{row.lead}\n{row.body}"}, html)
    return folder


def _phrases(row: Gold) -> dict[str, list[str]]:
    parts = row.body.split("\n\n")
    return {"with": [parts[0][:40], parts[-1][-40:]], "without": ["no stands on no page"]}


def _add(folder: Path, collection: str, gold: dict[str, Any], html: bytes) -> None:
    """One page with its gold."""
    pages = folder / "extraction" / collection / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    (pages / f"{gold['id']}.html.gz").write_bytes(gzip.compress(html))
    with (pages.parent / "gold.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(gold, ensure_ascii=False) + "\n")
