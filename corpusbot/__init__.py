"""corpusbot turns newspapers on the Web into clean, homogeneous, duplicate-free corpora."""

__version__ = "0.1.0"
