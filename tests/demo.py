"""`make demo`: serves the two sample newspapers, crawls both, and shows what came of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace

FOLDER = ROOT / "data" / "demo"
NAMES = ("gaceta", "courier")


def main() -> int:
    """Crawl and show; 0 if every article of both newspapers is in the corpus once."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    press = Press(articles=20, days=3, drip_seconds=3, slow_seconds=0.5, big_bytes=12_000_000)
    with serve(press) as serving:
        place = workplace(FOLDER, serving)
        for name in NAMES:
            _say(f"scrapy crawl {name}")
            # Impatient, since the newspapers hold pages that never end.
            command = place.command(name, "-s", "DOWNLOAD_TIMEOUT=2", "-s", "RETRY_TIMES=1")
            subprocess.run(command, cwd=ROOT, env=place.environment(), check=False)
        return _shown(place)


def _shown(place: Workplace) -> int:
    missing = 0
    for name in NAMES:
        documents = place.documents(name)
        # A story may have been met first as its AMP copy, its reprint or an update: it counts once.
        golds = {gold.url: gold for gold in place.serving.press.gold(name)}
        stories = {golds[document["url"]].same_as or document["url"] for document in documents}
        wanted = {gold.url for gold in golds.values() if gold.expected == "document"}
        missing += len(wanted - stories)
        _say(f"{name}: {len(documents)} documents; {len(wanted & stories)} of the {len(wanted)} articles printed")
        _show(documents[:1])
    _say("The corpus")
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in (".jsonl", ".txt", ".gz", ".sqlite"):
            print(f"  {path.relative_to(ROOT)}  {path.stat().st_size:,} bytes")
    return 1 if missing else 0


def _show(documents: Sequence[dict[str, Any]]) -> None:
    for document in documents:
        for field in ("title", "authors", "published", "section", "lead"):
            value = document[field]
            shown = "; ".join(value) if isinstance(value, list) else value
            print(f"  {field:<10} {textwrap.shorten(str(shown), 90, placeholder=' …')}  [{document['origins'][field]}]")
        text = textwrap.fill(textwrap.shorten(document["text"], 400, placeholder=" …"), 100)
        print(textwrap.indent(text, "  │ "))


def _say(text: str) -> None:
    print(f"\n== {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
