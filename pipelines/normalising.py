"""Article -> Article: Unicode, spaces, quotes and names made uniform."""

from __future__ import annotations

from corpusbot.stages import normalise
from pipelines.stage import StagePipeline


class Normalising(StagePipeline):
    """The normalising of every text of an article."""

    stage = staticmethod(normalise)
