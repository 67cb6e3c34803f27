"""Finding room for texts and counters: a raster of what is there, and the cheapest place for a rectangle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, repeat, takewhile

from rulesdsl.drawing.map.layout import Rectangle
from rulesdsl.drawing.shapes.geometry import Point, length_of, points_along

STEP = 4.0
_PAPER = 0.5  # the share of its cost that a square outside of everything has


class Room:
    """The sheet in squares of four units, each with the cost of covering it."""

    def __init__(self, width: float, height: float) -> None:
        self.columns = max(1, math.ceil(width / STEP))
        self.rows = max(1, math.ceil(height / STEP))
        self._costs = [[0.0] * self.columns for _ in range(self.rows)]
        self._land = [bytearray(self.columns) for _ in range(self.rows)]

    def claim(self, outline: Sequence[Point]) -> None:
        """A space of the map: what belongs to another must not be covered, empty paper may be."""
        ys = [p[1] for p in outline]
        for row in range(max(0, int(min(ys) / STEP)), min(self.rows, math.ceil(max(ys) / STEP))):
            for a, b in _inside(outline, (row + 0.5) * STEP, 0):
                for column in range(max(0, int(a / STEP)), min(self.columns, math.ceil(b / STEP))):
                    self._land[row][column] = 1

    def block(self, rectangle: Rectangle, cost: float) -> None:
        left, top, width, height = rectangle
        for row in range(max(0, int(top / STEP)), min(self.rows, math.ceil((top + height) / STEP))):
            for column in range(
                max(0, int(left / STEP)), min(self.columns, math.ceil((left + width) / STEP))
            ):
                self._costs[row][column] += cost

    def block_line(self, line: Sequence[Point], half_width: float, cost: float) -> None:
        seen: set[tuple[int, int]] = set()
        reach = max(0, round(half_width / STEP))
        around = range(-reach, reach + 1)
        for row, column in _squares_of(line):
            seen |= {(row + dy, column + dx) for dx in around for dy in around}
        for row, column in seen:
            if 0 <= row < self.rows and 0 <= column < self.columns:
                self._costs[row][column] += cost

    def cost_along(self, line: Sequence[Point]) -> float:
        """What it costs to write along a line; beyond the map a name would look lost."""
        cost = 0.0
        for row, column in _squares_of(line):
            if 0 <= row < self.rows and 0 <= column < self.columns:
                cost += self._costs[row][column] + (0 if self._land[row][column] else 4)
        return cost

    def place(
        self,
        outline: Sequence[Point],
        width: float,
        height: float,
        near: Point,
        outside: float,
        pull: float = 0.01,
    ) -> tuple[Rectangle, float]:
        """Where a rectangle fits best into an outline, and what it costs to put it there.

        A square of the rectangle beyond the outline costs `outside`, much less where there is only paper;
        each unit of distance from `near` costs `pull` per square, so that of two free places the nearer wins.
        """
        window = _Window(self._costs, self._land, outline, outside, width, height)
        across, down = max(1, math.ceil(width / STEP)), max(1, math.ceil(height / STEP))
        best: tuple[float, int, int] | None = None
        for row in range(window.top, window.bottom - down + 1):
            for column, cost in enumerate(window.sums(row, down, across), window.left):
                if best is not None and cost >= best[0]:
                    continue
                x, y = (column + across / 2) * STEP, (row + down / 2) * STEP
                cost += pull * across * down * math.dist((x, y), near) / 10
                if best is None or cost < best[0]:
                    best = (cost, row, column)
        if best is None:
            return (near[0] - width / 2, near[1] - height / 2, width, height), math.inf
        cost, row, column = best
        left = column * STEP + (across * STEP - width) / 2
        top = row * STEP + (down * STEP - height) / 2
        return (left, top, width, height), window.sum(row, column, down, across)


class _Window:
    """The part of the raster around an outline, with sums that answer for any rectangle at once."""

    def __init__(
        self,
        costs: list[list[float]],
        land: list[bytearray],
        outline: Sequence[Point],
        outside: float,
        width: float,
        height: float,
    ) -> None:
        xs, ys = [p[0] for p in outline], [p[1] for p in outline]
        self.left = max(0, int((min(xs) - width / 3) / STEP))
        self.right = min(len(costs[0]), math.ceil((max(xs) + width / 3) / STEP))
        self.top = max(0, int((min(ys) - height / 3) / STEP))
        self.bottom = min(len(costs), math.ceil((max(ys) + height / 3) / STEP))
        self._sums = [[0.0] * (self.right - self.left + 1)]
        for row in range(self.top, self.bottom):
            prices = [
                cost + (outside if taken else outside * _PAPER)
                for cost, taken in zip(
                    costs[row][self.left : self.right], land[row][self.left : self.right], strict=True
                )
            ]
            for start, end in _inside(outline, (row + 0.5) * STEP, STEP):
                first = max(0, math.ceil(start / STEP - 0.5) - self.left)
                last = min(len(prices) - 1, math.floor(end / STEP - 0.5) - self.left)
                for column in range(first, last + 1):
                    prices[column] = costs[row][self.left + column]
            sums = accumulate(prices, initial=0.0)
            self._sums.append([total + above for total, above in zip(sums, self._sums[-1], strict=True)])

    def sums(self, row: int, down: int, across: int) -> list[float]:
        """`sum` for every column of a row at once: the search for a place asks for nothing more often."""
        low, high = self._sums[row - self.top], self._sums[row - self.top + down]
        ends = zip(high[across:], high, low[across:], low, strict=False)
        return [b - a - d + c for b, a, d, c in ends]

    def sum(self, row: int, column: int, down: int, across: int) -> float:
        top, left = row - self.top, column - self.left
        low, high = self._sums[top], self._sums[top + down]
        return high[left + across] - high[left] - low[left + across] + low[left]


def _squares_of(line: Sequence[Point]) -> Iterator[tuple[int, int]]:
    """Row and column of the squares on a line, in small steps."""
    steps = accumulate(repeat(STEP), initial=0.0)
    total = length_of(line)
    for x, y in points_along(line, takewhile(lambda walked: walked <= total, steps)):
        yield int(y / STEP), int(x / STEP)


def _inside(outline: Sequence[Point], y: float, margin: float) -> list[tuple[float, float]]:
    """The parts of the line at height `y` that are inside, and at least `margin` away from the outline."""
    crossings: list[float] = []
    before = outline[-1]
    for here in outline:
        if (here[1] > y) != (before[1] > y):
            crossings.append((before[0] - here[0]) * (y - here[1]) / (before[1] - here[1]) + here[0])
        before = here
    crossings.sort()
    return [(a + margin, b - margin) for a, b in zip(crossings[::2], crossings[1::2], strict=False)]
