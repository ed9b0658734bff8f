"""The beginnings of articles that end at a pay wall."""

from __future__ import annotations

from itertools import islice

from corpusbot.dom.jsonld import JsonObject
from corpusbot.extractors.kinds.phrases import SUBSCRIBE
from corpusbot.extractors.kinds.signs import Signs
from corpusbot.filters.words import folded, word_count
from corpusbot.metadata.jsonld import truth
from corpusbot.model import Kind

# As many words as the filter `paywall` takes for a whole article, and as few as hardly any article has.
MOST_WORDS = 150
MOST_CHARACTERS = 2_000  # no text of so few words is longer
FEW_WORDS = 80
HARDLY_ANY = 40
FAR_MORE = 2
NEAR = 5  # runs after the body
MOST_RUNS = 5_000
_LONGEST_DEMAND = 200
_TIERS = frozenset(("locked", "premium", "paid"))
_CUT = ("…", "...", "[...]", "[…]", "(...)", "(…)", "... »", "…»")


def stub(signs: Signs) -> Kind | None:
    """A pay-walled beginning: little text, and two of these: it costs money, it is cut off, it asks to subscribe."""
    if not 0 < signs.body_length < MOST_CHARACTERS or signs.words >= MOST_WORDS:
        return None
    costs = _costs(signs)
    more = _said_to_be_longer(signs)
    cut = any(block.text.rstrip("”\"» ").endswith(_CUT) for block in signs.body[-2:])
    demand, is_next = _demand(signs)
    size = f"{signs.words} words"
    if costs and more:
        return Kind("stub", 0.95, f"{size}, {more}, and it says that it is not free")
    if costs and (cut or demand):
        return Kind("stub", 0.9, f"{size}, {demand or 'cut off'}, and it says that it is not free")
    # Many sites hide the demand in every page: it counts where it stands in the place of the rest.
    if demand and (cut or more or signs.words < (FEW_WORDS if is_next else HARDLY_ANY)):
        return Kind("stub", 0.8, f"{size}, {demand}")
    if costs and signs.words < HARDLY_ANY:
        return Kind("stub", 0.7, f"{size}, and it says that it is not free")
    return None


def _costs(signs: Signs) -> bool:
    """Whether the page says that it, or a part of it, costs money."""
    if signs.metas.get("article:content_tier", "").lower() in _TIERS:
        return True
    return any(truth(part.get("isAccessibleForFree")) is False for item in signs.clean.jsonld for part in _parts(item))


def _parts(item: JsonObject) -> list[JsonObject]:
    parts = item.get("hasPart")
    return [item, *(part for part in (parts if isinstance(parts, list) else [parts]) if isinstance(part, dict))]


def _said_to_be_longer(signs: Signs) -> str | None:
    """How many words the page says that the article has, where they are far more than were found."""
    for item in signs.clean.jsonld:
        told = item.get("wordCount")
        number = str(told)
        count = int(number) if number.isdecimal() and len(number) < 9 else 0
        text = item.get("articleBody")
        count = max(count, word_count(text) if isinstance(text, str) else 0)
        if count > FAR_MORE * signs.words and count > MOST_WORDS:
            return f"of {count} that JSON-LD tells of"
    return None


def _demand(signs: Signs) -> tuple[str | None, bool]:
    """What of the page asks to pay for the rest, and whether it follows the body that was found."""
    own = {block.text for block in signs.body}
    since = NEAR + 1
    for run in islice(signs.runs, MOST_RUNS):
        is_demand = len(run.text) <= _LONGEST_DEMAND and SUBSCRIBE.search(folded(run.text))
        if is_demand:
            return f"“{run.text[:60]}”", since <= NEAR or run.text in own
        since = 0 if run.text in own else since + 1
    return None, False
