"""What a page is: an article, or one of the other things that a newspaper's addresses lead to.

What a page says of itself, or has the unmistakable form of, is told by rules: walls and errors, live blogs,
galleries, films, pay-walled beginnings. Whether the others are articles, collections of links or something else
is told by a small model, learnt from real pages.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpusbot.extractors.gist.walk import Outline, outlined
from corpusbot.extractors.kinds.judgement import Judge, judged
from corpusbot.extractors.kinds.media import gallery, live_blog, video
from corpusbot.extractors.kinds.notices import error, wall
from corpusbot.extractors.kinds.paywall import stub
from corpusbot.extractors.kinds.signs import Signs, signs_of
from corpusbot.model import Block, CleanPage, Kind

RULES = (wall, error, live_blog, gallery, video, stub)


def kind_of(
    clean: CleanPage, body: Sequence[Block], outline: Outline | None = None, by_rule: bool = False
) -> Kind:
    """The kind of a page by its tree and the body found in it; `by_rule`: a site's own rules found that body."""
    return kind_by(signs_of(clean, body, outline or outlined(clean.tree), by_rule))


def kind_by(signs: Signs, judge: Judge | None = None) -> Kind:
    """The kind of a page whose signs are gathered, by the model that ships or another."""
    return next(filter(None, (rule(signs) for rule in RULES)), None) or judged(signs, judge)
