"""Lines as a hand would draw them: straight sides become a little crooked, rivers meander.

The crookedness depends only on the names of the two spaces, so that a line never changes from one drawing
to the next, and both spaces see the same line.
"""

from __future__ import annotations

import math
import zlib
from itertools import pairwise
from random import Random

from rulesdsl.drawing.shapes.geometry import Point, between, length_of, unit

_FINEST = 7.0  # no part of a line is divided below this length
_CALMING = 0.52
_MEANDER_LENGTH = 30.0


def hand_drawn(a: Point, b: Point, seed: str, most: float, roughness: float = 0.07) -> list[Point]:
    """The side from `a` to `b`, each half shifted sideways by chance, ever less, never more than `most`."""
    chance = Random(zlib.crc32(seed.encode()))
    line = [a, b]
    shift = min(most, roughness * min(math.dist(a, b), 160))
    while math.dist(a, b) / (len(line) - 1) > 2 * _FINEST:
        finer = [line[0]]
        for start, end in pairwise(line):
            dx, dy = unit(start, end)
            middle = between(start, end, 0.5 + chance.uniform(-0.08, 0.08))
            away = chance.uniform(-shift, shift)
            finer += [(middle[0] - dy * away, middle[1] + dx * away), end]
        line = finer
        shift *= _CALMING
    return line


def meandering(line: list[Point], seed: str, height: float = 3.6) -> list[Point]:
    """A river along a line: waves of uneven height that die out at both ends."""
    chance = Random(zlib.crc32(seed.encode()) ^ 0x5EA)
    total = length_of(line)
    waves = max(1, round(total / _MEANDER_LENGTH))
    heights = [chance.uniform(0.5, 1.0) * height for _ in range(waves)]
    start = chance.choice((-1, 1))
    dense = _evenly(line, total, 7.5)
    bent: list[Point] = []
    for index, point in enumerate(dense):
        share = index / (len(dense) - 1)
        wave = min(waves - 1, int(share * waves))
        sideways = start * heights[wave] * math.sin(math.pi * share * waves)
        before, after = dense[max(0, index - 1)], dense[min(len(dense) - 1, index + 1)]
        dx, dy = unit(before, after)
        bent.append((point[0] - dy * sideways, point[1] + dx * sideways))
    return bent


def _evenly(line: list[Point], total: float, step: float) -> list[Point]:
    """The same line with points at even distances."""
    count = max(2, round(total / step))
    points, walked, index = [line[0]], 0.0, 0
    for k in range(1, count):
        target = total * k / count
        while walked + math.dist(line[index], line[index + 1]) < target:
            walked += math.dist(line[index], line[index + 1])
            index += 1
        points.append(
            between(line[index], line[index + 1], (target - walked) / math.dist(line[index], line[index + 1]))
        )
    return [*points, line[-1]]
