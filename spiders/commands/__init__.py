"""Scrapy commands of the project's own."""
