"""Checksums and simhashes: what they overlook, what they notice, and the book's example."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.dedup import fingerprint
from corpusbot.dedup.exact import checksum
from corpusbot.dedup.grams import gram_hashes, sampled, words_of
from corpusbot.dedup.simhash import distance, simhash, usual_features
from corpusbot.dedup.words import folded_words

HASHES = st.integers(min_value=0, max_value=2**64 - 1)
WORDS = st.lists(st.sampled_from(["casa", "perro", "gato", "río", "Año", "él", "2024", "café"]), max_size=20)
GAPS = st.lists(st.sampled_from([" ", ", ", "… ", " – ", "\n\n", "» (", '" '])).map("".join)

# Figure 3.15 of the textbook: the words that are left when stop words are taken out, and their 8-bit hashes.
BOOK_TEXT = (
    "Tropical fish include fish found in tropical environments around the world, "
    "including both freshwater and salt water species."
)
BOOK_STOP_WORDS = {"in", "the", "and"}
BOOK_HASHES = {
    "tropical": 0b01100001,
    "fish": 0b10101011,
    "include": 0b11100110,
    "found": 0b00011110,
    "environments": 0b00101101,
    "around": 0b10001011,
    "world": 0b00101010,
    "including": 0b11000000,
    "both": 0b10101110,
    "freshwater": 0b00111111,
    "salt": 0b10110101,
    "water": 0b00100101,
    "species": 0b11101110,
}


def book_features(text):
    """The words of the book's example without its stop words."""
    return [word for word in folded_words(text) if word not in BOOK_STOP_WORDS]


def test_the_example_of_the_book():
    """Figure 3.15: its 13 words and 8-bit hashes give 1 0 1 0 1 1 1 1."""
    result = simhash(BOOK_TEXT, bits=8, features=book_features, hashed=BOOK_HASHES.__getitem__)
    assert f"{result:08b}" == "10101111"


@given(WORDS, st.data())
def test_checksum_ignores_case_punctuation_and_space(words, data):
    """Whatever stands between the words and however they are written, the checksum is that of the words."""
    spelt = [data.draw(st.sampled_from([word, word.upper(), word.title()])) for word in words]
    text = "".join(data.draw(GAPS) + " " + word for word in spelt) + data.draw(GAPS)
    assert checksum(text) == checksum(" ".join(words))


@pytest.mark.parametrize("other", ["dos uno", "uno", "uno dos dos", "unodos", "uno dós", ""])
def test_checksum_notices_words(other):
    """Other words, another order or another number of them is another text."""
    assert checksum(other) != checksum("uno dos")


def test_checksum_is_the_same_for_ever():
    """Indexes outlive releases: the checksum of a text must not change."""
    assert re.fullmatch("[0-9a-f]{32}", checksum("Año nuevo"))
    assert checksum("Año nuevo") == "91e3f0a4fba09e89e183303a88f83942"
    assert simhash("Año nuevo, vida nueva") == 0x12014d81c49ae528


@given(HASHES, HASHES)
def test_distance_is_symmetric(a, b):
    """It does not matter which text was first."""
    assert distance(a, b) == distance(b, a)


@given(HASHES)
def test_distance_to_itself_is_nought(a):
    """A text differs from itself in no bit."""
    assert distance(a, a) == 0


@given(HASHES, HASHES, HASHES)
def test_distance_keeps_to_the_triangle(a, b, c):
    """No way round is shorter."""
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(1, 4)), min_size=1, max_size=9))
def test_simhash_is_the_sign_of_the_weighted_sums(weighted):
    """The fast way agrees with the book's: add the weight for a 1, take it away for a 0, keep the signs."""
    names = {f"word{place}": value for place, (value, _) in enumerate(weighted)}
    features = [f"word{place}" for place, (_, weight) in enumerate(weighted) for _ in range(weight)]
    sums = [sum(w if value >> bit & 1 else -w for value, w in weighted) for bit in range(8)]
    expected = sum(1 << bit for bit, total in enumerate(sums) if total > 0)
    assert simhash("", bits=8, features=lambda _: features, hashed=names.__getitem__) == expected


@pytest.mark.parametrize("bits", [8, 64, 128, 384])
def test_sizes(bits):
    """Any number of whole bytes, as the 384 bits of the study that the book tells of."""
    assert 0 < simhash("uno dos tres cuatro cinco", bits=bits) < 1 << bits


@pytest.mark.parametrize("bits", [0, 7, 520])
def test_sizes_that_are_refused(bits):
    """The error says which would work."""
    with pytest.raises(ValueError, match="multiple of 8"):
        simhash("uno", bits=bits)


def test_an_edited_text_is_near_and_another_is_far():
    """One word changed in 300 moves few bits; another text of the same words shares about half of them."""
    dice = random.Random(5)
    words = [f"palabra{dice.randrange(400)}" for _ in range(300)]
    edited = [*words[:150], "otra", *words[151:]]
    other = dice.sample(words, len(words))
    assert distance(simhash(" ".join(words)), simhash(" ".join(edited))) <= 3
    assert distance(simhash(" ".join(words)), simhash(" ".join(other))) > 6


def test_features():
    """Words of four letters or more, and all pairs of neighbours."""
    words = words_of("el perro ladra")
    pairs = [hash_of("el perro"), hash_of("perro ladra")]
    assert usual_features(words).tolist() == [*words.hashes[1:].tolist(), *pairs]


def hash_of(gram):
    """The hash of a run of words."""
    words = words_of(gram).hashes
    return gram_hashes(words, len(words)).tolist()[0]


@given(st.lists(st.sampled_from(["uno", "dos", "tres", "año", "日本", "x"]), max_size=12), st.integers(1, 6))
def test_grams_are_runs_of_words(words, size):
    """Every run of so many words has the hash that it has alone; a shorter text is one run."""
    text = " ".join(words)
    folded = folded_words(text.replace("日本", "日 本"))
    size = min(size, len(folded))
    expected = [hash_of(" ".join(folded[n : n + size])) for n in range(len(folded) - size + 1)] if folded else []
    assert gram_hashes(words_of(text).hashes, size).tolist() == expected


@given(WORDS)
def test_words_are_hashed_as_they_are_folded(words):
    """The words that are hashed are those of the checksum."""
    text = "¡" + ", ".join(words) + "!"
    folded = folded_words(text)
    alone = [words_of(word).hashes.tolist()[0] for word in folded]
    assert words_of(text).hashes.tolist() == alone
    assert words_of(text).lengths.tolist() == list(map(len, folded))


@given(st.integers(0, 5_000), st.integers(1, 200))
def test_coarser_samples_are_part_of_finer_ones(number, most):
    """Whatever the sizes of two texts, the sample of the longer one is what a finer one would hold of it."""
    grams = gram_hashes(words_of(" ".join(map(str, range(number)))).hashes)
    keys, step = sampled(grams, most, 64)
    assert set(keys.tolist()) == {gram for gram in grams.tolist() if gram % step == 0}
    assert step == 64 or len(grams) <= most * step


@pytest.mark.parametrize("text", ["", "¡!", "uno", "\ud800", "日本の新聞です。"])
def test_texts_of_any_kind_have_a_fingerprint(text):
    """Nothing that a page can hold stops the line; both ways to a fingerprint agree."""
    found = fingerprint(text)
    assert (found.checksum, found.simhash) == (checksum(text), simhash(text))


def test_accents_written_apart_are_the_same_word():
    """Composed and decomposed spellings, ligatures and full-width forms are one."""
    assert folded_words("cafe\u0301 ﬁn ＡＢＣ") == ["café", "fin", "abc"]
