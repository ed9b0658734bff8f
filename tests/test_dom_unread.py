"""What is cut out of a page before it is parsed: only what nobody would miss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from corpusbot.dom.parse import parsed
from corpusbot.dom.unread import without_unread

PIECES = [
    "<p>text", "</p>", "<script>", "<script type='application/ld+json'>", "</script>", "<style>", "</style>", "<svg>",
    '<svg width="1"/>', "</svg>", "<!--", "-->", "</body>", '<b title="<script>">', "</b>", "a > b", '{"a": "<svg>"}',
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("<p>a<script>if (a < b) x()</script>b", "<p>ab"),
        ("<p>a<STYLE media=all>p {}</Style >b", "<p>ab"),
        ("<p>a<svg viewBox='0 0'><path d=''/></svg>b", "<p>ab"),
        ("<p>a</body></html><p>b", "<p>a<p>b"),
        ("<script src=a></script><script src=b></script>c", "c"),
    ],
)
def test_what_nobody_reads_goes(source: str, left: str) -> None:
    """Scripts, style sheets, drawings and the ends of the page go, the text around them stays."""
    assert without_unread(source.encode()).decode() == left


@pytest.mark.parametrize(
    "source",
    [
        "<script type='application/ld+json'>{}</script>",
        "<script data-a='>' type='application/json'>{}</script>",  # the tag ends later than it seems to
        '<script type="application/json">{"image": "<svg height=\\"4\\"></svg>"}</script>',
        "<!-- <script> --> text <!-- </script> -->",
        "<p title='<script>'>text</p><script>x()</script>",  # of two, which one the end tag ends is not clear
        "<script>write('<script>x</script>",
        "<script src=a />text</script>",
        "<p>a<script>never closed",
        "<section>a</section><strong>b</strong>",
    ],
)
def test_what_is_not_clear_stays(source: str) -> None:
    """Data, and what may end elsewhere than it seems to, is left to the parser."""
    assert without_unread(source.encode()).decode() == source


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_text_is_lost(source: str) -> None:
    """Whatever is cut out, the parser finds no less text outside of scripts, style sheets and drawings."""
    assert _text(parsed(source, scripts=False)) >= _text(parsed(source))


def test_many_that_never_end_take_no_longer() -> None:
    """A hundred thousand drawings that never end are looked through once, not once for each."""
    source = b"<svg>" * 100_000
    assert without_unread(source) == source
    assert without_unread(source + b"</svg>") == source + b"</svg>"


def _text(tree: etree._Element | None) -> int:
    """How many letters of text a tree holds that is read."""
    if tree is None:
        return 0
    etree.strip_elements(tree, "script", "style", "svg", with_tail=False)
    return sum(len(text.strip()) for text in tree.itertext())
