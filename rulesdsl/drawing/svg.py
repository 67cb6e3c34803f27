"""Writing SVG: elements as text, numbers short, everything escaped, the same input always the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rulesdsl.drawing.shapes.geometry import Point

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"

# Widths of letters in parts of the font size, for a common sans-serif; others count as 0.56.
_NARROW = dict.fromkeys("iljI.,:;'|!()[] ", 0.29) | dict.fromkeys('frt-"/', 0.36)
_WIDE = dict.fromkeys("mwMW@%", 0.86) | dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZÄÖÜ&~–", 0.68)
_WIDTHS = {**_NARROW, **_WIDE}
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def number(value: float) -> str:
    """At most two decimals, no trailing zeros, no minus before zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def escape(text: str) -> str:
    clean = _CONTROLS.sub("", text)
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """`tag("path", d=…, stroke_width=2)`; `class_` is `class`, `_` in names is `-`, None leaves out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value if isinstance(value, str) else number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def group(children: Iterable[str], **attributes: str | float | None) -> str:
    """A group with a line for each child; nothing at all when it has none."""
    lines = [child for child in children if child]
    return tag("g", "\n", "\n".join(lines), "\n", **attributes) if lines else ""


def words(text: str, x: float, y: float, size: float, **attributes: str | float | None) -> str:
    """One line of text; `y` is its baseline."""
    return tag("text", escape(text), x=x, y=y, font_size=size, **attributes)


def line_path(points: Sequence[Point], closed: bool = False) -> str:
    """A line through the points. After the first, steps are relative: a third shorter, exact in tenths."""
    rounded = [_tenths(point) for point in points]
    steps = (_step(a, b) for a, b in pairwise(rounded))
    return f"M{_step((0, 0), rounded[0])}l{' '.join(steps)}" + ("z" if closed else "")


def curve_path(points: Sequence[Point]) -> str:
    """A smooth curve through the points (Catmull-Rom written as Bézier pieces)."""
    if len(points) < 3:
        return line_path(points)
    padded = [points[0], *points, points[-1]]
    parts: list[str] = []
    for before, a, b, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        start = _tenths(a)
        first = (a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6)
        second = (b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6)
        parts += [_step(start, _tenths(point)) for point in (first, second, b)]
    return f"M{_step((0, 0), _tenths(points[0]))}c{' '.join(parts)}"


def strokes(
    identity: str, d: str, looks: Sequence[dict[str, str | float | None]], **common: str | float | None
) -> str:
    """One path drawn several times, each with its own look, written once."""
    shared = tag("defs", tag("path", id=identity, d=d))
    drawn = (tag("use", href=f"#{identity}", **look) for look in looks)
    return shared + tag("g", *drawn, fill="none", **common)


def _tenths(point: Point) -> tuple[int, int]:
    return (round(point[0] * 10), round(point[1] * 10))


def _step(a: tuple[int, int], b: tuple[int, int]) -> str:
    return f"{number((b[0] - a[0]) / 10)} {number((b[1] - a[1]) / 10)}"


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a line of text is."""
    return size * sum(_WIDTHS.get(letter, 0.56) for letter in text) * (1.06 if bold else 1.0)


def wrapped(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """The text in lines that are, if their words allow it, not wider than `width`."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def shaded(colour: str, share: float) -> str:
    """A colour made lighter (share above 0, towards white) or darker (below 0, towards black)."""
    target = 255 if share > 0 else 0
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + (target - part) * abs(share)):02x}" for part in parts)


def doubted(text: str, font: float) -> list[str]:
    """An estimated number with a small question mark above it: a tilde would look like a minus from afar."""
    raised = font * 0.34
    sign = tag("tspan", "?", font_size=f"{font * 0.62:.1f}", font_weight="normal", dy=f"{-raised:.1f}")
    return [tag("tspan", text), sign]
