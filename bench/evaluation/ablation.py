"""What each group of features is worth: the same learning without it, by cross-validation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from bench.evaluation.figures import difference, figure
from bench.evaluation.grids import Grid
from bench.evaluation.groups import by_set
from bench.evaluation.readers import Reader, Readers
from bench.evaluation.scores import Score

WHOLE = "gist"
# A feature belongs to the first group whose pattern its name matches.
GROUPS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(pattern)
        for name, pattern in {
            "neighbours": r".*[+-]\d$",
            "evidence": r"(in_(body|title|description)$|has_body|is_title|repeated|says_|types_|known)",
            "containers": r"c\d_",
            "groups": r"(alike|heading|under_|article|firsts)",
            "tags": r"(tag_|in_)",
            "class words": r"(words_(own|path|depth)|as_)",
            "words of short runs": r"said_",
            "CNR and links": r"(cnr|link|anchors)",
            "position": r"(rank|before|good_|from_|page_|since_|until_|links_within|share_of_longest)",
            "text form": (
                r"(share_|rate_|ends_|starts_|characters|capitals|digits|commas|stops|quotes|marks|lines|word|emphasised"
                r"|kind$|(lower|capital|long|short)_words)"
            ),
        }.items()
    }
)
IN_NONE = "in no group"


def grouped(features: Iterable[str]) -> dict[str, list[str]]:
    """The features of each group, in the order of GROUPS, and those that are in none."""
    found: dict[str, list[str]] = {name: [] for name in (*GROUPS, IN_NONE)}
    for feature in features:
        found[next((name for name, pattern in GROUPS.items() if pattern.match(feature)), IN_NONE)].append(feature)
    return {name: own for name, own in found.items() if own}


def variants(readers: Readers, features: Sequence[str]) -> dict[str, Reader]:
    """Gist as it is, and without each group."""
    found = {WHOLE: readers.learnt()}
    for name, own in grouped(features).items():
        called = f"{WHOLE} without {name}"
        found[called] = readers.learnt(frozenset(own), called)
    return found


def of_ablation(by_system: Mapping[str, Sequence[Score]], features: Sequence[str]) -> Grid:
    """What is lost on each set without each group."""
    sizes = {f"{WHOLE} without {name}": len(own) for name, own in grouped(features).items()}
    whole = by_set(by_system[WHOLE])
    rows = [(WHOLE, str(len(features)), *(f"{figure(own).value:.4f}" for own in whole.values()))]
    for name, scores in by_system.items():
        if name != WHOLE:
            own = by_set(scores)
            lost = (_lost(own[group], whole[group]) for group in whole)
            rows.append((name.removeprefix(f"{WHOLE} "), str(sizes[name]), *lost))
    note = "First row: F1. Others: what leaving the group out changes, with p(it is worse), by draws of sites."
    return Grid("Ablation: groups of features", ("", "features", *whole), tuple(rows), note)


def _lost(own: Sequence[Score], whole: Sequence[Score]) -> str:
    found = difference(own, whole)
    return f"{found.value:+.4f} ({1 - found.p_better:.2f})"
