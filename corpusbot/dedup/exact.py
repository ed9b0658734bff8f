"""Exact duplicates: a checksum of a text's words, so that layout and typography do not matter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from corpusbot.dedup.letters import SPACE, Letters
from corpusbot.dedup.words import folded_words, words_in

CHECKSUM_BYTES = 16


def checksum(text: str) -> str:
    """128 bits in hexadecimal, the same for texts of the same words in the same order.

    >>> checksum("¡Gol, gol!") == checksum("gol\\nGOL")
    True
    """
    return checksum_of_words(folded_words(text))


def checksum_of_words(words: Iterable[str]) -> str:
    """The checksum of words that are folded already."""
    return checksum_of_bytes(" ".join(words).encode("utf-8", "surrogatepass"))


def checksum_of_letters(letters: Letters) -> str:
    """The checksum of a text whose letters are folded."""
    codes = letters.codes
    if not letters.are_plain:
        return checksum_of_words(words_in(codes.tobytes().decode("utf-32-le", "surrogatepass")))
    in_word = codes != SPACE
    in_word[1:] |= in_word[:-1].copy()  # one space after each word
    joined = codes[in_word].tobytes().decode("utf-32-le")
    return checksum_of_bytes(joined.rstrip(" ").encode())


def checksum_of_bytes(joined: bytes | memoryview) -> str:
    """The checksum of words in UTF-8, with a space between them."""
    return hashlib.blake2b(joined, digest_size=CHECKSUM_BYTES).hexdigest()
