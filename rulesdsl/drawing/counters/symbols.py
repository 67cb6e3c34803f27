"""Unit symbols after the old NATO manner: a box, and in it what the unit is."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.drawing.svg import number, tag

# Each draws into a box of 30 by 20 whose upper left corner is 0, 0.
_WIDTH, _HEIGHT = 30.0, 20.0
_CROSS = "M0 0L30 20M30 0L0 20"
_OVAL = "M9 5.5H21A4.5 4.5 0 0 1 21 14.5H9A4.5 4.5 0 0 1 9 5.5Z"

_STROKES: dict[str, str] = {
    "none": "",
    "infantry": _CROSS,
    "armour": _OVAL,
    "mechanised": _CROSS + _OVAL,
    "motorised": _CROSS + "M15 0V20",
    "cavalry": "M0 20L30 0",
    "reconnaissance": "M0 20L30 0",
    "engineer": "M7 14V7H23V14M15 7V12.5",
    "airborne": _CROSS + "M9 19Q12 14.5 15 19Q18 14.5 21 19",
    "mountain": _CROSS + "M10.5 19.5L15 12L19.5 19.5",
    "antitank": "M0 20L15 0L30 20",
    "antiaircraft": "M0 20Q15 -6 30 20",
    "supply": "M0 14.5H30",
    "air": "M15 10C9 3 4 4 4 10S9 17 15 10C21 3 26 4 26 10S21 17 15 10Z",
    "fleet": "M15 4V16.5M9 12Q10 17 15 17Q20 17 21 12M11 7.5H19M15 4A1.6 1.6 0 1 1 15.01 4",
}
_SOLID = {"artillery": "M15 6.2A3.8 3.8 0 1 1 14.99 6.2Z", "mountain": "M10.5 19.5L15 12L19.5 19.5Z"}
BOXED = (*_STROKES, "artillery", "headquarters")


def unit_symbol(name: str, x: float, y: float, width: float, ink: str, ground: str, letters: str = "") -> str:
    """The symbol in a box of the given width; plain signs (disc, ring, cross) have no box."""
    scale = width / _WIDTH
    if name in _SIGNS:
        drawn = _SIGNS[name](ink, letters)
    else:
        drawn = _boxed(name, ink, ground, 1.5 / max(0.75, scale))
    return tag(
        "g", drawn, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})", class_="symbol"
    )


def _boxed(name: str, ink: str, ground: str, stroke: float) -> str:
    box = tag("rect", x=0, y=0, width=_WIDTH, height=_HEIGHT, fill=ground, stroke=ink, stroke_width=stroke)
    lines = _STROKES.get(name, "")
    drawn = tag("path", d=lines, fill="none", stroke=ink, stroke_width=stroke) if lines else ""
    if name in _SOLID:
        drawn += tag("path", d=_SOLID[name], fill=ink)
    if name == "headquarters":
        drawn = tag("path", d="M0 0H30V6.5H0Z", fill=ink) + tag(
            "path", d="M0 20V26", stroke=ink, stroke_width=stroke
        )
    return box + drawn


def _disc(ink: str, letters: str) -> str:
    return tag("circle", cx=15, cy=10, r=11, fill=ink)


def _ring(ink: str, letters: str) -> str:
    return tag("circle", cx=15, cy=10, r=9.5, fill="none", stroke=ink, stroke_width=4)


def _crossed(ink: str, letters: str) -> str:
    return tag(
        "path", d="M6 1L24 19M24 1L6 19", fill="none", stroke=ink, stroke_width=4.5, stroke_linecap="round"
    )


def _letter(ink: str, letters: str) -> str:
    return tag(
        "text", letters[:3], x=15, y=17, font_size=20, font_weight="bold", text_anchor="middle", fill=ink
    )


_SIGNS: dict[str, Callable[[str, str], str]] = {
    "disc": _disc, "ring": _ring, "cross": _crossed, "letter": _letter,
}  # fmt: skip
