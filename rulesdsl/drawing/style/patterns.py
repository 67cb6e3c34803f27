"""Ground patterns: small signs scattered over a tile that repeats without a seam."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.svg import number, shaded, tag

_TILE = 96


def pattern_id(prefix: str, pattern: str, colour: str) -> str:
    return f"{prefix}{pattern}-{colour[1:]}"


def pattern(prefix: str, name: str, colour: str) -> str:
    """A pattern as it stands in `<defs>`: the ground, and on it signs in shades of its colour."""
    ink = shaded(colour, -0.3)
    drawn = [tag("rect", width=_TILE, height=_TILE, fill=colour), *_PATTERNS[name](ink, colour)]
    return tag(
        "pattern", *drawn, id=pattern_id(prefix, name, colour), width=_TILE, height=_TILE,
        patternUnits="userSpaceOnUse",
    )  # fmt: skip


def _scattered(count: int, apart: float, seed: int) -> list[Point]:
    """Points by chance that keep a distance from each other, also across the edge of the tile."""
    chance = Random(seed)
    points: list[Point] = []
    for _ in range(count * 60):
        point = (chance.uniform(0, _TILE), chance.uniform(0, _TILE))
        if all(_distance(point, other) >= apart for other in points):
            points.append(point)
        if len(points) == count:
            break
    return sorted(points, key=lambda p: p[1])


def _distance(a: Point, b: Point) -> float:
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return math.hypot(min(dx, _TILE - dx), min(dy, _TILE - dy))


def _repeated(points: list[Point], reach: float, sign: Callable[[float, float], str]) -> list[str]:
    """The sign at every point, and again on the other side where it sticks out of the tile."""
    drawn: list[str] = []
    for x, y in points:
        for dx in (-_TILE, 0, _TILE):
            for dy in (-_TILE, 0, _TILE):
                if -reach < x + dx < _TILE + reach and -reach < y + dy < _TILE + reach:
                    drawn.append(sign(x + dx, y + dy))
    return drawn


def _stroke(d: str, ink: str, width: float = 1.1, opacity: float = 0.6) -> str:
    return tag(
        "path", d=d, fill="none", stroke=ink, stroke_width=width, stroke_linecap="round", opacity=opacity
    )


def _trees(ink: str, ground: str) -> list[str]:
    def tree(x: float, y: float) -> str:
        crown = "a4.2 4.6 0 0 1 8.4 0a2.6 2.2 0 0 1 -3 2.2h-2.4a2.6 2.2 0 0 1 -3 -2.2z"
        d = f"M{number(x - 4.2)} {number(y)}{crown}"
        leaves = tag("path", d=d, fill=shaded(ground, -0.17), stroke=ink, stroke_width=0.7)
        return leaves + _stroke(f"M{number(x)} {number(y + 2)}v3.4", ink, 1.1, 0.8)

    return _repeated(_scattered(24, 14.5, 7), 8, tree)


def _hills(ink: str, ground: str) -> list[str]:
    def hill(x: float, y: float) -> str:
        # A crest with hachures that run down from it.
        rays = "".join(
            f"M{number(x + r * 3)} {number(y - 5 + abs(r) * 1.3)}l{number(r * 1.5)} {number(7 - abs(r))}"
            for r in (-3, -2, -1, 0, 1, 2, 3)
        )
        crest = f"M{number(x - 10)} {number(y - 0.5)}q10 -10 20 0"
        return _stroke(crest, ink, 1.1, 0.55) + _stroke(rays, ink, 0.8, 0.5)

    return _repeated(_scattered(9, 26, 3), 14, hill)


def _mountains(ink: str, ground: str) -> list[str]:
    def peak(x: float, y: float) -> str:
        d = f"M{number(x - 10)} {number(y + 6)}l10 -15l10 15"
        shade = f"M{number(x)} {number(y - 9)}l10 15h-8l-3 -6l3 -3z"
        return tag("path", d=shade, fill=ink, opacity=0.35) + _stroke(d, ink, 1.3, 0.7)

    return _repeated(_scattered(9, 26, 5), 14, peak)


def _blocks(ink: str, ground: str) -> list[str]:
    chance = Random(11)
    drawn: list[str] = []
    for column in range(6):
        for row in range(8):
            x, y = column * 16 + 2 + chance.uniform(-1, 1), row * 12 + 2 + chance.uniform(-1, 1)
            width, height = chance.uniform(7, 12), chance.uniform(5, 8)
            shade = shaded(ground, chance.choice((-0.1, -0.14, -0.2)))
            drawn.append(
                tag("rect", x=x, y=y, width=width, height=height, fill=shade, stroke=ink, stroke_width=0.35)
            )
    return drawn


def _fields(ink: str, ground: str) -> list[str]:
    def tuft(x: float, y: float) -> str:
        return _stroke(f"M{number(x - 2)} {number(y)}l-0.8 -3m2.8 3v-4m2 4l0.8 -3", ink, 0.8, 0.4)

    return _repeated(_scattered(9, 26, 13), 6, tuft)


def _marsh(ink: str, ground: str) -> list[str]:
    def reeds(x: float, y: float) -> str:
        grass = (
            f"M{number(x - 3)} {number(y)}l-1 -5M{number(x)} {number(y)}v-7M{number(x + 3)} {number(y)}l1 -5"
        )
        water = f"M{number(x - 8)} {number(y + 1)}h16M{number(x - 4)} {number(y + 4)}h8"
        return _stroke(grass, ink, 1, 0.6) + _stroke(water, "#5b8aa8", 1, 0.7)

    return _repeated(_scattered(11, 23, 17), 10, reeds)


def _waves(ink: str, ground: str) -> list[str]:
    def wave(x: float, y: float) -> str:
        return _stroke(f"M{number(x - 9)} {number(y)}q4.5 -5 9 0t9 0", ink, 1, 0.45)

    return _repeated(_scattered(12, 22, 19), 11, wave)


def _dunes(ink: str, ground: str) -> list[str]:
    def dune(x: float, y: float) -> str:
        dots = "".join(
            f"M{number(x + dx)} {number(y + dy)}h0.1" for dx, dy in ((0, 0), (4, 2), (-4, 3), (7, -2))
        )
        return _stroke(dots, ink, 1.4, 0.5)

    return _repeated(_scattered(14, 20, 23), 9, dune)


_PATTERNS: dict[str, Callable[[str, str], list[str]]] = {
    "trees": _trees, "hills": _hills, "mountains": _mountains, "blocks": _blocks, "fields": _fields,
    "marsh": _marsh, "waves": _waves, "dunes": _dunes,
}  # fmt: skip
