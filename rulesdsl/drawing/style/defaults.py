"""A style for a game that has no `drawing.yaml`: guessed from ordinary words in its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rulesdsl.book.entries import Value
from rulesdsl.book.loader import GameSource
from rulesdsl.drawing.style.style import (
    BadgeStyle,
    ByAttribute,
    CounterStyle,
    DrawingStyle,
    Fill,
    LineStyle,
    MarkStyle,
    in_words,
    shown_value,
)

GRASS, SAND = "#efe6c4", "#ead9a8"
_TERRAIN_WORDS: dict[str, tuple[str, str]] = {
    "clear": (GRASS, "none"), "plain": (GRASS, "fields"), "open": (GRASS, "fields"), "flat": (GRASS, "none"),
    "woods": ("#b9cd98", "trees"), "wood": ("#b9cd98", "trees"), "forest": ("#a9c487", "trees"),
    "hills": ("#dcc79b", "hills"), "hill": ("#dcc79b", "hills"), "rough": ("#dcc79b", "hills"),
    "broken": ("#dcc79b", "hills"), "difficult": ("#dcc79b", "hills"),
    "mountain": ("#cbb28a", "mountains"), "mountains": ("#cbb28a", "mountains"),
    "urban": ("#c6c0b8", "blocks"), "city": ("#c6c0b8", "blocks"), "town": ("#d3cbbd", "blocks"),
    "swamp": ("#c3d0b0", "marsh"), "marsh": ("#c3d0b0", "marsh"), "desert": (SAND, "dunes"),
    "water": ("#a9cbe0", "waves"), "sea": ("#a9cbe0", "waves"), "lake": ("#a9cbe0", "waves"),
}  # fmt: skip
_PALETTE = ("#efe6c4", "#dde5c0", "#e8d5b5", "#d5dde3", "#e6d3d3", "#dcd6e8", "#cfe3d8", "#e9e0a9")
_LINE_WORDS: dict[str, tuple[str, str, float]] = {
    "river": ("river", "#5b9bc8", 6), "stream": ("river", "#86b8d8", 3.5), "canal": ("river", "#5b9bc8", 4),
    "road": ("road", "#8a5a2b", 6), "rail": ("rail", "#3b3b3b", 3), "railway": ("rail", "#3b3b3b", 3),
    "wall": ("wall", "#5a4a3a", 5), "cliff": ("teeth", "#6b4f2a", 3), "trench": ("teeth", "#5a3d1e", 2.5),
    "front_line": ("dashed", "#a0281e", 5),
}  # fmt: skip
_BADGE_WORDS: dict[str, tuple[str, str, str]] = {
    "victory_points": ("star", "#e9b92f", "#3a2a00"), "points": ("star", "#e9b92f", "#3a2a00"),
    "city": ("dot", "#3b3228", "#ffffff"), "town": ("dot", "#3b3228", "#ffffff"),
    "garrison": ("box", "#f5efe0", "#3b3228"), "objective": ("star", "#e9b92f", "#3a2a00"),
    "supply": ("circle", "#46603f", "#ffffff"),
}  # fmt: skip
_SYMBOL_WORDS = {
    "infantry": "infantry", "armour": "armour", "armor": "armour", "tank": "armour", "panzer": "armour",
    "mechanised": "mechanised", "mechanized": "mechanised", "motorised": "motorised",
    "motorized": "motorised", "cavalry": "cavalry", "artillery": "artillery", "hq": "headquarters",
    "headquarters": "headquarters", "leader": "headquarters", "engineer": "engineer",
    "airborne": "airborne", "parachute": "airborne", "mountain": "mountain", "antitank": "antitank",
    "reconnaissance": "reconnaissance", "recon": "reconnaissance", "supply": "supply", "air": "air",
    "fleet": "fleet", "ship": "fleet",
}  # fmt: skip
_SIDES = ("side", "owner", "player", "camp", "nation", "faction", "colour", "color")
_KINDS = ("kind", "type", "arm", "role")
_NUMBERS = ("strength", "attack", "combat", "defence", "defense", "movement", "speed")
_FACE_COLOURS = ("#b8382d", "#5f7f9f", "#8d9484", "#c9a227", "#6b8f5a", "#8a6aa0")


def guessed_style(source: GameSource) -> DrawingStyle:
    """The style of a game as its words suggest it."""
    spaces = [dict(s.attributes) for s in source.map.spaces.values()] if source.map else []
    borders = [dict(b.attributes) for b in source.map.borders] if source.map else []
    lines = _named(borders)
    shape = "flag" if source.map is None or source.map.kind == "areas" else "disc"
    return DrawingStyle(
        fill=_fill(spaces),
        borders=tuple(
            LineStyle(name, *_LINE_WORDS[name], legend=in_words(name))
            for name in _LINE_WORDS
            if name in lines
        ),
        badges=tuple(
            BadgeStyle(name, *_BADGE_WORDS[name], legend=in_words(name), text=_badge_text(name, spaces))
            for name in _named(spaces)
            if name in _BADGE_WORDS
        ),
        marks=tuple(MarkStyle(name, shape, legend=in_words(name)) for name in ("owner", "control")),
        counters=_counters(source),
        towns="road" in lines,
    )


def _fill(spaces: list[dict[str, Value]]) -> ByAttribute[Fill] | None:
    if "terrain" not in _named(spaces):
        return None
    values = sorted({shown_value(space["terrain"]) for space in spaces if "terrain" in space})
    chosen = {
        value: Fill(*_TERRAIN_WORDS.get(value, (_PALETTE[i % len(_PALETTE)], "none")), in_words(value))
        for i, value in enumerate(values)
    }
    return ByAttribute("terrain", chosen)


def _counters(source: GameSource) -> CounterStyle:
    pieces = [piece.on_face(0) for piece in source.pieces.values()]
    names = _named(pieces)
    side = next((name for name in _SIDES if name in names), None)
    kind = next((name for name in _KINDS if name in names), None)
    colours: dict[str, str] = {player.id: player.colour for player in source.game.players if player.colour}
    if side:
        for index, value in enumerate(sorted({shown_value(piece.get(side)) for piece in pieces})):
            colours.setdefault(value, _FACE_COLOURS[index % len(_FACE_COLOURS)])
    kinds = {shown_value(piece.get(kind)) for piece in pieces} if kind else set()
    inks = {value: "#ffffff" if is_dark(colour) else "#201a12" for value, colour in colours.items()}
    return CounterStyle(
        colour=ByAttribute(side, colours) if side else None,
        ink=ByAttribute(side, inks) if side else None,
        symbol=ByAttribute(kind, {v: _SYMBOL_WORDS[v] for v in sorted(kinds & set(_SYMBOL_WORDS))})
        if kind
        else None,
        numbers=tuple(n for n in _NUMBERS if n in names and all(_is_number(p.get(n, 0)) for p in pieces)),
    )


def is_dark(colour: str) -> bool:
    """Whether white letters are easier to read on a colour than black ones."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def _named(things: Iterable[Mapping[str, Value]]) -> list[str]:
    """The attributes that occur, in the order of their first appearance."""
    return list(dict.fromkeys(name for thing in things for name in thing))


def _badge_text(name: str, spaces: list[dict[str, Value]]) -> str:
    return "{value}" if any(_is_number(space.get(name)) for space in spaces) else ""


def _is_number(value: Value) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
