"""The measurement node by node: what counts as a node, and what its figures mean."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.extraction_sets import Sample
from bench.nodes import Nodes, in_text, main, text_nodes
from tests.pages import cleaned

PAGE = (
    "<body><nav><a href=1>Ir a la portada del periódico de hoy</a></nav><p>Una frase de la noticia que se lee "
    "<b>muy bien y</b> sigue hasta su final.</p>\n<p>La segunda frase de la misma noticia es otra.</p>"
    "<script>nada()</script></body>"
)
GOLD = (
    "Una frase de la noticia que se lee muy bien y sigue hasta su final. La segunda frase de la misma noticia es otra."
)
SAMPLE = Sample("any", "1", "https://any.example/", "any.example", b"", GOLD, (), (), "article", "es")


def test_text_nodes() -> None:
    """Those that say something, in order; scripts have none."""
    assert [text.strip() for text in text_nodes(cleaned(PAGE))] == [
        "Ir a la portada del periódico de hoy",
        "Una frase de la noticia que se lee",
        "muy bien y",
        "sigue hasta su final.",
        "La segunda frase de la misma noticia es otra.",
    ]


def test_gold_nodes() -> None:
    """Those whose words are in the gold text, short ones by what is beside them."""
    texts = text_nodes(cleaned(PAGE))
    assert in_text(texts, SAMPLE, GOLD).tolist() == [False, True, True, True, True]
    assert in_text(texts, replace(SAMPLE, text=None), "").tolist() == [False] * 5


@pytest.mark.parametrize(
    ("nodes", "figures", "exact", "whole"),
    [
        (Nodes(4, 4, 4), (1.0, 1.0, 1.0), True, True),
        (Nodes(2, 4, 2), (1.0, 0.5, 2 / 3), False, True),
        (Nodes(1, 2, 2), (0.5, 0.5, 0.5), False, False),
        (Nodes(0, 0, 3), (0.0, 1.0, 0.0), False, False),
    ],
)
def test_figures(nodes: Nodes, figures: tuple[float, float, float], exact: bool, whole: bool) -> None:
    """Recall, precision and F1; exact if all are the same, one whole if one of both is 100%."""
    assert (nodes.recall, nodes.precision, nodes.f1) == figures
    assert (nodes.is_exact, nodes.is_one_whole) == (exact, whole)


def test_without_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says where pages are to be had; and which extractors there are, if one is named that is not."""
    assert main(["--data", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert "make eval-nodes" in capsys.readouterr().err
    assert main(["--data", str(tmp_path), "--out", str(tmp_path), "--only", "--also", "nosuch"]) == 2
    assert "No extractor 'nosuch'" in capsys.readouterr().err
