"""Thin adapters between Scrapy and the stages of the line, one file each."""
