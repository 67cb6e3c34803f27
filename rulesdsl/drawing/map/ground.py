"""The ground of the map: every space once, filled as its terrain says, with its description in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulesdsl.book.entries import Entry
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.map.badges import badges_of
from rulesdsl.drawing.map.boards import margin_labels
from rulesdsl.drawing.map.layout import Layout
from rulesdsl.drawing.map.lines import chains
from rulesdsl.drawing.style.patterns import pattern, pattern_id
from rulesdsl.drawing.style.style import DrawingStyle, Fill, in_words, shown_value
from rulesdsl.drawing.svg import escape, line_path, shaded, strokes, tag, text_width, words, wrapped
from rulesdsl.drawing.views import MapOptions, PieceView


def fill_of(space: Entry, style: DrawingStyle) -> Fill:
    return style.fill.pick(space.attributes, style.ground) if style.fill else style.ground


def fills_used(spaces: Iterable[Entry], style: DrawingStyle) -> list[Fill]:
    """In the order of the style, so that the legend does not depend on the map."""
    used = {fill_of(space, style) for space in spaces}
    known = list(style.fill.values.values()) if style.fill else []
    return [fill for fill in dict.fromkeys([*known, style.ground]) if fill in used]


def patterns_for(fills: Iterable[Fill], prefix: str) -> list[str]:
    wanted = dict.fromkeys((fill.pattern, fill.colour) for fill in fills if fill.pattern != "none")
    return [pattern(prefix, name, colour) for name, colour in wanted]


def zone(
    space: Entry, layout: Layout, style: DrawingStyle, options: MapOptions, fill: Fill, description: str
) -> str:
    """A space as a group with its id, so that a page can link to it and style it."""
    shape = layout.shapes[space.id]
    d = line_path(shape.outline, closed=True)
    plain = fill.pattern == "none"
    paint = fill.colour if plain else f"url(#{pattern_id(options.prefix, fill.pattern, fill.colour)})"
    parts = [tag("title", escape(description)), tag("path", d=d, fill=paint, class_="ground")]
    if space.id in options.highlight:
        parts.append(
            tag(
                "path",
                d=d,
                fill="#ffe873",
                fill_opacity=0.35,
                stroke="#d98e00",
                stroke_width=5,
                class_="highlight",
            )
        )
    kind = shown_value(space.attributes.get(style.fill.attribute)) if style.fill else ""
    classes = f"zone {space.kind}" + (f" {style.fill.attribute}-{kind}" if style.fill and kind else "")
    drawn = tag("g", *parts, id=f"{options.prefix}zone-{space.id}", class_=classes)
    link = options.links.get(space.id)
    return tag("a", drawn, href=link) if link else drawn


def described(
    space: Entry,
    style: DrawingStyle,
    views: Sequence[PieceView],
    pieces: Mapping[str, Piece],
    marks: Sequence[str],
) -> str:
    """A space in words: its name, its terrain, its badges, and who is there."""
    facts: list[str] = []
    if style.fill and style.fill.attribute in space.attributes:
        said = fill_of(space, style).legend or in_words(shown_value(space.attributes[style.fill.attribute]))
        facts.append(said + (" (estimated)" if space.is_estimated(style.fill.attribute) else ""))
    facts += [badge.title for badge in badges_of(space, style.badges)]
    facts += marks
    text = space.name if not facts else f"{space.name}: {', '.join(facts)}"
    if views:
        text += f". Here: {', '.join(_counted(views, pieces))}"
    return text


def _counted(views: Sequence[PieceView], pieces: Mapping[str, Piece]) -> list[str]:
    counts: dict[str, int] = {}
    for view in views:
        name = pieces[view.id].name
        counts[name] = counts.get(name, 0) + 1
    return [name if count == 1 else f"{name} ({count})" for name, count in counts.items()]


def checkered(space: Entry, fill: Fill) -> Fill:
    """Squares without terrain alternate, as on a board."""
    column, row = space.attributes.get("column"), space.attributes.get("row")
    if isinstance(column, int) and isinstance(row, int) and (column + row) % 2 == 0:
        return Fill(shaded(fill.colour, -0.13), fill.pattern, fill.legend)
    return fill


def shore(layout: Layout, paper: str, prefix: str) -> str:
    """Soft bands around the map, as on old sheets."""
    loops = chains(side for side in layout.sides if not side.there)
    edge = "".join(line_path(loop, closed=loop[0] == loop[-1]) for loop in loops)
    bands = ((40.0, -0.05), (26.0, -0.1), (13.0, -0.17)) if layout.kind == "areas" else ((16.0, -0.12),)
    looks: list[dict[str, str | float | None]] = [
        {"stroke": shaded(paper, share), "stroke_width": width} for width, share in bands
    ]
    return strokes(f"{prefix}shore", edge, looks, stroke_linejoin="round", class_="shore") if edge else ""


def cell_names(game_map: GameMap, layout: Layout) -> list[str]:
    """Names of the cells of a board: at its margin, or in the cells when they are not letter and number."""
    ink, drawn = "#5c4a2c", []
    beside = margin_labels(game_map, layout)
    for text, (x, y) in beside:
        drawn.append(words(text, x, y + 5, 15, fill=ink, text_anchor="middle", class_="coordinate"))
    for space in game_map.spaces.values():
        shape = layout.shapes.get(space.id)
        if shape is None:
            continue
        x, y = shape.heart
        size = max(7.0, min(11.0, shape.room * 0.28))
        if not beside:
            top = y - shape.room * (0.72 if game_map.kind == "hexes" else 0.76) + size * 0.5
            drawn.append(
                words(
                    space.id, x, top, size, fill=ink, text_anchor="middle", opacity=0.8, class_="coordinate"
                )
            )
        if space.name != space.id:
            lines = _in_cell(space.name, size * 1.15, shape.room * 1.95)
            for number, line in enumerate(lines):
                base = y + shape.room * 0.82 - (len(lines) - 1 - number) * size * 1.12
                drawn.append(
                    words(line, x, base, round(_fitting(line, size * 1.15, shape.room * 2.1), 1),
                          fill="#2b2418", font_weight="bold", text_anchor="middle", stroke="#fdf6e3",
                          stroke_width=2.4, paint_order="stroke", class_="name")
                )  # fmt: skip
    return drawn


def _in_cell(name: str, size: float, width: float) -> list[str]:
    """A name in at most two lines that stay in their cell, as far as its words allow."""
    lines = wrapped(name, size, width, bold=True)
    if len(lines) > 2:
        lines = wrapped(name, size, text_width(name, size, bold=True) * 0.58, bold=True)
    return lines if len(lines) <= 2 else [lines[0], " ".join(lines[1:])]


def _fitting(line: str, size: float, width: float) -> float:
    """The size at which a line does not run into the next cell; not smaller than can be read from near."""
    return max(size * 0.6, size * min(1.0, width / max(1.0, text_width(line, size, bold=True))))
