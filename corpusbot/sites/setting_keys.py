"""The settings of Scrapy that a site may change, each within bounds that keep the crawl polite and safe."""

from __future__ import annotations

from corpusbot.sites.checks import one_line
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.kinds import Choice, Number, Text
from corpusbot.sites.tables import Key, Table

SECONDS_PER_DAY = 24 * 60 * 60
MOST = 1_000_000_000

SETTINGS = Table(
    "settings",
    "The settings of Scrapy that differ for this newspaper.",
    (
        Key("DOWNLOAD_DELAY", Number(0, 600, whole=False), "Seconds between two requests to the newspaper.", "2"),
        Key("DOWNLOAD_TIMEOUT", Number(1, 180), "Seconds after which a page is given up."),
        Key("DOWNLOAD_MAXSIZE", Number(1_024, MOST), "Bytes that a page may have."),
        Key("CONCURRENT_REQUESTS_PER_DOMAIN", Number(1, 8), "Requests that may be under way at once."),
        Key("USER_AGENT", Text("one line", one_line), "What the crawler calls itself."),
        Key("RETRY_TIMES", Number(0, 10), "How often a failed request is tried again."),
        Key("DEPTH_LIMIT", Number(0, 100), "How many links away from an index the crawl goes; 0 is no limit."),
        Key("LOG_LEVEL", Choice(("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")), "What is logged at least."),
        Key("CLOSESPIDER_TIMEOUT", Number(0, SECONDS_PER_DAY * 30), "Seconds after which the crawl stops."),
        Key("CLOSESPIDER_TIMEOUT_NO_ITEM", Number(0, SECONDS_PER_DAY * 30), "Seconds without an article that stop it."),
        Key("CLOSESPIDER_ITEMCOUNT", Number(0, MOST), "Articles after which the crawl stops."),
        Key("CLOSESPIDER_PAGECOUNT", Number(0, MOST), "Pages after which the crawl stops."),
        Key("CLOSESPIDER_PAGECOUNT_NO_ITEM", Number(0, MOST), "Pages in a row without an article that stop it."),
        Key("CLOSESPIDER_ERRORCOUNT", Number(0, MOST), "Errors after which the crawl stops."),
    ),
    elsewhere=FrozenMap({"ROBOTSTXT_OBEY": "No site may change it: robots.txt is always obeyed"}),
)
