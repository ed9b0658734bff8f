"""What the model is told of each run: its own form, and the form of all that it stands in and beside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.attributes import Named, name_of, words_in
from corpusbot.extractors.gist.evidence import Evidence, evidence_of
from corpusbot.extractors.gist.groups import alike, in_articles, under_headings
from corpusbot.extractors.gist.roles import WIDEST, by_role, roles_in
from corpusbot.extractors.gist.texts import FORM, forms_of, words_of
from corpusbot.extractors.gist.walk import Outline

Floats = NDArray[np.float32]
_TAGS = (
    "p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "tr", "blockquote", "figcaption",
    "section", "article", "main", "header", "footer", "aside", "nav", "ul", "ol", "dl", "dt", "dd", "form",
    "pre", "figure", "body", "address", "center", "details", "summary", "table", "tbody", "caption", "legend",
    "fieldset",
)  # fmt: skip
TAG_CODES = {tag: code for code, tag in enumerate(_TAGS)}
PATH = (
    "article", "main", "aside", "nav", "footer", "header", "form", "figure", "table", "ul", "li", "blockquote", "dl",
    "section", "figcaption",
)  # fmt: skip
PATH_BIT = {tag: 1 << place for place, tag in enumerate(PATH)}
_BITS = np.array(list(PATH_BIT.values()))[:, None]
KINDS = {"paragraph": 0, "heading": 1, "item": 2, "quote": 3, "caption": 4, "row": 5}
HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Of each tag by its code; the last is for tags that have none.
_BIT_OF = np.array([*(PATH_BIT.get(tag, 0) for tag in _TAGS), 0])
LEVEL_OF = np.array([*(HEADINGS.get(tag, 0) for tag in _TAGS), 0], np.float32)
NEUTRAL = 0.0
LEVELS = 3  # regions around the run's own, each larger


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How much words of attributes, and words of short runs, speak for content: logarithms of odds."""

    attributes: Mapping[str, float]
    texts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Draft:
    """All that is known of a page's runs before words are looked up in the lexicon; `called` is told by `names`."""

    form: Floats
    links: Floats
    kinds: Floats
    evidence: Floats
    said: list[tuple[str, ...]]
    where: NDArray[np.int64]
    parents: NDArray[np.int64]
    tags: list[str]
    codes: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    names: NDArray[np.int64]
    called: list[tuple[str, ...]]
    said_before: NDArray[np.bool_]
    page: tuple[float, ...]


class Table(NamedTuple):
    """The features of each run by their names; the next larger region of each; and which runs are made alike."""

    columns: dict[str, Floats]
    up: NDArray[np.int64]
    alike: NDArray[np.int64]
    roles: NDArray[np.int64]


def draft_of(outline: Outline, evidence: Evidence, forms: Collection[str] = FORM) -> Draft:
    """The draft of a page with some forms; only regions that hold some run are asked what they are called."""
    numbers: dict[Named | None, int] = {None: 0}
    regions = zip(outline.tags, outline.elements, outline.firsts, outline.lasts, strict=True)
    names = [
        numbers.setdefault(name_of(element, tag), len(numbers)) if first != last else 0
        for tag, element, first, last in regions
    ]
    called: dict[tuple[str, ...], int] = {}
    words = [called.setdefault(words, len(called)) for words in ((), *words_in(list(filter(None, numbers))))]
    runs = outline.runs
    texts, kinds, where, *links = zip(*runs, strict=True)
    return Draft(
        form=forms_of(texts, forms),
        links=np.array(links, np.float32).T,
        kinds=np.array([KINDS[kind] for kind in kinds], np.float32),
        evidence=evidence_of(runs, evidence),
        said=words_of(texts),
        where=np.array(where),
        parents=np.array(outline.parents),
        tags=outline.tags,
        codes=np.array([TAG_CODES.get(tag, -1) for tag in outline.tags]),
        firsts=np.array(outline.firsts),
        lasts=np.array(outline.lasts),
        names=np.array(words)[names],
        called=list(called),
        said_before=_said_before(texts),
        page=evidence.page,
    )


def _said_before(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which runs repeat one that came before."""
    firsts: dict[str, int] = {}
    return np.array([firsts.setdefault(text, place) != place for place, text in enumerate(texts)])


def table_of(draft: Draft, lexicon: Lexicon) -> Table:
    """All that the first judgement asks of each run."""
    columns = _own(draft)
    good = _good(columns)
    regions = _regions(draft, lexicon)
    columns |= _said(draft, lexicon)
    columns |= _path(draft, regions)
    columns |= _containers(draft, regions, columns, good)
    columns |= _places(columns, good, draft)
    around = np.maximum(draft.parents[draft.where], 0)
    names = regions.names[draft.where] * len(draft.tags) + regions.names[around]
    _, like = np.unique(names, return_inverse=True)
    columns |= _groups(draft, regions, columns, good, like)
    columns |= _neighbours(columns)
    roles = regions.bits[draft.where] >> len(PATH)
    columns |= by_role(roles, good)
    return Table(columns, regions.up, like, roles)


def _own(draft: Draft) -> dict[str, Floats]:
    """What the run is by itself."""
    columns = dict(zip(FORM, draft.form.T, strict=True))
    length, words = columns["characters"], np.maximum(columns["words"], 1)
    linked, anchors, weight, emphasised = draft.links.T
    for name in ("lower_words", "capital_words", "long_words", "short_words"):
        columns["share_" + name] = columns[name] / words
    for name in ("capitals", "digits", "commas", "marks", "stops", "quotes"):
        columns["rate_" + name] = columns[name] / length
    columns["word_length"] = length / words
    columns["linked"] = linked
    columns["emphasised"] = np.minimum(emphasised / length, 1)
    columns["anchors"] = anchors
    columns["link_density"] = np.minimum(linked / length, 1)
    columns["cnr"] = np.maximum(length - linked, 0) / np.maximum(weight, 1)
    columns["kind"] = draft.kinds
    return columns | dict(zip(Evidence.COLUMNS, draft.evidence.T, strict=True))


def _good(columns: Mapping[str, Floats]) -> Floats:
    """The characters of runs that look like sentences outside of links; none of the others."""
    running = (columns["lower_words"] >= 6) | ((columns["word_length"] > 12) & (columns["characters"] >= 40))
    return np.where(running & (columns["link_density"] < 0.35), columns["characters"], 0)


@dataclass(frozen=True, slots=True)
class _Regions:
    """For each region: the next larger one around it, its name's number, and what is told of its path by _SCORES.

    Of the path also the tags and roles as bits, and the outermost ARTICLE.
    """

    up: NDArray[np.int64]
    names: NDArray[np.int64]
    bits: NDArray[np.int64]
    articles: NDArray[np.int64]
    scores: Floats


_SCORES = ("own_least", "own_most", "own_sum", "path_least", "path_most", "path_sum", "depth")
_FADING = 0.7  # how much of what the words around a region say is left inside


def _regions(draft: Draft, lexicon: Lexicon) -> _Regions:
    """What is around each region: with every step, as far again as with all steps before."""
    number = len(draft.tags)
    names, own, roles = _named(draft, lexicon)
    # The last one, which is around all others, says nothing.
    parent = np.append(draft.parents, number)
    parent[parent < 0] = number
    extremes = np.stack((-own[0], own[1]))
    sums = np.stack((own[2], np.ones(number + 1)))
    sums[:, number] = 0
    bits = np.append(_BIT_OF[draft.codes], 0)
    bits[:number] |= np.where(draft.lasts - draft.firsts <= WIDEST * len(draft.said), roles << len(PATH), 0)
    articles = np.append(np.where(draft.codes == TAG_CODES["article"], np.arange(number), number), number)
    around, fading = parent, np.array([[_FADING], [1.0]])
    while (around < number).any():
        extremes = np.maximum(extremes, extremes[:, around])
        sums += fading * sums[:, around]
        bits |= bits[around]
        articles = np.minimum(articles, articles[around])
        around, fading = around[around], fading * fading
    scores = np.stack((*own, -extremes[0], extremes[1], *sums)).astype(np.float32)[:, :number]
    articles[articles == number] = -1
    return _Regions(_larger(draft, parent), names, bits[:number], articles[:number], scores)


def _named(draft: Draft, lexicon: Lexicon) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """For each region the number of its words, what they say (the least, the most, and the sum), and its roles."""
    said, _ = _scored(draft.called, lexicon.attributes)
    roles = np.array([roles_in(words) for words in draft.called])
    return draft.names, np.append(said[:, draft.names], np.full((3, 1), NEUTRAL), axis=1), roles[draft.names]


def _larger(draft: Draft, parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each region the innermost one around it that holds more runs; the root's is the root."""
    number = len(draft.tags)
    inner = np.where(parent < number, parent, np.arange(number + 1))[:number]
    same = (draft.firsts[inner] == draft.firsts) & (draft.lasts[inner] == draft.lasts)
    outermost = np.where(same, inner, np.arange(number))
    while not np.array_equal(outermost, further := outermost[outermost]):
        outermost = further
    return inner[outermost]


def _scored(said: Sequence[Sequence[str]], scores: Mapping[str, float]) -> tuple[NDArray[np.float64], Floats]:
    """The least, the greatest and the sum of the scores of each one's words; and the score of its first word."""
    number = len(said)
    lengths = np.fromiter(map(len, said), np.int64, number)
    found = np.fromiter(map(scores.get, chain(chain.from_iterable(said), ("",)), repeat(nan)), np.float64)
    is_known = ~np.isnan(found)
    owners = np.append(np.repeat(np.arange(number), lengths), number)[is_known]
    known = found[is_known]
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    result = np.full((3, number), NEUTRAL)
    if len(known):
        for row, combined in zip(result, (np.minimum, np.maximum, np.add), strict=True):
            row[owners[firsts]] = combined.reduceat(known, firsts)
    whole = np.where(lengths > 0, found[np.cumsum(lengths) - lengths], NEUTRAL)
    return result, np.nan_to_num(whole, nan=NEUTRAL).astype(np.float32)


def _said(draft: Draft, lexicon: Lexicon) -> dict[str, Floats]:
    """What the words of short runs speak for."""
    scores, whole = _scored(draft.said, lexicon.texts)
    least, most, total = scores.astype(np.float32)
    return {"said_least": least, "said_most": most, "said_sum": total, "said_whole": whole}


def _path(draft: Draft, regions: _Regions) -> dict[str, Floats]:
    """Tags and words on the way from the root."""
    where = draft.where
    parents = np.maximum(draft.parents, 0)
    codes = draft.codes.astype(np.float32)
    inside = (regions.bits[where] & _BITS > 0).astype(np.float32)
    columns = {f"in_{tag}": row for tag, row in zip(PATH, inside, strict=True)}
    columns |= {f"words_{name}": row for name, row in zip(_SCORES, regions.scores[:, where], strict=True)}
    outer = parents[where]
    for level in (1, 2):
        columns[f"tag_{level}"] = codes[outer]
        of_outer = regions.scores[:3, outer]
        for place in range(3):
            columns[f"words_{_SCORES[place]}_{level}"] = of_outer[place]
        outer = parents[outer]
    columns["tag_0"] = codes[where]
    return columns


def _containers(draft: Draft, regions: _Regions, columns: Mapping[str, Floats], good: Floats) -> dict[str, Floats]:
    """The run's regions, each larger than the one before, as CNR and its kin see them."""
    summed = {
        "characters": columns["characters"], "linked": draft.links[:, 0], "weight": draft.links[:, 2], "good": good,
        "ends": columns["ends_stop"] * columns["characters"], "headings": (columns["kind"] == 1).astype(np.float32),
        "commas": columns["commas"], "known": columns["in_body"] * columns["characters"],
    }  # fmt: skip
    levels = [regions.up[draft.where]]
    for _ in range(LEVELS - 1):
        levels.append(regions.up[levels[-1]])
    level = np.stack(levels)
    total = dict(zip(summed, _over(np.stack(list(summed.values())), draft)[:, level], strict=True))
    first, number = draft.firsts[level], np.maximum((draft.lasts - draft.firsts)[level], 1)
    everything, all_good = max(float(columns["characters"].sum()), 1.0), max(float(good.sum()), 1.0)
    length = np.maximum(total["characters"], 1)
    found = {
        "length": length,
        "share": length / everything,
        "good": total["good"] / all_good,
        "good_density": total["good"] / length,
        "link_density": total["linked"] / length,
        "cnr": (length - total["linked"]) / np.maximum(total["weight"], 1),
        "runs": number,
        "mean": length / number,
        "ends": total["ends"] / length,
        "headings": total["headings"],
        "commas": total["commas"] / length,
        "known": total["known"] / length,
        "place": (np.arange(len(good)) - first) / number,
    }
    return {
        f"c{place + 2}_{name}": row
        for name, values in found.items()
        for place, row in enumerate(values.astype(np.float32))
    }


def _groups(
    draft: Draft, regions: _Regions, columns: Mapping[str, Floats], good: Floats, like: NDArray[np.int64]
) -> dict[str, Floats]:
    """Runs that are made alike, headings, articles, and what the page says it is."""
    levels = LEVEL_OF[draft.codes[draft.where]]
    found = alike(like, columns, good, "alike")
    found |= under_headings(columns, levels)
    found |= in_articles(regions.articles[draft.where], good)
    said = zip(Evidence.PAGE, draft.page, strict=True)
    return found | {name: np.full(len(good), value, np.float32) for name, value in said}


def _over(values: Floats, draft: Draft) -> NDArray[np.float64]:
    """The sums of the values of each region's runs, for each row of values."""
    summed = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, dtype=np.float64, out=summed[:, 1:])
    return np.asarray(summed[:, draft.lasts] - summed[:, draft.firsts])


def _places(columns: Mapping[str, Floats], good: Floats, draft: Draft) -> dict[str, Floats]:
    """Where on the page the run stands, and what is near it and far from it."""
    number = len(good)
    rank = np.arange(number)
    length = columns["characters"]
    before = np.cumsum(length) - length
    good_before = np.cumsum(good) - good
    total, all_good = max(float(length.sum()), 1.0), max(float(good.sum()), 1.0)
    titles = np.flatnonzero(columns["is_title"] > 0)
    title = titles[0] if len(titles) else -1
    found = {
        "rank": rank,
        "rank_from_end": number - rank,
        "rank_share": rank / number,
        "before": before / total,
        "good_before": good_before / all_good,
        "good_after": 1 - (good_before + good) / all_good,
        "from_title": rank - title if title >= 0 else np.full(number, -999),
        "page_runs": np.full(number, number),
        "page_length": np.full(number, total),
        "page_good": np.full(number, all_good),
        "page_good_share": np.full(number, all_good / total),
        "page_link_density": np.full(number, float(draft.links[:, 0].sum()) / total),
        "share_of_longest": length / float(length.max()),
    }
    found |= _within(good, columns["linked"], length)
    found["since_good"], found["until_good"] = _gaps(good > 0)
    return {name: np.asarray(values, np.float32) for name, values in found.items()}


def _within(good: Floats, linked: Floats, length: Floats) -> dict[str, Floats]:
    """How much good text is near, and how much of what is nearer is linked."""
    number = len(good)
    summed = np.zeros((3, number + 1))
    np.cumsum((good, linked, length), axis=1, dtype=np.float64, out=summed[:, 1:])
    rank = np.arange(number)
    found = {}
    for width in (2, 5, 12):
        upper, lower = np.minimum(rank + width + 1, number), np.maximum(rank - width, 0)
        around = (summed[:, upper] - summed[:, lower]).astype(np.float32)
        found[f"good_within_{width}"] = around[0]
        if width < 12:
            found[f"links_within_{width}"] = around[1] / around[2]
    return found


def _gaps(marked: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How many runs ago the last marked one was, and how many the next one is ahead."""
    rank = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, rank, -99))
    ahead = np.minimum.accumulate(np.where(marked, rank, len(marked) + 99)[::-1])[::-1]
    return np.asarray(rank - last, np.float32), np.asarray(ahead - rank, np.float32)


_OF_NEIGHBOURS = ("cnr", "share_lower_words", "words_path_sum", "said_sum")


def _neighbours(columns: Mapping[str, Floats]) -> dict[str, Floats]:
    """What the two runs before and the two after are."""
    found: dict[str, Floats] = {}
    of_runs = np.stack([columns[name] for name in _OF_NEIGHBOURS])
    for step in (-2, -1, 1, 2):
        moved = _shifted(of_runs, step)
        found |= {f"{name}{step:+d}": row for name, row in zip(_OF_NEIGHBOURS, moved, strict=True)}
    return found


def _shifted(values: Floats, step: int) -> Floats:
    """The values of the runs so many places on; -1 where there are none."""
    moved = np.full_like(values, -1)
    if abs(step) < values.shape[-1]:
        if step > 0:
            moved[..., :-step] = values[..., step:]
        else:
            moved[..., -step:] = values[..., :step]
    return moved
