"""Measurements of speed and quality, each a module to run."""
