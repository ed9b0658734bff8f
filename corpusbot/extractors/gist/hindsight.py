"""The second judgement: each run anew, by how the runs around it, and those like it, were judged the first time.

What stands among runs that are surely content, or is made like them, is rather content too; and only now is it
known where the content begins and ends, how much there is, and how sure the first judgement was.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corpusbot.extractors.gist.choice import best_threshold
from corpusbot.extractors.gist.features import LEVEL_OF, Draft, Table

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
SURE = 0.85
FARTHEST = 50  # runs; what is farther away is just far
WIDTHS = (1, 8, 20)
STEPS = (-2, -1, 1, 2)
LEVELS = 5
MAIN_SHARES = (0.5, 0.8)
# Of the first look's features, what tells one page from another.
AGAIN = ("characters", "kind", "page_length", "page_good_share", "page_link_density")


def seen_again(scores: Floats, draft: Draft, table: Table) -> dict[str, Floats]:
    """The features of each run, by names, for the second judgement."""
    columns = table.columns
    own = scores.astype(np.float64)
    length = columns["characters"].astype(np.float64)
    content = own * length
    of_page, found = _page(scores, columns["characters"], content)
    all_content = max(float(content.sum()), 1e-6)
    found |= {
        "score": own,
        "score_above": own - of_page["best_score"],
        "length_share": length / all_content,
        "content_share": content / all_content,
        "content_before": (np.cumsum(content) - content) / all_content,
        "is_repetition": draft.said_before.astype(np.float64),
    }
    found |= _near(own, content, length)
    found |= _containers(content, length, all_content, draft, table)
    found |= _like(content, length, all_content, draft, table)
    found |= _main(content, length, all_content, draft)
    found |= _sections(own, content, length, draft)
    number = len(own)
    found |= {name: np.full(number, value) for name, value in of_page.items()}
    again = {name: columns[name] for name in (*AGAIN, *(name for name in columns if name.startswith("as_")))}
    return {name: np.asarray(values, np.float32) for name, values in found.items()} | again


def _page(scores: Floats, length: Floats, content: Doubles) -> tuple[dict[str, float], dict[str, Doubles]]:
    """How much content the page seems to have and how sure that is; and how far the next sure run is."""
    all_content = max(float(content.sum()), 1e-6)
    threshold, expected = best_threshold(scores, length)
    likely, sure = scores > 0.5, scores > SURE
    since, until = _gaps(sure)
    of_page = {
        "page_content": all_content,
        "page_content_share": all_content / float(length.sum()),
        "page_likely": float(likely.sum()),
        "page_sure": float(sure.sum()),
        "page_likely_length": float(length[likely].sum()),
        "page_sure_length": float(length[sure].sum()),
        "page_unsure": float((np.minimum(scores, 1 - scores) * length).sum()) / all_content,
        "best_score": threshold,
        "expected": expected,
        "highest": float(scores.max()),
    }
    return of_page, {"since_sure": since, "until_sure": until}


def _near(own: Doubles, content: Doubles, length: Doubles) -> dict[str, Doubles]:
    """The scores of the next runs, and of all that are near, by their lengths."""
    number = len(own)
    padded = np.full(number + 4, -1.0)
    padded[2:-2] = own
    found = {f"score{step:+d}": padded[2 + step : 2 + step + number] for step in STEPS}
    sums = np.zeros((2, number + 1))
    np.cumsum((content, length), axis=1, out=sums[:, 1:])
    rank = np.arange(number)
    for width in WIDTHS:
        around = sums[:, np.minimum(rank + width + 1, number)] - sums[:, np.maximum(rank - width, 0)]
        found[f"near_{width}"] = around[0] / around[1]
    return found


def _containers(
    content: Doubles, length: Doubles, all_content: float, draft: Draft, table: Table
) -> dict[str, Doubles]:
    """How much of each container is content, and how much of all content is in it."""
    sums = _over(np.stack((content, length)), draft)
    levels = [draft.where]
    for _ in range(LEVELS - 1):
        levels.append(table.up[levels[-1]])
    inside, whole = sums[:, np.stack(levels)]
    share, mean = inside / all_content, inside / np.maximum(whole, 1)
    besides = np.where(whole > length, (inside - content) / np.maximum(whole - length, 1), -1)
    found = {f"in_{level}_mean": row for level, row in enumerate(mean)}
    found |= {f"in_{level}_share": row for level, row in enumerate(share) if level}
    return found | {f"in_{level}_besides": besides[level] for level in (1, 2, 4)}


def _like(content: Doubles, length: Doubles, all_content: float, draft: Draft, table: Table) -> dict[str, Doubles]:
    """What runs are judged to be that are made like this one, or have its tag in the same container."""
    inside, whole = (np.bincount(table.alike, each) for each in (content, length))
    inside, whole = inside[table.alike], whole[table.alike]
    codes = table.columns["tag_0"].astype(np.int64) + 1
    _, beside = np.unique(codes * len(draft.tags) + table.up[draft.where], return_inverse=True)
    return {
        "like_mean": inside / np.maximum(whole, 1),
        "like_share": inside / all_content,
        "like_besides": np.where(whole > length, (inside - content) / np.maximum(whole - length, 1), -1),
        "beside_mean": (np.bincount(beside, content) / np.maximum(np.bincount(beside, length), 1))[beside],
    }


def _main(content: Doubles, length: Doubles, all_content: float, draft: Draft) -> dict[str, Doubles]:
    """Where the run is to the smallest container that holds most of the content."""
    number = len(content)
    rank = np.arange(number)
    inside, whole = _over(np.stack((content, length)), draft)
    sizes = draft.lasts - draft.firsts
    found: dict[str, Doubles] = {}
    for share in MAIN_SHARES:
        # The innermost of those that hold as few runs: it comes last.
        large = np.flatnonzero(inside >= share * all_content * 0.999999)
        main = large[::-1][np.argmin(sizes[large[::-1]])]
        first, last = draft.firsts[main], draft.lasts[main]
        found |= {
            f"main_{share}_share": np.full(number, inside[main] / all_content),
            f"main_{share}_mean": np.full(number, inside[main] / max(whole[main], 1.0)),
            f"main_{share}_distance": np.where(rank < first, rank - first, np.maximum(rank - last + 1, 0)),
            f"main_{share}_place": (rank - first) / max(last - first, 1),
        }
    return found


def _sections(own: Doubles, content: Doubles, length: Doubles, draft: Draft) -> dict[str, Doubles]:
    """What is judged of the text between two headings, of the next such text, and of the heading above."""
    is_heading = LEVEL_OF[draft.codes[draft.where]] > 0
    section = np.cumsum(is_heading)
    inside, whole = (np.bincount(section, np.where(is_heading, 0, each)) for each in (content, length))
    mean = inside / np.maximum(whole, 1)
    last = np.maximum.accumulate(np.where(is_heading, np.arange(len(own)), -1))
    return {
        "section_length": whole[section],
        "section_mean": mean[section],
        "section_mean_next": mean[np.minimum(section + 1, section[-1])],
        "heading_score": np.where(last >= 0, own[last], -1),
    }


def _over(values: Doubles, draft: Draft) -> Doubles:
    """The sums of the values of each region's runs, for each row of values."""
    summed = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, out=summed[:, 1:])
    return np.asarray(summed[:, draft.lasts] - summed[:, draft.firsts])


def _gaps(marked: NDArray[np.bool_]) -> tuple[Doubles, Doubles]:
    """How many runs ago the last marked one was, and how many the next one is ahead."""
    rank = np.arange(len(marked), dtype=np.float64)
    last = np.maximum.accumulate(np.where(marked, rank, -FARTHEST))
    ahead = np.minimum.accumulate(np.where(marked, rank, len(marked) + FARTHEST)[::-1])[::-1]
    return np.minimum(rank - last, FARTHEST), np.minimum(ahead - rank, FARTHEST)
