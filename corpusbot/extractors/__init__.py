"""Extraction: who can find an article in a page, one file each, and the chain that asks them in turn.

An extractor is a module with `extract(clean: CleanPage, site: SiteConfig) -> Findings | None`; it changes nothing
in the page, and None means that it found nothing.
"""

NOT_PLUGINS = ("chain", "sections", "sources", "stylesheet", "values")
