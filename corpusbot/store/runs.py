"""The runs of a site and what became of each address, read from its state."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from corpusbot.store.links import Incident, ReportRow, Run
from corpusbot.store.schema import WITH_TALLIES, connect_to_read, version_of

MAX_ATTEMPTS = 3  # runs in which a failed address is asked for, before it is left as failed

_ALL = """
    FROM (
        SELECT url, kind, outcome, cause, detail,
               json_extract(place, '$.section') AS section, json_extract(place, '$.day') AS day,
               json_extract(place, '$.index') AS index_name
        FROM links WHERE run = :run AND state IN (2, 3)
        UNION ALL
        SELECT url, 'item', outcome, cause, detail,
               json_extract(place, '$.section'), json_extract(place, '$.day'),
               json_extract(place, '$.index')
        FROM incidents WHERE run = :run
    )
"""


def committed_length(state: Path, name: str) -> int:
    """How long a file was when the crawl with that state last committed."""
    with closing(connect_to_read(state)) as database:
        row = database.execute("SELECT length FROM files WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0


class Runs:
    """The runs of a site and what became of their addresses; can be read while the crawl goes on."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def runs(self) -> list[Run]:
        """Every run, the oldest first."""
        with closing(connect_to_read(self._path)) as database:
            return read_runs(database, "ORDER BY id")

    def report(self, run: int) -> list[ReportRow]:
        """The addresses of a run counted by section, day, kind, outcome and cause."""
        columns = "SELECT section, day, kind, outcome, cause, count(*)"
        with closing(connect_to_read(self._path)) as database:
            rows = database.execute(f"{columns}{_ALL}GROUP BY 1, 2, 3, 4, 5", {"run": run})
            return [ReportRow(*row) for row in rows]

    def incidents(self, run: int, outcomes: Iterable[str] = ("failed", "dropped")) -> Iterator[Incident]:
        """One by one the addresses of a run that had one of these outcomes."""
        wanted = set(outcomes)
        columns = "SELECT url, kind, outcome, cause, detail, section, day, index_name"
        with closing(connect_to_read(self._path)) as database:
            for row in database.execute(columns + _ALL, {"run": run}):
                incident = Incident(*row)
                if incident.outcome in wanted:
                    yield incident

    def tallies(self, run: int) -> dict[str, dict[str, int]]:
        """What a run counted, by subject and name, the most frequent first."""
        found: dict[str, dict[str, int]] = {}
        query = "SELECT subject, name, count FROM tallies WHERE run = ? ORDER BY subject, count DESC, name"
        with closing(connect_to_read(self._path)) as database:
            # The file may be of an earlier release, and is not ours to change here.
            rows = database.execute(query, (run,)) if version_of(database) >= WITH_TALLIES else ()
            for subject, name, count in rows:
                found.setdefault(subject, {})[name] = count
        return found

    def totals(self, run: int) -> Counter[str]:
        """Counts by outcome, and `waiting` for what is known and not yet asked for."""
        counts: Counter[str] = Counter()
        for row in self.report(run):
            counts[row.outcome] += row.count
        with closing(connect_to_read(self._path)) as database:
            waiting = "SELECT count(*) FROM links WHERE state IN (0, 1)"
            counts["waiting"] = database.execute(waiting).fetchone()[0]
        return counts


def begun_run(database: sqlite3.Connection, moment: str, arguments: str) -> Run:
    """A run that begins, or the one that was killed and goes on; a new run asks for failed links once more."""
    unfinished = read_runs(database, "WHERE finished IS NULL ORDER BY id DESC LIMIT 1")
    if unfinished:
        return replace(unfinished[0], resumed=True)
    number = database.execute("INSERT INTO runs(started, arguments) VALUES(?, ?)", (moment, arguments)).lastrowid
    database.execute(
        "UPDATE links SET state = 0 WHERE state = 3 AND attempts < ?"
        # what is gone would be gone in another run as well, and what was once had is asked for when it is due
        " AND coalesce(cause, '') NOT IN ('http_404', 'http_410', 'http_451') AND due IS NULL",
        (MAX_ATTEMPTS,),
    )
    return Run(number or 0, moment, None, None, json.loads(arguments))


def read_runs(database: sqlite3.Connection, condition: str) -> list[Run]:
    """The rows of the table of runs for which the condition holds."""
    columns = "SELECT id, started, finished, reason, arguments FROM runs "
    rows = database.execute(columns + condition)
    return [
        Run(number, started, finished, reason, json.loads(arguments))
        for number, started, finished, reason, arguments in rows
    ]
