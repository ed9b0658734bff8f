"""Checksums and simhashes: what they overlook, what they notice, and the book's example."""

import random
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.dedup import fingerprint, plain_fingerprint
from corpusbot.dedup.exact import checksum, checksum_of_words
from corpusbot.dedup.fast import fast_fingerprint, fast_simhash
from corpusbot.dedup.grams import gram_hashes, sampled, words_of, words_of_letters
from corpusbot.dedup.letters import Letters, codes_of, folded
from corpusbot.dedup.simhash import distance, simhash, simhash_of_words, usual_features
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


@pytest.mark.parametrize("bits", [64, 128, 384])
@pytest.mark.parametrize("features", [None, 1, 3, str.split], ids=["usual", "words", "runs of 3", "own"])
def test_any_features_of_any_size(bits, features):
    """Whatever a text's features, an edited text is nearer than another."""
    words = [f"palabra{number}" for number in range(200)]
    edited, other = [*words[:100], "otra", *words[101:]], [f"otra{number}" for number in range(200)]
    one, near, far = (simhash(" ".join(listed), bits, features) for listed in (words, edited, other))
    assert one < 1 << bits
    assert distance(one, near) < bits / 8 < distance(one, far)


def test_weights():
    """A feature of weight 3 counts as one that is there three times; one of no weight does not count."""
    three = simhash("", features=lambda _: {"a": 3, "b": 1, "c": 1, "d": 0})
    assert three == simhash("", features=lambda _: ["a", "a", "a", "b", "c"])
    assert three == simhash("", features=lambda _: {"a": 0.3, "b": 0.1, "c": 0.1})


def test_runs_of_words_may_be_hashed_as_one_likes():
    """A number of words and a way to hash them: the runs are given in words."""
    heard = []
    simhash("Uno, dos, tres", bits=8, features=2, hashed=lambda run: heard.append(run) or 7)
    assert heard == ["uno dos", "dos tres"]


def test_features_that_are_refused():
    """Runs of no words are no features."""
    with pytest.raises(ValueError, match="from 1 on"):
        simhash("uno", features=0)


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


LETTERS = st.one_of(
    st.text(max_size=60),
    st.text(
        st.sampled_from(
            "aZéßñΣςİıʼn0²½ºª™…  \n'’_-`´¨·\u00ad\u200d\ufe0f\u0301\u0323\u0345ऀकािी्각ᄀ\u1161日カ\uff76😀𝐀ﬁ"
        ),
        max_size=60,
    ),
)


@settings(max_examples=500)
@given(LETTERS)
def test_the_quick_ways_agree_with_the_plain_one(text):
    """What is looked up a letter at a time, with numba and without it, is what Unicode's rules for whole texts give."""
    quick = fast_fingerprint(text)
    plain = plain_fingerprint(text)
    assert quick in (None, plain)
    assert plain.checksum == checksum_of_words(folded_words(text))
    spelt = words_of_letters(Letters(codes_of(folded(text)), False))
    assert plain.words == len(spelt.hashes)
    assert plain.simhash == simhash_of_words(spelt)


@pytest.mark.parametrize(
    "text",
    ["uno " * 3_000, "यह हिन्दी में एक समाचार है", "Die Straße, groß", "뉴스 기사입니다", "İzmir’de", "Ÿ\u0301x \u0301y"],
)
def test_numba_reads_what_newspapers_print(text):
    """These go the quick way from beginning to end, where it is installed."""
    pytest.importorskip("numba")
    assert fast_fingerprint(text) == plain_fingerprint(text)
    assert fast_simhash(text) == simhash_of_words(words_of(text))


def test_without_numba_nothing_changes():
    """Where the extra is not installed, the same fingerprint is had another way, and nothing is said of it."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from corpusbot.dedup import fingerprint; print(fingerprint('Año nuevo, vida nueva'))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == (f"{fingerprint('Año nuevo, vida nueva')}\n", "")


def test_accents_written_apart_are_the_same_word():
    """Composed and decomposed spellings, ligatures and full-width forms are one."""
    assert folded_words("cafe\u0301 ﬁn ＡＢＣ") == ["café", "fin", "abc"]
