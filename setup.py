"""A shim for tools that build eggs (scrapyd-deploy); everything is said in pyproject.toml."""
from setuptools import setup

setup()
