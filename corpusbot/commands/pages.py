"""`corpusbot pages`: the raw pages that are stored of a newspaper."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from corpusbot.commands.arguments import add_data, add_format, add_site, day

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from corpusbot.store.page_index import PageIndex, Stored

SAYS = "the raw pages stored of a newspaper: which, from when, where; and any of them as it came"
EPILOG = """\
Of a visit that found a page as it was before, no bytes are kept: its line says `revisit`, and its page is that one.

  corpusbot pages elpais --from 2024-05-01 --to 2024-05-31
  corpusbot pages elpais --url https://elpais.com/…      all visits of one address
  corpusbot pages elpais --show https://elpais.com/…     the page as it was at the last visit (before --to)
  corpusbot pages elpais --show urn:uuid:…               the page that a document names as record_id
  corpusbot pages elpais --cdxj > index.cdxj             for pywb and other replay programs"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_site(parser)
    parser.add_argument("--url", help="only what was stored of this address")
    parser.add_argument("--from", dest="since", type=day, metavar="DAY", help="from this day on, as 2024-01-31")
    parser.add_argument("--to", dest="until", type=day, metavar="DAY", help="up to this day and with it")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--cdxj", action="store_true", help="an index as replay programs read it")
    shown.add_argument("--show", metavar="RECORD_ID|URL", help="the bytes of one page")
    shown.add_argument("--rebuild", action="store_true", help="make the index anew, then list")
    add_data(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Print the table, the index or the page; 1 if there is none."""
    from corpusbot.commands.complaint import complain
    from corpusbot.commands.progress import progress
    from corpusbot.store.page_index import PageIndex

    folder = options.data / options.site / "pages"
    if not folder.is_dir():
        complain(f"{folder}: no such folder. Nothing of {options.site} is stored in {options.data}")
        return 1
    with PageIndex(folder) as index:
        with progress(options.site) as tell:
            damages = index.rebuild(tell) if options.rebuild else index.update(tell)
        for path, damage in damages:
            complain(f"{path}: {damage}")
        return _show(index, options) if options.show else _list(index, options)


def _show(index: PageIndex, options: Namespace) -> int:
    from corpusbot.commands.complaint import complain

    is_address = options.show.startswith(("http://", "https://"))
    end = _midnight(options.until, 1)
    stored = index.find(options.show, end) if is_address else index.by_record(options.show)
    if stored is None:
        complain(f"{options.show} is not stored. `corpusbot pages {options.site}` lists what is")
        return 1
    sys.stdout.buffer.write(index.read(stored).body)
    return 0


def _list(index: PageIndex, options: Namespace) -> int:
    from corpusbot.commands.complaint import complain
    from corpusbot.store.cdxj import cdxj

    chosen = _chosen(index, options)
    if options.cdxj:
        lines = cdxj(chosen)
    else:
        lines = (_as_json(stored) if options.format == "json" else _as_text(stored) for stored in chosen)
    found = False
    for line in lines:
        found = True
        print(line)
    if not found:
        others = " that other programs read; `corpusbot compact --back` makes such" if options.cdxj else ""
        complain(f"{index.folder}: no page{others}")
    return 0 if found else 1


def _chosen(index: PageIndex, options: Namespace) -> Iterator[Stored]:
    since, until = _midnight(options.since), _midnight(options.until, 1)
    if not options.url:
        yield from index.between(since, until)
        return
    for stored in index.of_address(options.url):
        if (since is None or stored.fetched_at >= since) and (until is None or stored.fetched_at < until):
            yield stored


def _midnight(chosen: date | None, days: int = 0) -> datetime | None:
    """The beginning of a day, or of one so many days later, in UTC, as the archive's times are."""
    from datetime import UTC, datetime, time, timedelta

    return datetime.combine(chosen + timedelta(days), time(), UTC) if chosen else None


def _as_text(stored: Stored) -> str:
    place = f"{stored.file}:{stored.offset}"
    return f"{stored.fetched_at:%Y-%m-%d %H:%M:%S}  {stored.status}  {stored.kind:8}  {place}  {stored.url}"


def _as_json(stored: Stored) -> str:
    import json

    told = {
        "url": stored.url,
        "fetched_at": stored.fetched_at.isoformat(),
        "kind": stored.kind,
        "status": stored.status,
        "mime": stored.mime,
        "digest": stored.digest,
        "record_id": stored.record_id,
        "refers_to": stored.refers_to,
        "file": stored.file,
        "offset": stored.offset,
        "length": stored.length,
    }
    return json.dumps(told, ensure_ascii=False)
