"""Charts as SVG: a dot for each figure, and a line for where chance may put it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, ROW, TOP, LEFT, RIGHT = 460, 24, 26, 150, 70
LETTERS = 21  # of a label that has room
TICKS = 4
ROOM = 0.25  # below the best: what is worse stands at the edge, so that those that matter are told apart


@dataclass(frozen=True, slots=True)
class Dot:
    """A figure with its interval; ours are set off from the others."""

    label: str
    value: float
    least: float
    most: float
    is_ours: bool = False


def dots(title: str, rows: Sequence[Dot], zero: float | None = None, sign: str = "") -> str:
    """A row for each figure on one scale; a line at zero if one is named. The title is for those who do not see it."""
    middle = [] if zero is None else [zero]
    high = max([row.most for row in rows] + middle)
    best = max(row.value for row in rows)
    low = min([row.least for row in rows] + middle)
    if zero is None:
        low = max(low, best - ROOM)
    scale = _Scale(low, high if high > low else low + 0.01)
    height = TOP + ROW * len(rows) + 6
    inside = "".join((*_axis(scale, height, sign), *_zero(scale, zero, height), *_rows(rows, scale, sign)))
    name = escape(title, quote=True)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{name}">{inside}</svg>'


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value stands; one that is off the scale, at its beginning."""
        room = WIDTH - LEFT - RIGHT
        return round(LEFT + room * max(0.0, value - self.low) / (self.high - self.low), 1)


def _axis(scale: _Scale, height: int, sign: str) -> Iterator[str]:
    for number in range(TICKS + 1):
        value = scale.low + (scale.high - scale.low) * number / TICKS
        at = scale.at(value)
        yield f'<line class="tick" x1="{at}" x2="{at}" y1="{TOP - 6}" y2="{height - 4}"/>'
        yield f'<text class="small" x="{at}" y="12" text-anchor="middle">{value:{sign}.2f}</text>'


def _zero(scale: _Scale, zero: float | None, height: int) -> Iterator[str]:
    if zero is not None:
        yield f'<line class="zero" x1="{scale.at(zero)}" x2="{scale.at(zero)}" y1="{TOP - 6}" y2="{height - 4}"/>'


def _rows(rows: Sequence[Dot], scale: _Scale, sign: str) -> Iterator[str]:
    for number, row in enumerate(rows):
        middle = TOP + ROW * number + ROW // 2
        label = row.label if len(row.label) <= LETTERS else f"{row.label[: LETTERS - 1]}…"
        inside = (
            f'<text x="{LEFT - 12}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>'
            f"{_mark(row, scale, middle)}"
            f'<text x="{WIDTH}" y="{middle + 4}" text-anchor="end">{row.value:{sign}.3f}</text>'
        )
        yield f'<g class="{"ours" if row.is_ours else "other"}">{inside}</g>'


def _mark(row: Dot, scale: _Scale, middle: int) -> str:
    """A dot with its line; an arrow for a figure that is off the scale."""
    start, end = scale.at(row.least), scale.at(row.most)
    line = f'<line class="span" x1="{start}" x2="{end}" y1="{middle}" y2="{middle}"/>' if end > start else ""
    if row.value < scale.low:
        return f'{line}<path d="M{LEFT - 4} {middle}l8 -5v10z"/>'
    return f'{line}<circle cx="{scale.at(row.value)}" cy="{middle}" r="5"/>'
