"""Writing sentences from patterns: a writer fills the slots with words drawn from a seed."""

import random
import re
from collections.abc import Mapping
from functools import lru_cache

from tests.press import english, spanish

Grammar = Mapping[str, tuple[str, ...]]

_CONTRACTIONS = (
    (" de el ", " del "),
    (" a el ", " al "),
    ("De el ", "Del "),
    ("A el ", "Al "),
)


@lru_cache(maxsize=20)
def grammar(language: str, topic: str) -> Grammar:
    """All the lists of a language, with a topic's own in front."""
    pages = {"es": spanish, "en": english}[language]
    return {**pages.COMMON, **pages.TOPICS[topic]}


@lru_cache(maxsize=10_000)
def _parts(pattern: str) -> tuple[str, ...]:
    """A pattern cut into literal, slot, literal, slot …: even positions are literal."""
    return tuple(re.split(r"\{(\w+)\}", pattern))


def sentence_case(text: str) -> str:
    """The text with its first letter in upper case, be it behind a quotation mark or not."""
    for position, character in enumerate(text):
        if character.isalnum():
            return text[:position] + character.upper() + text[position + 1 :]
    return text


class Writer:
    """Fills patterns; the same key always writes the same words."""

    def __init__(self, language: str, topic: str, key: str) -> None:
        """Remember what to draw from; a string seeds `random` by SHA-512, the same on every machine."""
        self.random = random.Random(key)
        self.language = language
        self.lists = grammar(language, topic)

    def pick(self, slot: str) -> str:
        """One pattern of a list, with its slots still empty."""
        choices = self.lists[slot]
        return choices[int(self.random.random() * len(choices))]

    def fill(self, pattern: str) -> str:
        """The pattern with every slot filled, and slots within slots."""
        parts = _parts(pattern)
        if len(parts) == 1:
            return pattern
        return "".join(self.fill(self.pick(part)) if index % 2 else part for index, part in enumerate(parts))

    def write(self, slot: str) -> str:
        """A finished phrase of a kind."""
        return self.finish(self.pick(slot))

    def finish(self, pattern: str) -> str:
        """A pattern filled, contracted where Spanish contracts, with a capital at the start."""
        text = self.fill(pattern)
        if self.language == "es":
            for apart, together in _CONTRACTIONS:
                text = text.replace(apart, together)
        return sentence_case(re.sub(r"([.?!]) (\w)", lambda match: match[0].upper(), text).replace(",,", ","))

    def with_cast(self, **cast: int) -> None:
        """Settle on a few names per slot, as a story keeps to its own people and places."""
        drawn = {slot: tuple(self.fill("{" + slot + "}") for _ in range(count)) for slot, count in cast.items()}
        self.lists = {**self.lists, **drawn}
