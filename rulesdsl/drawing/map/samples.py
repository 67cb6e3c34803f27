"""A short piece of every kind of line, for the legend."""

from __future__ import annotations

from rulesdsl.drawing.map.passages import nexus_sign
from rulesdsl.drawing.map.teeth import comb
from rulesdsl.drawing.shapes.pencil import meandering
from rulesdsl.drawing.style.style import LineStyle
from rulesdsl.drawing.svg import curve_path, shaded, tag


def sample_line(style: LineStyle, on_board: bool = False) -> str:
    """The line from 0, 0 to 46, 0."""
    straight = "M2 0H44"
    common = {"fill": "none", "stroke_linecap": "round"}
    width, colour = style.width, style.colour
    match style.line:
        case "river":
            d = curve_path(meandering([(2.0, 0.0), (44.0, 0.0)], "legend", 3.0))
            return tag("path", d=d, **common, stroke=shaded(colour, -0.35), stroke_width=width + 2.2) + tag(
                "path", d=d, **common, stroke=colour, stroke_width=width
            )
        case "road":
            return tag("path", d=straight, **common, stroke=shaded(colour, -0.25), stroke_width=width) + tag(
                "path", d=straight, **common, stroke=shaded(colour, 0.62), stroke_width=max(1.0, width - 2.8)
            )
        case "rail":
            return tag("path", d=straight, **common, stroke=colour, stroke_width=width) + tag(
                "path", d=straight, **common, stroke="#ffffff", stroke_width=width / 2, stroke_dasharray="7 7"
            )
        case "teeth":
            d = comb([(0.0, 3.0), (46.0, 3.0)], -1)
            return tag("path", d=d, fill=colour, stroke=colour, stroke_width=width * 0.6)
        case "nexus" if on_board:
            return tag(
                "path", d="M23 -10V10", fill="none", stroke=colour, stroke_width=width, stroke_dasharray="3 4"
            )
        case "nexus":
            return nexus_sign((23.0, 0.0), style)
        case "way":
            return tag(
                "path", d="M0 0H46", fill="none", stroke=colour, stroke_width=width, stroke_dasharray="7 6"
            )
        case "dashed":
            dashes = f"{width * 3:g} {width * 1.6:g}"
            return tag(
                "path", d="M0 0H46", fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes
            )
        case "wall":
            return tag("path", d=straight, **common, stroke=colour, stroke_width=width) + tag(
                "path",
                d=straight,
                **common,
                stroke=shaded(colour, 0.5),
                stroke_width=width / 2,
                stroke_dasharray="5 3",
            )
        case _:
            return tag("path", d=straight, **common, stroke=colour, stroke_width=width)
