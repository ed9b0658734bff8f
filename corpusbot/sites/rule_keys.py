"""The part of the format that says what is found in a page: sources and rules, which stand at every level."""

from __future__ import annotations

from dataclasses import replace

from corpusbot.sites import checks
from corpusbot.sites.kinds import Flag, Listed, Text
from corpusbot.sites.sense import check_source, check_translate
from corpusbot.sites.tables import Key, Named, ShortOrLong, Table

TAG = Text("name of a tag", checks.tag)
REGEX = Text("regular expression", checks.regex)
JMESPATH = Text("JMESPath", checks.jmes)
ATTRIBUTE = Text("name of an attribute", checks.tag)
CSS = Text("CSS selector", checks.css)

SOURCE = Table(
    "source",
    "Where something is found: exactly one of css, xpath, jsonld, meta, tag and xslt, and what is done to it.",
    (
        Key("css", CSS, "A CSS selector.", example="article h1"),
        Key("xpath", Text("XPath", checks.xpath), "An XPath 1.0 expression.", example="//article//h1"),
        Key("jsonld", JMESPATH, "A JMESPath on the article object in the page's JSON-LD.", example="author[].name"),
        Key("meta", Text(), "The content of the META whose name, property or itemprop this is.", example="og:title"),
        Key("tag", TAG, "The name of a tag, in any case.", example="texto", aliases=("tag_in",)),
        Key("xslt", Text("file name", checks.stylesheet_name),
            "A style sheet beside the site file; what it makes of the page is the fragment.", example="elpais.xsl"),
        Key("attribute", ATTRIBUTE, "With `tag`: an attribute that it must have.", aliases=("attr_name",)),
        Key("value", Text(), "With `attribute`: the value that it must have.", aliases=("attr_value",)),
        Key("get", ATTRIBUTE, "With `css`, `xpath`, `tag`: take this attribute rather than the text.",
            aliases=("attr_get",)),
        Key("closed", Flag(), "With `tag`: `false` for a tag that has no end, as META; the parser knows them itself.",
            "`true`"),
        Key("without", Listed(CSS), "CSS selectors of what is left out inside of the match.", example=".related"),
        Key("match", REGEX, "A regular expression on the text: its first group is taken, or all that it matches.",
            example=r"Por (.+)"),
        Key("split", REGEX, "A regular expression that parts the text into several values, for authors and tags.",
            example=", | y "),
        Key("json", JMESPATH, "A JMESPath on the text, which is read as JSON.", example="props.article.title"),
    ),
    check=check_source,
)  # fmt: skip

TRANSLATE = replace(
    SOURCE,
    name="translate rule",
    meaning="A source every match of which adds to one section, in the order of the page.",
    keys=(
        *SOURCE.keys,
        Key("to", Text("name of a field or section", checks.field_name),
            "The section that the text goes to. Without it, an `xslt` names its parts itself.", example=".CUERPO",
            aliases=("tag_out",)),
    ),
    check=check_translate,
)  # fmt: skip


def _selector_key(text: str) -> str:
    """Which source a bare selector is."""
    return "xpath" if checks.is_xpath(text) else "css"


RULES = (
    Key("fields", Named("name of a field: source, or list of sources", checks.field_name,
                        Listed(ShortOrLong(SOURCE, _selector_key, "CSS selector or XPath"), may_be_empty=False)),
        "What each field is found by: a source, or several of which the first that finds something counts.",
        example="title: {css: article h1}"),
    Key("translate", Listed(TRANSLATE),
        "Rules of webreader's form: every match of every rule adds to its section, in the order of the page.",
        example="{tag: texto, to: .CUERPO}"),
    Key("append", Named("name of a section: text", checks.section_name,
                        Text("text, may hold variables", checks.appended_text, is_loose=True)),
        "Sections that are not in the page: constants, days, the address, the newspaper.", example="LINK: $URL$"),
    Key("ignore", Listed(TAG), "Tags that are let through unchanged inside of what is found; levels add up.",
        example="strong"),
    Key("remove", Listed(CSS), "CSS selectors of what is taken out before anything is looked for; levels add up.",
        example=".cookie-wall"),
)  # fmt: skip
