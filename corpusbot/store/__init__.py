"""What is kept on disk: raw pages, the state of each crawl, and files that grow by whole documents."""

NOT_PLUGINS = (
    "archive", "cdxj", "compact", "deflate", "documents", "frontier", "growing", "links", "members", "page_index",
    "page_rows", "reference_pages", "runs", "schema", "unwritten", "waiting", "warc", "zstd",
)
