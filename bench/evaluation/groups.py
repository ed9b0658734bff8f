"""Which pages are reported together: by set, by language, by kind of page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from bench.evaluation.figures import Difference, difference, figure
from bench.evaluation.scores import Score

SETS = ("aeb", "newspapers", "np4k", "wcxb articles", "evaldata", "wcxb others", "without spaces")
LEAST_PAGES = 5  # a language of fewer is counted among the others
OTHERS = "other languages"
Groups = dict[str, list[Score]]
BySystem = Mapping[str, Sequence[Score]]


def set_of(score: Score) -> str:
    """The set; of wcxb, its articles or the rest; writings without spaces are apart, for they are counted otherwise."""
    if score.measure == "characters":
        return "without spaces"
    if score.collection == "wcxb":
        return "wcxb articles" if score.page_type == "article" else "wcxb others"
    return score.collection


def by_set(scores: Iterable[Score]) -> Groups:
    """The sets in their usual order, then any others."""
    found = _grouped(scores, set_of)
    return {name: found[name] for name in (*SETS, *sorted(set(found) - set(SETS))) if name in found}


def by_language(scores: Iterable[Score]) -> Groups:
    """Articles by language, the most frequent first; phrases, which are counted otherwise, apart."""
    articles = [score for score in scores if score.page_type == "article"]
    pages = Counter((score.measure == "phrases", score.language) for score in articles)
    found = _grouped(articles, lambda score: _language(score, pages))
    return dict(sorted(found.items(), key=lambda item: (item[1][0].measure == "phrases", -len(item[1]), item[0])))


def _language(score: Score, pages: Mapping[tuple[bool, str], int]) -> str:
    is_phrases = score.measure == "phrases"
    name = score.language if pages[is_phrases, score.language] >= LEAST_PAGES else OTHERS
    if score.measure == "characters":
        return "without spaces"
    return f"{name}, phrases" if is_phrases else name


def by_kind(scores: Iterable[Score]) -> Groups:
    """The kinds of page of the one set that names them."""
    found = _grouped((score for score in scores if score.collection == "wcxb"), lambda score: score.page_type)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def _grouped(scores: Iterable[Score], name_of: Callable[[Score], str]) -> Groups:
    found: Groups = defaultdict(list)
    for score in scores:
        found[name_of(score)].append(score)
    return dict(found)


def best_of(group: str, names: Iterable[str], by_system: BySystem) -> str | None:
    """Which of some extractors does best on a set."""
    figures = {name: figure(own).value for name in names if (own := by_set(by_system[name]).get(group))}
    return max(figures, key=lambda name: figures[name], default=None)


def ahead(group: str, subject: str, peer: str, by_system: BySystem) -> Difference:
    """How far the subject is ahead of a peer on a set."""
    return difference(by_set(by_system[subject])[group], by_set(by_system[peer])[group])
