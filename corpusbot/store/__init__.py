"""What is kept on disk: raw pages, the state of each crawl, and files that grow by whole documents."""

NOT_PLUGINS = ("archive", "frontier", "growing", "links", "runs", "schema", "unwritten", "waiting", "warc")
