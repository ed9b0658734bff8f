"""What is wrong with a site file: where, what, and what would work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

LONGEST_LIST = 20


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One mistake, with the file and line that it stands on."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        # What is quoted of the file may hold line breaks; a problem is one line all the same.
        return f"{self.file}:{self.line}: {' '.join(self.text.splitlines())}"


class SiteError(ValueError):
    """A site that cannot be had; its text has one line for each problem."""

    def __init__(self, *problems: Problem | str) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class UnknownSiteError(SiteError):
    """No file has that name."""


class MisfitError(Exception):
    """A value that does not fit its key; who reads the key knows the line."""


def cure(word: str, choices: Iterable[str], also: Iterable[str] = ()) -> str:
    """What would have worked: the word most like this one, or else the choices; `also` are not listed."""
    choices = sorted(set(choices))
    every = sorted({*choices, *also})
    small = [choice for choice in every if choice.islower()]
    near = get_close_matches(word, every, n=1) or get_close_matches(word.lower(), small, n=1)
    if near:
        return f"Did you mean '{near[0]}'?"
    more = ", …" if len(choices) > LONGEST_LIST else ""
    return f"Available: {', '.join(choices[:LONGEST_LIST]) or 'none'}{more}"
