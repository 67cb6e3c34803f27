"""Charts as SVG, written by hand: forest plots, distributions, lines. Readable without colour.

What was found is a filled diamond with a thick line, what was not is an open circle with a thin one. Every
chart is drawn for a width: the page holds one for wide and one for narrow screens, paper the wide one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import assert_never

INK, SOFT, FAINT, MARK = "#1d2430", "#5b6472", "#d9dde3", "#14507a"
FONT = "font-family=\"'Source Sans 3','Helvetica Neue',Arial,'Liberation Sans',sans-serif\""
LETTER = 0.53  # of the height of a letter: how wide it is, about
BOLD = 1.08  # times as wide
NARROW = 520
MOST_BINS = 36
LONGEST = 40  # letters of a label
MINUS = "−"  # as wide as a plus


@dataclass(frozen=True)
class Row:
    """One line of a forest plot."""

    label: str
    value: float
    low: float
    high: float
    found: bool = False
    note: str = ""  # the numbers, as text


@dataclass(frozen=True)
class Forest:
    """Values with intervals, one below the other. `zero`: where no difference would be."""

    unit: str
    rows: tuple[Row, ...]
    zero: float | None = None
    left: str = ""  # what lies on the left of zero
    right: str = ""


@dataclass(frozen=True)
class Distribution:
    """Histograms over a common axis, one below the other."""

    unit: str
    rows: tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True)
class Course:
    """A line over a number of games, with the height it has to fall to."""

    unit: str
    points: tuple[tuple[int, float], ...]
    goal: float


Figure = Forest | Distribution | Course


def draw(figure: Figure, width: int) -> str:
    """The figure as one SVG element."""
    match figure:
        case Forest():
            return _forest(figure, width)
        case Distribution():
            return _distribution(figure, width)
        case Course():
            return _course(figure, width)
        case _:
            assert_never(figure)


def _forest(figure: Forest, width: int) -> str:
    narrow = width < NARROW
    size = 13
    labels = [] if narrow else [_cut(row.label, LONGEST) for row in figure.rows]
    left = 14 if narrow else 16 + max(_wide(label, size) for label in labels)
    notes = max((_wide(row.note, size) for row in figure.rows), default=0)
    right = width - 14 if narrow else width - notes - 22
    low, high = _range(
        [r.low for r in figure.rows] + [r.high for r in figure.rows], figure.zero
    )  # fmt: skip
    scale = _Scale(low, high, left + 6, right - 6)
    step, top = (46, 34) if narrow else (30, 30)
    bottom = top + step * len(figure.rows)
    out = [_grid(scale, top - 6, bottom, figure.unit)]
    if figure.zero is not None:
        x = scale(figure.zero)
        out.append(_line(x, top - 6, x, bottom, INK, 1.2))
        if figure.left:
            out.append(_text(x - 8, 14, f"← {figure.left}", "end", SOFT, 12))
            out.append(_text(x + 8, 14, f"{figure.right} →", "start", SOFT, 12))
    for place, row in enumerate(figure.rows):
        y = top + step * place + step / 2
        if narrow:
            y += 8
            room = int((width - 36 - _wide(row.note, size) * BOLD) / (size * LETTER * BOLD))
            out.append(_text(left, y - 14, _cut(row.label, room), "start", INK, size, row.found))
            out.append(_text(width - 14, y - 14, row.note, "end", INK, size, row.found))
        else:
            out.append(_text(left - 12, y + 4.5, labels[place], "end", INK, size, row.found))
            out.append(_text(width - 6, y + 4.5, row.note, "end", INK, size, row.found))
        out.append(_bar(scale, row, y))
    return _svg(width, bottom + 38, _words_of(figure), out)


def _bar(scale: _Scale, row: Row, y: float) -> str:
    low, high, x = scale(row.low), scale(row.high), scale(row.value)
    thick = 2.6 if row.found else 1.4
    parts = [_line(low, y, high, y, MARK if row.found else SOFT, thick)]
    parts += [
        _line(end, y - 4, end, y + 4, MARK if row.found else SOFT, thick) for end in (low, high)
    ]  # fmt: skip
    if row.found:
        parts.append(f'<path d="M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7z" fill="{MARK}"/>')
    else:
        look = f'fill="#fff" stroke="{SOFT}" stroke-width="1.6"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6" {look}/>')
    return "".join(parts)


def _distribution(figure: Distribution, width: int) -> str:
    narrow = width < NARROW
    size = 13
    labels = [] if narrow else [_cut(label, LONGEST) for label, _ in figure.rows]
    left = 14 if narrow else 16 + max(_wide(label, size) for label in labels)
    right = width - 14 if narrow else width - 150
    bins = bins_of(figure, 16 if narrow else MOST_BINS)
    scale = _Scale(bins[0], bins[-1], left, right)
    step, top = (70, 8) if narrow else (46, 8)
    bottom = top + step * len(figure.rows)
    out = [_grid(scale, top, bottom, figure.unit)]
    tallest = (
        max((max(counts_of(row, bins)) / max(1, len(row)) for _, row in figure.rows), default=1.0) or 1.0
    )
    for place, (label, row) in enumerate(figure.rows):
        y = top + step * (place + 1) - 4
        ordered = sorted(row)
        middle = ordered[(len(ordered) - 1) // 2]
        note = f"median {_signed(middle)}, mean {math.fsum(row) / len(row):.1f}".replace("-", MINUS)
        if narrow:
            out.append(_text(left, y - 46, _cut(label, 30), "start", INK, size))
            out.append(_text(width - 14, y - 46, note, "end", SOFT, 12))
        else:
            out.append(_text(left - 12, y - 8, labels[place], "end", INK, size))
            out.append(_text(width - 6, y - 8, note, "end", SOFT, 12))
        for number, count in enumerate(counts_of(row, bins)):
            tall = 34 * count / len(row) / tallest
            x, end = scale(bins[number]), scale(bins[number + 1])
            if count:
                out.append(
                    f'<rect x="{x:.1f}" y="{y - tall:.1f}" width="{max(1.0, end - x - 1):.1f}" '
                    f'height="{max(0.8, tall):.1f}" fill="{SOFT}"/>'
                )
        x = scale(middle)
        out.append(_line(left, y + 0.5, right, y + 0.5, FAINT, 1))
        out.append(f'<path d="M{x:.1f} {y + 1:.1f}l-4 6h8z" fill="{INK}"/>')
    return _svg(width, bottom + 38, _words_of(figure), out)


def _course(figure: Course, width: int) -> str:
    goal_name = f"wanted: {figure.goal:g}"
    left, right, top, bottom = 44, width - 14 - _wide(goal_name, 12), 16, 190
    most = max(*(height for _, height in figure.points), figure.goal) * 1.15
    last = max(games for games, _ in figure.points)
    first = min(games for games, _ in figure.points)

    def across(games: int) -> float:
        span = math.log(last / first) if last > first else 1.0
        return left + 20 + (right - left - 40) * (math.log(games / first) / span if last > first else 0.5)

    def up(height: float) -> float:
        return bottom - (bottom - top) * height / most

    out = []
    for tick in _ticks(0, most):
        if up(tick) >= top - 1:
            out.append(_line(left, up(tick), right, up(tick), FAINT, 1))
            out.append(_text(left - 6, up(tick) + 4, f"{tick:g}", "end", SOFT, 12))
    goal = up(figure.goal)
    dashes = ' stroke-dasharray="6 4"'
    out.append(_line(left, goal, right, goal, MARK, 1.6, dashes))
    out.append(_text(right + 6, goal + 4, goal_name, "start", MARK, 12))
    path = "L".join(f"{across(games):.1f} {up(height):.1f}" for games, height in figure.points)
    out.append(f'<path d="M{path}" fill="none" stroke="{INK}" stroke-width="2"/>')
    for games, height in figure.points:
        x, y = across(games), up(height)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{INK}"/>')
        out.append(_text(x, y - 10, f"{height:.1f}", "middle", INK, 12))
        out.append(_text(x, bottom + 18, f"{games}", "middle", SOFT, 12))
    below = f"games of each arm; upright: {figure.unit}"
    out.append(_text((left + right) / 2, bottom + 36, below, "middle", SOFT, 12))
    return _svg(width, bottom + 44, _words_of(figure), out)


# ---- parts --------------------------------------------------------------------------------------------
class _Scale:
    def __init__(self, low: float, high: float, left: float, right: float) -> None:
        self.low, self.high, self.left, self.right = low, high, left, right

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.left + (self.right - self.left) * min(1.0, max(0.0, share))


def _grid(scale: _Scale, top: float, bottom: float, unit: str) -> str:
    out = []
    for tick in _ticks(scale.low, scale.high):
        x = scale(tick)
        out.append(_line(x, top, x, bottom, FAINT, 1))
        out.append(_text(x, bottom + 16, _signed(tick), "middle", SOFT, 12))
    middle = (scale.left + scale.right) / 2
    out.append(_text(middle, bottom + 33, unit, "middle", SOFT, 12))
    return "".join(out)


def _range(values: Sequence[float], zero: float | None) -> tuple[float, float]:
    known = [value for value in values if math.isfinite(value)] + ([zero] if zero is not None else [])
    low, high = min(known), max(known)
    room = (high - low) * 0.06 or 1.0
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between two values: five or so."""
    span = (high - low) or 1.0
    size = 10 ** math.floor(math.log10(span / 5))
    step = next(size * factor for factor in (1, 2, 5, 10) if span / (size * factor) <= 6)
    first = math.ceil(low / step)
    return [round(number * step, 10) for number in range(first, math.floor(high / step) + 1)]


def bins_of(figure: Distribution, most: int = MOST_BINS) -> list[float]:
    """Where the bars begin and end, `most` of them at the most. Whole numbers lie in the middle of theirs."""
    values = [value for _, row in figure.rows for value in row]
    low, high = min(values), max(values)
    whole = all(value == int(value) for value in values)
    if whole:
        step: float = math.ceil((high - low + 1) / most)
        low -= 0.5
    else:
        step = (high - low) / most or 1.0
    count = math.floor((high - low) / step) + 1
    return [low + step * i for i in range(count + 1)]


def counts_of(values: Sequence[float], bins: Sequence[float]) -> list[int]:
    counts = [0] * (len(bins) - 1)
    step = bins[1] - bins[0]
    for value in values:
        counts[min(len(counts) - 1, int((value - bins[0]) / step))] += 1
    return counts


def span_of(low: float, high: float) -> str:
    """What a bar holds: `4`, `4 to 6`, and `0.5 to 1.5` where values are no whole numbers."""
    first, last = (low + 0.5, high - 0.5) if low % 1 == high % 1 == 0.5 else (low, high)
    return _signed(first) if first == last else f"{_signed(first)} to {_signed(last)}"


def _svg(width: int, height: float, words: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
        f'height="{height:.0f}" role="img" aria-label="{escape(words, quote=True)}" {FONT}>'
        f"{''.join(parts)}</svg>"
    )


def _words_of(figure: Figure) -> str:
    match figure:
        case Forest(rows=rows):
            return "; ".join(f"{row.label}: {row.note}" for row in rows)
        case Distribution(unit=unit, rows=rows):
            return f"{unit}: " + "; ".join(f"{label}, {len(values)} games" for label, values in rows)
        case Course(unit=unit, points=points):
            return f"{unit}: " + "; ".join(f"{height:.1f} after {games} games" for games, height in points)
        case _:
            assert_never(figure)


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, thick: float, more: str = "") -> str:
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
        f'stroke-width="{thick}"{more}/>'
    )


def _text(
    x: float, y: float, text: str, anchor: str, colour: str, size: int, bold: bool = False
) -> str:  # fmt: skip
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}'
    shown = escape(text)
    # a white edge behind the letters keeps lines of the chart out of them
    edge = f'<text {place} fill="#fff" stroke="#fff" stroke-width="4" stroke-linejoin="round">{shown}</text>'
    return f'{edge}<text {place} fill="{colour}">{shown}</text>'


def _signed(value: float) -> str:
    return f"{value:g}".replace("-", MINUS)


def _wide(text: str, size: int) -> float:
    return len(text) * size * LETTER


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
