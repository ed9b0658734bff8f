"""What changed between two readings of a document: fields, paragraphs, and the words within them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from corpusbot.export.document import Document
from corpusbot.store.documents.content import SAID

KEPT, REMOVED, ADDED, CHANGED = "kept", "removed", "added", "changed"
ALIKE = 0.4  # the share of words that makes one paragraph a rewriting of another, and not another
LONGEST_EXACT = 3000  # words; beyond, difflib passes over those that are very frequent, or takes seconds
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_PROSE = frozenset({"title", "lead", "paragraph"})
_TEXTS = frozenset({"text", "blocks", "sections"})  # told by paragraphs, or made of what is told


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text: `kept`, `removed` or `added`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A field, or a paragraph of the body, before and after; None where there was or is none."""

    name: str
    old: str | None
    new: str | None
    pieces: tuple[Piece, ...] = ()

    @property
    def kind(self) -> str:
        """Whether it was kept, removed, added or changed."""
        if self.old == self.new:
            return KEPT
        return ADDED if self.old is None else REMOVED if self.new is None else CHANGED


@dataclass(frozen=True, slots=True)
class Difference:
    """From one version to another: the fields that changed, and all paragraphs in order; words of both together."""

    old: int
    new: int
    fields: tuple[Change, ...]
    paragraphs: tuple[Change, ...]

    @property
    def words_added(self) -> int:
        """How many words of title, lead and body are new."""
        return self._words(ADDED)

    @property
    def words_removed(self) -> int:
        """How many words of title, lead and body are gone."""
        return self._words(REMOVED)

    def _words(self, kind: str) -> int:
        told = [*(change for change in self.fields if change.name in ("title", "lead")), *self.paragraphs]
        return sum(len(piece.text.split()) for change in told for piece in change.pieces if piece.kind == kind)


def difference(old: Document, new: Document, old_number: int = 1, new_number: int = 2) -> Difference:
    """What changed from one reading of a document to another."""
    changed = (name for name in SAID if name not in _TEXTS and getattr(old, name) != getattr(new, name))
    fields = tuple(_change(name, _shown(getattr(old, name)), _shown(getattr(new, name))) for name in changed)
    paragraphs = tuple(_paragraphs([text for _, text in old.blocks], [text for _, text in new.blocks]))
    return Difference(old_number, new_number, fields, paragraphs)


def words(old: str, new: str) -> tuple[Piece, ...]:
    """Two texts as one, in pieces.

    >>> [(piece.kind, piece.text) for piece in words("El juez absuelve", "El juez condena hoy")]
    [('kept', 'El juez '), ('removed', 'absuelve'), ('added', 'condena hoy')]
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=len(before) + len(after) > LONGEST_EXACT)
    pieces = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            pieces.append(Piece(KEPT, "".join(before[first:last])))
            continue
        pieces += [Piece(REMOVED, "".join(before[first:last]))] if last > first else []
        pieces += [Piece(ADDED, "".join(after[start:end]))] if end > start else []
    return tuple(pieces)


def _change(name: str, old: str | None, new: str | None) -> Change:
    if old is None or new is None or old == new:
        kind = ADDED if old is None else REMOVED if new is None else KEPT
        return Change(name, old, new, (Piece(kind, (new if old is None else old) or ""),))
    pieces = words(old, new) if name in _PROSE else (Piece(REMOVED, old), Piece(ADDED, new))
    return Change(name, old, new, pieces)


def _paragraphs(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """The paragraphs of both bodies in order, the rewritten ones side by side."""
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (_change("paragraph", text, text) for text in old[first:last])
        else:
            yield from _rewritten(old[first:last], new[start:end])


def _rewritten(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """Each old paragraph with the next new one that is much like it, in order; the others are gone or new."""
    done = 0
    for text in old:
        counted = Counter(text.split())
        place = next((place for place in range(done, len(new)) if _alike(counted, new[place]) >= ALIKE), None)
        if place is None:
            yield _change("paragraph", text, None)
            continue
        yield from (_change("paragraph", None, added) for added in new[done:place])
        yield _change("paragraph", text, new[place])
        done = place + 1
    yield from (_change("paragraph", None, added) for added in new[done:])


def _alike(counted: Counter[str], other: str) -> float:
    """The share of the words of two paragraphs that both have."""
    others = Counter(other.split())
    total = counted.total() + others.total()
    return 2 * (counted & others).total() / total if total else 1.0


def _shown(value: object) -> str | None:
    """A value as a reader sees it."""
    if value is None or value == ():
        return None
    return "; ".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)
