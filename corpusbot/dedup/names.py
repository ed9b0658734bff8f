"""The keys by which a document itself is found among the postings: of its id, its address and its checksum."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from corpusbot.dedup.grams import Hashes

ID, ADDRESS, CHECKSUM = range(3)


def names_of(id: str, address: str, checksum: str) -> Hashes:
    """Three keys: of the id, the address and the checksum."""
    values = (f"i {id}", f"a {address}", f"c {checksum}")
    digests = [blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest() for value in values]
    return np.frombuffer(b"".join(digests), np.uint64)
