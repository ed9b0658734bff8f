"""The extractor that asks several others: a block is kept where enough of them have it, however they cut it.

Blocks are compared by their word shingles, without case and punctuation. The structure of a block is that of the
first extractor that has it, and so is its place among the others. The confidence is the agreement: how much of
each one's text others have as well, on average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Any, NamedTuple

from corpusbot.dedup.words import folded_words
from corpusbot.extractors import checked_options, findings_by
from corpusbot.metadata.findings import Findings, Found, findings_of, first_of_each
from corpusbot.model import Block, CleanPage
from corpusbot.plugins import check_plugin
from corpusbot.sites import SiteConfig
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.options import OptionError

# Three words in a row seldom meet by chance; extractors that cut a block elsewhere share all but two of them.
SHINGLE = 3
# How much of a block another extractor must have: more than half, so that no two blocks can both be had by halves.
SHARE = 0.6
BODY = frozenset(("body",))


class Member(NamedTuple):
    """An extractor that votes, and its options."""

    name: str
    options: FrozenMap[Any] = FrozenMap()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Members:
    """The extractors that vote, as a chain has them: names, and names with options."""

    label: str = "a list of extractors"

    @property
    def schema(self) -> Mapping[str, object]:
        """Names, or mappings of one name to its options."""
        return {"type": "array", "items": {"type": ["string", "object"]}, "minItems": 2}

    def read(self, value: Any) -> tuple[Member, ...]:
        """Each with its options; raises ValueError for one that there is not."""
        if not isinstance(value, tuple):
            raise OptionError(f"{self.label} is wanted, not {value!r}")
        return tuple(_member(one) for one in value)


USUAL = (Member("gist"), Member("trafilatura"), Member("cnr"))


def extract(
    clean: CleanPage, site: SiteConfig, *, of: Annotated[tuple[Member, ...], Members()] = USUAL, least: int = 2
) -> Findings | None:
    """The blocks that at least so many of the extractors have; other fields by the first that found them."""
    asked = [(name, findings_by(name, options, clean, site)) for name, options in of]
    several = [(name, findings) for name, findings in asked if findings is not None]
    texts = [Text.of(findings.body) for _, findings in several]
    body = elected(texts, least)
    if not body:
        return None
    origin = f"vote:{'+'.join(name for name, findings in several if findings.body)}"
    found = first_of_each((findings for _, findings in several), skip=BODY) | {"body": Found(body, origin)}
    sections = next((findings.sections for _, findings in several if findings.sections), ())
    return replace(findings_of(found), sections=sections, confidence=agreement(texts, least, len(of)))


def check(of: Sequence[Member], least: int) -> None:
    """Raises OptionError unless so many can agree, none of them with itself."""
    if len(set(of)) < len(of):
        raise OptionError("of: an extractor stands there twice, and would agree with itself. Take one out")
    if not 1 <= least <= len(of):
        raise OptionError(f"least: a number from 1 to {len(of)} (of) is wanted, not {least}")


def _member(one: object) -> Member:
    """A member and its options."""
    name, options = one, FrozenMap[Any]()
    if isinstance(one, FrozenMap) and len(one) == 1:
        (name, options) = next(iter(one.items()))
    if not isinstance(name, str) or not isinstance(options, FrozenMap):
        raise OptionError(f"a name, or one name and its options, is wanted, not {one!r}")
    check_plugin("extractors", name)
    try:
        if options:  # else there is nothing to check that would be worth loading it
            checked_options(name, options)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None
    return Member(name, options)


@dataclass(frozen=True, slots=True)
class Text:
    """What one extractor found: its blocks, the shingles of each, and those of the whole."""

    blocks: tuple[Block, ...]
    parts: tuple[frozenset[str], ...]
    whole: frozenset[str]

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Text:
        """The text of some blocks; the shingles of the whole go over their borders."""
        words = [folded_words(block.text) for block in blocks]
        parts = tuple(frozenset(_shingles(own)) for own in words)
        together = [word for own in words for word in own]
        # A block of one or two words is had by who has it as one, or at an end of a longer one; not within a sentence.
        ends = (end for own in words for size in range(1, SHINGLE) for end in (own[:size], own[-size:]))
        return cls(tuple(blocks), parts, frozenset(_shingles(together)).union(map(" ".join, ends)))

    def has(self, part: frozenset[str]) -> bool:
        """Whether most of a block is in this text; a block without words is in none."""
        return bool(part) and len(part & self.whole) >= SHARE * len(part)


def _shingles(words: Sequence[str], size: int = SHINGLE) -> Iterator[str]:
    """So many words in a row, at every place; of fewer words the one shingle that they are."""
    for place in range(max(len(words) - size + 1, min(len(words), 1))):
        yield " ".join(words[place : place + size])


def elected(texts: Sequence[Text], least: int) -> tuple[Block, ...]:
    """The blocks that enough of the texts have, each as the first text that has it."""
    body: list[Block] = []
    for text in texts:
        there, before = Text.of(body), -1
        last = {shingle: place for place, part in enumerate(there.parts) for shingle in part}
        behind: dict[int, list[Block]] = {}
        for block, part in zip(text.blocks, text.parts, strict=True):
            if there.has(part):
                before = max(before, _place(part, last))
            elif votes(part, texts) >= least:
                behind.setdefault(before, []).append(block)
        kept = ((block, *behind.get(place, ())) for place, block in enumerate(body))
        body = [*behind.get(-1, ()), *chain.from_iterable(kept)]
    return tuple(body)


def votes(part: frozenset[str], texts: Sequence[Text]) -> int:
    """How many of the texts have a block."""
    return sum(text.has(part) for text in texts)


def _place(part: frozenset[str], last: Mapping[str, int]) -> int:
    """The last block that shares most with this one, by the last that has each shingle; -1 if none shares any."""
    shared = Counter(last[shingle] for shingle in part if shingle in last)
    return max(shared, key=lambda place: (shared[place], place), default=-1)


def agreement(texts: Sequence[Text], least: int, members: int) -> float:
    """The share of each one's text that enough of them have, on average; nothing found is no agreement."""
    shares = [_agreed(text, texts, least) for text in texts]
    return sum(shares) / members


def _agreed(text: Text, texts: Sequence[Text], least: int) -> float:
    """The share of the characters of a text that stand in blocks that enough of the texts have."""
    lengths = [len(block.text) for block in text.blocks]
    agreed = sum(length for length, part in zip(lengths, text.parts, strict=True) if votes(part, texts) >= least)
    return agreed / sum(lengths) if sum(lengths) else 0.0
