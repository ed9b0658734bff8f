"""Style sheets as rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from corpusbot.dom.parse import parsed
from corpusbot.extractors import rules
from corpusbot.extractors.stylesheet import transformed
from corpusbot.model import Block, Section
from tests.pages import cleaned, site_from

HEAD = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
SHEET = (
    HEAD + '<xsl:template match="/"><nota><TITULO><xsl:value-of select="//h1"/></TITULO><CUERPO>'
    '<xsl:for-each select="//div"><p><xsl:value-of select="."/></p></xsl:for-each></CUERPO></nota>'
    "</xsl:template></xsl:stylesheet>"
)
PAGE = "<h1>Título</h1><div>uno</div>fuera<div>dos</div>"


def test_its_output_is_the_fragment(tmp_path: Path) -> None:
    """A field takes all of it."""
    (tmp_path / "nota.xsl").write_text(SHEET, encoding="utf-8")
    site = site_from(tmp_path, "fields: {body: {xslt: nota.xsl, without: [TITULO]}}\n")
    findings = rules.extract(cleaned(PAGE, site), site)
    assert findings is not None
    assert findings.body == (Block("uno"), Block("dos"))


def test_without_a_name_each_part_is_a_section(tmp_path: Path) -> None:
    """The tags of its output are then the sections' names."""
    (tmp_path / "nota.xsl").write_text(SHEET.replace("p>", "P>"), encoding="utf-8")
    site = site_from(tmp_path, "translate: [{xslt: nota.xsl, to: .TODO}]\n")
    nameless = tuple(replace(rule, to="") for rule in site.levels[-1].translate)
    site = replace(site, levels=(replace(site.levels[-1], translate=nameless),))
    findings = rules.extract(cleaned(PAGE, site), site)
    assert findings is not None
    assert findings.sections == (Section("TITULO", "Título"), Section("CUERPO", "uno\ndos"))


def test_a_translate_rule_takes_all_of_it_too(tmp_path: Path) -> None:
    """Under the section that the rule names."""
    (tmp_path / "nota.xsl").write_text(SHEET, encoding="utf-8")
    site = site_from(tmp_path, "translate: [{xslt: nota.xsl, to: .TODO}]\n")
    findings = rules.extract(cleaned(PAGE, site), site)
    assert findings is not None
    assert findings.sections == (Section("TODO", "Título\nuno\ndos"),)


def test_the_page_is_not_changed() -> None:
    """The tree is the next extractor's as well."""
    tree = parsed(PAGE)
    assert tree is not None
    before = [element.tag for element in tree.iter()]
    transformed(SHEET, tree)
    assert [element.tag for element in tree.iter()] == before


@pytest.mark.parametrize(
    "body",
    [
        '<xsl:copy-of select="document(\'file:///etc/hostname\')"/>',
        '<xsl:message terminate="yes">no</xsl:message>',
        '<xsl:call-template name="x"/>',
        "",
    ],
)
def test_a_style_sheet_that_fails_or_reaches_out_finds_nothing(body: str) -> None:
    """Files are shut off; failing, or going on for ever, is no result."""
    sheet = (
        HEAD + f'<xsl:template match="/">{body}</xsl:template>'
        '<xsl:template name="x"><xsl:call-template name="x"/></xsl:template></xsl:stylesheet>'
    )
    tree = parsed(PAGE)
    assert tree is not None
    assert transformed(sheet, tree) is None


def test_output_that_is_just_text() -> None:
    """It is a paragraph."""
    tree = parsed(PAGE)
    template = '<xsl:template match="/"><xsl:value-of select="//h1"/></xsl:template>'
    sheet = f'{HEAD}<xsl:output method="text"/>{template}</xsl:stylesheet>'
    assert tree is not None
    root = transformed(sheet, tree)
    assert root is not None
    assert root.text == "Título"
