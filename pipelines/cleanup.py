"""Page -> CleanPage: parsed once, rid of what is never content."""

from __future__ import annotations

from corpusbot.dom.cleanup import clean_page
from pipelines.stage import StagePipeline


class Cleanup(StagePipeline):
    """The DOM cleanup; the tree stays in the worker that parsed it."""

    stage = staticmethod(clean_page)
