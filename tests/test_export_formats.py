"""Documents and the formats that they are written in."""

import csv
import io
import json
import math
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.dedup import fingerprint
from corpusbot.export import ExportError, parquet, sections, tags
from corpusbot.export import csv as csv_format
from corpusbot.export import jsonl as jsonl_format
from corpusbot.export.document import ADDED, FIELDS, Particulars, as_dict, document_of, from_dict
from corpusbot.model import Article, Block, Encoding, Kind, Section
from corpusbot.plugins import plugin, plugin_names

CEST = timezone(timedelta(hours=2))
NEWSPAPER = SimpleNamespace(name="El Diario", digest="d1")
ARTICLE = Article(
    site="diario",
    url="https://diario.example/a?x=1",
    fetched_at=datetime(2024, 5, 1, 12, tzinfo=UTC),
    title='Un título, con «comillas» y "otras"',
    authors=("Ana Gil", "Luis Paz"),
    published=datetime(2024, 5, 1, 10, tzinfo=CEST),
    language="es",
    canonical_url="https://diario.example/a",
    body=(Block("Primero.\nSegunda línea."), Block("Intertítulo", "heading"), Block("…y \U0001f600 fin")),
    tags=("uno", "dos"),
    paywalled=False,
    sections=(Section("TITULO", "Un título"), Section("AUTOR", ""), Section("CUERPO", "Primero.\n\n.Segundo")),
    origins={"title": "jsonld"},
    encoding=Encoding("utf-8", None, "meta"),
)
DOCUMENT = document_of(ARTICLE, fingerprint(ARTICLE.text), NEWSPAPER)
LINE_FORMATS = [name for name in plugin_names("export") if name != "parquet"]
TEXTS = st.lists(st.sampled_from(["\n", ".", "..", "A", "CUERPO", " ", "é", "</CUERPO>", "\r", '"', ","])).map("".join)


def written(module, *documents):
    """The bytes of a new file with these documents."""
    file = io.BytesIO()
    module.header(file)
    for document in documents:
        module.write(document, file)
    return file.getvalue()


def test_the_formats_that_there_are():
    """Each file is a format, but for those that they share."""
    assert plugin_names("export") == ["csv", "jsonl", "parquet", "sections", "tags"]


@pytest.mark.parametrize("name", LINE_FORMATS)
def test_a_document_is_one_write(name):
    """A file that is cut between two writes holds whole documents only, and adding goes on where it ended."""
    module, calls = plugin("export", name), []
    module.write(DOCUMENT, SimpleNamespace(write=calls.append))
    assert len(calls) == 1
    assert calls[0].endswith(b"\n")
    assert written(module, DOCUMENT, DOCUMENT) == written(module, DOCUMENT) + calls[0]


@pytest.mark.parametrize("name", LINE_FORMATS)
def test_what_cannot_be_encoded_is_written_all_the_same(name):
    """A lone surrogate in an address stops no run."""
    bad = replace(DOCUMENT, url="https://diario.example/\ud800", sections=(("LINK", "\ud800"),))
    assert b"?" in written(plugin("export", name), bad)


def test_a_document_says_what_the_article_says():
    """Times keep their zone, paragraphs are apart by a blank line, and what is absent is None."""
    assert DOCUMENT.text == "Primero.\nSegunda línea.\n\nIntertítulo\n\n…y \U0001f600 fin"
    assert DOCUMENT.published == "2024-05-01T10:00:00+02:00"
    assert (DOCUMENT.modified, DOCUMENT.lead, DOCUMENT.duplicate_of) == (None, None, None)
    assert (DOCUMENT.site_name, DOCUMENT.site_digest, DOCUMENT.made_by) == ("El Diario", "d1", "corpusbot 0.1.0")
    assert (len(DOCUMENT.id), len(DOCUMENT.checksum), len(DOCUMENT.simhash)) == (16, 32, 16)
    assert FIELDS[:4] == ("id", "site", "site_name", "url")


def test_labelled_fields_become_sections():
    """Fields that no rule named as a section are added under their labels; those that one did are not doubled."""
    labels = {"title": "TITULO", "authors": "FIRMA", "lead": "ENTRADILLA"}
    made = document_of(ARTICLE, fingerprint(""), NEWSPAPER, Particulars(labels=labels))
    assert [name for name, _ in made.sections] == ["TITULO", "AUTOR", "CUERPO", "FIRMA"]
    assert made.sections[-1] == ("FIRMA", "Ana Gil, Luis Paz")


def test_jsonl_is_one_line_and_comes_back(tmp_path):
    """Letters are themselves, line ends are escaped, and reading gives the document that was written."""
    line = written(jsonl_format, DOCUMENT)
    assert line.count(b"\n") == 1
    assert "título".encode() in line
    path = tmp_path / "a.jsonl"
    path.write_bytes(line * 2)
    assert [*jsonl_format.read(path)] == [DOCUMENT, DOCUMENT]


def test_jsonl_holds_no_nan():
    """NaN is no JSON; it must not be written in silence."""
    with pytest.raises(ValueError, match="JSON"):
        written(jsonl_format, replace(DOCUMENT, origins={"x": math.nan}))


def test_jsonl_of_a_crawl_at_work(tmp_path):
    """An unfinished last line is not a document yet."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(written(jsonl_format, DOCUMENT, DOCUMENT)[:-9])
    assert [*jsonl_format.read(path)] == [DOCUMENT]


@pytest.mark.parametrize("line", [b"{broken\n", b"[]\n", b'{"id": "x"}\n', b'"\xff"\n'])
def test_jsonl_that_is_none(tmp_path, line):
    """The error names file and line."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(written(jsonl_format, DOCUMENT) + line)
    with pytest.raises(ExportError, match=r"a\.jsonl:2: "):
        [*jsonl_format.read(path)]


def test_dictionaries_come_back():
    """What JSON makes of a document is the document; a field of a later release does no harm."""
    values = json.loads(json.dumps(as_dict(DOCUMENT)))
    assert from_dict({**values, "later": 1}) == DOCUMENT


def test_what_the_extractors_say_of_it():
    """The kind by its name, the confidence in three digits, the publisher; they stand where they were added."""
    judged = replace(ARTICLE, kind=Kind("article", 0.987654), confidence=0.912345, publisher="Grupo Diario")
    made = document_of(judged, fingerprint(""), NEWSPAPER)
    assert (made.kind, made.confidence, made.publisher) == ("article", 0.912, "Grupo Diario")
    assert FIELDS[FIELDS.index("publisher") :][:3] == ("publisher", "kind", "confidence")


def test_documents_of_an_earlier_release_are_read():
    """The fields that they are without are empty."""
    values = {name: value for name, value in as_dict(DOCUMENT).items() if name not in ADDED}
    assert from_dict(values) == DOCUMENT
    with pytest.raises(KeyError):
        from_dict({name: value for name, value in values.items() if name != "text"})


def test_sections_as_webreader_wrote_them():
    """The form of the seed: names begin with a dot, sections are apart by a blank line, empty ones are there."""
    pairs = [("FECHA", "12-08-2000"), ("AUTOR", ""), ("CUERPO", "Este texto se mantiene\ny éste se añade")]
    assert sections.rendered(pairs) == (
        ".FECHA\n12-08-2000\n\n.AUTOR\n\n.CUERPO\nEste texto se mantiene\ny éste se añade\n"
    )
    assert sections.rendered(pairs, form="tag") == (
        "<FECHA>12-08-2000</FECHA>\n<AUTOR></AUTOR>\n<CUERPO>Este texto se mantiene\ny éste se añade</CUERPO>\n"
    )


def test_documents_end_with_a_dot():
    """Many documents in one file: each ends with a line that is nothing but a dot."""
    assert written(sections, DOCUMENT).decode() == (
        ".TITULO\nUn título\n\n.AUTOR\n\n.CUERPO\nPrimero.\n\n..Segundo\n\n.\n\n"
    )


@settings(deadline=None)  # the time is the disk's
@given(st.lists(st.lists(st.tuples(st.sampled_from(["TITULO", "FECHA DE HOY", "Ñ.1"]), TEXTS), min_size=1)))
def test_sections_come_back(tmp_path_factory, documents):
    """No text can be mistaken for a name or for the end of a document."""
    path = tmp_path_factory.mktemp("sections") / "a.txt"
    path.write_bytes(written(sections, *(replace(DOCUMENT, sections=tuple(pairs)) for pairs in documents)))
    expected = [tuple((name, text.strip("\n")) for name, text in pairs) for pairs in documents]
    assert [*sections.read(path)] == expected


def test_sections_that_cannot_be_read(tmp_path):
    """The error says where the document is that does not begin with a name."""
    path = tmp_path / "a.txt"
    path.write_text("text without a name\n.\n")
    with pytest.raises(ExportError, match=r"a\.txt:2"):
        [*sections.read(path)]


def test_a_section_needs_a_name():
    """Dots alone would end the document."""
    with pytest.raises(ExportError, match="a name holds more"):
        sections.rendered([("..", "text")])


@given(TEXTS)
def test_the_end_of_a_tag_cannot_be_mistaken(text):
    """A text that holds its own section's end tag does not end it; other tags stay as they are."""
    result = sections.rendered([("CUERPO", text + "<P>")], form="tag")
    assert result.count("</CUERPO>") == 1
    assert result.endswith("<P></CUERPO>\n")


def test_tags_wrap_each_document():
    """A document stands between <DOC> and </DOC>, which its text cannot hold."""
    made = replace(DOCUMENT, sections=(("CUERPO", "a </doc> b"),))
    assert written(tags, made).decode() == "<DOC>\n<CUERPO>a &lt;/doc> b</CUERPO>\n</DOC>\n\n"


def test_csv_can_be_read():
    """Line breaks and quotes stay inside their cell; lists stand in one."""
    rows = [*csv.DictReader(io.StringIO(written(csv_format, DOCUMENT).decode(), newline=""))]
    assert rows[0]["text"] == DOCUMENT.text
    assert rows[0]["title"] == DOCUMENT.title
    assert (rows[0]["authors"], rows[0]["paywalled"], rows[0]["lead"]) == ("Ana Gil; Luis Paz", "false", "")
    assert json.loads(rows[0]["sections"])[0] == ["TITULO", "Un título"]
    assert "blocks" not in rows[0]


@pytest.mark.parametrize("title", ['=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "\t=1"])
def test_csv_holds_no_formulas(title):
    """What a spreadsheet would run gets an apostrophe in front."""
    rows = [*csv.DictReader(io.StringIO(written(csv_format, replace(DOCUMENT, title=title)).decode(), newline=""))]
    assert rows[0]["title"] == f"'{title}"


def test_parquet_has_all_fields(tmp_path, monkeypatch):
    """Made from JSON Lines group by group, with times as times and lists as lists."""
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet, "DOCUMENTS_PER_GROUP", 2)
    (tmp_path / "a.jsonl").write_bytes(written(jsonl_format, *[DOCUMENT] * 5))
    assert parquet.convert(tmp_path / "a.jsonl", tmp_path / "a.parquet") == 5
    file = pq.ParquetFile(tmp_path / "a.parquet")
    row = file.read().to_pylist()[4]
    assert (file.num_row_groups, tuple(row)) == (3, FIELDS)
    assert row["published"] == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert row["authors"] == ["Ana Gil", "Luis Paz"]
    assert row["blocks"][1] == {"kind": "heading", "text": "Intertítulo"}
    assert row["origins"] == [("title", "jsonld")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "a.parquet"]


def test_parquet_is_whole_or_not_there(tmp_path):
    """A fault in the source leaves the old file as it was."""
    pytest.importorskip("pyarrow")
    (tmp_path / "a.jsonl").write_bytes(written(jsonl_format, DOCUMENT) + b"{broken\n")
    (tmp_path / "a.parquet").write_bytes(b"old")
    with pytest.raises(ExportError, match=r"a\.jsonl:2"):
        parquet.convert(tmp_path / "a.jsonl", tmp_path / "a.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == b"old"
    assert len([*tmp_path.iterdir()]) == 2


def test_parquet_of_nothing(tmp_path):
    """A run without documents gives a file without rows."""
    pytest.importorskip("pyarrow")
    (tmp_path / "a.jsonl").write_bytes(b"")
    assert parquet.convert(tmp_path / "a.jsonl", tmp_path / "a.parquet") == 0
    with pytest.raises(ExportError, match=r"nowhere"):
        parquet.convert(tmp_path / "a.jsonl", tmp_path / "nowhere" / "a.parquet")


def test_parquet_without_its_library(tmp_path, monkeypatch):
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"pip install corpusbot\[parquet\]"):
        parquet.convert(tmp_path / "a.jsonl", tmp_path / "a.parquet")


def test_pyarrow_is_loaded_only_when_used():
    """It is an extra, and takes a while to load."""
    code = "import sys, corpusbot.export.parquet; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
