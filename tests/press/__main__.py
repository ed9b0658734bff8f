"""The command that prints the two sample newspapers until it is stopped."""

import argparse
import signal
import sys
import threading
from dataclasses import fields
from pathlib import Path

from tests.press.plan import Plan
from tests.press.press import Press
from tests.press.server import Serving, serve

_DESCRIPTION = """\
Prints two sample newspapers on 127.0.0.1: La Gaceta de Muestra (Spanish) and The Sample Courier (English).
Everything is written from a seed: the same options give the same stories at the same paths.

When both are ready, one line goes to standard output, the base addresses of the two:

  http://127.0.0.1:40001 http://127.0.0.1:40002

Progress and the count of requests at the end go to standard error. Stop it with Ctrl-C or SIGTERM."""

_EPILOGUE = """\
examples:
  python -m tests.press                                      a small newspaper with every hazard
  python -m tests.press --gold gold.jsonl                    and what a correct crawler finds in it
  python -m tests.press --no-hazards --latency 0.05          sound articles only, 50 ms each
  python -m tests.press --articles 10000 --days 60 --no-hazards --padding 110000 --prerender
                                                             a bench: pages of 110 KB, laid out beforehand

while it runs:
  curl URL/_press/log                     every request so far (JSON), the most at once for each newspaper
  curl -X DELETE URL/_press/log           forget them
  curl URL/_press/gold                    the gold of the present edition (JSON lines)
  curl -d n=2 URL/_press/edition          print the next day: new articles, and one in ten corrected
  curl -d url=STORY URL/_press/correct    correct one story"""

_HELP = {
    "articles": "regular articles of each newspaper; special pages come on top",
    "days": "days that they are spread over, from 29 March 2024",
    "seed": "what everything is written from",
    "latency": "seconds before every answer",
    "padding": "bytes that a page weighs at least",
    "crawl_delay": "the Crawl-delay of robots.txt, in seconds",
    "per_page": "entries on a page of a front",
    "feed_size": "entries of the RSS and Atom feeds",
    "slow_seconds": "delay of the page that is slow",
    "drip_seconds": "how long the dripping page lasts",
    "big_bytes": "size of the page that is too large",
    "bomb_bytes": "size that the gzip bomb unpacks to",
    "cache_bytes": "memory for pages laid out",
}


def argument_parser() -> argparse.ArgumentParser:
    """The options: those of `Plan`, and the command's own."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.press",
        description=_DESCRIPTION,
        epilog=_EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    plan = Plan()
    for name, text in _HELP.items():
        default = getattr(plan, name)
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, type=type(default), default=default, metavar="N", help=f"{text} ({default})")
    parser.add_argument(
        "--hazards", action=argparse.BooleanOptionalAction, default=True, help="print special pages, too"
    )
    parser.add_argument("--edition", type=int, default=1, metavar="N", help="start with the nth edition (1)")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="first port, the next one follows (0: any)")
    parser.add_argument("--gold", type=Path, metavar="FILE", help="write the gold there as JSON lines before the start")
    parser.add_argument("--prerender", action="store_true", help="lay out every article before the start")
    return parser


def main(arguments: list[str] | None = None) -> None:
    """Print the newspapers until a signal comes."""
    options = argument_parser().parse_args(arguments)
    plan = {field.name: getattr(options, field.name) for field in fields(Plan)}
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    ports = (options.port, options.port + 1 if options.port else 0)
    with serve(Press(**plan, edition=options.edition), ports) as serving:
        _prepare(serving, options.gold, options.prerender)
        print(serving.gaceta, serving.courier, flush=True)
        stop.wait()
    print(f"press: {len(serving.press.requests)} requests answered", file=sys.stderr)


def _prepare(serving: Serving, gold: Path | None, with_prerender: bool) -> None:
    """What is to be done before the addresses are told."""
    if with_prerender:
        print("press: laying out the articles", file=sys.stderr)
        serving.prerender()
        print(f"press: {serving.house.cache.bytes:,} bytes laid out", file=sys.stderr)
    if gold:
        rows = serving.press.gold()
        gold.write_text("".join(row.json_line() + "\n" for row in rows), encoding="utf-8")
        print(f"press: {len(rows)} rows of gold in {gold}", file=sys.stderr)


if __name__ == "__main__":
    main()
