"""The format of site files, as data: every key, what it takes and what it means.

The strict reading, the JSON Schema and the reference page all come from these tables.
"""

from __future__ import annotations

from corpusbot.freshness_visits import REREAD_DAYS
from corpusbot.plugins import plugin_names
from corpusbot.sites import checks
from corpusbot.sites.config import USUAL_EXTRACTORS, USUAL_MIN_BODY
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.kinds import Choice, Day, Flag, Listed, Number, Text
from corpusbot.sites.rule_keys import RULES
from corpusbot.sites.sense import check_site
from corpusbot.sites.setting_keys import SETTINGS
from corpusbot.sites.tables import Key, Named, Plugged, ShortOrLong, Table

SECTION = Text("text")
DATED_REGEX = Text("regular expression", checks.dated_regex)

LINK = Table(
    "link pattern",
    "Which links are followed to articles, and the rules for the pages that they lead to.",
    (
        Key("match", DATED_REGEX, "What is found somewhere in the address.", required=True, example=r"/\d{4}/\d{2}/"),
        Key("name", Text(), "What the pattern is called, in messages and in where a page was found.", "its `match`"),
        Key("section", SECTION, "The value of `$SECTION$` for the pages.", "the index's"),
        Key("follow", Flag(), "Whether links are searched on them as well.", "`false`", aliases=("process_links",)),
        Key("extract", Flag(), "Whether the pages are documents.", "`true`", aliases=("process_content",)),
        *RULES,
    ),
    level="link",
)
LINKS = Listed(ShortOrLong(LINK, lambda text: "match", "regular expression"))

_PLACE = (
    Key("name", Text(), "What the index is called, in messages and in where a page was found.", "`section`, or `url`"),
    Key("section", SECTION, "The value of `$SECTION$` for the pages found on it.", example="Internacional"),
    Key("links", LINKS, "The links on it that lead to articles: regular expressions, found anywhere in the address.",
        "the site's"),
)  # fmt: skip
_ADDRESS = Text("address, may hold variables", checks.dated_address)

INDEX = Table(
    "index page",
    "A page that holds links to articles, such as the front page of a section.",
    (
        Key("url", _ADDRESS, "The address of the page, for each day or each page number if it holds variables.",
            required=True, example="https://elpais.com/internacional/"),
        *_PLACE,
        Key("next", Text("CSS selector or XPath", checks.selector), "The link to its next page.",
            example="a[rel=next]"),
        Key("pages", Number(1, 1_000), "How many of its pages are read at most; also the last `$PAGE$`.", "1"),
        Key("follow", Flag(), "Whether links are searched on it.", "`true`", aliases=("process_links",)),
        Key("extract", Flag(), "Whether it is a document itself.", "`false`", aliases=("process_content",)),
        *RULES,
    ),
    level="index",
)  # fmt: skip

FEED = Table(
    "feed",
    "An RSS or Atom feed that names articles.",
    (
        Key("url", _ADDRESS, "The address of the feed.", required=True, example="https://elpais.com/rss/portada.xml"),
        *_PLACE,
        *RULES,
    ),
    level="index",
)

_RECENT = Key("recent", Number(0, 100_000),
    "How many days back a page of a sitemap may have changed to be asked for.", "3")  # fmt: skip

SITEMAP = Table(
    "sitemap",
    "A sitemap, an index of sitemaps, or a news sitemap.",
    (
        Key("url", _ADDRESS, "The address of the sitemap.", required=True, example="https://elpais.com/sitemap.xml"),
        *_PLACE,
        _RECENT,
        *RULES,
    ),
    level="index",
)

VERSION = Table(
    "version",
    "Rules of an older layout: they stand between the site's and the index's until their last day.",
    (Key("valid_until", Day(), "The last day on which these rules hold.", required=True), *RULES),
    level="version",
)

TARGET = Table(
    "target",
    "Where the documents are written.",
    (
        Key("path", Text("relative path", checks.folder), "The folder, inside of the data folder.", "the site's own"),
        Key("file", Text("file name", checks.file_name), "The name of the file.",
            "the site's, with the format's ending"),
        Key("format", Text("name of a format", checks.plugged("export"), lambda: plugin_names("export")),
            "The form of the documents: a module of corpusbot/export.", "jsonl"),
        Key("append", Flag(), "Whether the file grows; otherwise each run writes it anew.", "`true`"),
    ),
)  # fmt: skip

DUPLICATES = Table(
    "duplicates",
    "What counts as the same text again, and what is done with it.",
    (
        Key("containment", Number(0, 1, whole=False),
            "What share of the shorter text's runs of five words must be in the other.", "0.5"),
        Key("distance", Number(0, 64),
            "In how many of 64 bits the simhashes of texts may differ that share nearly as much.", "6"),
        Key("across", Choice(("drop", "keep")), "What is done with near-duplicates of other newspapers.", "`drop`"),
    ),
)

REVISIT = Table(
    "revisit",
    "How long known pages are asked for again, in runs with `-a revisit=due`.",
    (
        Key("articles", Number(0, 36_500),
            "For how many days an article is asked for again for corrections, ever more seldom; 0: never.",
            str(REREAD_DAYS)),
    ),
)  # fmt: skip

_USUAL = ", ".join(name for name, _ in USUAL_EXTRACTORS)
_EXTRACTOR = Text("name of an extractor", checks.plugged("extractors"), lambda: plugin_names("extractors"))
_FILTER = Text("name of a filter", checks.plugged("filters"), lambda: plugin_names("filters"))

# What a corpus may say for all of its sites, and a site for itself.
SHARED = (
    Key("language", Text("code of a language", checks.language), "The language that its articles are written in.",
        example="es"),
    Key("country", Text("code of a country", checks.country), "The country that it is published in.", example="ES"),
    Key("timezone", Text("name of a time zone", checks.timezone), "The zone of dates that name none.", "UTC",
        example="Europe/Madrid"),
    Key("links", LINKS, "The link patterns of every index, feed and sitemap that has none of its own."),
    Key("exclude", Listed(DATED_REGEX), "Addresses never asked for; those of the corpus and the site add up.",
        example="/opinion/"),
    Key("robots_sitemaps", Flag(), "Whether the sitemaps that robots.txt names are read as well.", "`false`"),
    _RECENT,
    *RULES,
    Key("labels", Named("name of a field: name of its section", checks.known_field,
                        Text("name of a section", checks.section_name)),
        "The names of the fields in the `sections` form; `to: .TITULO` means the field labelled TITULO.",
        "TITULO, AUTOR, ENTRADILLA and CUERPO", example="title: TITULO"),
    Key("extractors", Listed(Plugged("extractors", _EXTRACTOR), may_be_empty=False),
        "Who may find the body, in this order: modules of corpusbot/extractors, bare or with options.", _USUAL,
        example="[rules, {gist: {prefer: precision}}]"),
    Key("min_body", Number(0, 100_000),
        "How many characters a body must have; a shorter one sends the page to the next extractor.",
        str(USUAL_MIN_BODY)),
    Key("min_confidence", Number(0, 1, whole=False),
        "How sure of the body an extractor must be that can tell; one less sure sends the page to the next one.", "0",
        example="0.6"),
    Key("filters", Listed(Plugged("filters", _FILTER)),
        "Who may refuse an article, in this order: modules of corpusbot/filters, bare or with options.",
        example="length: {min_words: 30}"),
    Key("duplicates", DUPLICATES, DUPLICATES.meaning),
    Key("revisit", REVISIT, REVISIT.meaning),
    Key("quotes", Choice(("keep", "straight", "typographic")), "What quotation marks are made into.", "`keep`"),
    Key("target", TARGET, TARGET.meaning),
    Key("settings", SETTINGS, SETTINGS.meaning),
)  # fmt: skip

OWN = (
    Key("name", Text(), "The newspaper's printed name, the value of `$SITE$`.", "the file's name", example="El País"),
    Key("home", Text("address", checks.address), "The address of its front page.", "the host of its first index",
        example="https://elpais.com/"),
    Key("indexes", Listed(INDEX, may_be_empty=False), "The pages that hold the links to its articles."),
    Key("feeds", Listed(FEED, may_be_empty=False), "Its RSS or Atom feeds."),
    Key("sitemaps", Listed(SITEMAP, may_be_empty=False), "Its sitemaps: lists of addresses made for search engines."),
    Key("versions", Listed(VERSION), "The rules of its older layouts."),
)  # fmt: skip


SITE = Table("site", "One newspaper.", (*OWN, *SHARED), check=check_site, level="site")

CORPUS = Table(
    "corpus",
    "What holds for all newspapers unless their own file says otherwise.",
    SHARED,
    level="corpus",
    elsewhere=FrozenMap({key.name: "It belongs in the file of one site" for key in OWN}),
)
TABLES = (SITE, INDEX, FEED, SITEMAP, LINK, VERSION, TARGET, DUPLICATES, REVISIT, SETTINGS)
