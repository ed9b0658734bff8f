"""Reading YAML into nodes: lines, bounds, and what is refused."""

from __future__ import annotations

import pytest

from corpusbot.sites.errors import Problem, SiteError
from corpusbot.sites.nodes import Entries, Items, Node, Scalar, nodes_of


def read(text: str | bytes) -> Node:
    """The nodes of a file without problems."""
    problems: list[Problem] = []
    node = nodes_of(text if isinstance(text, bytes) else text.encode(), "elpais.yaml", problems)
    if problems:
        raise SiteError(*problems)
    return node


def refusal(text: str | bytes) -> str:
    """What is said of a file that is refused."""
    with pytest.raises(SiteError) as caught:
        read(text)
    return str(caught.value)


def test_every_value_keeps_its_line() -> None:
    """Keys, values and items know where they stand."""
    node = read("a: 1\nb:\n  - x\n  - {c: 'd'}\n")
    assert isinstance(node, Entries)
    (_, a), (key, b) = node.entries
    assert a == Scalar(1, "1")
    assert key == Scalar(2, "b")
    assert b == Items(3, (Scalar(3, "x"), Entries(4, ((Scalar(4, "c"), Scalar(4, "d", quoted=True)),))))


def test_a_value_stays_the_text_that_was_written() -> None:
    """NO is Norway, and 2024-05-31 is as yet no date."""
    node = read("country: NO\nday: 2024-05-31\n")
    assert isinstance(node, Entries)
    assert [value for _, value in node.entries] == [Scalar(1, "NO"), Scalar(2, "2024-05-31")]


def test_an_empty_file_is_an_empty_mapping() -> None:
    """Comments alone say nothing, and that is no mistake of YAML."""
    assert read("") == read("# nothing\n") == Entries(1, ())


def test_an_anchor_may_be_used_again() -> None:
    """An alias is what it stands for."""
    node = read("a: &x [1]\nb: *x\n")
    assert isinstance(node, Entries)
    assert node.entries[0][1] == node.entries[1][1]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a: 1\nb: 2\na: 3\n", "elpais.yaml:3: the key 'a' stands here twice, first on line 1"),
        ("a: 1\n---\nb: 2\n", "elpais.yaml:2: a second document begins here. One file holds one site"),
        ("a: 1\nb: !!python/object/apply:os.system [x]\n",
         "elpais.yaml:2: the tag 'tag:yaml.org,2002:python/object/apply:os.system' is not read. Write the plain value"),
        ("a: !mine 1\n", "elpais.yaml:1: the tag '!mine' is not read. Write the plain value"),
        ("a:\n\t- b\n", "elpais.yaml:2: a tab in the indentation. YAML is indented with spaces"),
        (b"a: 1\nb: Espa\xf1a\n", "elpais.yaml:2: not UTF-8 (byte 0xf1). Save the file as UTF-8"),
        ("a: 1\nb: \x07\n", "elpais.yaml:2: the character U+0007 cannot stand in YAML"),
        ("a: *b\n", "elpais.yaml:1: nothing before is marked '&b'"),
        ("? [a]\n: b\n", "elpais.yaml:1: a key is one word, not a list or a mapping"),
        (BOMB, "elpais.yaml:5: more than 20,000 values, those that aliases stand for counted"),
        ("[" * 50 + "]" * 50, "elpais.yaml:1: nested deeper than 40 levels"),
        (b"#" * 300_000, "elpais.yaml:1: 300,000 bytes; a site file has at most 262,144"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str | bytes, wanted: str) -> None:
    """What could harm or mislead is refused, with its line and what would work."""
    assert refusal(text) == wanted


def test_an_anchor_cannot_hold_itself() -> None:
    """A list that is in itself would never end."""
    assert refusal("a: &a [*a]\n") == "elpais.yaml:1: nothing before is marked '&a'"


def test_syntax_errors_have_their_line() -> None:
    """The parser's own words, behind file and line."""
    assert refusal("a: 1\nb: [1, 2\nc: 3\n").startswith("elpais.yaml:3: not YAML: ")
