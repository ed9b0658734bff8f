"""CleanPage -> Article: the site's rules first, then the other extractors in its order."""

from __future__ import annotations

from corpusbot.extractors.chain import extract_article
from pipelines.stage import StagePipeline


class Extraction(StagePipeline):
    """The extraction of fields and main block."""

    stage = staticmethod(extract_article)
