"""What is asked of everything that is kept: in words, with the cure, and what can be made again from the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Question:
    """What has to hold, what to do if it does not, and what that makes again, if anything."""

    says: str
    cure: str
    derived: str | None = None


REPAIR = "corpusbot verify SITE --repair makes it anew"
QUESTIONS = {
    "state": Question(
        "the crawl's state is whole; each link that was asked for has an outcome, each drop a reason",
        "bring back a copy of state.sqlite, or move it away: the next crawl then asks for everything again",
    ),
    "archive files": Question(
        "no file of the archive is gone, or shorter than was committed",
        "bring back a copy; without one, see `records` for the documents whose pages are lost",
    ),
    "archive pages": Question(
        "each record can be read, and no id is there twice",
        "bring back a copy of the file",
    ),
    "files": Question(
        "no file of documents is gone or shorter than was committed, and each ends with a whole document",
        "bring back a copy, or move it away: the next crawl begins a new one",
    ),
    "lines": Question(
        "each line of the files is a document, and no page is written twice",
        "take the line out, or bring back a copy of the file",
    ),
    "records": Question(
        "the page of each document is in the archive, with the digest that it names",
        "bring back a copy of the archive, or ask for those pages again: scrapy crawl SITE -a only='ADDRESS …'",
    ),
    "links": Question(
        "each page that was done has its document",
        "where the page is kept: corpusbot reextract SITE --write; else: scrapy crawl SITE -a only='ADDRESS …'",
    ),
    "twice": Question(
        "no two documents have the same text",
        "look at both: rules that find too little make texts alike. If not, please report it: it must not be",
    ),
    "duplicates": Question(
        "the index of duplicates holds each document with its text, and no other of the newspaper",
        REPAIR,
        "duplicates",
    ),
    "page index": Question("the index of pages has every record, where it stands, and no other", REPAIR, "page index"),
    "store": Question(
        "the store of documents can be read, and has each document that the files have",
        REPAIR + ", from the files",
        "store",
    ),
    "parquet": Question("the Parquet file has all documents", REPAIR, "parquet"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """The answer to a question: asked of how many, wrong how often, the first of these, and what is no fault."""

    site: str
    name: str
    looked_at: int
    wrong: int = 0
    examples: tuple[str, ...] = ()
    note: str = ""

    @property
    def question(self) -> Question:
        """What was asked."""
        return QUESTIONS[self.name]

    @property
    def cure(self) -> str:
        """What to do."""
        return self.question.cure.replace("SITE", self.site)


def checked(site: str, name: str, looked_at: int, wrong: Sequence[str], note: str = "") -> Check:
    """The check of a question."""
    return Check(site, name, looked_at, len(wrong), tuple(wrong[:MOST_EXAMPLES]), note)


def noted(what: str, listed: Iterable[str]) -> str:
    """What is no fault and worth a word; nothing if there is nothing of the kind."""
    text = "; ".join(listed)
    return f"{what}: {text}" if text else ""
