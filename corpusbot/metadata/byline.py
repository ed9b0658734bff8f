"""Names of people in a line that gives them: `Por Ana Ruiz y Luis Gil`, `By Ann Lee, Political Editor`, `Von …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corpusbot.dom.text import folded
from corpusbot.metadata import byline_words as words

LONGEST = 150
# A list of authors in a JSON-LD object or META tag may be longer than a line of text.
LONGEST_LIST = 2_000
MOST_NAMES = 100
# What is longer and holds no name is no author either, but what somebody wrote about one.
LONGEST_WHOLE = 100
MOST_WORDS = 6
# Initials and the like in capitals: USA, BBC, AP; a surname in capitals is longer.
LONGEST_INITIALS = 4

_NAME = re.compile(r"[^\W\d_][\w'’.-]*(?: (?:[^\W\d_][\w'’.-]*))*")
_DIGIT = re.compile(r"\d")
_SMALL = frozenset(
    (
        "de", "del", "la", "las", "los", "da", "das", "do", "dos", "di", "van", "von", "der", "den", "du", "y", "i",
        "e", "el", "al", "bin", "ibn", "ten", "ter", "zu", "af", "av", "le", "dela", "bint", "della", "dal", "degli",
        "'t", "dem", "des", "und", "vom", "zum", "zur",
    )
)  # fmt: skip
_ELIDED = ("d'", "d’", "l'", "l’")
_WITH_TITLE = re.compile(r"^(?:Dr|Prof|Mag|Mr|Mrs|Ms|Dra?|Lic|Ing|Sir|Dame)\.?(?:\s(?:Dr|h\. ?c)\.?)*\s+(?=[^\Wa-z])")


def names(line: str) -> list[str]:
    """The names in a byline; none if it reads like anything else.

    >>> names("Por Ana Ruiz y Luis de la Torre, Madrid")
    ['Ana Ruiz', 'Luis de la Torre']
    """
    text = folded(line[: LONGEST * 2])
    if len(text) > LONGEST:
        return []
    bare = words.SHORT_BEGINNING.sub("", text)
    return (_names(bare) if bare != text else []) or _names(text)


def names_in_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The names in the first line that has any."""
    return next(filter(None, (tuple(names(line)) for line in lines)), ())


def signed_names(line: str) -> list[str]:
    """The names in a line that begins as a byline does, a single name or an agency's among them."""
    text = folded(line[: LONGEST * 2])
    bare = words.BEGINNING.sub("", text)
    if bare == text or len(text) > LONGEST:
        return []
    found = _names(bare)
    first, *others = [*_parts(bare), ""]
    # `By TMN, in Madrid`, but not `Por Dios, qué calor`.
    is_line = all(other[:1].isupper() or words.PLACE_AFTER.fullmatch(f" {other}") for other in others if other)
    return [first] if not found and is_line and _is_single_name(first) else found


def people(text: str) -> list[str]:
    """The authors in a text that holds nothing else, as of a META tag: people one by one, or else the whole."""
    whole = folded(_without_addresses(text[:LONGEST_LIST])).strip(" ,;|·-")
    whole = words.BEGINNING.sub("", whole)
    is_word = any(map(str.isalpha, whole[:LONGEST_WHOLE]))
    if not is_word or whole.casefold() in words.NOBODY or words.OTHER_CREDIT.match(whole):
        return []
    found = list(dict.fromkeys(_names(whole)))[:MOST_NAMES]
    if found:
        return found
    if len(whole) > LONGEST_WHOLE:
        return []
    whole = words.REPORTER_AFTER.sub("", whole)
    agency = words.PLACE_AFTER.sub("", whole)
    return [agency if _is_agency(agency) else _capitalised(whole)]


def is_name(text: str) -> bool:
    """Whether a text is written like a person's name: two words or more, in capitals but for particles."""
    parts = text.split()
    if not 2 <= len(parts) <= MOST_WORDS or not _NAME.fullmatch(text):
        return False
    if any(part.casefold().strip(".") in words.OTHERS for part in parts):
        return False
    return _starts_high(parts[0]) and _starts_high(parts[-1]) and all(_starts_high(w) or w in _SMALL for w in parts)


def _names(text: str) -> list[str]:
    bare = words.BEGINNING.sub("", text)
    if text[:5].lower() == "door ":
        bare = words.DUTCH_AND.sub(" & ", bare)
    found = [name for part in _parts(bare) if (name := _bare(part)) and (is_name(name) or _is_agency(name))]
    # Beside a name that is not in capitals, what is in capitals is no person.
    people = [name for name in found if not name.isupper() or _is_agency(name)]
    return people if any(" " in name and not _is_agency(name) for name in people) else found


def _is_agency(text: str) -> bool:
    return text.casefold() in words.AGENCIES


def _parts(text: str) -> Iterator[str]:
    """The pieces of a byline between commas and the like, and between conjunctions that part two names."""
    text = words.IN_BRACKETS.sub(",", _without_addresses(text))
    for piece in words.SEPARATOR.split(text):
        if piece:
            yield from _apart(words.LEADING_AND.sub("", piece.strip()))


def _apart(piece: str) -> Iterator[str]:
    """`Ana Ruiz y Luis Gil` as two; `Santiago Ramón y Cajal` as one."""
    done = 0
    for mark in words.CONJUNCTION.finditer(piece):
        before, after = piece[done : mark.start()], piece[mark.end() :]
        if _could_stand_alone(before) and _could_stand_alone(words.CONJUNCTION.split(after, maxsplit=1)[0]):
            yield before
            done = mark.end()
    yield piece[done:]


def _could_stand_alone(text: str) -> bool:
    return len(text.split()) > 1 or _is_agency(text)


def _bare(part: str) -> str:
    """A piece without what follows the name: the place, the newspaper, what the person is, a date."""
    if words.OTHER_CREDIT.match(part):
        return ""
    part = words.BEGINNING.sub("", part)
    part = _WITH_TITLE.sub("", words.AGENCY_AFTER.sub("", words.PLACE_AFTER.sub("", part)))
    kept: list[str] = []
    for word in part.split():
        if word.casefold().strip(".:") in words.ROLES or _DIGIT.search(word) or _is_initials_after(word, kept):
            # `Ann Lee Dec 12`: the month belongs to the day.
            if len(kept) > 2 and _DIGIT.search(word) and kept[-1].strip(".").casefold() in words.MONTHS:
                kept.pop()
            break
        kept.append(word)
    name = words.REPORTER_AFTER.sub("", " ".join(kept)).strip(" :-*")
    # The dot of an initial is part of the name, that of a sentence is not.
    return name.rstrip(".") if len(name) > 4 and name[-5:-1].isalpha() else name


def _is_initials_after(word: str, before: list[str]) -> bool:
    """Whether a word is a newspaper's or agency's initials behind a name that is not in capitals itself."""
    return (
        len(before) > 1 and 1 < len(word) <= LONGEST_INITIALS and word.isupper() and word.isalpha()
        and not " ".join(before).isupper()
    )  # fmt: skip


def _is_single_name(text: str) -> bool:
    """Whether a text is one word that may stand for an author: Colpisa, TPN."""
    bare = _bare(text)
    return 1 < len(bare) <= 20 and bare == text and " " not in bare and _starts_high(bare) and (
        bare.isalpha() and bare.casefold() not in words.OTHERS | words.NOBODY | words.ROLES
    )


def _starts_high(word: str) -> bool:
    """Whether a word begins with a capital, or in a script that has none."""
    first = word.lstrip("'’")[:1]
    return (first.isalpha() and not first.islower()) or (word[:2].lower() in _ELIDED and word[2:3].isupper())


def _without_addresses(text: str) -> str:
    """The text without e-mail addresses, handles and the addresses of sites."""
    return words.ADDRESS.sub(" ", text) if "@" in text or "." in text else text


def _capitalised(text: str) -> str:
    """A name that is all in small letters, with its capitals; anything else as it is."""
    parts = text.split()
    if not 2 <= len(parts) <= 3 or text != text.lower() or not text.replace(" ", "").isalpha():
        return text
    return " ".join(part if part in _SMALL else part.capitalize() for part in parts)
