"""What the model is told of each run: its own form, and the form of all that it stands in and beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.attributes import attributes_of, words_in
from corpusbot.extractors.gist.evidence import Evidence, evidence_of
from corpusbot.extractors.gist.groups import alike, in_articles, under_headings
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
KINDS = {"paragraph": 0, "heading": 1, "item": 2, "quote": 3, "caption": 4, "row": 5}
HEADINGS = {f"h{level}": level for level in range(1, 7)}
NEUTRAL = 0.0
LEVELS = 4  # the run's region, and three that are each larger


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How much words of attributes, and words of short runs, speak for content: logarithms of odds."""

    attributes: Mapping[str, float]
    texts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Draft:
    """All that is known of a page's runs before words are looked up in the lexicon."""

    form: Floats
    links: Floats
    kinds: Floats
    evidence: Floats
    said: list[tuple[str, ...]]
    where: NDArray[np.int64]
    parents: list[int]
    tags: list[str]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    called: list[tuple[str, ...]]
    page: tuple[float, ...]


def draft_of(outline: Outline, evidence: Evidence) -> Draft:
    """The draft of a page; only regions that hold some run are asked what they are called."""
    known: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[str, ...]] = {}
    called: list[tuple[str, ...]] = []
    for tag, element, first, last in zip(outline.tags, outline.elements, outline.firsts, outline.lasts, strict=True):
        if first == last:
            called.append(())
            continue
        key = (tag, attributes_of(element))
        words = known.get(key)
        if words is None:
            words = known[key] = words_in(*key)
        called.append(words)
    runs = outline.runs
    return Draft(
        form=forms_of([run.text for run in runs]),
        links=np.array([run[3:7] for run in runs], np.float32),
        kinds=np.array([KINDS[run.kind] for run in runs], np.float32),
        evidence=evidence_of(runs, evidence),
        said=[words_of(run.text) for run in runs],
        where=np.array([run.region for run in runs]),
        parents=outline.parents,
        tags=outline.tags,
        firsts=np.array(outline.firsts),
        lasts=np.array(outline.lasts),
        called=called,
        page=evidence.page,
    )


def table_of(draft: Draft, lexicon: Lexicon) -> dict[str, Floats]:
    """The features of each run by their names."""
    columns = _own(draft)
    good = _good(columns)
    regions = _regions(draft, lexicon)
    columns |= _said(draft, lexicon)
    columns |= _path(draft, regions)
    columns |= _containers(draft, regions, columns, good)
    columns |= _places(columns, good, draft)
    columns |= _groups(draft, regions, columns, good)
    columns |= _neighbours(columns, regions.up[draft.where])
    return columns


def matrix_of(draft: Draft, lexicon: Lexicon, names: Sequence[str] | None = None) -> tuple[tuple[str, ...], Floats]:
    """The features as a matrix, a row for each run."""
    columns = table_of(draft, lexicon)
    chosen = tuple(names or columns)
    return chosen, np.column_stack([columns[name] for name in chosen]).astype(np.float32)


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
    """For each region: the next larger one around it, tags on its path, and what the words on its path say."""

    up: NDArray[np.int64]
    bits: NDArray[np.int64]
    articles: NDArray[np.int64]
    scores: Floats


_SCORES = ("own_least", "own_most", "own_sum", "path_least", "path_most", "path_sum", "depth")


def _regions(draft: Draft, lexicon: Lexicon) -> _Regions:
    """One pass from the root down."""
    known: dict[tuple[str, ...], tuple[float, float, float]] = {}
    up: list[int] = []
    bits: list[int] = []
    articles: list[int] = []
    rows: list[tuple[float, ...]] = []
    outermost = (0.0,) * len(_SCORES)
    for number, (parent, tag, words, first, last) in enumerate(
        zip(draft.parents, draft.tags, draft.called, draft.firsts.tolist(), draft.lasts.tolist(), strict=True)
    ):
        around = rows[parent] if parent >= 0 else outermost
        if first == last:
            up.append(max(parent, 0))
            bits.append(0)
            articles.append(-1)
            rows.append(around)
            continue
        least, most, total = known.get(words) or known.setdefault(words, _scored(words, lexicon.attributes))
        same = parent >= 0 and draft.firsts[parent] == first and draft.lasts[parent] == last
        up.append(number if parent < 0 else up[parent] if same else parent)
        bits.append((bits[parent] if parent >= 0 else 0) | PATH_BIT.get(tag, 0))
        outer = articles[parent] if parent >= 0 else -1
        articles.append(number if outer < 0 and tag == "article" else outer)
        rows.append(
            (least, most, total, min(least, around[3]), max(most, around[4]), total + 0.7 * around[5], around[6] + 1)
        )
    return _Regions(np.array(up), np.array(bits), np.array(articles), np.array(rows, np.float32))


def _scored(words: Sequence[str], scores: Mapping[str, float]) -> tuple[float, float, float]:
    """The least, the greatest and the sum of some words' scores."""
    found = [scores[word] for word in words if word in scores]
    return (min(found), max(found), sum(found)) if found else (NEUTRAL, NEUTRAL, NEUTRAL)


def _said(draft: Draft, lexicon: Lexicon) -> dict[str, Floats]:
    """What the words of short runs speak for."""
    rows = np.array([_scored(words, lexicon.texts) for words in draft.said], np.float32)
    first = [words[0] if words else "" for words in draft.said]
    whole = np.array([lexicon.texts.get(word, NEUTRAL) for word in first], np.float32)
    return {"said_least": rows[:, 0], "said_most": rows[:, 1], "said_sum": rows[:, 2], "said_whole": whole}


def _path(draft: Draft, regions: _Regions) -> dict[str, Floats]:
    """Tags and words on the way from the root."""
    where = draft.where
    parents = np.maximum(np.array(draft.parents), 0)
    codes = np.array([TAG_CODES.get(tag, -1) for tag in draft.tags], np.float32)
    columns = {f"in_{tag}": ((regions.bits[where] & bit) > 0).astype(np.float32) for tag, bit in PATH_BIT.items()}
    columns |= {f"words_{name}": regions.scores[where, place] for place, name in enumerate(_SCORES)}
    outer = parents[where]
    for level in (1, 2):
        columns[f"tag_{level}"] = codes[outer]
        for place in range(3):
            columns[f"words_{_SCORES[place]}_{level}"] = regions.scores[outer, place]
        outer = parents[outer]
    columns["tag_0"] = codes[where]
    return columns


def _containers(
    draft: Draft, regions: _Regions, columns: Mapping[str, Floats], good: Floats
) -> dict[str, Floats]:
    """The run's regions, each larger than the one before, as CNR and its kin see them."""
    summed = {
        "characters": columns["characters"], "linked": draft.links[:, 0], "weight": draft.links[:, 2], "good": good,
        "ends": columns["ends_stop"] * columns["characters"], "headings": (columns["kind"] == 1).astype(np.float32),
        "commas": columns["commas"], "known": columns["in_body"] * columns["characters"],
    }  # fmt: skip
    sums = {name: _over(values, draft) for name, values in summed.items()}
    levels = [draft.where]
    for _ in range(LEVELS - 1):
        levels.append(regions.up[levels[-1]])
    level = np.stack(levels)
    total = {name: values[level] for name, values in sums.items()}
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
        f"c{place + 1}_{name}": values[place].astype(np.float32)
        for name, values in found.items()
        for place in range(LEVELS)
    }


def _groups(
    draft: Draft, regions: _Regions, columns: Mapping[str, Floats], good: Floats
) -> dict[str, Floats]:
    """Runs that are made alike, headings, articles, and what the page says it is."""
    where = draft.where.tolist()
    parents, called = draft.parents, draft.called
    inner = [(called[place], called[max(parents[place], 0)]) for place in where]
    levels = np.array([HEADINGS.get(draft.tags[place], 0) for place in where], np.float32)
    found = alike(inner, columns, good, "alike")
    found |= under_headings(columns, levels)
    found |= in_articles(regions.articles[draft.where], good)
    said = zip(Evidence.PAGE, draft.page, strict=True)
    return found | {name: np.full(len(good), value, np.float32) for name, value in said}


def _over(values: Floats, draft: Draft) -> NDArray[np.float64]:
    """The sum of the values of each region's runs."""
    summed = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    return np.asarray(summed[draft.lasts] - summed[draft.firsts])


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
    found |= {f"good_within_{width}": _around(good, width) for width in (2, 5, 12)}
    found |= {f"links_within_{width}": _around(columns["linked"], width) / _around(length, width) for width in (2, 5)}
    found["since_good"], found["until_good"] = _gaps(good > 0)
    return {name: np.asarray(values, np.float32) for name, values in found.items()}


def _around(values: Floats, width: int) -> Floats:
    """The sum of the values of a run and those around it."""
    summed = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    rank = np.arange(len(values))
    upper, lower = np.minimum(rank + width + 1, len(values)), np.maximum(rank - width, 0)
    return np.asarray(summed[upper] - summed[lower], np.float32)


def _gaps(marked: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How many runs ago the last marked one was, and how many the next one is ahead."""
    rank = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, rank, -99))
    ahead = np.minimum.accumulate(np.where(marked, rank, len(marked) + 99)[::-1])[::-1]
    return np.asarray(rank - last, np.float32), np.asarray(ahead - rank, np.float32)


_OF_NEIGHBOURS = (
    "characters", "link_density", "cnr", "ends_stop", "share_lower_words", "kind", "words_path_sum", "said_sum",
)  # fmt: skip


def _neighbours(columns: Mapping[str, Floats], up: NDArray[np.int64]) -> dict[str, Floats]:
    """What the two runs before and the two after are."""
    found: dict[str, Floats] = {}
    for step in (-2, -1, 1, 2):
        for name in _OF_NEIGHBOURS:
            found[f"{name}{step:+d}"] = _shifted(columns[name], step)
        found[f"together{step:+d}"] = (_shifted(up, step) == up).astype(np.float32)
    return found


Numbers = TypeVar("Numbers", Floats, NDArray[np.int64])


def _shifted(values: Numbers, step: int) -> Numbers:
    """The values of the runs so many places on; -1 where there are none."""
    moved = np.full_like(values, -1)
    if abs(step) < len(values):
        if step > 0:
            moved[:-step] = values[step:]
        else:
            moved[-step:] = values[:step]
    return moved
