"""Names of people in the lines that give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusbot.metadata.byline import LONGEST_WHOLE, names, people, signed_names

TWO = ["Ana Ruiz", "Luis Gil"]


@pytest.mark.parametrize(
    "line",
    [
        "Por Ana Ruiz y Luis Gil",
        "Escrito por Ana Ruiz e Luis Gil | Madrid",
        "By Ana Ruiz and Luis Gil, Political Editor",
        "Written by: Ana Ruiz & Luis Gil in Madrid",
        "Von Ana Ruiz und Luis Gil, Berlin",
        "Eine Analyse von Ana Ruiz und Luis Gil",
        "Par Ana Ruiz et Luis Gil (à Lyon)",
        "Propos recueillis par Ana Ruiz avec Luis Gil",
        "di Ana Ruiz e Luis Gil",
        "A cura di Ana Ruiz, Luis Gil",
        "Por Ana Ruiz e Luis Gil, em Lisboa",
        "Per Ana Ruiz i Luis Gil",
        "Texto: Ana Ruiz / Fotos: Eva Sanz / Luis Gil",
        "Egilea: Ana Ruiz eta Luis Gil",
        "Door Ana Ruiz en Luis Gil",
        "Tekst: Ana Ruiz og Luis Gil",
        "Text: Ana Ruiz och Luis Gil",
        "Autorzy: Ana Ruiz oraz Luis Gil",
        "Scris de Ana Ruiz și Luis Gil",
        "Yazan: Ana Ruiz ve Luis Gil",
        "Автор: Ana Ruiz и Luis Gil",
    ],
)
def test_bylines_of_many_languages(line: str) -> None:
    """Whoever wrote, without what they are, where they were and who took the pictures."""
    assert names(line) == TWO


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Santiago Ramón y Cajal", ["Santiago Ramón y Cajal"]),
        ("Josep Puig i Cadafalch", ["Josep Puig i Cadafalch"]),
        ("Anna van der Berg, Jean de La Tour", ["Anna van der Berg", "Jean de La Tour"]),
        ("Dr. Ann O'Neill-Lee, Ph.D.", ["Ann O'Neill-Lee"]),
        ("Ann C. Lee Jr.", ["Ann C. Lee Jr."]),
        ("Ann Lee For Muestra.Com", ["Ann Lee"]),
        ("Ann Lee Senior Contributor", ["Ann Lee"]),
        ("Ann Lee AP", ["Ann Lee"]),
        ("Ann Lee Dec 12, 2023", ["Ann Lee"]),
        ("Ann Lee (al)", ["Ann Lee"]),
        ("Ann Lee ann@muestra.example @annlee", ["Ann Lee"]),
        ("Ann Lee, MUESTRA NORTE", ["Ann Lee"]),
        ("EFE / Ana Ruiz", ["EFE", "Ana Ruiz"]),
        ("朝日 太郎", ["朝日 太郎"]),
    ],
)
def test_what_belongs_to_a_name(line: str, found: list[str]) -> None:
    """Particles and initials do; titles, roles, agencies, dates and addresses do not."""
    assert names(line) == found


@pytest.mark.parametrize(
    "line",
    [
        "", "WATCH LIVE", "Muestra News", "Foto: Ana Ruiz", "(Image: Getty Images)", "Por fin llueve",
        "View More Articles", "12 de mayo", "Ana", "the end of the road", "x" * 10_000,
    ],
)  # fmt: skip
def test_what_is_no_name(line: str) -> None:
    """Buttons, organisations, photographers, sentences."""
    assert names(line) == []


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("By ANN LEE, AP Writer", ["ANN LEE"]),
        ("ann lee", ["Ann Lee"]),
        ("Ana Ruiz, catedrática de Historia, muestra.es", ["Ana Ruiz"]),
        ("La Muestra", ["La Muestra"]),
        ("Reuters in Madrid", ["Reuters"]),
        ("신현주 기자", ["신현주"]),
        ("admin", []),
        ("ana@muestra.example", []),
        ("Photography by Ann Lee", []),
        ("12", []),
        ("Ann Lee is a writer of the paper who has been in many towns and loves to tell " + "all about them " * 2, []),
    ],
)
def test_a_text_that_holds_nothing_but_authors(text: str, authors: list[str]) -> None:
    """People where there are any, or else whoever it names."""
    assert people(text) == authors


def test_a_single_name_counts_where_the_line_begins_as_a_byline() -> None:
    """As agencies and pen names do."""
    assert signed_names("Por Azorín") == ["Azorín"]
    assert signed_names("By TMN, in Madrid") == ["TMN"]
    assert signed_names("Azorín") == signed_names("Por Dios, qué calor") == []


@given(st.text(alphabet="ABab 12,.;@/|()-yY&é'\n", max_size=200))
def test_no_name_has_digits_and_each_is_read_back(text: str) -> None:
    """To part what is parted changes nothing."""
    for name in names(text):
        assert not any(map(str.isdigit, name))
        assert names(name) in ([name], [])


@given(st.text(max_size=300))
def test_any_text_has_few_and_short_authors(text: str) -> None:
    """Whatever stands where a name should stand."""
    assert all(name and len(name) <= max(LONGEST_WHOLE, len(text)) for name in people(text))


def test_a_megabyte_of_names_is_cut() -> None:
    """Nobody signs so."""
    assert len(people("Ana Ruiz, Luis Gil, " * 50_000)) == 2
