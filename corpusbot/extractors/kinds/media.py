"""Live blogs, galleries and pages of one film: what the page says it is, or its form where its name agrees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from corpusbot.extractors.kinds.phrases import FILM, GALLERY, LIVE
from corpusbot.extractors.kinds.signs import Signs, is_headline
from corpusbot.filters.words import folded
from corpusbot.model import Kind

# Tuned on the sets of `python -m bench.eval_kinds`: no article with a gallery or a film in it is taken for one.
GALLERY_PROSE = 1_500
PROSE_A_PICTURE = 150
SURE_A_PICTURE = 60  # of a page that says that it is an article
FEWEST_PICTURES = 4
MANY_PICTURES = 6
FILM_PROSE = 800
NAMED_FILM_PROSE = 450
HARDLY_ANY = 200
FEWEST_UPDATES = 3
MANY_UPDATES = 6
LOOKED_AHEAD = 4  # runs after a time of day, among which its update is looked for
UPDATE = 60
LONGEST_NAME = 300

_GALLERIES = ("ImageGallery", "MediaGallery")
_STAMP = re.compile(
    r"\W{0,3}([01]?\d|2[0-4])\s?[:.h]\s?([0-5]\d)(?![\d.:/-]\d)"
    r"(?:\s?(?:h|hs|hrs|horas|uhr|a\.?\s?m|(p)\.?\s?m|[A-Z]{3,4}))?\b",
    re.IGNORECASE,
)


def is_live(signs: Signs) -> bool:
    """Whether the page says that it is a live blog, or is called one."""
    return "liveblogposting" in signs.types or _named(LIVE, signs) is not None


def live_blog(signs: Signs) -> Kind | None:
    """A live blog: JSON-LD says so, or updates with the time of day stand one after the other."""
    if "liveblogposting" in signs.types and not signs.is_home:
        return Kind("live_blog", 0.95, "JSON-LD says LiveBlogPosting")
    times = list(_updates(signs))
    if len(times) < FEWEST_UPDATES or signs.is_home:
        return None
    falls = sum(later <= earlier for earlier, later in pairwise(times))
    steps = len(times) - 1
    named = _named(LIVE, signs)
    if named and max(falls, steps - falls) >= 0.7 * steps:
        return Kind("live_blog", 0.9, f"{len(times)} updates with the time of day, and “{named}” in its name")
    # The latest first: a diary, a timetable or an interview runs the other way.
    if len(times) >= MANY_UPDATES and not signs.says_article and falls >= 0.8 * steps:
        return Kind("live_blog", 0.75, f"{len(times)} updates with the time of day, the latest first")
    return None


def _updates(signs: Signs) -> Iterator[int]:
    """The minutes of the day of each run that begins with a time and has text of its own after it."""
    runs = signs.runs
    for place, run in enumerate(runs):
        if run.text[0].isalpha() or run.linked > 0.5 * len(run.text):
            continue
        found = _STAMP.match(run.text[:30])
        # Beside a headline the time tells when that article was printed.
        if not found or any(map(is_headline, runs[max(place - 1, 0) : place + 2])):
            continue
        text = len(run.text) - found.end()
        for other in runs[place + 1 : place + 1 + LOOKED_AHEAD]:
            if _STAMP.match(other.text[:30]):
                break
            text += len(other.text) if other.linked < 0.5 * len(other.text) and other.kind != "row" else 0
        if text >= UPDATE:
            hour = int(found[1]) % 12 + 12 if found[3] else int(found[1])
            yield hour * 60 + int(found[2])


def gallery(signs: Signs) -> Kind | None:
    """A gallery: it says so and has little text, or has many pictures for its text."""
    prose = sum(signs.paragraphs)
    if prose >= GALLERY_PROSE or signs.is_home:
        return None
    said = next((name for name in _GALLERIES if name.lower() in signs.types), None)
    if said and not signs.says_article:
        return Kind("gallery", 0.93, f"JSON-LD says {said}, and of no article")
    pictures = signs.pictures
    if pictures < FEWEST_PICTURES or prose > pictures * (SURE_A_PICTURE if signs.is_sure_article else PROSE_A_PICTURE):
        return None
    told = f"{pictures} pictures and {prose} characters of text"
    named = said or _named(GALLERY, signs)
    if named:
        return Kind("gallery", 0.85, f"{told}, and “{named}” in its {'JSON-LD' if said else 'name'}")
    captions = sum(run.kind == "caption" and not run.anchors for run in signs.runs)
    if captions >= MANY_PICTURES and prose < HARDLY_ANY and not signs.is_sure_article:
        return Kind("gallery", 0.7, f"{told}, and {captions} captions")
    return None


def video(signs: Signs) -> Kind | None:
    """A page of one film: it says so and has little text, or has hardly any text beside a player."""
    prose = sum(signs.paragraphs)
    if prose >= FILM_PROSE:
        return None
    if signs.og_type.startswith("video") and not signs.is_sure_article:
        return Kind("video", 0.93, f"og:type says {signs.og_type[:40]}, and there is little text")
    said = "videoobject" in signs.types
    if said and not signs.says_article and not signs.says_product and "article" not in signs.og_type:
        return Kind("video", 0.9, "JSON-LD says VideoObject and of no article, and there is little text")
    if prose >= NAMED_FILM_PROSE:
        return None
    # A short article may well show a film that its headline names; its address is not a film's.
    named = _within(FILM, signs.path.split("/")) if signs.is_sure_article else _named(FILM, signs)
    bare = prose < HARDLY_ANY and signs.unlinked_length < 2 * HARDLY_ANY and not signs.is_sure_article
    if not (named or (bare and not signs.says_product)) or not (said or signs.has_player):
        return None
    if named:
        return Kind("video", 0.85, f"a film, {prose} characters of text, and “{named}” in its name")
    return Kind("video", 0.6, f"a film and hardly any text ({signs.unlinked_length} characters)")


def _named(pattern: re.Pattern[str], signs: Signs) -> str | None:
    """The word for it in the page's title, main heading or address."""
    return _within(pattern, (signs.title, *signs.named, *signs.headings, *signs.path.split("/")))


def _within(pattern: re.Pattern[str], names: Iterable[str]) -> str | None:
    found = (pattern.search(folded(name[:LONGEST_NAME])) for name in names)
    return next((one[0] for one in found if one), None)
