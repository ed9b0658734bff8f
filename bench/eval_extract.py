"""All extractors on real pages with gold text: how much of it they find and what else they bring.

The project's own plug-ins stand beside those peers from outside that are installed. `gist` is cross-validated by
registered domain over all sets: the model that reads a page has seen no page of its domain. The others have learnt
nothing from these pages. Figures are the mean word F1 over pages (evaldata: the F1 of the sums of phrases; writings
without spaces: by characters, apart), intervals by a bootstrap over sites.

Written to the folder of --out: report.html (tables, charts, the worst pages side by side), pages.csv (a row for each
page and extractor), summary.md, and what makes the next run quick (models, readings: good as long as code and pages
are the same). The report holds texts of the pages: it is for your eyes and not to be published.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import get_args

from bench import peers
from bench.evaluation import ablation
from bench.evaluation.fold_models import FoldModels
from bench.evaluation.grids import Grid, as_markdown, as_text
from bench.evaluation.outcome import Outcome, outcome
from bench.evaluation.page_table import write_csv
from bench.evaluation.pages import Choice
from bench.evaluation.readers import Reader, Readers
from bench.evaluation.readings import Readings
from bench.evaluation.report_html import html_of
from bench.evaluation.shelf import Shelf
from bench.extraction_sets import NO_DATA, SETS
from corpusbot.extractors.gist.choice import Preference

WORST = 15
EXAMPLES = """examples:
  python -m bench.eval_extract --limit 20 --shipped        a quick look: no learning, twenty pages of each set
  python -m bench.eval_extract --extractors gist,trafilatura --sets np4k --worst 40
  python -m bench.eval_extract --also 'vote: {of: [trafilatura, cnr, jsonld], least: 2}'
  python -m bench.eval_extract --ablation --limit 60       which features are worth their place, by few lessons"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    options = _options(arguments)
    choice = Choice(options.data, tuple(options.sets.split(",")), options.limit)
    golds = choice.golds()
    if not golds:
        print(NO_DATA.format(folder=options.data / "extraction", target="eval-extract"), file=sys.stderr)
        return 2
    shelf = Shelf(options.out / "kept")
    models = FoldModels(options.data, shelf, options.limit if options.ablation else None)
    readers = Readers(models, options.prefer, options.shipped)
    try:
        features = _features(readers, options)
        chosen = list(ablation.variants(readers, features).values()) if features else _named(readers, options)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    found = outcome(chosen, Readings(choice, shelf), golds, options.by_words)
    options.out.mkdir(parents=True, exist_ok=True)
    if features:
        _print_and_write([ablation.of_ablation(found.scores, features)], "ablation.md", options)
    else:
        _tell(found, options)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.eval_extract", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder that holds extraction/")
    parser.add_argument("--out", type=Path, default=Path("data/eval"), help="where to write (%(default)s)")
    parser.add_argument("--sets", default=",".join(SETS), help="only these, with commas between (%(default)s)")
    parser.add_argument("--extractors", help="only these, with commas between, the one that matters first")
    parser.add_argument("--also", action="append", default=[], metavar="YAML", help="a plug-in with its options too")
    parser.add_argument("--limit", type=int, help="so many pages of each set only, spread over it")
    parser.add_argument("--prefer", default="balanced", choices=get_args(Preference), help="gist's (%(default)s)")
    parser.add_argument("--shipped", action="store_true", help="gist's model as it ships, which has seen these pages")
    parser.add_argument("--by-words", action="store_true", help="words on all pages, also where writing has no spaces")
    parser.add_argument("--worst", type=int, default=WORST, metavar="N", help="list N of the worst pages (%(default)s)")
    parser.add_argument("--ablation", action="store_true", help="gist without each group of features in turn instead")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown, to be pasted")
    options = parser.parse_args(arguments)
    for name in options.sets.split(","):
        if name not in SETS:
            parser.error(f"no set '{name}'. Available: {', '.join(SETS)}")
    return options


def _features(readers: Readers, options: argparse.Namespace) -> tuple[str, ...]:
    """What the ablation leaves out in turn; nothing if there is to be none."""
    if not options.ablation:
        return ()
    if options.shipped:
        raise ValueError("--ablation learns anew, and --shipped does not: give one of them")
    return readers.models.models()[0].features


def _named(readers: Readers, options: argparse.Namespace) -> list[Reader]:
    """Those that are to read; of the peers, those that are there."""
    if not options.extractors:
        for package in peers.missing():
            print(f"Left out, for it is not installed: {package}", file=sys.stderr)
    return readers.chosen(options.extractors, tuple(options.also))


def _tell(found: Outcome, options: argparse.Namespace) -> None:
    """The tables on standard output; the table of pages and the report into files."""
    tables = found.tables()
    lists = [] if options.markdown else [grid for grid, _ in found.lists(options.worst)]
    _print_and_write(tables, "summary.md", options, lists)
    write_csv(options.out / "pages.csv", found.scores, {(one.collection, one.id): one for one in found.golds.values()})
    said = f"{len(found.golds):,} pages, {len(found.scores)} extractors, {date.today():%d %B %Y}. {_how(options)}"
    report = html_of(found.report(tables, options.worst, said))
    (options.out / "report.html").write_text(report, encoding="utf-8", errors="replace")
    print(f"Written: {options.out / 'report.html'}, pages.csv and summary.md beside it", file=sys.stderr)


def _how(options: argparse.Namespace) -> str:
    """How gist learnt."""
    if options.shipped:
        return "gist reads with the model that ships, which has seen these pages: its figures are too good."
    return "gist is cross-validated by site: each page is read by a model that has seen no page of its domain."


def _print_and_write(
    tables: Sequence[Grid], name: str, options: argparse.Namespace, lists: Sequence[Grid] = ()
) -> None:
    markdown = "\n\n".join("\n".join(as_markdown(grid)) for grid in tables)
    (options.out / name).write_text(f"{markdown}\n", encoding="utf-8")
    print(markdown if options.markdown else "\n\n".join("\n".join(as_text(grid)) for grid in (*tables, *lists)))


if __name__ == "__main__":
    sys.exit(main())
