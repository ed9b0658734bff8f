"""Examples of what a newspaper's texts have in common: the longest runs of words that several of them hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from corpusbot.dedup.grams import WORDS_PER_GRAM
from corpusbot.dedup.likeness import RECURRING

MOST_TEXTS = 200
MOST_SHOWN = 3
# What makes up more of a text is no phrase in it, but the text printed again.
GREATEST_SHARE = 0.5


def common_phrases(texts: Iterable[str]) -> list[tuple[str, int]]:
    """The phrases that most texts have, and how many have each.

    >>> common_phrases(f"Suscríbete para leer la noticia {number} {number + 1} {number + 2}" for number in range(4))
    [('Suscríbete para leer la noticia', 4)]
    """
    split = [text.split() for text in texts]
    counts = Counter(gram for words in split for gram in set(_grams(words)))
    phrases: Counter[str] = Counter()
    for words in split:
        phrases.update(set(_phrases(words, counts)))
    shown: list[tuple[str, int]] = []
    for phrase, number in sorted(phrases.items(), key=lambda one: (-one[1], -len(one[0]), one[0])):
        if number >= RECURRING and not any(phrase in longer or longer in phrase for longer, _ in shown):
            shown.append((phrase, number))
    return shown[:MOST_SHOWN]


def _grams(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[place : place + WORDS_PER_GRAM]) for place in range(len(words) - WORDS_PER_GRAM + 1)]


def _phrases(words: Sequence[str], counts: Counter[tuple[str, ...]]) -> Iterable[str]:
    """The runs of words all of whose grams recur in as many texts as the first of them does."""
    begin = 0
    recurs = [counts[gram] if counts[gram] >= RECURRING else 0 for gram in _grams(words)]
    for place in range(1, len(recurs) + 1):
        if place == len(recurs) or recurs[place] != recurs[begin]:
            length = place - begin + WORDS_PER_GRAM - 1
            if recurs[begin] and length <= max(WORDS_PER_GRAM, GREATEST_SHARE * len(words)):
                yield " ".join(words[begin : begin + length])
            begin = place
