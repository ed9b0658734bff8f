"""Scrapy's settings. ITEM_PIPELINES is the diagram of the whole."""

import os

BOT_NAME = "corpusbot"
SPIDER_LOADER_CLASS = "spiders.loader.SiteLoader"
COMMANDS_MODULE = "spiders.commands"

# Where everything is kept, and which private hosts may be asked all the same (the demo, the tests).
CORPUSBOT_DATA = os.environ.get("CORPUSBOT_DATA", "data")
CORPUSBOT_ALLOW_PRIVATE = [host for host in os.environ.get("CORPUSBOT_ALLOW_PRIVATE", "").split(",") if host]
# Where documents are kept with all their versions: None is a file in each newspaper's folder, or postgresql://…
CORPUSBOT_DOCUMENTS = os.environ.get("CORPUSBOT_DOCUMENTS")
# Seconds that a job waits for another job on the same site to end; 0 ends it at once, with a message.
CORPUSBOT_LOCK_WAIT = 0
# Processes for the heavy stages: None is one for each core, 0 does the work in the crawl's own process.
CORPUSBOT_WORKERS = None
# Seconds after which a page that a worker is still busy with is dropped, and the worker replaced.
CORPUSBOT_PAGE_TIMEOUT = 60

ITEM_PIPELINES = {
    "pipelines.storage.Storage": 100,                # Page          raw page kept
    "pipelines.cleanup.Cleanup": 200,                # Page       -> CleanPage
    "pipelines.extraction.Extraction": 300,          # CleanPage  -> Article
    "pipelines.normalising.Normalising": 400,        # Article    -> Article
    "pipelines.filtering.Filtering": 500,            # Article       kept or dropped
    "pipelines.deduplication.Deduplication": 600,    # Article    -> Distinct, or dropped
    "pipelines.export.Export": 700,                  # Distinct   -> Document, which FEEDS writes
}

EXTENSIONS = {
    "pipelines.workers.Workers": 0,
    "pipelines.feeds.Feeds": 0,
    "scrapy.extensions.feedexport.FeedExporter": None,
    "spiders.progress.Progress": 500,
    "spiders.report.Report": 900,
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "scrapy.extensions.memdebug.MemoryDebugger": None,
    "scrapy.extensions.spiderstate.SpiderState": None,
    "scrapy.extensions.throttle.AutoThrottle": None,
    "scrapy.extensions.logstats.LogStats": None,
}
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

FEED_STORAGES = {"": "pipelines.feeds.GrowingFeed", "file": "pipelines.feeds.GrowingFeed"}
FEED_EXPORTERS = {
    "jsonl": "pipelines.feeds.JsonlFeed",
    "jsonlines": "pipelines.feeds.JsonlFeed",
    "sections": "pipelines.feeds.SectionsFeed",
    "tags": "pipelines.feeds.TagsFeed",
    "csv": "pipelines.feeds.CsvFeed",
    "parquet": "pipelines.feeds.ParquetFeed",
}

# Polite: who we are, what we may ask, and one request at a time.
USER_AGENT = os.environ.get(
    "CORPUSBOT_USER_AGENT", "corpusbot/0.1 (linguistic corpora; +https://github.com/corpusbot/corpusbot)"
)
ROBOTSTXT_OBEY = True
ROBOTSTXT_USER_AGENT = "corpusbot"
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 2
DOWNLOAD_DELAY_JITTER = 0.5
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the run's report lists what could not be had
REDIRECT_MAX_TIMES = 5
COOKIES_ENABLED = False

# Safe: only the Web, and only its public part.
DOWNLOAD_HANDLERS = {
    "http": "spiders.download.Download",
    "https": "spiders.download.Download",
    "file": None,
    "ftp": None,
    "data": None,
    "s3": None,
}

# Fast: what is never needed costs time on every page.
SCHEDULER = "spiders.scheduler.FrontierScheduler"
SPIDER_MIDDLEWARES = {
    "spiders.acknowledge.Acknowledgement": 10,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
}
DOWNLOADER_MIDDLEWARES = {
    "spiders.guard.AddressGuard": 50,
    "spiders.politeness.Politeness": 100,
    "spiders.politeness.RetryAfter": 560,
    "spiders.redirects.Redirects": 600,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    # The download handler sets default headers, unpacks bodies and keeps the time limit itself.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": None,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": None,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
}
CONCURRENT_ITEMS = 4
WARN_ON_GENERATOR_RETURN_VALUE = False

LOG_LEVEL = os.environ.get("CORPUSBOT_LOG_LEVEL", "INFO")
LOG_VERSIONS: list[str] = []
DEFAULT_DROPITEM_LOG_LEVEL = "DEBUG"
STATS_DUMP = False
