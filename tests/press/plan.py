"""What a press is asked to print, and how badly it is to behave."""

from dataclasses import dataclass


@dataclass(kw_only=True)
class Plan:
    """The options of a press; `articles` are the regular ones of each newspaper, special pages come on top."""

    articles: int = 40
    days: int = 5
    seed: int = 1
    hazards: bool = True
    latency: float = 0.0
    padding: int = 0
    crawl_delay: float = 0.0
    per_page: int = 20
    feed_size: int = 20
    slow_seconds: float = 2.0
    drip_seconds: float = 5.0
    big_bytes: int = 30_000_000
    bomb_bytes: int = 120_000_000
    cache_bytes: int = 512_000_000
