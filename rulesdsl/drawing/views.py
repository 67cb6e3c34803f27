"""What a drawing shows: pieces on spaces, marks on spaces, and how the caller wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.book.entries import Value
from rulesdsl.book.loader import GameSource
from rulesdsl.drawing.style.style import CounterStyle, DrawingStyle, in_words, shown_value


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as it lies on the map. `face` counts from 0; `marks` are words such as "out of supply"."""

    id: str
    face: int = 0
    turned: bool = False  # it has acted: drawn darker
    marks: tuple[str, ...] = ()
    link: str = ""  # the address behind it
    sign: str = ""  # the character of what it is now, where the style has one


@dataclass(frozen=True, slots=True)
class SpaceMark:
    """A marker in a space: who controls it, how far it is fought down, whose stone lies there."""

    title: str
    colour: str = "#b8382d"
    text: str = ""
    shape: str = "flag"  # flag, circle, box, star; disc, ring and cross fill the space


@dataclass(frozen=True, slots=True)
class MapOptions:
    """`prefix` goes before every id, for several drawings on one page."""

    prefix: str = ""
    title: str = ""  # instead of the game's
    subtitle: str | None = None
    panel: bool = True  # title, legend and the boxes beside the map
    marks: Mapping[str, Sequence[SpaceMark]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)  # space → address behind it
    highlight: frozenset[str] = frozenset()  # spaces with a bright outline
    scenario: str = ""  # whose set-up is drawn when no positions are given
    piece_links: Mapping[str, str] = field(default_factory=dict)  # piece → address behind it
    roomy: bool = False  # the middle of every cell is left to counters that will come


def set_up(source: GameSource, scenario: str = "") -> dict[str, list[PieceView]]:
    """The pieces where they stand when a scenario (the default one, if there is any) begins."""
    wanted = scenario or source.game.scenario
    if wanted and wanted not in source.scenarios:
        if scenario:
            raise UsageError(f'there is no scenario "{scenario}"')
        wanted = ""
    places: dict[str, str | None] = {piece.id: piece.start for piece in source.pieces.values()}
    if wanted:
        chosen = source.scenarios[wanted]
        places |= {piece: space for space, pieces in chosen.setup.items() for piece in pieces}
        places |= dict.fromkeys(chosen.off_map)
    found: dict[str, list[PieceView]] = {}
    for piece, space in places.items():
        if space is not None and piece in source.pieces:
            found.setdefault(space, []).append(PieceView(piece))
    return found


def space_marks(
    source: GameSource, style: DrawingStyle, states: Mapping[str, Mapping[str, Value]]
) -> dict[str, list[SpaceMark]]:
    """The markers that the style has for states of spaces: space → attribute → value, things by their ids."""
    players = {player.id: player for player in source.game.players}
    found: dict[str, list[SpaceMark]] = {}
    for space, values in states.items():
        for mark in style.marks:
            value = values.get(mark.attribute)
            if value is None or value is False or value in (0, "none"):
                continue
            said = shown_value(value)
            player = players.get(said)
            title = f"{mark.legend}: {player.name if player else said}" if value is not True else mark.legend
            colour = mark.colour or (player.colour if player and player.colour else "#5a4a3a")
            text = mark.text.replace("{value}", said)
            found.setdefault(space, []).append(
                SpaceMark(title, colour, text, mark.shapes.get(said, mark.shape))
            )
    return found


def piece_view(style: CounterStyle, piece: str, face: int, states: Mapping[str, Value]) -> PieceView:
    """A piece with the states (attribute → value) that the style shows."""
    shown = ((name, states.get(name)) for name in style.marks)
    marks = tuple(
        in_words(value if isinstance(value, str) else name)
        for name, value in shown
        if value and value != "none"
    )
    turned = bool(style.turned and states.get(style.turned))
    return PieceView(piece, face, turned=turned, marks=marks, sign=sign_of(style, states))


def sign_of(style: CounterStyle, states: Mapping[str, Value]) -> str:
    """The character for what a piece is by these states; nothing when they do not say."""
    return style.sign.pick(dict(states), "") if style.sign is not None else ""


def checked(
    source: GameSource, positions: Mapping[str, Sequence[PieceView]]
) -> dict[str, tuple[PieceView, ...]]:
    """The positions, when every space, piece and face in them exists."""
    spaces = source.map.spaces if source.map else {}
    for space, views in positions.items():
        if space not in spaces:
            raise UsageError(f'the map has no space "{space}"')
        for view in views:
            piece = source.pieces.get(view.id)
            if piece is None:
                raise UsageError(f'there is no piece "{view.id}"')
            if not 0 <= view.face < len(piece.faces):
                raise UsageError(f'the piece "{view.id}" has no face {view.face}')
    return {space: tuple(views) for space, views in positions.items() if views}
