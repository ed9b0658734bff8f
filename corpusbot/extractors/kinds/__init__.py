"""What a page is: an article, or one of the other things that a newspaper's addresses lead to.

What a page says of itself, or has the unmistakable form of, is told by rules: walls and errors, live blogs,
galleries, films, pay-walled beginnings. Whether the others are articles, collections of links or something else
is told by a small model, learnt from real pages.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpusbot.extractors.kinds.judgement import Judge, judged
from corpusbot.extractors.kinds.media import gallery, is_live, live_blog, video
from corpusbot.extractors.kinds.notices import error, wall
from corpusbot.extractors.kinds.paywall import stub
from corpusbot.extractors.kinds.signs import Signs, signs_of
from corpusbot.model import Block, CleanPage, Kind

# Text by a site's own rules on a page that says that it is an article: so much of it leaves nothing to ask.
ENOUGH = 600


def beyond_doubt(signs: Signs) -> Kind | None:
    """An article by a site's own rules and by what the page says; then nobody need go through the page."""
    length = sum(signs.paragraphs)
    if not (signs.by_rule and signs.is_said_article and length >= ENOUGH) or signs.is_home or is_live(signs):
        return None
    return Kind("article", 0.99, f"the site's own rules found its text, {len(signs.paragraphs)} paragraphs")


RULES = (beyond_doubt, wall, error, live_blog, gallery, video, stub)


def kind_of(clean: CleanPage, body: Sequence[Block], by_rule: bool = False) -> Kind:
    """The kind of a page by its tree and the body found in it; `by_rule`: a site's own rules found that body."""
    return kind_by(signs_of(clean, body, by_rule))


def kind_by(signs: Signs, judge: Judge | None = None) -> Kind:
    """The kind of a page whose signs are gathered, by the model that ships or another."""
    return next(filter(None, (rule(signs) for rule in RULES)), None) or judged(signs, judge)
