"""What is kept on disk: raw pages, the state of each crawl, and files that grow by whole documents."""
