"""Article kept or dropped: what the site file's filters say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusbot.filters import rejection
from corpusbot.stages import Shelf
from pipelines.stage import Dropped

if TYPE_CHECKING:
    from corpusbot.model import Article


class Filtering:
    """The filters are quick, so they run here and not in a worker."""

    def __init__(self) -> None:
        self._sites = Shelf()

    def process_item(self, item: Article) -> Article:
        """The article, unless a filter gives a reason to drop it."""
        drop = rejection(item, self._sites[item.site])
        if drop is not None:
            raise Dropped(drop)
        return item
